// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/verdicts.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/judge/nodes.h"

namespace counterfoil {

namespace {

constexpr std::size_t kBuckets = 64 * 16;

/// Exponential buckets: sixteen a factor of two.
std::size_t bucketOf(std::int64_t micros) {
  const auto value = static_cast<std::uint64_t>(micros);
  const int exponent = 63 - std::countl_zero(value | 1);
  const std::uint64_t mantissa = exponent >= 4 ? (value >> (exponent - 4)) & 15u : (value << (4 - exponent)) & 15u;
  return static_cast<std::size_t>(exponent) * 16 + static_cast<std::size_t>(mantissa);
}

Result<std::int64_t> narrow(__int128 value, Currency currency) {
  if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min()) {
    return fail(ErrorCode::Overflow, "the sum of " + currency.text() +
                                         " is beyond what an amount can hold; split the run by account or period");
  }
  return static_cast<std::int64_t>(value);
}

Result<std::vector<Money>> moneyOf(const std::map<Currency, __int128>& sums) {
  std::vector<Money> values;
  for (const auto& [currency, sum] : sums) {
    if (sum == 0) continue;
    const auto minor = narrow(sum, currency);
    if (!minor) return fail(minor.error());
    values.push_back({*minor, currency});
  }
  std::sort(values.begin(), values.end(),
            [](const Money& a, const Money& b) { return a.currency.text() < b.currency.text(); });
  return values;
}

/// The line of the proof that a live row was counted in when it was read.
std::optional<ProofKind> provenKind(const Effect& effect, const Policy& policy) {
  if (effect.status != EffectStatus::Live || !effect.amount) return {};
  if (effect.kind == EffectKind::Forward) return ProofKind::Forward;
  if (effect.kind == EffectKind::Reversal && hasRefundOperation(policy)) return ProofKind::Reversal;
  return {};
}

}  // namespace

bool hasRefundOperation(const Policy& policy) {
  return std::any_of(policy.operations.begin(), policy.operations.end(), [](const Operation& operation) {
    return operation.effect == OperationEffect::Reversal;
  });
}

void SlimQueueTally::add(std::int64_t durationMicros) {
  ++m_attempts;
  if (durationMicros <= 0) return;
  if (m_buckets.empty()) m_buckets.resize(kBuckets);
  m_longest = std::max(m_longest, durationMicros);
  Bucket& bucket = m_buckets[bucketOf(durationMicros)];
  if (bucket.count == 0 || durationMicros < bucket.shortest) bucket.shortest = durationMicros;
  ++bucket.count;
}

void SlimQueueTally::merge(const SlimQueueTally& other) {
  m_attempts += other.m_attempts;
  m_longest = std::max(m_longest, other.m_longest);
  if (other.m_buckets.empty()) return;
  if (m_buckets.empty()) m_buckets.resize(kBuckets);
  for (std::size_t i = 0; i < kBuckets; ++i) {
    const Bucket& from = other.m_buckets[i];
    if (from.count == 0) continue;
    Bucket& bucket = m_buckets[i];
    bucket.shortest = bucket.count == 0 ? from.shortest : std::min(bucket.shortest, from.shortest);
    bucket.count += from.count;
  }
}

QueueTally SlimQueueTally::tally() const {
  QueueTally result;
  result.attempts = m_attempts;
  for (std::size_t i = 0; i < m_buckets.size(); ++i) {
    if (m_buckets[i].count == 0) continue;
    const bool holdsLongest = i == bucketOf(m_longest);
    if (holdsLongest) result.durations.add(Duration(m_longest));
    const std::int64_t rest = m_buckets[i].count - (holdsLongest ? 1 : 0);
    if (rest > 0) result.durations.add(Duration(m_buckets[i].shortest), rest);
  }
  return result;
}

Verdicts::Verdicts(const JudgeContext& context) : m_context(&context), m_findings(context) {}

void Verdicts::addUnit(const Unit& unit) {
  const auto index = static_cast<std::size_t>(unit.unitClass);
  ++m_classes[index];
  for (const Money& money : unit.exposure) m_exposure[index][money.currency] += money.minor;
  const ClassGroup group = groupOf(unit.unitClass);
  if (group == ClassGroup::Break) ++m_breaksBySeverity[unit.severity];
  if (group == ClassGroup::Open && unit.has(Flag::Overdue)) ++m_overdue;
  addVerdicts(unit);
  m_proof.addUnit(unit, m_context->policy);
  m_findings.addUnit(unit);
}

/// Those of lines that an earlier night read were counted then.
void Verdicts::addVerdicts(const Unit& unit) {
  const auto isCarried = [&](const RecordHead& head) {
    return m_context->run != nullptr && m_context->run->isCarried(head.place);
  };
  for (std::size_t i = 0; i < unit.skipVerdicts.size(); ++i) {
    if (i < unit.records.skips.size() && isCarried(unit.records.skips[i])) continue;
    const JudgedSkip& skip = unit.skipVerdicts[i];
    ++m_skips[skip.verdict];
    if (skip.saved) m_saved[skip.saved->currency] += skip.saved->minor;
  }
  for (std::size_t i = 0; i < unit.deadLetterVerdicts.size(); ++i) {
    if (i < unit.records.deadLetters.size() && isCarried(unit.records.deadLetters[i])) continue;
    ++m_deadLetters[unit.deadLetterVerdicts[i].verdict];
  }
}

