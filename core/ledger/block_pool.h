// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the ledger: blocks of a few sizes cut from large slabs and used again. One pool a worker;
// not thread-safe. Memory that was touched once is kept for the next use: touching fresh pages costs as
// much as what the ledger does with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace counterfoil {

struct Block {
  Block* next = nullptr;
  std::uint32_t used = 0;      ///< bytes of data()
  std::uint32_t capacity = 0;  ///< bytes of data()
  [[nodiscard]] char* data() { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] const char* data() const { return reinterpret_cast<const char*>(this + 1); }
};

class BlockPool {
 public:
  static constexpr int kSizeClasses = 6;              ///< 512 B, 1 KiB, … 16 KiB with their header
  static constexpr std::size_t kSlabBytes = 1u << 18;

  BlockPool() = default;
  BlockPool(BlockPool&&) = default;
  BlockPool& operator=(BlockPool&&) = default;

  /// An empty block. The pool owns it.
  Block* take(int sizeClass);
  /// Puts a chain of blocks back, also of another pool that lives as long.
  void giveBack(Block* chain);
  /// Bytes in blocks that were taken and not given back to this pool.
  [[nodiscard]] std::int64_t inUseBytes() const { return m_inUse; }

  [[nodiscard]] static std::size_t bytesOf(int sizeClass) { return std::size_t{512} << sizeClass; }
  [[nodiscard]] static int classOf(const Block& block);

 private:
  std::vector<std::unique_ptr<std::byte[]>> m_slabs;
  std::size_t m_slabUsed = kSlabBytes;
  std::array<Block*, kSizeClasses> m_free{};
  std::int64_t m_inUse = 0;
};

}  // namespace counterfoil
