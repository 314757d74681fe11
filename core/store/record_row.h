// SPDX-License-Identifier: GPL-3.0-or-later
// A record as a row of (field, value) pairs, blank ones left out: the form in which records wait for
// their block, and the form of evidence of single units. Queue depths are no such records.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/record/record.h"
#include "core/store/record_fields.h"

namespace counterfoil {

/// Appends kind and fields. The key, where there is one, is the first field.
void appendRow(const AnyRecord& record, std::string& out);
void appendRow(const Attempt& record, std::string& out);
void appendRow(const Skip& record, std::string& out);
void appendRow(const Claim& record, std::string& out);
void appendRow(const Intent& record, std::string& out);
void appendRow(const OutboxRow& record, std::string& out);
void appendRow(const ProcessedEvent& record, std::string& out);
void appendRow(const Effect& record, std::string& out);
void appendRow(const DeadLetter& record, std::string& out);

/// The values of one row, by field. Views into the row or block.
struct RowValues {
  RecordKind kind = RecordKind::Attempt;
  std::array<std::optional<std::int64_t>, static_cast<std::size_t>(Field::Key)> numbers;
  std::array<std::optional<std::string_view>, kFieldLimit - static_cast<std::size_t>(Field::Key)> texts;

  void set(Field field, std::int64_t value) { numbers[static_cast<std::size_t>(field)] = value; }
  void set(Field field, std::string_view value) {
    texts[static_cast<std::size_t>(field) - static_cast<std::size_t>(Field::Key)] = value;
  }
  [[nodiscard]] std::optional<std::string_view> text(Field field) const {
    return texts[static_cast<std::size_t>(field) - static_cast<std::size_t>(Field::Key)];
  }
};

/// Reads one whole row; nothing if it is no row.
[[nodiscard]] std::optional<RowValues> readRow(std::string_view row);
/// StoreBroken for values no record can have (the bytes may come from a damaged store).
[[nodiscard]] Result<AnyRecord> recordOf(const RowValues& values);

/// All records of a unit, one behind the other.
[[nodiscard]] std::string packRecords(const Records& records);
[[nodiscard]] Result<Records> unpackRecords(std::string_view bytes);

}  // namespace counterfoil
