// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/block_pool.h"

#include <bit>
#include <new>

namespace counterfoil {

int BlockPool::classOf(const Block& block) {
  return std::countr_zero((block.capacity + sizeof(Block)) / 512);
}

Block* BlockPool::take(int sizeClass) {
  const std::size_t bytes = bytesOf(sizeClass);
  m_inUse += static_cast<std::int64_t>(bytes);
  Block*& head = m_free[static_cast<std::size_t>(sizeClass)];
  if (head != nullptr) {
    Block* block = head;
    head = block->next;
    block->next = nullptr;
    block->used = 0;
    return block;
  }
  if (m_slabUsed + bytes > kSlabBytes) {
    m_slabs.emplace_back(new std::byte[kSlabBytes]);  // not cleared: pages are touched when used
    m_slabUsed = 0;
  }
  auto* block = new (m_slabs.back().get() + m_slabUsed) Block;
  m_slabUsed += bytes;
  block->capacity = static_cast<std::uint32_t>(bytes - sizeof(Block));
  return block;
}

void BlockPool::giveBack(Block* chain) {
  while (chain != nullptr) {
    Block* next = chain->next;
    const int sizeClass = classOf(*chain);
    m_inUse -= static_cast<std::int64_t>(bytesOf(sizeClass));
    chain->next = m_free[static_cast<std::size_t>(sizeClass)];
    m_free[static_cast<std::size_t>(sizeClass)] = chain;
    chain = next;
  }
}

}  // namespace counterfoil
