// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker adds up of the units it decides: counts, money, proof, findings. Sums only, so that the
// order of units does not matter. One a worker, merged at the end.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/findings.h"
#include "core/judge/judge.h"
#include "core/judge/proof.h"
#include "core/ledger/ledger.h"
#include "core/run/run.h"

namespace counterfoil {

/// Attempts of one queue that were decided from slim rows. Durations by bucket: their number and the
/// shortest, with which the bucket goes into the histogram.
class SlimQueueTally {
 public:
  void add(std::int64_t durationMicros);
  void merge(const SlimQueueTally& other);
  [[nodiscard]] QueueTally tally() const;

 private:
  struct Bucket {
    std::int64_t count = 0;
    std::int64_t shortest = 0;
  };
  std::int64_t m_attempts = 0;
  std::int64_t m_longest = 0;
  std::vector<Bucket> m_buckets;   ///< empty, or all of them
};

/// Amounts of effects that were read twice, for declared control totals.
struct RepeatedMoney {
  std::map<Currency, __int128> forward;
  std::map<Currency, __int128> other;   ///< reversals, disputes, fees
};

class Verdicts {
 public:
  explicit Verdicts(const JudgeContext& context);

  /// A unit that was judged and needs no suggestions any more.
  void addUnit(const Unit& unit);
  /// The same of `count` units whose records were never read: all of one class and group of sums.
  void addCounted(Class unitClass, Severity severity, std::uint64_t count, const std::map<Currency, __int128>& exposure,
                  std::uint64_t overdue);
  /// What a judgement says beside its units.
  void addJudgement(const Judgement& judgement);
  void merge(Verdicts&& other);

  FindingsCollector& findings() { return m_findings; }
  Proof& proof() { return m_proof; }
  [[nodiscard]] const RepeatCounts& repeats() const { return m_repeats; }
  [[nodiscard]] const std::map<SourceId, RepeatedMoney>& repeatedMoney() const { return m_repeatedMoney; }

  /// Fills the counts and sums of the result. Overflow of a sum: Error naming the currency.
  Result<> writeTo(RunResult& result) const;

 private:
  void addVerdicts(const Unit& unit);
  using Sums = std::map<Currency, __int128>;
  const JudgeContext* m_context;
  FindingsCollector m_findings;
  Proof m_proof;
  std::array<std::uint64_t, kClassCount> m_classes{};
  std::array<Sums, kClassCount> m_exposure;
  std::map<Severity, std::uint64_t> m_breaksBySeverity;
  std::uint64_t m_overdue = 0;
  std::map<SkipVerdict, std::uint64_t> m_skips;
  Sums m_saved;
  std::map<RedriveVerdict, std::uint64_t> m_deadLetters;
  RepeatCounts m_repeats;
  std::map<SourceId, RepeatedMoney> m_repeatedMoney;
};

/// Only then do reversals have lines of their own in the proof.
[[nodiscard]] bool hasRefundOperation(const Policy& policy);
/// True for closed units that `--notable` shows: a flag, a tolerance, a reversal, an absorbed duplicate.
[[nodiscard]] bool isNotable(const Unit& unit);
/// True if a list of this detail holds the unit.
[[nodiscard]] bool isListed(const Unit& unit, Detail detail);

}  // namespace counterfoil
