// SPDX-License-Identifier: GPL-3.0-or-later
// What a FindingsCollector gathers: counters that add up in any order, and the smallest examples.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/judge/findings.h"

namespace counterfoil::judging {

/// A count with a few examples: always the smallest ones, so that the order of adding does not matter.
struct Tally {
  std::int64_t count = 0;
  std::set<std::string> examples;

  void add(const std::string& example, std::size_t most, std::int64_t times = 1);
  void merge(const Tally& other, std::size_t most);
};

/// Starts that lie one period apart.
struct GapTally {
  std::int64_t count = 0;
  Duration shortest{0};
  Duration longest{0};
  void add(Duration gap);
  void merge(const GapTally& other);
};

struct QueueFacts {
  std::int64_t attempts = 0;
  std::int64_t skips = 0;
  std::int64_t retries = 0;
  std::int64_t repeats = 0;           ///< redelivered without a failure before
  DurationHistogram durations;
  DurationHistogram retryDurations;
  DurationHistogram overlapped;       ///< how long the first of two overlapping runs took
  Tally overlaps;
  Duration longestSpan{0};            ///< first to last start of one key
  std::string longestSpanKey;
  std::map<std::string, GapTally> timers;   ///< gaps that equal a known timer
  std::map<int, GapTally> otherGaps;        ///< by bucket of a twentieth
  std::optional<Instant> oldestLetter;

  void merge(const QueueFacts& other, std::size_t most);
};

/// Messages of one dead-letter queue by snapshot; only the newest snapshot is still there.
struct Snapshot {
  std::int64_t messages = 0;
  std::optional<Instant> oldest;
  Tally expiring;
  std::optional<Instant> nextDeadline;
};

struct DepthSample {
  std::optional<std::int64_t> depth;
  std::optional<std::int64_t> inFlight;
  std::optional<Duration> oldestAge;
};

/// What the rows of one look say of one part of a queue.
struct PartSample {
  DepthSample told;                       ///< the greatest depth that a row has
  std::int64_t offsets = 0;               ///< rows that have one, and the least and greatest of them
  std::int64_t least = 0, greatest = 0;

  void add(const QueueDepth& row);
  void merge(const PartSample& other);
  [[nodiscard]] DepthSample sample() const;
};

/// Sources count parts of their own: which one it is comes first.
using DepthParts = std::map<std::pair<SourceId, std::string>, PartSample>;
/// Parts of a source add up, unknown if one of them is; of several sources, and of a queue's parts beside the
/// queue as a whole, the one with the greatest depth counts.
[[nodiscard]] DepthSample sumOf(const DepthParts& parts);

struct QueueDepths {
  std::set<QueueKind> kinds;                ///< that rows state
  std::set<std::string> deadLetterQueues;   ///< to which this one's dead letters go
  std::map<Instant, DepthParts> samples;    ///< by the time of the look
  std::map<Instant, Snapshot> letters;      ///< by sampled_at; messages without one at the epoch
};

struct HourTally {
  std::int64_t repeats = 0;
  std::int64_t guards = 0;
};

struct JobSteps {
  std::set<std::string> with;
  std::set<std::string> without;
};

using FindingKey = std::pair<std::string, std::string>;   ///< code, subject

struct FindingsState {
  std::size_t mostExamples = 5;
  std::map<FindingKey, Tally> tallies;
  std::map<std::string, QueueFacts> queues;       ///< of attempts, by name; "" where the source has none
  std::map<std::string, QueueDepths> depths;
  std::map<std::int64_t, HourTally> hours;        ///< hours since the epoch
  std::map<std::string, std::set<std::string>> spellings;  ///< of one-sided units, by fold
  std::map<std::string, JobSteps> jobs;           ///< of configurations with several operations
  std::map<FindingKey, Finding> fromOutside;
  std::optional<Instant> oldestUnpublished;
  std::int64_t skips = 0;
  std::int64_t repeats = 0;

  Tally& tally(std::string_view code, std::string subject);
  void merge(FindingsState&& other);
  void keepBounds();   ///< of the tables that grow with the data: the smallest entries stay
};

/// What one unit says. Cheap for a unit of one attempt and one effect.
void noteUnit(FindingsState& state, const Unit& unit, const JudgeContext& context);
void noteKeys(FindingsState& state, const Unit& unit, const JudgeContext& context);
void noteRuns(FindingsState& state, const Unit& unit, const JudgeContext& context);
void noteOutbox(FindingsState& state, const Unit& unit, const JudgeContext& context);
void noteDeadLetters(FindingsState& state, const Unit& unit, const JudgeContext& context);

/// Computes the findings of everything gathered, in no particular order.
[[nodiscard]] std::vector<Finding> computeFindings(const FindingsState& state,
                                                   const JudgeContext& context);
void computeQueueFindings(std::vector<Finding>& findings, const FindingsState& state,
                          const JudgeContext& context);
void computeDepthFindings(std::vector<Finding>& findings, const FindingsState& state,
                          const JudgeContext& context);

[[nodiscard]] std::vector<FindingsCollector::QueueState> queueStates(const FindingsState& state,
                                                                     const JudgeContext& context);

[[nodiscard]] Severity severityOfFinding(std::string_view code);
[[nodiscard]] std::string queueSubject(std::string_view queue);
[[nodiscard]] std::string sourceSubject(SourceId source, const Policy& policy);

}  // namespace counterfoil::judging
