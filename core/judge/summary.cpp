// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/summary.h"

#include <algorithm>

#include "core/judge/clock.h"
#include "core/judge/open_runs.h"

namespace counterfoil::judging {

namespace {

/// The last of the attempts by end, then start; the lists are in order of start.
template <class Accept>
const Attempt* lastAttempt(const UnitView& view, const Accept& accept) {
  const Attempt* last = nullptr;
  for (const Attempt* attempt : view.attempts) {
    if (!accept(*attempt)) continue;
    if (last == nullptr ||
        endOf(*attempt, *view.operation) >= endOf(*last, *view.operation)) {
      last = attempt;
    }
  }
  return last;
}

bool isAny(const Attempt&) { return true; }

LocalSummary summaryOfStatus(AttemptStatus status) {
  if (status == AttemptStatus::Succeeded) return LocalSummary::Succeeded;
  return isOpenStatus(status) ? LocalSummary::Open : LocalSummary::Failed;
}

bool hasStatus(const UnitView& view, bool (*accept)(AttemptStatus)) {
  return std::any_of(view.attempts.begin(), view.attempts.end(),
                     [&](const Attempt* attempt) { return accept(attempt->status); });
}

LocalSummary summaryOf(const UnitView& view) {
  if (view.operation->direction == Direction::Inbound && !view.attempts.empty()) {
    return summaryOfStatus(lastAttempt(view, isAny)->status);
  }
  const bool isDone = std::any_of(
      view.intents.begin(), view.intents.end(),
      [](const Intent* intent) { return intent->status == IntentStatus::Done; });
  if (isDone) return LocalSummary::Succeeded;
  if (hasStatus(view, [](AttemptStatus s) { return s == AttemptStatus::Succeeded; })) {
    return LocalSummary::Succeeded;
  }
  if (!view.openRuns.empty()) return LocalSummary::Open;
  const bool hasFailed = hasStatus(view, [](AttemptStatus s) { return s == AttemptStatus::FailedFinal; });
  if (hasFailed || !view.deadLetters.empty()) return LocalSummary::Failed;
  if (!view.skips.empty() || !view.claims.empty() || !view.events.empty()) {
    return LocalSummary::KeptOut;
  }
  if (view.hasOpenIntent() || !view.outbox.empty()) return LocalSummary::Backlog;
  return LocalSummary::Nothing;
}

template <class Record>
std::optional<Money> firstAmount(const std::vector<const Record*>& records) {
  for (const Record* record : records) {
    if (record->amount) return record->amount;
  }
  return {};
}

const Intent* newestStandingIntent(const UnitView& view) {
  const Intent* newest = nullptr;
  for (const Intent* intent : view.intents) {
    if (intent->status != IntentStatus::Cancelled) newest = intent;
  }
  return newest;
}

std::optional<Money> expectedAmount(const UnitView& view) {
  const Intent* intent = newestStandingIntent(view);
  if (intent != nullptr && intent->amount) return intent->amount;
  if (view.lastSuccess != nullptr && view.lastSuccess->amount) return view.lastSuccess->amount;
  const Attempt* last =
      lastAttempt(view, [](const Attempt& attempt) { return attempt.amount.has_value(); });
  if (last != nullptr) return last->amount;
  if (const auto amount = firstAmount(view.deadLetters)) return amount;
  if (const auto amount = firstAmount(view.skips)) return amount;
  if (const auto amount = firstAmount(view.claims)) return amount;
  if (const auto amount = firstAmount(view.events)) return amount;
  if (const auto amount = firstAmount(view.outbox)) return amount;
  return firstAmount(view.intents);
}

/// Grows [earliest, latest end] by what makes the summary.
struct Span {
  std::optional<Instant> from;
  std::optional<Instant> to;
  void add(Instant start, Instant end) {
    from = from ? std::min(*from, start) : start;
    to = to ? std::max(*to, end) : end;
  }
};

void addAttempts(Span& span, const UnitView& view, const std::vector<const Attempt*>& attempts,
                 bool (*accept)(AttemptStatus)) {
  for (const Attempt* attempt : attempts) {
    if (accept(attempt->status)) span.add(startOf(*attempt), endOf(*attempt, *view.operation));
  }
}

void addIntents(Span& span, const UnitView& view, IntentStatus status) {
  for (const Intent* intent : view.intents) {
    if (intent->status != status) continue;
    span.add(intent->createdAt, intent->dueAt.value_or(intent->createdAt) +
                                    view.operation->intentLimit);
  }
}

void addBacklog(Span& span, const UnitView& view) {
  addIntents(span, view, IntentStatus::Open);
  for (const OutboxRow* row : view.outbox) {
    span.add(row->createdAt, row->createdAt + view.operation->intentLimit);
  }
}

void addKeptOut(Span& span, const UnitView& view) {
  for (const Skip* skip : view.skips) span.add(skip->time, skip->time);
  for (const Claim* claim : view.claims) {
    const auto at = claim->claimedAt ? claim->claimedAt : claim->expiresAt;
    if (at) span.add(*at, *at);
  }
  for (const ProcessedEvent* event : view.events) {
    if (event->processedAt) span.add(*event->processedAt, *event->processedAt);
  }
}

void addDeadLetters(Span& span, const UnitView& view) {
  for (const DeadLetter* letter : view.deadLetters) {
    const auto died = letter->diedAt ? letter->diedAt : letter->enqueuedAt;
    if (died) span.add(letter->enqueuedAt.value_or(*died), *died);
  }
}

Span spanOfSummary(const UnitView& view) {
  Span span;
  switch (view.local) {
    case LocalSummary::Succeeded:
      addAttempts(span, view, view.attempts, [](AttemptStatus s) { return s == AttemptStatus::Succeeded; });
      if (!span.to) addIntents(span, view, IntentStatus::Done);
      break;
    case LocalSummary::Open: addAttempts(span, view, view.openRuns, isOpenStatus); break;
    case LocalSummary::Failed:
      addAttempts(span, view, view.attempts, [](AttemptStatus s) { return s == AttemptStatus::FailedFinal; });
      addDeadLetters(span, view);
      break;
    case LocalSummary::KeptOut: addKeptOut(span, view); break;
    case LocalSummary::Backlog: addBacklog(span, view); break;
    case LocalSummary::Nothing: addIntents(span, view, IntentStatus::Cancelled); break;
  }
  return span;
}

/// ρ is over for every attempt that may still run; where there are only claims, for those in progress.
bool isOverRuntime(const UnitView& view) {
  const auto isOver = [&](Instant start) {
    return start + view.operation->maxRuntime <= view.context->asOf;
  };
  const bool areAttemptsOver =
      std::all_of(view.openRuns.begin(), view.openRuns.end(),
                  [&](const Attempt* attempt) { return isOver(startOf(*attempt)); });
  if (view.local != LocalSummary::KeptOut) return areAttemptsOver;
  return std::all_of(view.claims.begin(), view.claims.end(), [&](const Claim* claim) {
    return claim->state != ClaimState::InProgress || !claim->claimedAt || isOver(*claim->claimedAt);
  });
}

void readClaims(UnitView& view) {
  view.hasCompletedClaim = !view.events.empty();
  for (const Claim* claim : view.claims) {
    switch (claim->state) {
      case ClaimState::Completed: view.hasCompletedClaim = true; break;
      case ClaimState::InProgress:
        if (claimEnd(*claim, view) > view.context->asOf) view.hasClaimInProgress = true;
        else view.hasExpiredClaim = true;
        break;
      case ClaimState::Failed: break;
    }
  }
}

}  // namespace

Instant claimEnd(const Claim& claim, const UnitView& view) {
  if (claim.expiresAt) return *claim.expiresAt;
  const QueueProfile* queue = view.context->policy.queue(claim.queue);
  const Duration lasts = queue != nullptr && queue->claimTtl ? *queue->claimTtl
                                                             : view.operation->maxRuntime;
  return claim.claimedAt.value_or(Instant{}) + lasts;
}

namespace {

/// Nothing but skips that say the work was done before. Whatever they relied on is older than all we
/// see, so no statement is still to come for it.
bool reliesOnThePast(const UnitView& view) {
  const bool hasOnlySkips = view.attempts.empty() && view.claims.empty() && view.events.empty() &&
                            view.deadLetters.empty() && view.intents.empty() &&
                            view.outbox.empty() && !view.skips.empty();
  return hasOnlySkips && std::all_of(view.skips.begin(), view.skips.end(), [](const Skip* skip) {
    return skip->reason == SkipReason::AlreadyDone || skip->reason == SkipReason::Unspecified;
  });
}

Duration waitAfterEnd(const UnitView& view) {
  if (reliesOnThePast(view)) return Duration(0);
  return statementLagOf(*view.operation, view.context->policy) + view.context->policy.clockSkew;
}

}  // namespace

void summarise(UnitView& view) {
  view.openRuns = openRunsOf(view);
  view.local = summaryOf(view);
  view.lastSuccess = lastAttempt(
      view, [](const Attempt& attempt) { return attempt.status == AttemptStatus::Succeeded; });
  view.expected = expectedAmount(view);
  const Span span = spanOfSummary(view);
  view.earliest = span.from;
  if (span.to) view.due = *span.to + waitAfterEnd(view);
  view.isOlderThanRuntime = isOverRuntime(view);
  readClaims(view);
}

}  // namespace counterfoil::judging
