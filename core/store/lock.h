// SPDX-License-Identifier: GPL-3.0-or-later
// One run at a time: an flock(2) on "<store>.lock". The kernel lets it go when the process ends, however
// it ends; the file says who holds it.
#pragma once

#include <chrono>
#include <string>

#include "core/base/executor.h"
#include "core/base/result.h"

namespace counterfoil {

class StoreLock {
 public:
  /// Waits up to `wait` for another run to end. Locked: names its process, host and start. WriteFailed:
  /// the folder cannot be written. Cancelled: by the token.
  static Result<StoreLock> acquire(const std::string& storePath, std::chrono::milliseconds wait,
                                   const CancelToken* cancel = nullptr);
  StoreLock() = default;
  ~StoreLock();
  StoreLock(StoreLock&& other) noexcept;
  StoreLock& operator=(StoreLock&& other) noexcept;

 private:
  int m_file = -1;
  std::string m_path;
};

/// "nfs", "cifs", … when the file's folder lies on a network file system, where locks and shared memory
/// cannot be relied on; "" otherwise.
[[nodiscard]] std::string networkFileSystemOf(const std::string& path);

}  // namespace counterfoil
