// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of text whose rows follow each other (CSV, lines, NDJSON). They parse a block of memory, so
// that large files are read in blocks by several threads, streams block after block, and tests and
// fuzzers need no file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/readers/row.h"

namespace counterfoil {

inline constexpr std::size_t kMaxColumns = 4096;
inline constexpr std::size_t kMaxFieldBytes = 16u << 20;
inline constexpr std::size_t kMaxRowBytes = 64u << 20;

/// Why a row cannot be taken apart, as in QuarantinedRow.
struct RowDefect {
  std::string column, value, rule, reason;
};

/// Takes what a reader finds, in the order of the file.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// `element` numbers the rows that one row of the file gave (layout.each), else 0. False stops.
  virtual bool onRow(const RowView& row, std::uint32_t element) = 0;
  /// A row that is not what its format says. `row` has its place and raw text, no fields. False stops.
  virtual bool onDefect(const RowView& row, RowDefect defect) = 0;
  /// A line that fits no pattern and is passed.
  virtual void onUnmatched(const RowView& row) = 0;
};

/// A part of a file.
struct TextBlock {
  std::string_view text;         ///< starts with the first byte of a row
  std::uint64_t baseOffset = 0;  ///< of text[0] in the file
  std::size_t limit = 0;         ///< rows that start at or behind it belong to the next block
  bool last = false;             ///< the file ends where text ends
};

struct BlockOutcome {
  std::size_t consumed = 0;   ///< end of the last complete row = start of the next
  bool needMore = false;      ///< a row that starts before `limit` does not end in `text`
  bool cutOff = false;        ///< the file's last row is not complete (it was given to onDefect)
  bool stopped = false;       ///< the sink said so
};

/// Immutable and thread-safe; what changes is in its scratch.
class TextReader {
 public:
  struct Scratch {
    virtual ~Scratch() = default;
    bool sawNonAscii = false;   ///< set by parse(), cleared by whoever asks
  };
  virtual ~TextReader() = default;
  [[nodiscard]] virtual std::unique_ptr<Scratch> makeScratch() const = 0;
  virtual BlockOutcome parse(const TextBlock& block, RowSink& sink, Scratch& scratch) const = 0;
  /// Where a row can start at or behind `from` (> 0), if text[from - 1] is not inside of a row's value;
  /// text.size() if none is seen.
  [[nodiscard]] virtual std::size_t likelyRowStart(std::string_view text, std::size_t from) const = 0;
  /// The byte that ends lines, for counting them.
  [[nodiscard]] virtual char lineEnd() const = 0;
};

[[nodiscard]] std::uint64_t countByte(std::string_view text, char byte);

}  // namespace counterfoil
