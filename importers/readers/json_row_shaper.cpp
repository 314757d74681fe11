// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that one JSON value makes.
#include <fmt/format.h>

#include "importers/readers/json_row.h"

namespace counterfoil {

JsonRowShaper::JsonRowShaper(std::vector<std::string> wanted, const std::string& each)
    : m_wanted(std::move(wanted)),
      m_outer([&] {
        std::vector<std::string> paths = m_wanted;
        if (!each.empty()) paths.push_back(each);
        return JsonPaths(paths);
      }()),
      m_element(m_wanted),
      m_hasEach(!each.empty()) {
  for (std::size_t i = 0; i < m_wanted.size(); ++i) {
    if (m_wanted[i] == "$key") m_keyColumns.push_back(i);
    if (m_wanted[i] == "$value") m_valueColumns.push_back(i);
  }
}

void JsonRowShaper::setNamed(std::vector<FieldView>& fields, std::string_view key,
                             std::string_view value, Arena& arena) const {
  for (const std::size_t column : m_keyColumns) {
    if (!key.empty()) fields[column] = {FieldType::Text, jsonUnescaped(key, arena)};
  }
  for (const std::size_t column : m_valueColumns) fields[column] = jsonField(value, arena);
}

bool JsonRowShaper::give(std::string_view text, const RowView& place, std::string_view key,
                         RowSink& sink, Scratch& scratch) const {
  RowView& row = scratch.row;
  row.offset = place.offset;
  row.length = place.length;
  row.line = place.line;
  row.raw = place.raw;
  scratch.arena.clear();
  std::vector<FieldView>& fields = m_hasEach ? scratch.outer : row.fields;
  if (const std::optional<JsonFault> fault = parseJsonRow(text, m_outer, fields, scratch.arena)) {
    const std::string_view near = text.substr(fault->position, 40);
    return sink.onDefect(row, {"", std::string(near), "not_json",
                               fmt::format("not valid JSON at character {} of the row: {}",
                                           fault->position + 1, fault->message)});
  }
  setNamed(fields, key, text, scratch.arena);
  if (m_hasEach) return giveElements(sink, scratch);
  return sink.onRow(row, 0);
}

bool JsonRowShaper::giveElements(RowSink& sink, Scratch& scratch) const {
  RowView& row = scratch.row;
  const FieldView list = scratch.outer.back();
  if (list.type != FieldType::Json) return true;
  const std::vector<JsonElement> elements = jsonElements(list.text, kMaxJsonElements);
  if (elements.size() == kMaxJsonElements) {
    return sink.onDefect(row, {"", "", "too_many_elements",
                               fmt::format("the list has {} elements or more", kMaxJsonElements)});
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    // Known to be valid as a part of the row.
    (void)parseJsonRow(elements[i].value, m_element, row.fields, scratch.arena);
    setNamed(row.fields, elements[i].key, elements[i].value, scratch.arena);
    for (std::size_t f = 0; f < m_wanted.size(); ++f) {
      if (row.fields[f].type == FieldType::Absent) row.fields[f] = scratch.outer[f];
    }
    if (!sink.onRow(row, static_cast<std::uint32_t>(i))) return false;
  }
  return true;
}

}  // namespace counterfoil
