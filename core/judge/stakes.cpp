// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/stakes.h"

#include <algorithm>
#include <map>

#include "core/judge/clock.h"
#include "core/judge/predicates.h"

namespace counterfoil::judging {

namespace {

/// From this amount on (major units of any currency) a case is one step more severe.
constexpr std::int64_t kLargeMajor = 10'000;

using Sums = std::map<Currency, std::int64_t>;

void addTo(Sums& sums, Currency currency, std::int64_t minor) {
  std::int64_t& sum = sums[currency];
  const auto next = addChecked(sum, minor);
  if (next) sum = *next;
  else sum = minor < 0 ? INT64_MIN : INT64_MAX;
}

std::vector<Money> listOf(const Sums& sums) {
  std::vector<Money> list;
  for (const auto& [currency, minor] : sums) {
    if (minor != 0) list.push_back({minor, currency});
  }
  std::sort(list.begin(), list.end(), [](const Money& a, const Money& b) {
    return a.currency.text() < b.currency.text();
  });
  return list;
}

template <class Accept>
Sums effectAmounts(const UnitView& view, const Accept& accept) {
  Sums sums;
  for (const EffectState& effect : view.effects) {
    if (effect.row->amount && accept(effect)) {
      addTo(sums, effect.row->amount->currency, effect.netMinor());
    }
  }
  return sums;
}

/// What is above the expected amount; never 0: where the sum does not exceed it, all but the largest
/// effect is at stake.
std::vector<Money> duplicateExposure(const UnitView& view) {
  Sums sums = effectAmounts(view, [](const EffectState& e) { return e.isLive(); });
  std::map<Currency, std::int64_t> largest;
  for (const EffectState& effect : view.effects) {
    if (!effect.isLive() || !effect.row->amount) continue;
    std::int64_t& most = largest[effect.row->amount->currency];
    most = std::max(most, effect.netMinor());
  }
  if (sums.empty()) return {};
  const Effect& first = *view.liveEffect().row;
  std::optional<Money> due = view.expected;
  if (!due || sums.count(due->currency) == 0) due = first.amount;
  if (due) {
    std::int64_t& sum = sums[due->currency];
    const std::int64_t excess = sum - due->minor;
    sum = excess > 0 ? excess : sum - largest[due->currency];
    if (sum == 0 && sums.size() == 1) sum = largest[due->currency];
  }
  return listOf(sums);
}

std::vector<Money> bookingExposure(const UnitView& view) {
  Sums sums;
  for (const Attempt* attempt : view.attempts) {
    if (attempt->status == AttemptStatus::Succeeded && attempt->amount) {
      addTo(sums, attempt->amount->currency, attempt->amount->minor);
    }
  }
  const auto& booked = view.liveEffect().row->amount;
  if (booked) addTo(sums, booked->currency, -booked->minor);
  return listOf(sums);
}

/// Provider minus local. One effect counts as it was charged, parts of a split less what was taken back.
std::vector<Money> differenceExposure(const UnitView& view, const std::optional<Money>& expected) {
  Sums sums;
  for (const EffectState& effect : view.effects) {
    const bool counts = view.live > 0 ? effect.isLive() : effect.becameLive();
    if (!counts || !effect.row->amount) continue;
    const Money& amount = *effect.row->amount;
    addTo(sums, amount.currency, expectsSplit(view) ? effect.netMinor() : amount.minor);
  }
  if (expected) addTo(sums, expected->currency, -expected->minor);
  return listOf(sums);
}

std::vector<Money> expectedExposure(const UnitView& view) {
  if (!view.expected || view.expected->minor == 0) return {};
  return {*view.expected};
}

/// A pending row beside a live one is no effect yet.
std::vector<Money> presentExposure(const UnitView& view) {
  return listOf(effectAmounts(view, [&](const EffectState& e) {
    return view.live > 0 ? e.isLive() : e.isPending();
  }));
}

std::vector<Money> reversedExposure(const UnitView& view) {
  Sums sums;
  for (const EffectState& effect : view.effects) {
    if (effect.row->amount) addTo(sums, effect.row->amount->currency, effect.reversedMinor);
  }
  return listOf(sums);
}

Severity defaultSeverity(Class unitClass) {
  switch (unitClass) {
    case Class::DuplicateEffect:
    case Class::EffectDespiteFailure:
    case Class::UnacknowledgedEffect: return Severity::Critical;
    case Class::SuppressedWork:
    case Class::LostAfterClaim:
    case Class::FalseSuccess:
    case Class::MissingEffect:
    case Class::UnrecordedEffect: return Severity::High;
    case Class::DuplicateBooking:
    case Class::SplitMismatch:
    case Class::UnexplainedReversal:
    case Class::UnpublishedIntent:
    case Class::StalledAttempt:
    case Class::StalePending:
    case Class::CurrencyMismatch:
    case Class::AmountMismatch:
    case Class::Unfulfilled: return Severity::Medium;
    case Class::FieldMismatch:
    case Class::ProbableDuplicate: return Severity::Low;
    case Class::InFlight:
    case Class::Expected:
    case Class::OutOfWindow:
    case Class::MatchedManual:
    case Class::Dismissed:
    case Class::DuplicateReversed:
    case Class::MatchedTolerance:
    case Class::MatchedCompensated:
    case Class::MatchedFailure:
    case Class::Matched: return Severity::None;
  }
  return Severity::None;
}

Severity oneStepUp(Severity severity) {
  switch (severity) {
    case Severity::None: return Severity::None;
    case Severity::Low: return Severity::Medium;
    case Severity::Medium: return Severity::High;
    case Severity::High:
    case Severity::Critical: return Severity::Critical;
  }
  return severity;
}

bool isLarge(const Money& money) {
  std::int64_t limit = kLargeMajor;
  for (int digit = 0; digit < money.currency.exponent(); ++digit) limit *= 10;
  return money.minor >= limit || money.minor <= -limit;
}

/// From when an open unit's patience is counted.
std::optional<Instant> patienceStart(const UnitView& view, Class unitClass) {
  if (unitClass == Class::Unfulfilled && !view.deadLetters.empty()) {
    const DeadLetter& letter = *view.deadLetters.front();
    return letter.diedAt ? letter.diedAt : letter.enqueuedAt;
  }
  const bool isOneSided = view.local == LocalSummary::Nothing ||
                          (view.local == LocalSummary::KeptOut && view.live + view.pending > 0);
  if (isOneSided && !view.effects.empty()) return view.effects.front().row->created;
  return view.due;
}

/// What lies before all coverage can never be resolved by waiting.
bool canNeverResolve(const UnitView& view, Class unitClass) {
  if (unitClass != Class::OutOfWindow) return false;
  if (view.local == LocalSummary::Nothing) {
    return !view.effects.empty() &&
           isBeforeLocalCoverage(view.effects.front().row->created, *view.context);
  }
  return view.earliest &&
         isBeforeProviderCoverage(*view.earliest, *view.operation, *view.context);
}

}  // namespace

std::optional<Money> expectedOf(const UnitView& view, Class unitClass) {
  const bool isCarriedOutAllTheSame =
      unitClass == Class::AmountMismatch && view.hasCancelledIntentOnly();
  if (!isCarriedOutAllTheSame || view.live == 0 || !view.liveEffect().row->amount) {
    return view.expected;
  }
  return Money{0, view.liveEffect().row->amount->currency};
}

std::vector<Money> exposureOf(const UnitView& view, Class unitClass) {
  switch (unitClass) {
    case Class::DuplicateEffect: return duplicateExposure(view);
    case Class::DuplicateBooking: return bookingExposure(view);
    case Class::SplitMismatch:
    case Class::AmountMismatch: return differenceExposure(view, expectedOf(view, unitClass));
    case Class::SuppressedWork:
    case Class::LostAfterClaim:
    case Class::FalseSuccess:
    case Class::MissingEffect:
    case Class::UnpublishedIntent:
    case Class::StalledAttempt:
    case Class::Unfulfilled: return expectedExposure(view);
    case Class::EffectDespiteFailure:
    case Class::UnacknowledgedEffect:
    case Class::UnrecordedEffect:
    case Class::StalePending:
    case Class::CurrencyMismatch:
    case Class::ProbableDuplicate: return presentExposure(view);
    case Class::UnexplainedReversal: return reversedExposure(view);
    case Class::FieldMismatch:
    case Class::InFlight:
    case Class::Expected:
    case Class::OutOfWindow:
    case Class::MatchedManual:
    case Class::Dismissed:
    case Class::DuplicateReversed:
    case Class::MatchedTolerance:
    case Class::MatchedCompensated:
    case Class::MatchedFailure:
    case Class::Matched: return {};
  }
  return {};
}

bool isOverdue(const UnitView& view, Class unitClass) {
  if (groupOf(unitClass) != ClassGroup::Open || canNeverResolve(view, unitClass)) return false;
  const auto since = patienceStart(view, unitClass);
  return since && view.context->asOf - *since > view.context->policy.openLimit;
}

Severity severityOf(const Unit& unit, const JudgeContext& context) {
  Severity severity = defaultSeverity(unit.unitClass);
  if (severity == Severity::None) {
    return unit.has(Flag::Overdue) ? Severity::Low : Severity::None;
  }
  const bool isLargeCase = std::any_of(unit.exposure.begin(), unit.exposure.end(), isLarge);
  if (isLargeCase) severity = oneStepUp(severity);
  const bool isOld =
      unit.firstSeen && context.asOf - *unit.firstSeen > context.policy.openLimit;
  if (isOld) severity = oneStepUp(severity);
  return severity;
}

}  // namespace counterfoil::judging
