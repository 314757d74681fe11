// SPDX-License-Identifier: GPL-3.0-or-later
// A mapping's column names among those of a file. Internal to importers/mapping.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace counterfoil {

/// "idempotency_key" as JSON writers spell it too: idempotencyKey, idempotency-key, IdempotencyKey.
[[nodiscard]] std::vector<std::string> spellingsOf(const std::string& name);

class ColumnBinder {
 public:
  static constexpr std::uint32_t kUnbound = 0xFFFFFFFFu;

  /// `columns` gets the names that are bound, in order; both have to outlive the binder.
  ColumnBinder(const std::vector<std::string>& fileColumns, std::vector<std::string>& columns);

  [[nodiscard]] bool knowsFile() const { return !m_fileColumns.empty(); }
  /// Index into the plan's columns; kUnbound if the file has no such column.
  std::uint32_t bind(const std::string& name, bool usualSpellings);
  /// A dotted path into a column that holds JSON: the column, and the path of the rest.
  std::uint32_t bindPath(const std::string& name, std::string& path);
  [[nodiscard]] std::string nearestTo(std::string_view name) const;

 private:
  std::uint32_t indexOf(const std::string& name);

  const std::vector<std::string>& m_fileColumns;
  std::vector<std::string>& m_columns;
  std::unordered_map<std::string, std::uint32_t> m_index;
  std::unordered_map<std::string, std::string> m_exact, m_lower, m_folded;
};

}  // namespace counterfoil
