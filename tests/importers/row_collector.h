// SPDX-License-Identifier: GPL-3.0-or-later
// Collects what a reader gives, as plain text.
#pragma once

#include <string>
#include <vector>

#include "importers/readers/text_reader.h"

namespace counterfoil {

class RowCollector : public RowSink {
 public:
  struct Row {
    std::vector<std::string> fields;   ///< "-" Absent, "null" Null, else the text
    std::vector<FieldType> types;
    std::uint64_t offset = 0, length = 0, line = 0;
    std::uint32_t element = 0;
    std::string raw;
  };
  struct Defect {
    std::string rule, column, value, raw;
    std::uint64_t offset = 0;
  };

  bool onRow(const RowView& row, std::uint32_t element) override {
    Row one;
    for (const FieldView& field : row.fields) {
      one.types.push_back(field.type);
      if (field.type == FieldType::Absent) {
        one.fields.emplace_back("-");
      } else if (field.type == FieldType::Null) {
        one.fields.emplace_back("null");
      } else {
        one.fields.emplace_back(field.text);
      }
    }
    one.offset = row.offset;
    one.length = row.length;
    one.line = row.line;
    one.element = element;
    one.raw = std::string(row.raw);
    rows.push_back(std::move(one));
    return rows.size() < stopAfter;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    defects.push_back({defect.rule, defect.column, defect.value, std::string(row.raw), row.offset});
    return true;
  }
  void onUnmatched(const RowView& row) override { unmatched.emplace_back(row.raw); }

  /// "a|b;c|d": fields by '|', rows by ';'.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const Row& row : rows) {
      if (!all.empty()) all += ';';
      for (std::size_t i = 0; i < row.fields.size(); ++i) all += (i > 0 ? "|" : "") + row.fields[i];
    }
    return all;
  }
  [[nodiscard]] std::string rules() const {
    std::string all;
    for (const Defect& defect : defects) all += (all.empty() ? "" : ";") + defect.rule;
    return all;
  }

  std::vector<Row> rows;
  std::vector<Defect> defects;
  std::vector<std::string> unmatched;
  std::size_t stopAfter = static_cast<std::size_t>(-1);
};

/// Parses a whole text with one call.
inline BlockOutcome parseAll(const TextReader& reader, std::string_view text, RowSink& sink) {
  const auto scratch = reader.makeScratch();
  return reader.parse({text, 0, text.size(), true}, sink, *scratch);
}

}  // namespace counterfoil