void Verdicts::addCounted(Class unitClass, Severity severity, std::uint64_t count, const Sums& exposure,
                          std::uint64_t overdue) {
  const auto index = static_cast<std::size_t>(unitClass);
  m_classes[index] += count;
  for (const auto& [currency, sum] : exposure) m_exposure[index][currency] += sum;
  if (count > 0 && groupOf(unitClass) == ClassGroup::Break) m_breaksBySeverity[severity] += count;
  m_overdue += overdue;
}

void Verdicts::addJudgement(const Judgement& judgement) {
  for (const auto& [source, count] : judgement.repeats) m_repeats[source] += count;
  for (const Effect& effect : judgement.repeatedEffects) {
    if (!effect.amount) continue;
    RepeatedMoney& money = m_repeatedMoney[effect.place.source];
    auto& sums = effect.kind == EffectKind::Forward ? money.forward : money.other;
    sums[effect.amount->currency] += effect.amount->minor;
    if (const auto kind = provenKind(effect, m_context->policy)) {
      m_proof.removeEffectRead(judging::scopeText(effect.account, judging::isTest(effect)), *effect.amount, *kind);
    }
  }
  for (const Effect& effect : judgement.repeatedAcrossNights) {
    const auto kind = provenKind(effect, m_context->policy);
    if (kind) m_proof.removeEffectRead(judging::scopeText(effect.account, judging::isTest(effect)), *effect.amount, *kind);
  }
  m_findings.addJudgement(judgement);
}

void Verdicts::merge(Verdicts&& other) {
  m_findings.merge(std::move(other.m_findings));
  m_proof.merge(other.m_proof);
  for (std::size_t i = 0; i < kClassCount; ++i) {
    m_classes[i] += other.m_classes[i];
    for (const auto& [currency, sum] : other.m_exposure[i]) m_exposure[i][currency] += sum;
  }
  for (const auto& [severity, count] : other.m_breaksBySeverity) m_breaksBySeverity[severity] += count;
  m_overdue += other.m_overdue;
  for (const auto& [verdict, count] : other.m_skips) m_skips[verdict] += count;
  for (const auto& [currency, sum] : other.m_saved) m_saved[currency] += sum;
  for (const auto& [verdict, count] : other.m_deadLetters) m_deadLetters[verdict] += count;
  for (const auto& [source, count] : other.m_repeats) m_repeats[source] += count;
  for (const auto& [source, money] : other.m_repeatedMoney) {
    for (const auto& [currency, sum] : money.forward) m_repeatedMoney[source].forward[currency] += sum;
    for (const auto& [currency, sum] : money.other) m_repeatedMoney[source].other[currency] += sum;
  }
}

Result<> Verdicts::writeTo(RunResult& result) const {
  Sums ofBreaks;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const auto unitClass = static_cast<Class>(i);
    if (m_classes[i] == 0) continue;
    result.classes[unitClass] = m_classes[i];
    result.units += m_classes[i];
    const ClassGroup group = groupOf(unitClass);
    if (group == ClassGroup::Break) result.breaks += m_classes[i];
    if (group == ClassGroup::Open) result.open += m_classes[i];
    for (const auto& [currency, sum] : m_exposure[i]) {
      const auto minor = narrow(sum, currency);
      if (!minor) return fail(minor.error());
      if (*minor != 0) result.exposureByClass[unitClass][currency] = *minor;
      if (group == ClassGroup::Break) ofBreaks[currency] += sum;
    }
  }
  auto exposure = moneyOf(ofBreaks);
  if (!exposure) return fail(exposure.error());
  result.exposure = std::move(*exposure);
  auto saved = moneyOf(m_saved);
  if (!saved) return fail(saved.error());
  result.saved = std::move(*saved);
  result.breaksBySeverity = m_breaksBySeverity;
  result.overdue = m_overdue;
  result.skips = m_skips;
  result.deadLetters = m_deadLetters;
  return {};
}

bool isNotable(const Unit& unit) {
  if (!unit.flags.empty() || !unit.hints.empty()) return true;
  // Skips and dead letters have verdicts of their own, which lists show.
  if (!unit.records.skips.empty() || !unit.records.deadLetters.empty()) return true;
  return unit.unitClass != Class::Matched && unit.unitClass != Class::MatchedFailure;
}

bool isListed(const Unit& unit, Detail detail) {
  if (groupOf(unit.unitClass) != ClassGroup::Closed) return true;
  switch (detail) {
    case Detail::BreaksAndOpen: return false;
    case Detail::Notable: return isNotable(unit);
    case Detail::All: return true;
  }
  return true;
}

}  // namespace counterfoil
