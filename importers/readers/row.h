// SPDX-License-Identifier: GPL-3.0-or-later
// A row as readers see it: named or numbered fields of text with their place. Readers know quoting and
// structure, nothing of payments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil {

enum class FieldType : std::uint8_t {
  Absent,   ///< the row has no such column or member
  Null,     ///< JSON null, SQL NULL
  Text,     ///< CSV field, JSON string, SQL text
  Number,   ///< JSON number or SQL integer/real: the text is exact, digits untouched
  Boolean,  ///< "true" or "false"
  Json,     ///< JSON array or object: the text is its JSON
  Blob      ///< bytes
};

struct FieldView {
  FieldType type = FieldType::Absent;
  std::string_view text;
  [[nodiscard]] bool isBlank() const { return type == FieldType::Absent || type == FieldType::Null || text.empty(); }
};

/// Valid until the reader goes on. Column i of `columns` of the reader is fields[i].
struct RowView {
  std::uint64_t offset = 0;     ///< byte offset of the row's first byte in the decoded file (BOM counted), or rowid
  std::uint64_t length = 0;     ///< bytes of the row with its line end; 0 for tables
  std::uint64_t line = 0;       ///< 1-based; 0 if not known yet (parallel chunks)
  std::string_view raw;         ///< the row as written, without line end; may be blank for tables
  std::vector<FieldView> fields;
};

}  // namespace counterfoil
