// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/predicates.h"

#include <algorithm>

#include "core/judge/clock.h"

namespace counterfoil::judging {

bool haveComparableAmounts(const UnitView& view, const EffectState& effect) {
  return view.expected && effect.row->amount &&
         view.expected->currency == effect.row->amount->currency;
}

std::int64_t differenceMinor(const UnitView& view, const EffectState& effect) {
  return effect.row->amount->minor - view.expected->minor;
}

bool isWithinTolerance(const UnitView& view, std::int64_t difference) {
  const std::int64_t size = difference < 0 ? -difference : difference;
  return size <= view.operation->tolerance.allowed(*view.expected);
}

bool comparesField(const UnitView& view, CompareField field) {
  return view.operation->compare.count(field) != 0;
}

bool currenciesDiffer(const UnitView& view, const EffectState& effect) {
  return comparesField(view, CompareField::Currency) && view.expected && effect.row->amount &&
         view.expected->currency != effect.row->amount->currency;
}

bool amountsDiffer(const UnitView& view, const EffectState& effect) {
  return comparesField(view, CompareField::Amount) && haveComparableAmounts(view, effect) &&
         !isWithinTolerance(view, differenceMinor(view, effect));
}

namespace {

bool textsDiffer(const std::string& ours, const std::string& theirs) {
  return !ours.empty() && !theirs.empty() && ours != theirs;
}

/// The local record whose fields count: the last success, else the last attempt, else an intent.
const RecordHead* spokesman(const UnitView& view) {
  if (view.lastSuccess != nullptr) return view.lastSuccess;
  if (!view.attempts.empty()) return view.attempts.back();
  return view.intents.empty() ? nullptr : view.intents.back();
}

}  // namespace

bool otherFieldsDiffer(const UnitView& view, const EffectState& effect) {
  const RecordHead* ours = spokesman(view);
  if (ours == nullptr) return false;
  const RecordHead& theirs = *effect.row;
  return (comparesField(view, CompareField::Customer) &&
          textsDiffer(ours->customer, theirs.customer)) ||
         (comparesField(view, CompareField::OpRef) && textsDiffer(ours->opRef, theirs.opRef));
}

PartSums partSums(const UnitView& view) {
  PartSums sums;
  std::optional<Currency> currency;
  if (view.expected) currency = view.expected->currency;
  const auto add = [&](std::int64_t& sum, std::int64_t minor) {
    const auto next = addChecked(sum, minor);
    if (next) sum = *next;
    else sums.overflows = true;
  };
  for (const EffectState& effect : view.effects) {
    if (effect.isFailed()) continue;
    const auto& amount = effect.row->amount;
    if (!amount || (currency && *currency != amount->currency)) {
      sums.isKnown = false;
      continue;
    }
    currency = amount->currency;
    if (effect.isPending()) {
      add(sums.pendingMinor, amount->minor);
      continue;
    }
    if (amount->minor != 0) ++sums.parts;
    add(sums.grossMinor, amount->minor);
    add(sums.netMinor, effect.netMinor());
  }
  return sums;
}

bool isRepeatedPart(const UnitView& view, std::int64_t excessMinor) {
  const auto times = std::count_if(
      view.effects.begin(), view.effects.end(), [&](const EffectState& effect) {
        return effect.isLive() && effect.row->amount && effect.row->amount->minor == excessMinor;
      });
  return excessMinor > 0 && times >= 2;
}

bool expectsSplit(const UnitView& view) { return view.operation->expect == Expect::Split; }

bool isSucceededUnseen(const UnitView& view) {
  if (view.live + view.pending + view.fullyReversed == 0) return false;
  if (view.local == LocalSummary::Backlog) return true;
  // A claim that was never completed tells of no success, whatever the sources keep.
  const bool onlyStuckClaim = view.skips.empty() && (view.hasClaimInProgress || view.hasExpiredClaim);
  return view.local == LocalSummary::KeptOut &&
         (view.hasCompletedClaim || view.wasMatchedEarlier || !view.attempts.empty() ||
          (isBlindToSuccesses(view.context->policy) && !onlyStuckClaim));
}

bool countsAsSucceeded(const UnitView& view) {
  return view.local == LocalSummary::Succeeded || isSucceededUnseen(view);
}

bool isCoveredByProviders(const UnitView& view) {
  if (!view.due || !view.earliest) return false;
  return providersCover(*view.operation, *view.earliest, *view.due,
                        *view.context);
}

namespace {

std::optional<Duration> dedupeTtlOf(const Skip& skip, const Policy& policy) {
  const QueueProfile* queue = policy.queue(skip.queue);
  if (queue == nullptr && skip.queue.empty() && policy.queues.size() == 1) {
    queue = &policy.queues.front();
  }
  return queue == nullptr ? std::nullopt : queue->dedupeTtl;
}

/// How long before a skip its original may lie. Without a configured TTL only a declared window is taken
/// to hold the original.
std::optional<Duration> reachOf(const Skip& skip, const JudgeContext& context) {
  const auto ttl = dedupeTtlOf(skip, context.policy);
  if (ttl) return ttl;
  return isLocalCoverageDeclared(context) ? std::optional(Duration(0)) : std::nullopt;
}

}  // namespace

bool isSkipVerifiable(const UnitView& view) {
  const bool hasTrace = !view.attempts.empty() || !view.claims.empty() || !view.events.empty() ||
                        !view.deadLetters.empty() || view.local == LocalSummary::Succeeded;
  if (hasTrace || view.skips.empty()) return true;
  const auto start = localCoverageStart(*view.context);
  return std::any_of(view.skips.begin(), view.skips.end(), [&](const Skip* skip) {
    const auto reach = reachOf(*skip, *view.context);
    return start && reach && skip->time - *reach >= *start;
  });
}

bool isPendingTooLong(const UnitView& view) {
  return std::any_of(view.effects.begin(), view.effects.end(), [&](const EffectState& effect) {
    return effect.isPending() &&
           view.context->asOf - effect.row->created >
               pendingLimitOf(*effect.row, view.context->policy);
  });
}

bool isUnrecordedForSure(const UnitView& view) {
  const Policy& policy = view.context->policy;
  return std::any_of(view.effects.begin(), view.effects.end(), [&](const EffectState& effect) {
    if (!effect.isLive() && !effect.isPending()) return false;
    const Duration lag = std::max(statementLagOf(*view.operation, policy),
                                  statementLagOf(*effect.row, policy));
    return localSourcesCover(*effect.row, *view.context) &&
           effect.row->created < view.context->asOf - lag - policy.clockSkew;
  });
}

bool isStillRunning(const UnitView& view) {
  if (view.local == LocalSummary::Open) return !(view.isOlderThanRuntime && view.isDue());
  return view.local == LocalSummary::KeptOut && !view.hasCompletedClaim &&
         (view.hasClaimInProgress ||
          (view.hasExpiredClaim && !(view.isOlderThanRuntime && view.isDue())));
}

bool mayRunAgain(const UnitView& view) {
  return !view.deadLetters.empty() ||
         std::any_of(view.openRuns.begin(), view.openRuns.end(), [](const Attempt* attempt) {
           return attempt->status == AttemptStatus::RetryPending;
         });
}

}  // namespace counterfoil::judging
