// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/group_table.h"

#include <bit>

namespace counterfoil {

void GroupTable::append(std::string_view bytes, const RowCodec& codec) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) {
    m_rows.emplace_back();
    at = codec.unpack(at, end, m_rows.back());
  }
}

void GroupTable::group() {
  const std::size_t size = std::bit_ceil(m_rows.size() * 2 + 2);
  const std::size_t mask = size - 1;
  m_table.assign(size, 0);
  m_groupOf.resize(m_rows.size());
  m_first.assign(1, 0);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    // The high bits chose the partition; the low ones are as good.
    std::size_t slot = m_rows[i].group.high & mask;
    while (m_table[slot] != 0 && m_rows[m_table[slot] - 1].group != m_rows[i].group) slot = (slot + 1) & mask;
    if (m_table[slot] == 0) {
      m_table[slot] = static_cast<std::uint32_t>(i + 1);
      m_groupOf[i] = static_cast<std::uint32_t>(m_first.size() - 1);
      m_first.push_back(1);
    } else {
      m_groupOf[i] = m_groupOf[m_table[slot] - 1];
      ++m_first[m_groupOf[i] + 1];
    }
  }
  m_groups = m_first.size() - 1;
  for (std::size_t group = 1; group < m_first.size(); ++group) m_first[group] += m_first[group - 1];
  m_order.resize(m_rows.size());
  for (std::size_t i = m_rows.size(); i-- > 0;) m_order[--m_first[m_groupOf[i] + 1]] = &m_rows[i];
  // Each entry has come down to where its group begins: one place to the left of where it stands.
  for (std::size_t group = 0; group + 1 < m_first.size(); ++group) m_first[group] = m_first[group + 1];
  m_first.back() = static_cast<std::uint32_t>(m_rows.size());
}

}  // namespace counterfoil
