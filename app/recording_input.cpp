// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording_input.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <tuple>

namespace counterfoil {

namespace {

constexpr std::size_t kRefsAtOnce = 8192;

/// Keeps references and samples by worker, passes everything on.
class TeeSink final : public ScanSink {
 public:
  TeeSink(ScanSink& target, unsigned workers) : m_target(target), m_refs(workers), m_depths(workers) {}

  Result<> accept(SlimBatch& batch, unsigned worker) override {
    auto& refs = m_refs[worker];
    for (const SlimRecord& slim : batch) refs.push_back(slim.ref);
    return m_target.accept(batch, worker);
  }
  void quarantine(QuarantinedRow row, unsigned worker) override { m_target.quarantine(std::move(row), worker); }
  void depth(QueueDepth sample, unsigned worker) override {
    m_depths[worker].push_back(sample);
    m_target.depth(std::move(sample), worker);
  }
  void queueName(std::uint32_t queueHash, std::string_view name, unsigned worker) override {
    m_target.queueName(queueHash, name, worker);
  }

  std::vector<RecordRef> takeRefs() {
    std::vector<RecordRef> all;
    std::size_t count = 0;
    for (const auto& refs : m_refs) count += refs.size();
    all.reserve(count);
    for (auto& refs : m_refs) {
      all.insert(all.end(), refs.begin(), refs.end());
      refs = {};
    }
    std::sort(all.begin(), all.end(), [](const RecordRef& a, const RecordRef& b) {
      return std::tie(a.file, a.offset, a.part) < std::tie(b.file, b.offset, b.part);
    });
    return all;
  }
  std::vector<QueueDepth> takeDepths() {
    std::vector<QueueDepth> all;
    for (auto& depths : m_depths) all.insert(all.end(), depths.begin(), depths.end());
    std::sort(all.begin(), all.end(), [](const QueueDepth& a, const QueueDepth& b) { return a.place < b.place; });
    return all;
  }

 private:
  ScanSink& m_target;
  std::vector<std::vector<RecordRef>> m_refs;
  std::vector<std::vector<QueueDepth>> m_depths;
};

}  // namespace

Result<std::vector<FileReport>> RecordingInput::scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                                     const ScanOptions& options) {
  TeeSink tee(sink, executor.threadCount());
  auto reports = m_inner->scan(executor, hash, tee, options);
  if (!reports) return reports;
  m_refs = tee.takeRefs();
  m_depths = tee.takeDepths();
  m_reports = *reports;
  return reports;
}

Result<> RecordingInput::forEachRecord(Executor& executor, const CancelToken* cancel, const Take& fn) const {
  std::mutex mutex;
  std::optional<Error> error;
  std::atomic<bool> failed{false};
  const auto note = [&](const Error& what) {
    const std::lock_guard lock(mutex);
    if (!error) error = what;
    failed = true;
  };
  executor.forEach((m_refs.size() + kRefsAtOnce - 1) / kRefsAtOnce, [&](std::size_t part, unsigned worker) {
    if (failed.load(std::memory_order_relaxed)) return;
    if (cancel != nullptr && cancel->isCancelled()) return note({ErrorCode::Cancelled, "stopped"});
    const std::size_t from = part * kRefsAtOnce;
    const auto refs = std::span(m_refs).subspan(from, std::min(kRefsAtOnce, m_refs.size() - from));
    const auto read = m_inner->fetch(refs, [&](std::size_t index, AnyRecord&& record) {
      if (failed.load(std::memory_order_relaxed)) return;
      if (const auto ok = fn(std::move(record), refs[index], worker); !ok) note(ok.error());
    });
    if (!read) note(read.error());
  });
  if (error) return fail(*error);
  return {};
}

}  // namespace counterfoil
