// SPDX-License-Identifier: GPL-3.0-or-later
// classes.md §1 to §3: what was reversed, the local summary, the expected amount, when it is due.
#include <algorithm>

#include "tests/core/reference/facts.h"

namespace counterfoil::testing::reference {

namespace {

bool isOpenStatus(AttemptStatus status) {
  return status == AttemptStatus::Running || status == AttemptStatus::Lost ||
         status == AttemptStatus::Unknown || status == AttemptStatus::RetryPending;
}

/// Whether a later run of its job, or a later skip of it, has taken an open attempt's place.
bool isClosed(const Attempt& attempt, const Facts& facts, const Policy& policy, Instant now) {
  const bool isOver = attempt.status == AttemptStatus::RetryPending || attempt.status == AttemptStatus::Lost ||
                      startOf(attempt) + policy.operation(attempt.operation).maxRuntime <= now;
  if (!isOver || attempt.jobId.empty()) return false;
  for (const Attempt* other : facts.attempts) {
    if (other->jobId == attempt.jobId && startOf(*other) > startOf(attempt)) return true;
  }
  return std::any_of(facts.skips.begin(), facts.skips.end(), [&](const Skip* skip) {
    return skip->jobId == attempt.jobId && skip->time > startOf(attempt);
  });
}

LocalSummary summaryOf(const Facts& facts) {
  bool isOpen = false;
  bool hasFailed = !facts.letters.empty();
  for (const Attempt* attempt : facts.attempts) {
    if (facts.isOpenRun(*attempt)) isOpen = true;
    if (attempt->status == AttemptStatus::FailedFinal) hasFailed = true;
  }
  const bool isDone = std::any_of(facts.intents.begin(), facts.intents.end(),
                                  [](const Intent* i) { return i->status == IntentStatus::Done; });
  if (facts.successes > 0 || isDone) return LocalSummary::Succeeded;
  if (isOpen) return LocalSummary::Open;
  if (hasFailed) return LocalSummary::Failed;
  if (!facts.skips.empty() || !facts.claims.empty() || facts.hasEvent) return LocalSummary::KeptOut;
  if (facts.hasOpenIntent || facts.hasOutbox) return LocalSummary::Backlog;
  return LocalSummary::Nothing;
}

void takeLocal(const Item& item, Facts& facts) {
  if (item.attempt != nullptr) {
    facts.attempts.push_back(item.attempt);
    if (item.attempt->status == AttemptStatus::Succeeded) ++facts.successes;
  }
  if (item.skip != nullptr) facts.skips.push_back(item.skip);
  if (item.claim != nullptr) {
    facts.claims.push_back(item.claim);
    if (item.claim->state == ClaimState::Completed) facts.hasCompletedClaim = true;
    if (item.claim->state == ClaimState::InProgress) facts.hasRunningClaim = true;
  }
  if (item.event != nullptr) facts.hasEvent = facts.hasCompletedClaim = true;
  if (item.intent != nullptr) {
    facts.intents.push_back(item.intent);
    if (item.intent->status == IntentStatus::Open) facts.hasOpenIntent = true;
  }
  if (item.outbox != nullptr) facts.hasOutbox = true;
  if (item.letter != nullptr) facts.letters.push_back(item.letter);
}

/// The latest live effect of the reversal's amount, else the latest that is larger; else it is spread.
Charge* chargeFor(const Lowering& lowering, std::vector<Charge>& charges, bool& isOpen) {
  for (Charge& charge : charges) {
    if (!lowering.parent.empty() && charge.effect->effectId == lowering.parent) return &charge;
  }
  Charge* best = nullptr;
  const std::int64_t amount = lowering.by->amount->minor;
  for (const bool isEqual : {true, false}) {
    for (Charge& charge : charges) {
      const bool fits = isEqual ? charge.net() == amount : charge.net() > amount;
      if (charge.effect->amount->currency != lowering.by->amount->currency || !fits) continue;
      if (best != nullptr && best->effect->created == charge.effect->created) isOpen = true;
      if (best == nullptr || best->effect->created < charge.effect->created) best = &charge;
    }
    if (best != nullptr) return best;
  }
  return nullptr;
}

bool isShared(const std::string& value, std::string RecordHead::*field, const Part& part) {
  bool hasCharge = false;
  bool isNamed = false;
  for (const Item* item : part.items) {
    if (item->effect != nullptr && !item->isAttached) hasCharge = true;
    if (!value.empty() && item->head->*field == value) isNamed = true;
  }
  return hasCharge && isNamed;
}

/// A reversal that names no effect comes to the part with a charge that has its key, else its order. Which
/// of several without an order is open.
bool isOfPart(const Lowering& lowering, const Part& part, const std::vector<Part>& parts, Facts& facts) {
  if (parts.size() == 1) return true;
  const RecordHead& by = *lowering.by;
  const auto withKey = std::count_if(parts.begin(), parts.end(), [&](const Part& other) {
    return isShared(by.key, &RecordHead::key, other);
  });
  const bool hasOrder = isShared(by.opRef, &RecordHead::opRef, part);
  if (withKey == 0) return hasOrder;
  if (withKey > 1 && by.opRef.empty()) facts.isOpen = true;
  return isShared(by.key, &RecordHead::key, part) && (withKey == 1 || hasOrder);
}

void lower(std::vector<Charge>& charges, const Part& part, const std::vector<Part>& parts,
           const std::vector<Lowering>& lowerings, Facts& facts) {
  std::vector<const Lowering*> here;
  for (const Lowering& lowering : lowerings) {
    const bool holds = std::any_of(part.items.begin(), part.items.end(), [&](const Item* item) {
      const bool isRow = item->effect == lowering.by && item->isAttached;
      const bool isParent = !item->isAttached && item->effect != nullptr && !lowering.parent.empty() &&
                            item->head->effectId == lowering.parent;
      const bool isCase = lowering.parent.empty() && item->caseNumber == lowering.caseNumber &&
                          item->operation == 0 && isOfPart(lowering, part, parts, facts);
      return isRow || isParent || isCase;
    });
    if (holds) here.push_back(&lowering);
  }
  std::sort(here.begin(), here.end(), [](const Lowering* a, const Lowering* b) {
    if (a->parent.empty() != b->parent.empty()) return b->parent.empty();
    return a->by->created < b->by->created;
  });
  for (const Lowering* lowering : here) {
    if (lowering->by->status != EffectStatus::Live) continue;
    (lowering->by->kind == EffectKind::Dispute ? facts.isDisputed : facts.isReversed) = true;
    if (!lowering->by->amount) { facts.isOpen = true; continue; }
    Charge* charge = chargeFor(*lowering, charges, facts.isOpen);
    if (charge == nullptr) { facts.isOpen = true; continue; }
    if (charge->effect->amount->currency != lowering->by->amount->currency) facts.isOpen = true;
    if (charge->net() < lowering->by->amount->minor) facts.isOpen = true;
    charge->reversed += lowering->by->amount->minor;
    if (lowering->isOurs) charge->reversedByUs += lowering->by->amount->minor;
    if (lowering->isOursOpen) charge->hasAnswerOpen = true;
  }
}

void takeEffects(const Part& part, const std::vector<Part>& parts, const std::vector<Lowering>& lowerings,
                 Facts& facts) {
  std::vector<Charge> charges;
  bool hasOther = false;
  bool hasAttached = false;
  for (const Item* item : part.items) {
    if (item->effect == nullptr) { hasOther = true; continue; }
    if (item->isAttached) { hasAttached = true; continue; }
    hasOther = true;
    if (item->effect->status == EffectStatus::Pending) facts.pending.push_back(item->effect);
    if (item->effect->status == EffectStatus::Failed) facts.failed.push_back(item->effect);
    if (item->effect->status == EffectStatus::Live) charges.push_back({item->effect, 0, 0, false});
  }
  facts.hasStray = hasAttached && !hasOther;
  if (!facts.hasStray) lower(charges, part, parts, lowerings, facts);
  for (const Charge& charge : charges) (charge.isFull() ? facts.gone : facts.live).push_back(charge);
}

/// Of the newest intent that stands, else the last success, else the last attempt.
void setExpected(const Part& part, Facts& facts, const Policy& policy) {
  const Intent* newest = nullptr;
  for (const Intent* intent : facts.intents) {
    if (intent->status == IntentStatus::Cancelled) continue;
    if (newest != nullptr && newest->createdAt == intent->createdAt) facts.isExpectedOpen = true;
    if (newest == nullptr || newest->createdAt < intent->createdAt) newest = intent;
  }
  facts.hasCancelledOnly = newest == nullptr && !facts.intents.empty();
  if (newest != nullptr) {
    facts.expected = newest->amount;
    if (!newest->amount) facts.isExpectedOpen = true;
    return;
  }
  const Attempt* last = nullptr;
  for (const Attempt* attempt : facts.attempts) {
    if (facts.successes > 0 && attempt->status != AttemptStatus::Succeeded) continue;
    if (last != nullptr && endOf(*last, policy) == endOf(*attempt, policy)) facts.isExpectedOpen = true;
    if (last == nullptr || endOf(*last, policy) < endOf(*attempt, policy)) last = attempt;
  }
  if (last == nullptr || !last->amount) {
    for (const Item* item : part.items) {
      if (item->isLocal() && item->head->amount) facts.isExpectedOpen = true;
    }
  }
  if (last == nullptr) return;
  facts.expected = last->amount;
  for (const Attempt* attempt : facts.attempts) {
    if (attempt->amount != last->amount && !last->amount) facts.isExpectedOpen = true;
  }
}

void spread(Facts& facts, Instant from, Instant until) {
  facts.earliest = facts.earliest ? std::min(*facts.earliest, from) : from;
  facts.due = facts.due ? std::max(*facts.due, until) : until;
}

bool makesSummary(const Attempt& attempt, const Facts& facts) {
  if (facts.local == LocalSummary::Succeeded) return attempt.status == AttemptStatus::Succeeded;
  if (facts.local == LocalSummary::Open) return facts.isOpenRun(attempt);
  return attempt.status == AttemptStatus::FailedFinal;
}

void setTimes(const Part& part, Facts& facts, const Policy& policy) {
  for (const Attempt* attempt : facts.attempts) {
    if (!makesSummary(*attempt, facts)) continue;
    spread(facts, startOf(*attempt), endOf(*attempt, policy));
    const Instant until = startOf(*attempt) + policy.operation(attempt->operation).maxRuntime;
    facts.runsUntil = facts.runsUntil ? std::max(*facts.runsUntil, until) : until;
    if (facts.local == LocalSummary::Succeeded) {
      facts.lastSuccess = std::max(facts.lastSuccess.value_or(Instant{}), endOf(*attempt, policy));
    }
  }
  for (const Item* item : part.items) {
    const Duration limit = policy.operation(item->head->operation).intentLimit;
    const bool isByIntent = facts.local == LocalSummary::Succeeded && facts.successes == 0;
    const auto counting = isByIntent ? IntentStatus::Done : IntentStatus::Open;
    if (item->intent != nullptr && item->intent->status == counting && (facts.local == LocalSummary::Backlog || isByIntent)) {
      const Instant base = item->intent->dueAt ? *item->intent->dueAt : item->intent->createdAt;
      spread(facts, base, base + limit);
    }
    if (facts.local == LocalSummary::Backlog && item->outbox != nullptr) {
      spread(facts, item->outbox->createdAt, item->outbox->createdAt + limit);
    }
    if (facts.local == LocalSummary::Failed && facts.attempts.empty() && item->letter != nullptr && item->letter->diedAt) {
      spread(facts, *item->letter->diedAt, *item->letter->diedAt);
    }
    if (facts.local != LocalSummary::KeptOut) continue;
    if (item->skip != nullptr) spread(facts, item->skip->time, item->skip->time);
    if (item->claim != nullptr) spread(facts, *item->claim->claimedAt, *item->claim->claimedAt);
    if (item->event != nullptr) spread(facts, *item->event->processedAt, *item->event->processedAt);
  }
  // What nothing but skips relied on is older than they are: no statement is still to come for it.
  const bool isPast = facts.skips.size() == part.items.size();
  if (facts.due && !isPast) *facts.due += lagOf(policy) + policy.clockSkew;
}

}  // namespace

Facts factsOf(const Part& part, const std::vector<Part>& parts, const std::vector<Lowering>& lowerings,
              const Policy& policy, Instant now) {
  Facts facts;
  for (const Item* item : part.items) takeLocal(*item, facts);
  for (const Attempt* attempt : facts.attempts) {
    if (!isOpenStatus(attempt->status) || isClosed(*attempt, facts, policy, now)) continue;
    facts.openRuns.push_back(attempt);
    if (attempt->status == AttemptStatus::RetryPending) facts.hasRetryPending = true;
  }
  takeEffects(part, parts, lowerings, facts);
  facts.local = summaryOf(facts);
  setExpected(part, facts, policy);
  setTimes(part, facts, policy);
  return facts;
}

}  // namespace counterfoil::testing::reference
