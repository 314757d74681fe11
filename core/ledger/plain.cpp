// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/plain.h"

#include <algorithm>

namespace counterfoil {

namespace {

/// A day without a clock ends at the latest so long after its midnight (clocks set back by an hour).
constexpr std::int64_t kDayMicros = 25ll * 3600 * 1'000'000;

bool isSucceededAttempt(const Shape& shape) {
  return shape.kind == RecordKind::Attempt && shape.status == static_cast<std::uint8_t>(AttemptStatus::Succeeded);
}

bool isLiveForwardEffect(const Shape& shape) {
  return shape.kind == RecordKind::Effect && shape.status == static_cast<std::uint8_t>(EffectStatus::Live) &&
         shape.effectKind == static_cast<std::uint8_t>(EffectKind::Forward);
}

/// Under an order's number alone the tie is weak, and said.
bool isTiedByKeyOrId(const Shape& attempt, const Shape& effect) {
  return attempt.space == effect.space && attempt.space <= 1;
}

bool haveEqualAmounts(const LedgerRow& a, const Shape& shapeA, const LedgerRow& b, const Shape& shapeB) {
  return shapeA.hasAmount == shapeB.hasAmount && shapeA.currency == shapeB.currency && a.amount == b.amount;
}

bool haveFittingReferences(const LedgerRow& a, const LedgerRow& b) {
  return a.opRef == 0 || b.opRef == 0 || a.opRef == b.opRef;
}

/// An effect before its attempt is a match, but the clocks are a finding.
bool isInOrder(const LedgerRow& attempt, const LedgerRow& effect, const Shape& effectShape, std::int64_t skew) {
  const std::int64_t latest = effect.time + (effectShape.dayOnly ? kDayMicros : 0);
  return latest >= attempt.start - skew;
}

}  // namespace

PlainRules::PlainRules(const Policy& policy, const std::vector<SourceId>& sourceOfFile)
    : m_skewMicros(policy.clockSkew.count()) {
  for (const Operation& operation : policy.operations) {
    const bool comparesMoneyOnly =
        std::all_of(operation.compare.begin(), operation.compare.end(), [](CompareField field) {
          return field == CompareField::Amount || field == CompareField::Currency;
        });
    OperationRule rule;
    rule.mayBePlain = operation.expect == Expect::ExactlyOne && operation.effect == OperationEffect::Forward &&
                      operation.direction == Direction::Outbound && !operation.keyLifetime &&
                      !operation.probableDuplicateWithin && comparesMoneyOnly;
    rule.provider = operation.provider;
    m_operations.push_back(std::move(rule));
  }
  for (SourceId source : sourceOfFile) {
    const bool isKnown = source.value < policy.sources.size();
    m_providerOfFile.push_back(isKnown ? policy.sources[source.value].provider : std::string());
  }
}

const PlainRules::OperationRule& PlainRules::ruleOf(const Shape& attempt) const {
  const auto index = static_cast<std::size_t>(attempt.operation < 0 ? 0 : attempt.operation);
  return m_operations[index < m_operations.size() ? index : 0];
}

bool PlainRules::mayPair(const Shape& attempt, const Shape& effect) const {
  const OperationRule& rule = ruleOf(attempt);
  if (!rule.mayBePlain) return false;
  if (effect.operation >= 0 && effect.operation != std::max<std::int16_t>(attempt.operation, 0)) return false;
  if (rule.provider.empty()) return true;
  return effect.file < m_providerOfFile.size() && m_providerOfFile[effect.file] == rule.provider;
}

bool isPlainPair(const GroupRows& group, const ShapeTable& shapes, const PlainRules& rules) {
  if (group.rows.size() != 2) return false;
  const bool isEffectFirst = shapes[group.rows[0]->shape].kind == RecordKind::Effect;
  const LedgerRow& attempt = *group.rows[isEffectFirst ? 1 : 0];
  const LedgerRow& effect = *group.rows[isEffectFirst ? 0 : 1];
  const Shape& attemptShape = shapes[attempt.shape];
  const Shape& effectShape = shapes[effect.shape];
  return isSucceededAttempt(attemptShape) && isLiveForwardEffect(effectShape) &&    //
         !attemptShape.needsJudge && !effectShape.needsJudge &&                     //
         attemptShape.scope == effectShape.scope &&                                 //
         isTiedByKeyOrId(attemptShape, effectShape) &&                              //
         haveEqualAmounts(attempt, attemptShape, effect, effectShape) &&            //
         haveFittingReferences(attempt, effect) &&                                  //
         isInOrder(attempt, effect, effectShape, rules.skewMicros()) &&             //
         rules.mayPair(attemptShape, effectShape);
}

}  // namespace counterfoil
