// SPDX-License-Identifier: GPL-3.0-or-later
// Some thousand records in the order of their key's hash, packed by columns and compressed: the form in
// which all records of a night are kept. Layout (before zstd): row count; kinds; keys (a bit "differs from
// the row before", then the different ones); then for each kind its columns: field number, presence bits
// where not every row has it, values; 0 ends the columns of a kind.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/columns.h"
#include "core/store/record_row.h"

namespace counterfoil {

/// A look-up opens a whole block, so blocks are small; a very large run has larger ones, as their number has
/// a bound (kMostBlocks).
inline constexpr std::size_t kBlockRowsLeast = 1024;
inline constexpr std::size_t kBlockRowsMost = 4096;
inline constexpr std::size_t kBlockBytes = 8u << 20;  ///< of rows; a block ends early when they are large

/// Makes blocks out of rows (appendRow). Keeps its buffers: one per thread, for many blocks.
class RecordBlockWriter {
 public:
  RecordBlockWriter();
  ~RecordBlockWriter();
  RecordBlockWriter(RecordBlockWriter&&) noexcept;
  /// `rows` in their final order. Returns a view that lives until the next call.
  [[nodiscard]] Result<std::string_view> encode(std::span<const std::string_view> rows);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

/// A block opened for reading. StoreBroken for bytes that are no block.
class RecordBlock {
 public:
  static Result<RecordBlock> open(std::string_view bytes);
  [[nodiscard]] std::size_t size() const { return m_kinds.size(); }
  [[nodiscard]] RecordKind kind(std::size_t row) const { return m_kinds[row]; }
  [[nodiscard]] FileId file(std::size_t row) const;
  [[nodiscard]] std::string_view key(std::size_t row, std::string& scratch) const;
  [[nodiscard]] Result<AnyRecord> record(std::size_t row) const;
  /// The row's value in a number column; 0 where it has none (noughts are not stored).
  [[nodiscard]] std::int64_t number(std::size_t row, Field field) const;
  /// fn(first row, row behind the last, key) for rows that stand together under one key; blank for those without.
  void forEachKey(const std::function<void(std::size_t, std::size_t, std::string_view)>& fn) const;
  /// fn(row, field, text) for every text that a row has in one of the fields.
  void forEachText(std::span<const Field> fields,
                   const std::function<void(std::size_t, Field, std::string_view)>& fn) const;
  /// Rows, in order, whose key (normal form) is `key`.
  [[nodiscard]] std::vector<std::size_t> rowsWithKey(std::string_view key) const;
  /// Rows, in order, that hold `text` in one of the fields.
  [[nodiscard]] std::vector<std::size_t> rowsWith(std::span<const Field> fields, std::string_view text) const;

 private:
  struct Column {
    Field field = Field::Key;
    std::vector<std::uint32_t> valueOf;  ///< by row of the kind, kAbsent; empty: every row has a value
    NumberColumn numbers;
    TextColumn texts;
  };
  static constexpr std::uint32_t kAbsent = ~0u;
  /// Index of a row's value in a column of its kind; kAbsent.
  [[nodiscard]] std::uint32_t valueAt(const Column& column, std::size_t row) const {
    const std::uint32_t rowOfKind = m_rowOfKind[row];
    return column.valueOf.empty() ? rowOfKind : column.valueOf[rowOfKind];
  }
  bool parse(std::string_view bytes);
  bool parseKinds(std::string_view& bytes, std::size_t rows);
  bool parseKeys(std::string_view& bytes);
  bool parseColumns(std::string_view& bytes, std::size_t kind);
  bool parseColumn(std::string_view& bytes, std::size_t kind, std::uint8_t field);

  std::shared_ptr<std::string> m_bytes;              ///< views point into it; moving the block keeps them
  std::vector<RecordKind> m_kinds;
  std::vector<std::uint32_t> m_rowOfKind;            ///< index among the rows of its kind
  std::vector<std::uint32_t> m_keyOf;                ///< index among the different keys
  TextColumn m_keys;
  std::array<std::size_t, kRecordKindCount> m_kindRows{};
  std::array<std::vector<Column>, kRecordKindCount> m_columns;
};

}  // namespace counterfoil
