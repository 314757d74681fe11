// SPDX-License-Identifier: GPL-3.0-or-later
// A fixed pool of threads for bulk work, and a token to stop it. No other thread is started by
// core.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace counterfoil {

/// Set from a signal handler or another thread; long loops look at it at least every few
/// milliseconds.
class CancelToken {
 public:
  void cancel() noexcept { m_cancelled.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool isCancelled() const noexcept {
    return m_cancelled.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> m_cancelled{false};
};

class Executor {
 public:
  /// threads >= 1; with 1 everything runs on the calling thread.
  explicit Executor(unsigned threads);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  [[nodiscard]] unsigned threadCount() const;

  /// Calls work(index, worker) for every index in [0, count), worker in [0, threadCount()); indexes
  /// are handed out in order, each once; returns when all are done. The caller takes part. Not
  /// re-entrant. An exception of `work` stops the handing out and is rethrown here.
  void forEach(std::size_t count,
               const std::function<void(std::size_t index, unsigned worker)>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace counterfoil
