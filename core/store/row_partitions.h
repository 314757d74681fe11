// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes collected from several workers into partitions, for sorting them partition by partition. What does
// not fit the memory bound goes to one unnamed file beside the store (gone with the process).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace counterfoil {

class RowPartitions {
 public:
  /// `folder` is where the file is made when it is needed; blank: nothing is ever spilled.
  RowPartitions(std::size_t partitions, unsigned workers, std::string folder, std::uint64_t memoryBytes);
  ~RowPartitions();
  RowPartitions(RowPartitions&&) noexcept;

  /// The buffer of one worker for one partition: append whole items, then call settle() with it.
  [[nodiscard]] std::string& buffer(unsigned worker, std::size_t partition);
  /// Moves a buffer on when it has grown. WriteFailed when the file cannot be written.
  Result<> settle(unsigned worker, std::size_t partition);

  /// All bytes of a partition into `out` (which keeps its memory); it is empty afterwards. Different
  /// partitions may be taken by different threads, after the last settle().
  Result<> take(std::size_t partition, std::string& out);
  [[nodiscard]] std::size_t partitionCount() const;
  [[nodiscard]] std::uint64_t spilledBytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace counterfoil
