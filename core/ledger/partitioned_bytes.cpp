// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/partitioned_bytes.h"

#include <algorithm>

#include "core/ledger/spill_space.h"

namespace counterfoil {

namespace {
/// Below this a bound would make the segments so small that reading them back is all that is done.
constexpr std::int64_t kBytesPerWorkerMin = 1 << 20;
}  // namespace

PartitionedBytes::PartitionedBytes(std::vector<BlockPool>& pools, unsigned partitions,
                                   std::uint64_t memoryBytes, SpillSpace& spill)
    : m_pools(pools),
      m_spill(spill),
      m_partitions(partitions),
      m_bytesPerWorker(std::max<std::int64_t>(
          kBytesPerWorkerMin, static_cast<std::int64_t>(std::min<std::uint64_t>(memoryBytes, 1ull << 50) / pools.size()))),
      m_workers(pools.size()) {
  for (Worker& worker : m_workers) {
    worker.rooms.resize(partitions);
    worker.cells.resize(partitions);
  }
}

PartitionedBytes::~PartitionedBytes() {
  for (std::size_t worker = 0; worker < m_workers.size(); ++worker) {
    for (Cell& cell : m_workers[worker].cells) m_pools[worker].giveBack(cell.first);
    if (m_workers[worker].stream) m_spill.close(*m_workers[worker].stream);
  }
}

bool PartitionedBytes::grow(unsigned worker, unsigned partition) {
  Worker& mine = m_workers[worker];
  Cell& cell = mine.cells[partition];
  noteUsed(mine, partition);
  const std::size_t bytes = BlockPool::bytesOf(cell.sizeClass);
  if (mine.heldBytes + static_cast<std::int64_t>(bytes) > m_bytesPerWorker) {
    if (mine.error) return false;
    if (auto done = spillAll(worker); !done) {
      mine.error = done.error();
      return false;
    }
  }
  Block* block = m_pools[worker].take(cell.sizeClass);
  mine.heldBytes += static_cast<std::int64_t>(BlockPool::bytesOf(cell.sizeClass));
  if (cell.last == nullptr) {
    cell.first = block;
  } else {
    cell.last->next = block;
  }
  cell.last = block;
  mine.rooms[partition] = {block->data(), block->data() + block->capacity};
  cell.sizeClass = std::min(cell.sizeClass + 1, BlockPool::kSizeClasses - 1);
  return true;
}

Result<> PartitionedBytes::spillAll(unsigned worker) {
  Worker& mine = m_workers[worker];
  if (!mine.stream) {
    auto stream = m_spill.open();
    if (!stream) return fail(stream.error());
    mine.stream = *stream;
  }
  std::string bytes;
  for (unsigned partition = 0; partition < m_partitions; ++partition) {
    Cell& cell = mine.cells[partition];
    if (cell.first == nullptr) continue;
    noteUsed(mine, partition);
    bytes.clear();
    for (const Block* block = cell.first; block != nullptr; block = block->next) {
      bytes.append(block->data(), block->used);
    }
    if (auto done = m_spill.append(*mine.stream, bytes); !done) return done;
    cell.segments.push_back({mine.streamBytes, static_cast<std::uint32_t>(bytes.size())});
    mine.streamBytes += bytes.size();
    m_pools[worker].giveBack(cell.first);
    cell.first = nullptr;
    cell.last = nullptr;
    mine.rooms[partition] = {};
  }
  mine.heldBytes = 0;
  return {};
}

Result<> PartitionedBytes::readSegment(std::size_t worker, const Segment& segment, std::string& out) {
  auto done = m_spill.read(*m_workers[worker].stream, segment.offset, segment.size, out);
  if (done && out.size() != segment.size) return fail(ErrorCode::Io, "a temporary file is shorter than what was written");
  return done;
}

void PartitionedBytes::release(unsigned partition, unsigned worker) {
  for (Worker& other : m_workers) {
    Cell& cell = other.cells[partition];
    m_pools[worker].giveBack(cell.first);
    cell = Cell{};
    other.rooms[partition] = {};
  }
}

std::uint64_t PartitionedBytes::spilledBytes() const {
  std::uint64_t sum = 0;
  for (const Worker& worker : m_workers) sum += worker.streamBytes;
  return sum;
}

}  // namespace counterfoil
