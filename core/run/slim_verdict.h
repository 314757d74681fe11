// SPDX-License-Identifier: GPL-3.0-or-later
// Units of one record without a counterpart, decided from their slim rows. On a night on which no key
// meets, nearly every unit is one of these. Says what judge() says of the record alone, by the judge's own
// clock; what it cannot tell for sure it leaves to the judge. Internal to core/run.
#pragma once

#include <optional>
#include <vector>

#include "core/run/night.h"

namespace counterfoil {

struct SlimVerdict {
  Class unitClass = Class::Matched;
  Severity severity = Severity::None;
  bool isOverdue = false;
  bool isProvisional = false;      ///< flag of matched_failure
  bool hasExposure = false;        ///< the row's amount
  bool countsLocally = false;      ///< the row's amount is local in the proof
  bool countsAtProvider = false;   ///< the row's amount is the provider's in the proof
  OperationId operation;
};

/// Not thread-safe: one a worker.
class SlimJudge {
 public:
  explicit SlimJudge(const NightState& night);

  /// Nothing if the row has to go to the judge.
  [[nodiscard]] std::optional<SlimVerdict> verdictOf(const LedgerRow& row, const Shape& shape);

 private:
  [[nodiscard]] std::optional<SlimVerdict> ofAttempt(const LedgerRow& row, const Shape& shape);
  [[nodiscard]] std::optional<SlimVerdict> ofEffect(const LedgerRow& row, const Shape& shape);
  [[nodiscard]] bool isLarge(const LedgerRow& row, const Shape& shape) const;
  [[nodiscard]] Severity severityOf(const SlimVerdict& verdict, const LedgerRow& row, const Shape& shape) const;
  [[nodiscard]] std::optional<bool> coveredLocally(Instant created, bool isDay);

  /// A stretch that is known to be covered: what lies inside it is too, and stretches that overlap are
  /// one. Spares most questions to the judge's clock.
  struct Known {
    Instant from{};
    Instant to{};
    [[nodiscard]] bool holds(Instant a, Instant b) const { return from < to && from <= a && b <= to; }
    void add(Instant a, Instant b);
  };
  [[nodiscard]] bool isCoveredByProviders(std::size_t operation, Instant start, Instant due);

  struct EffectRule {   ///< by source
    OperationId operation;
    Duration lag{0};
  };
  const NightState& m_night;
  const JudgeContext& m_context;
  std::vector<Duration> m_lagOfOperation;
  std::vector<EffectRule> m_effects;
  std::optional<Instant> m_localStart;
  std::vector<std::uint64_t> m_earlierKeys;   ///< fingerprints, sorted
  std::vector<Known> m_knownOfProviders;      ///< by operation
  Known m_knownLocally;
  Effect m_probe;                             ///< for the judge's clock
};

}  // namespace counterfoil
