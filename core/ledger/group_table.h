// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of one partition, gathered by group. Meant to be used again for the next partition.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/ledger/row.h"

namespace counterfoil {

class GroupTable {
 public:
  void clear() {
    m_rows.clear();
    m_groups = 0;
  }
  void append(std::string_view bytes, const RowCodec& codec);
  [[nodiscard]] std::size_t rowCount() const { return m_rows.size(); }
  /// Call once after the last append().
  void group();

  [[nodiscard]] std::size_t groupCount() const { return m_groups; }
  /// Rows of a group, in no order that means anything.
  [[nodiscard]] std::span<const LedgerRow* const> rowsOf(std::size_t group) const {
    return {m_order.data() + m_first[group], m_first[group + 1] - m_first[group]};
  }

 private:
  std::vector<LedgerRow> m_rows;
  std::vector<std::uint32_t> m_table;      ///< hash table: first row of a group plus one
  std::vector<std::uint32_t> m_groupOf;    ///< by row
  std::vector<std::uint32_t> m_first;      ///< by group: where its rows begin in m_order
  std::vector<const LedgerRow*> m_order;
  std::size_t m_groups = 0;
};

}  // namespace counterfoil
