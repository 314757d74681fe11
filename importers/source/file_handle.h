// SPDX-License-Identifier: GPL-3.0-or-later
// An open regular file that is read by position. Thread-safe after opening.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace counterfoil {

/// What tells that a file is still the one that was read.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t sizeBytes = 0;
  std::int64_t modifiedNs = 0;
  bool operator==(const FileStamp&) const = default;
};

class FileHandle {
 public:
  FileHandle() = default;
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;

  /// Error Missing, or Io for no permission, a directory, a FIFO, a socket or a device.
  static Result<FileHandle> open(const std::string& path);

  [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }
  [[nodiscard]] Result<FileStamp> stamp() const;
  /// Reads until `count` bytes or the end of the file.
  Result<std::size_t> readAt(std::uint64_t offset, char* to, std::size_t count) const;
  /// Tells the kernel that all of it will be read in order.
  void adviseSequential() const;

 private:
  int m_descriptor = -1;
};

}  // namespace counterfoil
