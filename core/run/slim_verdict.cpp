// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slim_verdict.h"

#include <algorithm>

#include "core/judge/clock.h"
#include "core/judge/link_operations.h"
#include "core/judge/nodes.h"

namespace counterfoil {

namespace {

/// From this amount on (major units) a case is one step more severe, as before the judge.
constexpr std::int64_t kLargeMajor = 10'000;
/// A day of a zone lasts between these; where both agree, its length does not matter.
constexpr Duration kShortestDay = std::chrono::hours(23);
constexpr Duration kLongestDay = std::chrono::hours(25);

Instant instantOf(std::int64_t micros) { return Instant(Duration(micros)); }

Severity oneStepUp(Severity severity) {
  return severity >= Severity::Critical ? Severity::Critical
                                        : static_cast<Severity>(static_cast<std::uint8_t>(severity) + 1);
}

Effect effectOf(SourceId source) {
  Effect effect;
  effect.place.source = source;
  return effect;
}

}  // namespace

SlimJudge::SlimJudge(const NightState& night) : m_night(night), m_context(night.context) {
  const Policy& policy = night.policy;
  for (const Operation& operation : policy.operations) {
    m_lagOfOperation.push_back(judging::statementLagOf(operation, policy));
  }
  for (std::size_t i = 0; i < policy.sources.size(); ++i) {
    Effect effect = effectOf(SourceId{static_cast<std::uint16_t>(i)});
    EffectRule rule;
    rule.operation = judging::firstOperationOfItsKind({RecordKind::Effect, &effect, {}}, policy);
    rule.lag = judging::statementLagOf(effect, policy);
    m_effects.push_back(rule);
  }
  m_knownOfProviders.resize(policy.operations.size());
  m_localStart = judging::localCoverageStart(m_context);
  if (night.options.earlier != nullptr) {
    for (const std::string& key : night.options.earlier->matchedKeys) {
      m_earlierKeys.push_back(
          fingerprintOf(Ledger::groupOfKey(night.hash(key, static_cast<std::uint32_t>(HashSpace::Key)))));
    }
    std::sort(m_earlierKeys.begin(), m_earlierKeys.end());
  }
}

std::optional<SlimVerdict> SlimJudge::verdictOf(const LedgerRow& row, const Shape& shape) {
  if (shape.needsJudge) return {};
  if (!m_earlierKeys.empty() &&
      std::binary_search(m_earlierKeys.begin(), m_earlierKeys.end(), fingerprintOf(row.group))) {
    return {};
  }
  if (shape.kind == RecordKind::Attempt) return ofAttempt(row, shape);
  if (shape.kind == RecordKind::Effect) return ofEffect(row, shape);
  return {};
}

std::optional<SlimVerdict> SlimJudge::ofAttempt(const LedgerRow& row, const Shape& shape) {
  const auto status = static_cast<AttemptStatus>(shape.status);
  // Without two different times the row does not say which one it has.
  if (row.time <= row.start) return {};
  if (status != AttemptStatus::Succeeded && status != AttemptStatus::FailedFinal) return {};
  SlimVerdict verdict;
  verdict.operation = OperationId{std::max<std::int16_t>(shape.operation, 0)};
  const Operation& operation = m_context.policy.operation(verdict.operation);
  const Instant start = instantOf(row.start);
  const Instant due =
      instantOf(row.time) + m_lagOfOperation[static_cast<std::size_t>(verdict.operation.value)] +
                      m_context.policy.clockSkew;
  const bool isDue = due <= m_context.asOf;
  if (status == AttemptStatus::FailedFinal) {
    verdict.unitClass = Class::MatchedFailure;
    verdict.isProvisional = !isDue;
    return verdict;
  }
  verdict.countsLocally = shape.hasAmount;
  if (operation.expect == Expect::ZeroOrOne) return verdict;
  if (!isDue) verdict.unitClass = Class::Expected;
  else if (isCoveredByProviders(static_cast<std::size_t>(verdict.operation.value), start, due)) verdict.unitClass = Class::MissingEffect;
  else verdict.unitClass = Class::OutOfWindow;
  verdict.hasExposure = verdict.unitClass == Class::MissingEffect && shape.hasAmount && row.amount != 0;
  const bool isLate = m_context.asOf - due > m_context.policy.openLimit;
  if (isLate && verdict.unitClass == Class::OutOfWindow) {
    verdict.isOverdue = !judging::isBeforeProviderCoverage(start, operation, m_context);
  }
  verdict.severity = severityOf(verdict, row, shape);
  return verdict;
}

std::optional<SlimVerdict> SlimJudge::ofEffect(const LedgerRow& row, const Shape& shape) {
  if (shape.effectKind != static_cast<std::uint8_t>(EffectKind::Forward)) return {};
  const EffectRule& rule = m_effects[m_night.sourceOf(shape).value];
  if (rule.operation.isNone() || (shape.operation >= 0 && shape.operation != rule.operation.value)) return {};
  const auto status = static_cast<EffectStatus>(shape.status);
  SlimVerdict verdict;
  verdict.operation = rule.operation;
  if (status == EffectStatus::Failed) {
    verdict.unitClass = Class::MatchedFailure;
    return verdict;
  }
  const Instant created = instantOf(row.time);
  const auto isCovered = coveredLocally(created, shape.dayOnly);
  if (!isCovered) return {};
  const Duration lag = std::max(m_lagOfOperation[static_cast<std::size_t>(rule.operation.value)], rule.lag);
  const bool isOld = created < m_context.asOf - lag - m_context.policy.clockSkew;
  verdict.unitClass = *isCovered && isOld ? Class::UnrecordedEffect : Class::OutOfWindow;
  verdict.hasExposure = verdict.unitClass == Class::UnrecordedEffect && shape.hasAmount && row.amount != 0;
  verdict.countsAtProvider = shape.hasAmount && status == EffectStatus::Live;
  const bool isLate = m_context.asOf - created > m_context.policy.openLimit;
  if (isLate && verdict.unitClass == Class::OutOfWindow) {
    verdict.isOverdue = !(m_localStart && created < *m_localStart);
  }
  verdict.severity = severityOf(verdict, row, shape);
  return verdict;
}

void SlimJudge::Known::add(Instant a, Instant b) {
  const bool touches = from < to && a <= to && from <= b;
  from = touches ? std::min(from, a) : a;
  to = touches ? std::max(to, b) : b;
}

bool SlimJudge::isCoveredByProviders(std::size_t operation, Instant start, Instant due) {
  Known& known = m_knownOfProviders[operation];
  if (known.holds(start, due)) return true;
  const bool isCovered = judging::providersCover(m_context.policy.operations[operation], start, due, m_context);
  if (isCovered) known.add(start, due);
  return isCovered;
}

/// Nothing where it hangs on how long the day was.
std::optional<bool> SlimJudge::coveredLocally(Instant created, bool isDay) {
  const Duration skew = m_context.policy.clockSkew;
  if (!isDay && m_knownLocally.holds(created - skew, created + skew)) return true;
  m_probe.created = created;
  m_probe.createdSpan = isDay ? kShortestDay : Duration{0};
  const bool isCovered = judging::localSourcesCover(m_probe, m_context);
  if (!isDay && isCovered) m_knownLocally.add(created - skew, created + skew);
  if (!isDay) return isCovered;
  m_probe.createdSpan = kLongestDay;
  return judging::localSourcesCover(m_probe, m_context) == isCovered ? std::optional(isCovered) : std::nullopt;
}

bool SlimJudge::isLarge(const LedgerRow& row, const Shape& shape) const {
  std::int64_t limit = kLargeMajor;
  for (int digit = 0; digit < Currency::fromPacked(shape.currency).exponent(); ++digit) limit *= 10;
  return row.amount >= limit || row.amount <= -limit;
}

Severity SlimJudge::severityOf(const SlimVerdict& verdict, const LedgerRow& row, const Shape& shape) const {
  if (groupOf(verdict.unitClass) != ClassGroup::Break) return verdict.isOverdue ? Severity::Low : Severity::None;
  Severity severity = Severity::High;  // of missing_effect and unrecorded_effect
  if (verdict.hasExposure && isLarge(row, shape)) severity = oneStepUp(severity);
  const bool isOld = m_context.asOf - instantOf(row.start) > m_context.policy.openLimit;
  return isOld ? oneStepUp(severity) : severity;
}

}  // namespace counterfoil
