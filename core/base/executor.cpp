// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/executor.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace counterfoil {

using Work = std::function<void(std::size_t, unsigned)>;

struct Executor::Impl {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable finished;
  std::vector<std::thread> threads;
  const Work* work = nullptr;
  std::size_t count = 0;
  std::atomic<std::size_t> next{0};
  std::uint64_t generation = 0;
  unsigned busy = 0;
  bool stopping = false;
  std::exception_ptr error;

  void take(unsigned worker) {
    for (;;) {
      const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      try {
        (*work)(index, worker);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next.store(count, std::memory_order_relaxed);
        return;
      }
    }
  }

  void serve(unsigned worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return stopping || generation != seen; });
      if (stopping) return;
      seen = generation;
      lock.unlock();
      take(worker);
      lock.lock();
      if (--busy == 0) finished.notify_one();
    }
  }
};

Executor::Executor(unsigned threads) : m_impl(std::make_unique<Impl>()) {
  for (unsigned worker = 1; worker < threads; ++worker) {
    m_impl->threads.emplace_back([impl = m_impl.get(), worker] { impl->serve(worker); });
  }
}

Executor::~Executor() {
  {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->stopping = true;
  }
  m_impl->wake.notify_all();
  for (std::thread& thread : m_impl->threads) thread.join();
}

unsigned Executor::threadCount() const {
  return static_cast<unsigned>(m_impl->threads.size()) + 1;
}

void Executor::forEach(std::size_t count, const Work& work) {
  {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->work = &work;
    m_impl->count = count;
    m_impl->next.store(0, std::memory_order_relaxed);
    m_impl->busy = static_cast<unsigned>(m_impl->threads.size());
    m_impl->error = nullptr;
    ++m_impl->generation;
  }
  m_impl->wake.notify_all();
  m_impl->take(0);
  std::unique_lock lock(m_impl->mutex);
  m_impl->finished.wait(lock, [&] { return m_impl->busy == 0; });
  if (m_impl->error) std::rethrow_exception(m_impl->error);
}

}  // namespace counterfoil
