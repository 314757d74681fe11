// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of a few bytes, scattered into partitions by several workers at once, read back partition by
// partition. Beyond its memory bound a worker writes all it holds to its own spill stream, one segment a
// partition. Within one worker and partition the order of entries is kept; between workers there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ledger/block_pool.h"

namespace counterfoil {

class SpillSpace;

class PartitionedBytes {
 public:
  static constexpr std::size_t kEntryBytesMax = 96;  ///< what reserve() makes room for

  /// `pools`: one a worker, shared with other stores of the same run; must outlive this. `memoryBytes`
  /// bounds what all workers hold together.
  PartitionedBytes(std::vector<BlockPool>& pools, unsigned partitions, std::uint64_t memoryBytes,
                   SpillSpace& spill);
  ~PartitionedBytes();
  PartitionedBytes(const PartitionedBytes&) = delete;
  PartitionedBytes& operator=(const PartitionedBytes&) = delete;

  [[nodiscard]] unsigned partitionCount() const { return m_partitions; }

  /// Room for kEntryBytesMax bytes; nullptr when spilling failed (see errorOf()). Follow with commit().
  char* reserve(unsigned worker, unsigned partition) {
    Room& room = m_workers[worker].rooms[partition];
    if (room.end - room.at < static_cast<std::ptrdiff_t>(kEntryBytesMax) && !grow(worker, partition)) return nullptr;
    return room.at;
  }
  /// `end`: one past the last byte written of what reserve() gave.
  void commit(unsigned worker, unsigned partition, char* end) { m_workers[worker].rooms[partition].at = end; }
  /// Why reserve() gave nothing to this worker.
  [[nodiscard]] const std::optional<Error>& errorOf(unsigned worker) const { return m_workers[worker].error; }

  /// Calls fn(bytes) with whole entries of one partition, piece by piece. `scratch` holds spilled ones.
  template <class Fn>
  Result<> read(unsigned partition, std::string& scratch, Fn&& fn) {
    for (std::size_t worker = 0; worker < m_workers.size(); ++worker) {
      const Cell& cell = m_workers[worker].cells[partition];
      for (const Segment& segment : cell.segments) {
        if (auto done = readSegment(worker, segment, scratch); !done) return done;
        fn(std::string_view(scratch));
      }
      noteUsed(m_workers[worker], partition);
      for (const Block* block = cell.first; block != nullptr; block = block->next) {
        fn(std::string_view(block->data(), block->used));
      }
    }
    return {};
  }
  /// Gives the memory of a partition back, to the pool of `worker`.
  void release(unsigned partition, unsigned worker);
  [[nodiscard]] std::uint64_t spilledBytes() const;

 private:
  struct Segment {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
  };
  /// What is free of a cell's last block. Apart from the cells and the blocks' heads, because every entry
  /// asks for it: those of all partitions stay in the nearest cache.
  struct Room {
    char* at = nullptr;
    char* end = nullptr;
  };
  struct Cell {
    Block* first = nullptr;
    Block* last = nullptr;
    int sizeClass = 0;
    std::vector<Segment> segments;
  };
  struct alignas(64) Worker {
    std::vector<Room> rooms;
    std::vector<Cell> cells;
    std::int64_t heldBytes = 0;
    std::optional<std::uint32_t> stream;
    std::uint64_t streamBytes = 0;
    std::optional<Error> error;
  };

  /// Tells the last block of a cell how much of it is filled.
  static void noteUsed(Worker& worker, unsigned partition) {
    Block* last = worker.cells[partition].last;
    if (last != nullptr) last->used = static_cast<std::uint32_t>(worker.rooms[partition].at - last->data());
  }
  bool grow(unsigned worker, unsigned partition);
  Result<> spillAll(unsigned worker);
  Result<> readSegment(std::size_t worker, const Segment& segment, std::string& out);

  std::vector<BlockPool>& m_pools;
  SpillSpace& m_spill;
  unsigned m_partitions;
  std::int64_t m_bytesPerWorker;
  std::vector<Worker> m_workers;
};

}  // namespace counterfoil
