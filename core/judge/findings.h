// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of classes.md §5: what the night says about keys, queues and sources. A collector per worker
// sees every judged unit (and the plain pairs as tallies), collectors merge, finish() computes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/judge/judge.h"
#include "core/judge/unit.h"
#include "core/policy/policy.h"

namespace counterfoil {

struct Finding {
  std::string code;        ///< "overlapping_execution"
  std::string subject;     ///< "queue payments", "key charge:{n}", "source statement", "run"
  std::int64_t count = 0;
  Severity severity = Severity::Low;
  std::string seen;        ///< one sentence with numbers
  std::string advice;      ///< what to change, computed from the data
  std::vector<std::string> examples;  ///< at most Thresholds::maxExamples, sorted
  bool operator==(const Finding&) const = default;
};

/// Durations of one task or queue: exponential buckets, integer, mergeable.
class DurationHistogram {
 public:
  void add(Duration duration, std::int64_t count = 1);
  void merge(const DurationHistogram& other);
  [[nodiscard]] std::int64_t total() const { return m_total; }
  [[nodiscard]] Duration atPercentile(int percent) const;  ///< upper bound of the bucket that holds it
  [[nodiscard]] Duration longest() const { return m_longest; }
  [[nodiscard]] Duration sum() const { return m_sum; }
  /// How many are at most this long, by buckets: those of the bucket that holds it count.
  [[nodiscard]] std::int64_t countUpTo(Duration duration) const;
 private:
  std::map<int, std::int64_t> m_buckets;  ///< bucket = 16 * log2(µs), rounded down
  std::int64_t m_total = 0;
  Duration m_longest{0};
  Duration m_sum{0};
};

/// What the scan counted about attempts whose records were never materialised.
struct QueueTally {
  std::int64_t attempts = 0;
  std::int64_t skips = 0;
  DurationHistogram durations;
};

class FindingsCollector {
 public:
  explicit FindingsCollector(const JudgeContext& context);
  ~FindingsCollector();
  FindingsCollector(FindingsCollector&&) noexcept;

  void addUnit(const Unit& unit);
  void addJudgement(const Judgement& judgement);  ///< common link values, coarse keys
  void addQueueTally(const std::string& queue, const QueueTally& tally);
  void addQueueDepth(const QueueDepth& sample);
  /// Findings that only the reading side can know (control_total_break, coverage_gap, clock_skew, …).
  void addFinding(Finding finding);
  void merge(FindingsCollector&& other);

  /// Sorted by code, subject. Independent of the order in which things were added.
  [[nodiscard]] std::vector<Finding> finish() const;

  /// Current state of each queue for `dlq`, from the newest samples and the dead letters read.
  struct QueueState {
    std::string queue;
    bool deadLetter = false;             ///< kind is Dead
    QueueKind kind = QueueKind::Unstated;
    std::optional<std::int64_t> depth;   ///< unknown is not 0
    std::optional<std::int64_t> inFlight;
    std::optional<Duration> oldest;
    std::optional<std::int64_t> maxDepth;
    std::optional<Instant> sampledAt;
    std::int64_t samples = 0;            ///< looks at different times
    std::optional<std::int64_t> firstDepth;   ///< of the first of several
    std::optional<Instant> firstAt;
    bool operator==(const QueueState&) const = default;
  };
  [[nodiscard]] std::vector<QueueState> queues() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace counterfoil
