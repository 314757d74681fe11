// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/proof.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "core/judge/nodes.h"

namespace counterfoil {

namespace {

ProofKind kindOf(const Operation& operation) {
  return operation.effect == OperationEffect::Reversal ? ProofKind::Reversal : ProofKind::Forward;
}

/// Line a live row belongs to; none for rows that move no money of ours (disputes, fees).
std::optional<ProofKind> countedKind(const Effect& effect, bool refundsCount) {
  if (effect.status != EffectStatus::Live || !effect.amount) return {};
  if (effect.kind == EffectKind::Forward) return ProofKind::Forward;
  if (effect.kind == EffectKind::Reversal && refundsCount) return ProofKind::Reversal;
  return {};
}

bool hasRefundOperation(const Policy& policy) {
  return std::any_of(policy.operations.begin(), policy.operations.end(),
                     [](const Operation& operation) {
                       return operation.effect == OperationEffect::Reversal;
                     });
}

bool countsLocally(const Unit& unit) {
  return unit.local == LocalSummary::Succeeded || unit.has(Flag::NoAttemptSeen);
}

/// Where the unit's contribution to the difference is shown.
BridgeStep stepOf(Class unitClass) {
  switch (unitClass) {
    case Class::DuplicateEffect:
    case Class::DuplicateReversed:
    case Class::ProbableDuplicate: return BridgeStep::Duplicates;
    case Class::UnrecordedEffect: return BridgeStep::Unrecorded;
    case Class::EffectDespiteFailure: return BridgeStep::DespiteFailure;
    case Class::UnacknowledgedEffect: return BridgeStep::Unacknowledged;
    case Class::SplitMismatch:
    case Class::AmountMismatch:
    case Class::CurrencyMismatch:
    case Class::FieldMismatch:
    case Class::MatchedTolerance: return BridgeStep::AmountDifferences;
    case Class::MissingEffect: return BridgeStep::Missing;
    case Class::FalseSuccess: return BridgeStep::FalseSuccess;
    case Class::Expected:
    case Class::StalePending:
    case Class::InFlight: return BridgeStep::Expected;
    case Class::OutOfWindow: return BridgeStep::OutOfWindow;
    case Class::MatchedManual:
    case Class::Dismissed: return BridgeStep::Dismissed;
    case Class::DuplicateBooking:
    case Class::SuppressedWork:
    case Class::LostAfterClaim:
    case Class::UnexplainedReversal:
    case Class::UnpublishedIntent:
    case Class::StalledAttempt:
    case Class::Unfulfilled:
    case Class::MatchedCompensated:
    case Class::MatchedFailure:
    case Class::Matched: return BridgeStep::Other;
  }
  return BridgeStep::Other;
}

std::optional<std::int64_t> narrowed(__int128 value) {
  const bool fits = value >= std::numeric_limits<std::int64_t>::min() &&
                    value <= std::numeric_limits<std::int64_t>::max();
  return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

std::string scopeOf(const Effect& effect) {
  return judging::scopeText(effect.account, judging::isTest(effect));
}

}  // namespace

std::string_view codeOf(ProofKind kind) {
  return kind == ProofKind::Reversal ? "reversal" : "forward";
}

std::string_view codeOf(BridgeStep step) {
  switch (step) {
    case BridgeStep::Duplicates: return "duplicates";
    case BridgeStep::Unrecorded: return "unrecorded";
    case BridgeStep::DespiteFailure: return "despite_failure";
    case BridgeStep::Unacknowledged: return "unacknowledged";
    case BridgeStep::AmountDifferences: return "amount_differences";
    case BridgeStep::Missing: return "missing";
    case BridgeStep::FalseSuccess: return "false_success";
    case BridgeStep::Expected: return "expected";
    case BridgeStep::OutOfWindow: return "out_of_window";
    case BridgeStep::Dismissed: return "dismissed";
    case BridgeStep::Other: return "other";
  }
  return "";
}

void Proof::addEffectRead(const std::string& scope, const Money& amount, ProofKind kind) {
  m_sums[{scope, amount.currency, kind}].providerRead += amount.minor;
}

void Proof::removeEffectRead(const std::string& scope, const Money& amount, ProofKind kind) {
  m_sums[{scope, amount.currency, kind}].providerRead -= amount.minor;
}

void Proof::addUnit(const Unit& unit, const Policy& policy) {
  const ProofKind ownKind = kindOf(policy.operation(unit.operation));
  const auto step = static_cast<std::size_t>(stepOf(unit.unitClass));
  const bool refundsCount = hasRefundOperation(policy);
  for (const Effect& effect : unit.records.effects) {
    const auto kind = countedKind(effect, refundsCount);
    if (!kind) continue;
    // A refund nobody of ours asked for lies in the unit of its charge.
    const auto own = *kind == ownKind ? step : static_cast<std::size_t>(BridgeStep::Unrecorded);
    Sums& sums = m_sums[{scopeOf(effect), effect.amount->currency, *kind}];
    sums.providerJudged += effect.amount->minor;
    sums.steps[own] += effect.amount->minor;
  }
  if (!countsLocally(unit) || !unit.expectedAmount) return;
  Sums& sums = m_sums[{unit.scope, unit.expectedAmount->currency, ownKind}];
  sums.local += unit.expectedAmount->minor;
  sums.steps[step] -= unit.expectedAmount->minor;
}

void Proof::addPlainMatch(const std::string& scope, const Money& amount, ProofKind kind,
                          std::int64_t count) {
  Sums& sums = m_sums[{scope, amount.currency, kind}];
  const __int128 total = static_cast<__int128>(amount.minor) * count;
  sums.local += total;
  sums.providerJudged += total;
}

void Proof::merge(const Proof& other) {
  for (const auto& [slot, added] : other.m_sums) {
    Sums& sums = m_sums[slot];
    sums.local += added.local;
    sums.providerRead += added.providerRead;
    sums.providerJudged += added.providerJudged;
    for (std::size_t i = 0; i < kBridgeStepCount; ++i) sums.steps[i] += added.steps[i];
  }
}

Result<std::vector<ProofLine>> Proof::lines() const {
  std::vector<ProofLine> lines;
  for (const auto& [slot, sums] : m_sums) {
    ProofLine line;
    line.scope = slot.scope;
    line.currency = slot.currency;
    line.kind = slot.kind;
    bool fits = true;
    const auto narrow = [&](__int128 value) {
      const auto small = narrowed(value);
      fits = fits && small.has_value();
      return small.value_or(0);
    };
    line.localMinor = narrow(sums.local);
    line.providerMinor = narrow(sums.providerRead);
    __int128 bridge = sums.local;
    for (std::size_t i = 0; i < kBridgeStepCount; ++i) {
      line.steps[i] = narrow(sums.steps[i]);
      bridge += sums.steps[i];
    }
    line.unexplainedMinor = narrow(sums.providerRead - bridge);
    if (!fits) {
      return fail(ErrorCode::Overflow,
                  "the sum of " + slot.currency.text() + " in scope \"" + slot.scope +
                      "\" is beyond what an amount can hold; split the run by account or period");
    }
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end(), [](const ProofLine& a, const ProofLine& b) {
    return std::tuple(a.scope, a.currency.text(), a.kind) <
           std::tuple(b.scope, b.currency.text(), b.kind);
  });
  return lines;
}

}  // namespace counterfoil
