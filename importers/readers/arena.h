// SPDX-License-Identifier: GPL-3.0-or-later
// Room for the values of one row that had to be written anew. What was handed out stays where it is until
// clear(). Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace counterfoil {

class Arena {
 public:
  /// `size` bytes that stay valid until clear().
  char* take(std::size_t size) {
    if (m_blocks.empty() || m_used + size > m_blocks.back().size) grow(size);
    char* const place = m_blocks.back().bytes.get() + m_used;
    m_used += size;
    return place;
  }
  /// Gives back the end of the last take().
  void giveBack(std::size_t size) { m_used -= size; }

  void clear() {
    if (m_blocks.size() > 1) m_blocks.erase(m_blocks.begin(), m_blocks.end() - 1);
    if (!m_blocks.empty() && m_blocks.back().size > kKeptBytes) m_blocks.clear();
    m_used = 0;
  }

 private:
  static constexpr std::size_t kKeptBytes = 1u << 20;
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  void grow(std::size_t size) {
    const std::size_t wanted = std::max<std::size_t>(size, m_blocks.empty() ? 4096 : m_blocks.back().size * 2);
    m_blocks.push_back({std::make_unique<char[]>(wanted), wanted});
    m_used = 0;
  }

  std::vector<Block> m_blocks;
  std::size_t m_used = 0;
};

}  // namespace counterfoil
