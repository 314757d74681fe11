// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/classify.h"

#include <algorithm>

#include "core/judge/clock.h"
#include "core/judge/job_views.h"
#include "core/judge/predicates.h"

namespace counterfoil::judging {

namespace {

bool hasNoEffectOfAnyStatus(const UnitView& view) { return view.effects.empty(); }
bool isPresent(const UnitView& view) { return view.live + view.pending > 0; }
bool hasOnlyFailed(const UnitView& view) { return view.failed > 0 && !view.hasEffect(); }
bool hasOnlyPending(const UnitView& view) { return view.pending > 0 && view.live == 0; }
bool isReliedOn(const UnitView& view) { return !view.skips.empty() || view.hasCompletedClaim; }

/// Excess over the expected amount; nothing where it cannot be told.
std::optional<std::int64_t> splitExcess(const UnitView& view, std::int64_t sumMinor) {
  return view.expected ? subtractChecked(sumMinor, view.expected->minor) : std::nullopt;
}

bool fitsExpected(const UnitView& view, std::int64_t sumMinor) {
  const auto excess = splitExcess(view, sumMinor);
  return excess && isWithinTolerance(view, *excess);
}

bool isDuplicateEffect(const UnitView& view) {
  if (!expectsSplit(view)) return view.live >= 2;
  const PartSums sums = partSums(view);
  if (!sums.isKnown || view.live < 2) return false;
  const auto excess = splitExcess(view, sums.netMinor);
  return excess && !isWithinTolerance(view, *excess) && isRepeatedPart(view, *excess);
}

bool isDuplicateTakenBack(const UnitView& view) {
  return !expectsSplit(view) && view.becameLive >= 2 && view.live <= 1 && view.fullyReversed >= 1;
}

bool isDuplicateBooking(const UnitView& view) {
  const std::size_t bookings = successesOf(view.attempts, view.context->policy);
  return view.operation->direction == Direction::Inbound && bookings >= 2 &&
         view.local == LocalSummary::Succeeded && view.live == 1;
}

enum class SplitFit { NotJudged, Fits, TooMuch, TooLittle };

SplitFit splitFit(const UnitView& view) {
  const bool isJudged = expectsSplit(view) && view.becameLive > 0 && view.expected &&
                        comparesField(view, CompareField::Amount);
  if (!isJudged) return SplitFit::NotJudged;
  const PartSums sums = partSums(view);
  if (sums.overflows) return SplitFit::TooMuch;
  if (!sums.isKnown) return SplitFit::NotJudged;
  if (fitsExpected(view, sums.grossMinor) || fitsExpected(view, sums.netMinor)) {
    return SplitFit::Fits;
  }
  return sums.netMinor > view.expected->minor ? SplitFit::TooMuch : SplitFit::TooLittle;
}

bool isSuppressedWork(const UnitView& view) {
  return view.local == LocalSummary::KeptOut && !view.skips.empty() && view.siblingIsActive &&
         hasNoEffectOfAnyStatus(view) && view.isDue() && isCoveredByProviders(view);
}

bool isLostAfterClaim(const UnitView& view) {
  return isReliedOn(view) && view.local != LocalSummary::Succeeded &&
         view.local != LocalSummary::Backlog && !view.wasMatchedEarlier && !mayRunAgain(view) &&
         hasNoEffectOfAnyStatus(view) && view.isDue() && isCoveredByProviders(view) &&
         !isStillRunning(view) && isSkipVerifiable(view);
}

bool isEffectDespiteFailure(const UnitView& view) {
  return view.local == LocalSummary::Failed && isPresent(view);
}

bool isUnacknowledgedEffect(const UnitView& view) {
  return view.local == LocalSummary::Open && view.isOlderThanRuntime && view.live > 0;
}

/// The failure came after the success, or is the very effect that the success recorded.
bool failureAnswersSuccess(const UnitView& view) {
  if (view.lastSuccess == nullptr) return false;
  const Instant success = endOf(*view.lastSuccess, *view.operation);
  return std::any_of(view.effects.begin(), view.effects.end(), [&](const EffectState& effect) {
    const bool isRecorded = !view.lastSuccess->effectId.empty() &&
                            view.lastSuccess->effectId == effect.row->effectId;
    return isRecorded || effect.row->created + effect.row->createdSpan >=
                             success - view.context->policy.clockSkew;
  });
}

bool isFalseSuccess(const UnitView& view) {
  const bool saysDone = view.local == LocalSummary::Succeeded ||
                        (view.local == LocalSummary::KeptOut && view.hasCompletedClaim);
  const bool isAbsenceSure = view.isDue() && isCoveredByProviders(view);
  return saysDone && hasOnlyFailed(view) && (isAbsenceSure || failureAnswersSuccess(view));
}

bool isUnexplainedReversal(const UnitView& view) {
  const bool isJudged = view.local == LocalSummary::Succeeded ||
                        (view.live > 0 && countsAsSucceeded(view));
  if (!isJudged || !view.operation->reversalsRecordedLocally) return false;
  return std::any_of(view.effects.begin(), view.effects.end(), [](const EffectState& effect) {
    return effect.isUnexplained && effect.becameLive();
  });
}

bool isCompensated(const UnitView& view) {
  if (view.live + view.pending > 0 || view.fullyReversed == 0) return false;
  if (view.local != LocalSummary::Succeeded) return true;
  return std::none_of(view.effects.begin(), view.effects.end(), [](const EffectState& effect) {
    return effect.isFullyReversed && effect.isUnexplained;
  });
}

Class classOfAbsence(const UnitView& view) {
  if (!view.isDue()) return Class::Expected;
  return isCoveredByProviders(view) ? Class::MissingEffect : Class::OutOfWindow;
}

/// S (or what counts as S) and something live, pending or reversed at the provider.
Class classOfPresence(const UnitView& view) {
  if (hasOnlyPending(view)) {
    return isPendingTooLong(view) ? Class::StalePending : Class::Expected;
  }
  if (splitFit(view) != SplitFit::NotJudged) {
    const PartSums sums = partSums(view);
    const bool isExact = sums.grossMinor == view.expected->minor ||
                         sums.netMinor == view.expected->minor;
    return isExact ? Class::Matched : Class::MatchedTolerance;
  }
  const auto first = std::find_if(
      view.effects.begin(), view.effects.end(),
      [&](const EffectState& effect) { return view.live > 0 ? effect.isLive() : effect.becameLive(); });
  const EffectState& effect = *first;
  const bool isOtherCurrency =
      std::any_of(view.effects.begin(), view.effects.end(), [&](const EffectState& part) {
        return part.isLive() && currenciesDiffer(view, part);
      });
  if (isOtherCurrency || currenciesDiffer(view, effect)) return Class::CurrencyMismatch;
  if (view.hasCancelledIntentOnly() && effect.isLive()) return Class::AmountMismatch;
  if (!expectsSplit(view) && amountsDiffer(view, effect)) return Class::AmountMismatch;
  if (otherFieldsDiffer(view, effect)) return Class::FieldMismatch;
  const bool isExact = expectsSplit(view) || !haveComparableAmounts(view, effect) ||
                       !comparesField(view, CompareField::Amount) ||
                       differenceMinor(view, effect) == 0;
  return isExact ? Class::Matched : Class::MatchedTolerance;
}

/// Done by our word, and only failures that are older: the live row may still come.
Class classOfUnansweredFailure(const UnitView& view) {
  return view.isDue() ? Class::OutOfWindow : Class::Expected;
}

Class classOfSucceeded(const UnitView& view) {
  if (isPresent(view) || view.fullyReversed > 0) return classOfPresence(view);
  if (view.wasMatchedEarlier) return Class::Matched;
  if (hasOnlyFailed(view)) return classOfUnansweredFailure(view);
  return view.operation->expect == Expect::ZeroOrOne ? Class::Matched : classOfAbsence(view);
}

Class classOfOpen(const UnitView& view) {
  if (isStillRunning(view)) return Class::InFlight;
  if (view.live > 0) return Class::InFlight;
  const bool isJudgeable = view.pending > 0 || view.failed > 0 || isCoveredByProviders(view);
  return isJudgeable ? Class::StalledAttempt : Class::OutOfWindow;
}

Class classOfFailed(const UnitView& view) {
  const bool isUndone = !view.deadLetters.empty() || view.hasOpenIntent();
  return isUndone ? Class::Unfulfilled : Class::MatchedFailure;
}

/// Only skips and claims, nothing live or pending at the provider that counts as theirs.
Class classOfKeptOut(const UnitView& view) {
  if (isPresent(view)) {
    return isUnrecordedForSure(view) ? Class::UnrecordedEffect : Class::OutOfWindow;
  }
  if (view.wasMatchedEarlier) return Class::Matched;
  if (hasOnlyFailed(view)) {
    return view.hasCompletedClaim ? classOfUnansweredFailure(view) : Class::MatchedFailure;
  }
  if (isStillRunning(view)) return Class::InFlight;
  const bool isFailedClaimOnly = view.skips.empty() && !view.hasCompletedClaim &&
                                 !view.hasExpiredClaim;
  if (isFailedClaimOnly) return Class::MatchedFailure;
  if (!view.isDue()) return Class::Expected;
  if (!isCoveredByProviders(view)) return Class::OutOfWindow;
  return view.skips.empty() ? Class::StalledAttempt : Class::OutOfWindow;
}

Class classOfBacklog(const UnitView& view) {
  if (hasOnlyFailed(view)) return Class::MatchedFailure;
  if (!view.isDue()) return Class::Expected;
  return isCoveredByProviders(view) ? Class::UnpublishedIntent : Class::OutOfWindow;
}

Class classOfNothing(const UnitView& view) {
  if (view.isSideRow || view.isOrphanReversal) return Class::OutOfWindow;
  if (!isPresent(view)) return Class::MatchedFailure;
  return isUnrecordedForSure(view) ? Class::UnrecordedEffect : Class::OutOfWindow;
}

Class classBySummary(const UnitView& view) {
  if (countsAsSucceeded(view)) return classOfSucceeded(view);
  switch (view.local) {
    case LocalSummary::Succeeded: return classOfSucceeded(view);
    case LocalSummary::Open: return classOfOpen(view);
    case LocalSummary::Failed: return classOfFailed(view);
    case LocalSummary::KeptOut: return classOfKeptOut(view);
    case LocalSummary::Backlog: return classOfBacklog(view);
    case LocalSummary::Nothing: return classOfNothing(view);
  }
  return Class::OutOfWindow;
}

/// Too little of a split is a break only when the rest is due and would be seen.
bool isRestMissing(const UnitView& view) {
  const bool mayComplete = view.pending > 0 && !isPendingTooLong(view);
  return view.isDue() && !mayComplete && isCoveredByProviders(view);
}

Class classOfRestToCome(const UnitView& view) {
  const bool mayComplete = view.pending > 0 && !isPendingTooLong(view);
  return !view.isDue() || mayComplete ? Class::Expected : Class::OutOfWindow;
}

/// Everything after the rules about several effects.
Class classOfSingle(const UnitView& view) {
  if (isDuplicateBooking(view)) return Class::DuplicateBooking;
  switch (splitFit(view)) {
    case SplitFit::TooMuch: return Class::SplitMismatch;
    case SplitFit::TooLittle:
      if (isRestMissing(view)) return Class::SplitMismatch;
      if (countsAsSucceeded(view)) return classOfRestToCome(view);
      break;
    case SplitFit::Fits:
    case SplitFit::NotJudged: break;
  }
  if (isSuppressedWork(view)) return Class::SuppressedWork;
  if (isLostAfterClaim(view)) return Class::LostAfterClaim;
  if (isEffectDespiteFailure(view)) return Class::EffectDespiteFailure;
  if (isUnacknowledgedEffect(view)) return Class::UnacknowledgedEffect;
  if (isFalseSuccess(view)) return Class::FalseSuccess;
  if (isUnexplainedReversal(view)) return Class::UnexplainedReversal;
  if (isCompensated(view)) return Class::MatchedCompensated;
  return classBySummary(view);
}

void addFlagsOfEffects(const UnitView& view, Decision& decision) {
  const auto& effects = view.effects;
  const auto any = [&](auto member) {
    return std::any_of(effects.begin(), effects.end(), member);
  };
  if (view.live == 1 && view.pending > 0) decision.flags.push_back(Flag::PendingTwin);
  if (any([](const EffectState& e) { return e.hasDispute; })) {
    decision.flags.push_back(Flag::Disputed);
  }
  if (any([](const EffectState& e) { return e.hasRefund; })) {
    decision.flags.push_back(Flag::Reversed);
  }
}

bool isAmountUnverified(const UnitView& view) {
  const bool isCompared = comparesField(view, CompareField::Amount) && countsAsSucceeded(view);
  if (!isCompared || view.live == 0) return false;
  const bool isUnknownAtProvider =
      std::any_of(view.effects.begin(), view.effects.end(),
                  [](const EffectState& effect) { return effect.isLive() && !effect.row->amount; });
  const bool isUnknownToAll = isUnknownAtProvider && view.live == 1 && !view.expected;
  return !isUnknownToAll && (isUnknownAtProvider || !view.expected);
}

/// Nothing but the business reference ties the effect to our records.
bool isWeaklyTied(const UnitView& view) {
  if (view.live != 1 || view.local == LocalSummary::Nothing) return false;
  const Effect& effect = *view.liveEffect().row;
  if (!effect.key.empty() || effect.opRef.empty()) return false;
  return std::none_of(view.attempts.begin(), view.attempts.end(), [&](const Attempt* attempt) {
    return !attempt->effectId.empty() &&
           (attempt->effectId == effect.effectId || attempt->effectId == effect.parentId ||
            attempt->effectId == effect.replaces);
  });
}

bool isAbsorbed(const UnitView& view, Class unitClass) {
  if (unitClass != Class::Matched && unitClass != Class::MatchedTolerance) return false;
  const std::size_t successes = successesOf(view.attempts, view.context->policy);
  const bool hasOneEffect = view.live == 1 || (view.live == 0 && view.wasMatchedEarlier) ||
                            (expectsSplit(view) && view.live > 0);
  const bool isRerun = view.wasMatchedEarlier && view.live == 0 && successes > 0;
  return hasOneEffect && (successes >= 2 || !view.skips.empty() || isRerun);
}

void addFlagsOfClass(const UnitView& view, Decision& decision) {
  const Class unitClass = decision.unitClass;
  if (isAmountUnverified(view)) decision.flags.push_back(Flag::AmountUnverified);
  if (isAbsorbed(view, unitClass)) decision.flags.push_back(Flag::AbsorbedDuplicate);
  if (isSucceededUnseen(view) && isPresent(view)) {
    decision.flags.push_back(Flag::NoAttemptSeen);
  }
  if (unitClass == Class::DuplicateEffect && view.local == LocalSummary::Failed) {
    decision.flags.push_back(Flag::DespiteFailure);
  }
  if (unitClass == Class::MatchedFailure && view.due && !view.isDue()) {
    decision.flags.push_back(Flag::Provisional);
  }
  if (view.hasCancelledIntentOnly() && isPresent(view)) {
    decision.flags.push_back(Flag::Cancelled);
  }
  if (isWeaklyTied(view)) decision.flags.push_back(Flag::WeakEvidence);
  if (view.isAmbiguous) decision.flags.push_back(Flag::AmbiguousMatch);
  if (view.sharesReference) decision.flags.push_back(Flag::SameReference);
}

/// The view without what was taken back: what is left alone decides.
UnitView withoutReversed(const UnitView& view) {
  UnitView rest = view;
  std::erase_if(rest.effects, [](const EffectState& effect) { return effect.isFullyReversed; });
  rest.count();
  return rest;
}

Decision decideDuplicateTakenBack(const UnitView& view) {
  Decision decision;
  const UnitView rest = withoutReversed(view);
  const bool isNothingLeft = rest.live + rest.pending == 0;
  const Class left = isNothingLeft ? Class::DuplicateReversed : classOfSingle(rest);
  const bool isClosed = isNothingLeft || groupOf(left) == ClassGroup::Closed;
  decision.unitClass = isClosed ? Class::DuplicateReversed : left;
  if (!isClosed) decision.flags.push_back(Flag::DuplicateReversed);
  if (isNothingLeft) decision.flags.push_back(Flag::NetZero);
  return decision;
}

}  // namespace

Decision decide(const UnitView& view) {
  Decision decision;
  if (isDuplicateEffect(view)) decision.unitClass = Class::DuplicateEffect;
  else if (isDuplicateTakenBack(view)) decision = decideDuplicateTakenBack(view);
  else decision.unitClass = classOfSingle(view);
  addFlagsOfEffects(view, decision);
  addFlagsOfClass(view, decision);
  return decision;
}

}  // namespace counterfoil::judging
