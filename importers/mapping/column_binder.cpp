// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/column_binder.h"

#include <algorithm>

#include "core/base/text.h"
#include "importers/mapping/fields.h"

namespace counterfoil {

std::vector<std::string> spellingsOf(const std::string& name) {
  std::vector<std::string> spellings = {name};
  if (name.find('_') == std::string::npos || name.find('.') != std::string::npos) return spellings;
  std::string camel, kebab = name;
  std::replace(kebab.begin(), kebab.end(), '_', '-');
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts = name[i] == '_' && i + 1 < name.size();
    const char c = starts ? name[++i] : name[i];
    camel += starts && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  std::string pascal = camel;
  if (pascal[0] >= 'a' && pascal[0] <= 'z') pascal[0] = static_cast<char>(pascal[0] - 32);
  spellings.insert(spellings.end(), {camel, kebab, pascal});
  return spellings;
}

ColumnBinder::ColumnBinder(const std::vector<std::string>& fileColumns,
                           std::vector<std::string>& columns)
    : m_fileColumns(fileColumns), m_columns(columns) {
  for (const std::string& name : fileColumns) {  // the first of equal names counts
    m_exact.emplace(name, name);
    m_lower.emplace(toLowerAscii(trim(name)), name);
    m_folded.emplace(foldColumnName(name), name);
  }
}

std::uint32_t ColumnBinder::bind(const std::string& name, bool usualSpellings) {
  if (!knowsFile()) return indexOf(name);
  if (const auto found = m_exact.find(name); found != m_exact.end()) return indexOf(found->second);
  if (const auto found = m_lower.find(toLowerAscii(name)); found != m_lower.end())
    return indexOf(found->second);
  if (!usualSpellings) return kUnbound;
  const auto found = m_folded.find(foldColumnName(name));
  return found == m_folded.end() ? kUnbound : indexOf(found->second);
}

std::uint32_t ColumnBinder::bindPath(const std::string& name, std::string& path) {
  for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0;
       dot = name.rfind('.', dot - 1)) {
    if (dot + 1 == name.size()) continue;  // "Receipt No." is no path
    const std::uint32_t column = bind(name.substr(0, dot), false);
    if (column == kUnbound) continue;
    path = name.substr(dot + 1);
    return column;
  }
  return kUnbound;
}

std::string ColumnBinder::nearestTo(std::string_view name) const {
  const std::vector<std::string_view> views(m_fileColumns.begin(), m_fileColumns.end());
  return nearest(name, views.data(), views.size());
}

std::uint32_t ColumnBinder::indexOf(const std::string& name) {
  const auto [entry, isNew] = m_index.emplace(name, static_cast<std::uint32_t>(m_columns.size()));
  if (isNew) m_columns.push_back(name);
  return entry->second;
}

}  // namespace counterfoil
