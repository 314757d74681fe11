// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that one JSON value makes.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "importers/readers/json_row.h"

namespace counterfoil {

namespace {

constexpr std::string_view kOuter = "$outer.";

bool isOfOuter(std::string_view path) { return path.substr(0, kOuter.size()) == kOuter; }

/// What is asked of a row that holds lists: the places in it, and the lists.
std::vector<std::string> outerPaths(std::vector<std::string> wanted, const std::vector<std::string>& each) {
  for (std::string& path : wanted) {
    if (!each.empty() && isOfOuter(path)) path.erase(0, kOuter.size());
  }
  wanted.insert(wanted.end(), each.begin(), each.end());
  return wanted;
}

}  // namespace

JsonRowShaper::JsonRowShaper(std::vector<std::string> wanted, const JsonNesting& nesting, bool splitsLists)
    : m_wanted(std::move(wanted)),
      m_outer(outerPaths(m_wanted, nesting.each)),
      m_element(m_wanted),
      m_unwrap(std::vector<std::string>{nesting.unwrap}),
      m_eachCount(nesting.each.size()),
      m_mayBeSelf(std::find(nesting.each.begin(), nesting.each.end(), ".") != nesting.each.end()),
      m_unwraps(!nesting.unwrap.empty()),
      m_splitsLists(splitsLists) {
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

void JsonRowShaper::setSteps(std::vector<FieldView>& fields, const Scratch& scratch) const {
  for (const auto& [name, value] : scratch.steps) {
    for (std::size_t i = 0; i < m_wanted.size(); ++i) {
      if (m_wanted[i] == name) fields[i] = {FieldType::Text, value};
    }
  }
}

/// The fields of a value, or of the JSON that a text in it holds.
std::optional<JsonFault> JsonRowShaper::read(std::string_view text, std::vector<FieldView>& fields,
                                             Scratch& scratch) const {
  if (auto fault = parseJsonRow(text, m_outer, fields, scratch.arena)) return fault;
  if (!m_unwraps) return std::nullopt;
  std::vector<FieldView> inner;
  (void)parseJsonRow(text, m_unwrap, inner, scratch.arena);   // known to be valid
  if (trim(text).substr(0, 1) == "\"") inner[0] = jsonField(trim(text), scratch.arena);
  const std::string_view wrapped = inner[0].type == FieldType::Text ? trim(inner[0].text) : std::string_view();
  if (wrapped.empty() || wrapped.front() != '{') return std::nullopt;
  scratch.wrapper = fields;
  if (auto fault = parseJsonRow(wrapped, m_outer, fields, scratch.arena)) return fault;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].type == FieldType::Absent) fields[i] = scratch.wrapper[i];
  }
  return std::nullopt;
}

bool JsonRowShaper::give(std::string_view text, const RowView& place, std::string_view key,
                         RowSink& sink, Scratch& scratch) const {
  RowView& row = scratch.row;
  row.offset = place.offset;
  row.length = place.length;
  row.line = place.line;
  row.raw = place.raw;
  scratch.arena.clear();
  std::vector<FieldView>& fields = m_eachCount > 0 ? scratch.outer : row.fields;
  if (const std::optional<JsonFault> fault = read(text, fields, scratch)) {
    const std::string_view near = text.substr(std::min(fault->position, text.size()), 40);
    return sink.onDefect(row, {"", std::string(near), "not_json",
                               fmt::format("not valid JSON at character {} of the row: {}",
                                           fault->position + 1, fault->message)});
  }
  if (m_splitsLists && m_eachCount == 0 && !text.empty() && trim(text).front() == '[') {
    scratch.outer.assign(m_wanted.size(), FieldView());
    return giveList(jsonElements(text, kMaxJsonElements), sink, scratch);
  }
  setNamed(fields, key, text, scratch.arena);
  setSteps(fields, scratch);
  if (m_eachCount > 0) return giveElements(sink, scratch);
  return sink.onRow(row, 0);
}

bool JsonRowShaper::giveElements(RowSink& sink, Scratch& scratch) const {
  for (std::size_t i = m_wanted.size(); i < scratch.outer.size(); ++i) {
    const FieldView list = scratch.outer[i];
    if (list.type == FieldType::Json) return giveList(jsonElements(list.text, kMaxJsonElements), sink, scratch);
  }
  if (m_mayBeSelf) return giveSelf(sink, scratch);
  sink.onUnmatched(scratch.row);
  return true;
}

bool JsonRowShaper::giveSelf(RowSink& sink, Scratch& scratch) const {
  RowView& row = scratch.row;
  row.fields.assign(scratch.outer.begin(), scratch.outer.begin() + static_cast<std::ptrdiff_t>(m_wanted.size()));
  for (std::size_t i = 0; i < m_wanted.size(); ++i) {
    if (isOfOuter(m_wanted[i])) row.fields[i] = FieldView();
  }
  return sink.onRow(row, 0);
}

bool JsonRowShaper::giveList(const std::vector<JsonElement>& elements, RowSink& sink, Scratch& scratch) const {
  RowView& row = scratch.row;
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
