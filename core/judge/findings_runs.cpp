// SPDX-License-Identifier: GPL-3.0-or-later
// Findings on executions: overlaps, redelivery, retries, claims, lost workers; outbox and dead letters.
#include <algorithm>
#include <array>
#include <map>

#include "core/base/text.h"
#include "core/judge/clock.h"
#include "core/judge/findings_state.h"
#include "core/judge/job_views.h"
#include "core/judge/summary.h"
#include "core/judge/why.h"

namespace counterfoil::judging {

namespace {

std::string nameOf(const Unit& unit, const Attempt& attempt) {
  if (!unit.key.empty()) return unit.key;
  return attempt.jobId.empty() ? attempt.messageId : attempt.jobId;
}

bool isFailure(AttemptStatus status) {
  return status == AttemptStatus::FailedFinal || status == AttemptStatus::RetryPending;
}

bool isPermanentError(const std::string& text) {
  static constexpr std::array<std::string_view, 12> kSigns = {
      "validation", "invalid", "bad request", "unprocessable", "schema", "malformed",
      "jsondecodeerror", "valueerror", "typeerror", "keyerror", "card_declined", "not supported"};
  const std::string error = toLowerAscii(text);
  return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
    return error.find(sign) != std::string::npos;
  });
}

/// Each bucket is a twentieth wider than the one before: gaps of one bucket are within five percent.
int gapBucket(Duration gap) {
  int bucket = 0;
  for (std::int64_t edge = 1'000'000; edge < gap.count() && bucket < 4000; ++bucket) {
    edge += std::max<std::int64_t>(edge / 20, 1);
  }
  return bucket;
}

class RunNotes {
 public:
  RunNotes(FindingsState& state, const Unit& unit, const JudgeContext& context)
      : m_state(state), m_unit(unit), m_context(context) {}

  void run() {
    noteDurations();
    if (m_unit.records.attempts.size() > 1) noteSequence();
    notePoison();
    noteEarlyAck();
    noteClaims();
    noteGuards();
    noteSteps();
  }

 private:
  const Operation& operation() const { return m_context.policy.operation(m_unit.operation); }
  void tally(std::string_view code, std::string subject, const std::string& example) {
    m_state.tally(code, std::move(subject)).add(example, m_state.mostExamples);
  }

  void noteDurations() {
    for (const Attempt& attempt : m_unit.records.attempts) {
      QueueFacts& queue = m_state.queues[attempt.queue];
      ++queue.attempts;
      if (attempt.start && attempt.end && *attempt.end >= *attempt.start) {
        queue.durations.add(*attempt.end - *attempt.start);
      }
    }
    for (const Skip& skip : m_unit.records.skips) {
      ++m_state.queues[skip.queue].skips;
      ++m_state.skips;
    }
  }

  /// Attempts one after the other, in order of start.
  void noteSequence() {
    std::vector<const Attempt*> runs;
    for (const Attempt& attempt : m_unit.records.attempts) runs.push_back(&attempt);
    runs = distinctRuns(runs, m_context.policy);
    if (runs.size() < 2) return;
    std::stable_sort(runs.begin(), runs.end(), [](const Attempt* a, const Attempt* b) {
      return startOf(*a) < startOf(*b);
    });
    const Attempt* longestOpen = nullptr;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i > 0) notePair(*runs[i - 1], *runs[i]);
      if (longestOpen != nullptr) noteOverlap(*longestOpen, *runs[i]);
      const bool isLonger = longestOpen == nullptr || endOf(*runs[i], operation()) > endOf(*longestOpen, operation());
      if (isLonger && hasKnownLength(*runs[i])) longestOpen = runs[i];
    }
    QueueFacts& queue = m_state.queues[runs.front()->queue];
    const Duration span = startOf(*runs.back()) - startOf(*runs.front());
    const std::string name = nameOf(m_unit, *runs.front());
    if (span > queue.longestSpan ||
        (span == queue.longestSpan && name < queue.longestSpanKey)) {
      queue.longestSpan = span;
      queue.longestSpanKey = name;
    }
  }

  void notePair(const Attempt& before, const Attempt& after) {
    QueueFacts& queue = m_state.queues[after.queue];
    ++queue.retries;
    if (after.start && after.end && *after.end >= *after.start) {
      queue.retryDurations.add(*after.end - *after.start);
    }
    if (isFailure(before.status)) return;
    ++queue.repeats;
    ++m_state.repeats;
    if (before.status == AttemptStatus::Succeeded && after.status == AttemptStatus::Succeeded) {
      ++m_state.hours[hourOf(startOf(after))].repeats;
    }
    const Duration gap = startOf(after) - startOf(before);
    if (!before.start || !after.start || gap <= Duration(0)) return;
    const Timer timer = timerOf(gap, after.queue, m_context.policy);
    if (!timer.name.empty()) queue.timers[timer.name].add(gap);
    else queue.otherGaps[gapBucket(gap)].add(gap);
  }

  void noteOverlap(const Attempt& first, const Attempt& second) {
    if (!first.start || !second.start || *second.start >= endOf(first, operation())) return;
    QueueFacts& queue = m_state.queues[first.queue];
    queue.overlaps.add(nameOf(m_unit, first), m_state.mostExamples);
    queue.overlapped.add(endOf(first, operation()) - *first.start);
  }

  static std::int64_t hourOf(Instant at) {
    return std::chrono::floor<std::chrono::hours>(at).time_since_epoch().count();
  }

  void noteGuards() {
    for (const Skip& skip : m_unit.records.skips) ++m_state.hours[hourOf(skip.time)].guards;
    for (const Claim& claim : m_unit.records.claims) {
      if (claim.claimedAt) ++m_state.hours[hourOf(*claim.claimedAt)].guards;
    }
  }

  /// Many attempts, one error, no success.
  void notePoison() {
    const bool anySucceeded =
        std::any_of(m_unit.records.attempts.begin(), m_unit.records.attempts.end(),
                    [](const Attempt& a) { return a.status == AttemptStatus::Succeeded; });
    std::map<std::string_view, std::int64_t> tries;   // by error
    std::string_view queue;
    for (const Attempt& attempt : m_unit.records.attempts) {
      if (!attempt.error.empty()) ++tries[attempt.error];
      if (queue.empty()) queue = attempt.queue;
    }
    for (const DeadLetter& letter : m_unit.records.deadLetters) {
      std::int64_t& count = tries[letter.error];
      count = std::max(count, letter.receiveCount.value_or(1));
      if (queue.empty()) queue = letter.queue;
    }
    std::int64_t most = 0;
    bool isPermanent = false;
    for (const auto& [error, count] : tries) {
      most = std::max(most, count);
      isPermanent = isPermanent || (count > 1 && isPermanentError(std::string(error)));
    }
    const std::string name = m_unit.key.empty() ? m_unit.id : m_unit.key;
    if (!anySucceeded && most >= m_context.policy.thresholds.poisonAttempts) {
      tally("poison_message", queueSubject(queue), name);
    }
    if (isPermanent) tally("permanent_error_retried", queueSubject(queue), name);
  }

  /// A message that came again shows as a second attempt, as a skip of it, or as a dead letter.
  [[nodiscard]] bool cameAgain(const Attempt& attempt) const {
    const auto& skips = m_unit.records.skips;
    return m_unit.records.attempts.size() > 1 || !m_unit.records.deadLetters.empty() ||
           std::any_of(skips.begin(), skips.end(),
                       [&](const Skip& skip) { return skip.time >= startOf(attempt); });
  }

  /// A worker went away and nobody got the message again: it was acknowledged before the work.
  void noteEarlyAck() {
    const auto& attempts = m_unit.records.attempts;
    const bool isStranded = m_unit.unitClass == Class::StalledAttempt ||
                            m_unit.unitClass == Class::LostAfterClaim;
    if (!isStranded || attempts.empty() || cameAgain(attempts.front())) return;
    const AttemptStatus status = attempts.front().status;
    if (status == AttemptStatus::Lost || status == AttemptStatus::Running) {
      tally("early_ack_loss", queueSubject(attempts.front().queue), nameOf(m_unit, attempts.front()));
    }
  }

  void noteClaims() {
    const bool anyRuns = std::any_of(
        m_unit.records.attempts.begin(), m_unit.records.attempts.end(), [&](const Attempt& a) {
          return a.status == AttemptStatus::Running &&
                 startOf(a) + operation().maxRuntime > m_context.asOf;
        });
    for (const Claim& claim : m_unit.records.claims) {
      if (claim.state != ClaimState::InProgress) continue;
      const QueueProfile* queue = m_context.policy.queue(claim.queue);
      const bool hasTtl = queue != nullptr && queue->claimTtl && claim.claimedAt;
      const bool isPastTtl =
          (claim.expiresAt && *claim.expiresAt <= m_context.asOf) ||
          (hasTtl && *claim.claimedAt + *queue->claimTtl <= m_context.asOf);
      const bool isAbandoned =
          !anyRuns && claim.claimedAt &&
          m_context.asOf - *claim.claimedAt > m_context.policy.thresholds.stuckClaimAfter;
      if (isPastTtl || isAbandoned) tally("stuck_claim", queueSubject(claim.queue), claim.keyText);
    }
  }

  /// Steps of one job that are operations of their own.
  void noteSteps() {
    if (m_context.policy.operations.size() < 2) return;
    const bool hasEffect =
        std::any_of(m_unit.records.effects.begin(), m_unit.records.effects.end(),
                    [](const Effect& e) { return e.status != EffectStatus::Failed; });
    const bool isWithout =
        m_unit.unitClass == Class::MissingEffect || m_unit.unitClass == Class::FalseSuccess ||
        m_unit.unitClass == Class::StalledAttempt || m_unit.unitClass == Class::LostAfterClaim;
    if (!hasEffect && !isWithout) return;
    for (const Attempt& attempt : m_unit.records.attempts) {
      if (attempt.jobId.empty()) continue;
      const std::string source = std::to_string(sourceOfId(attempt, m_context.policy).value);
      JobSteps& steps = m_state.jobs[source + '|' + attempt.jobId];
      (hasEffect ? steps.with : steps.without).insert(m_unit.operationName);
    }
  }

  FindingsState& m_state;
  const Unit& m_unit;
  const JudgeContext& m_context;
};

}  // namespace

void noteRuns(FindingsState& state, const Unit& unit, const JudgeContext& context) {
  RunNotes(state, unit, context).run();
}

void noteOutbox(FindingsState& state, const Unit& unit, const JudgeContext& context) {
  const Operation& operation = context.policy.operation(unit.operation);
  for (const OutboxRow& row : unit.records.outbox) {
    const std::string subject =
        row.topic.empty() ? sourceSubject(row.place.source, context.policy) : "topic " + row.topic;
    const auto tally = [&](std::string_view code) {
      state.tally(code, subject).add(row.id, state.mostExamples);
    };
    const bool isOld = context.asOf - row.createdAt > operation.intentLimit;
    if (row.dead) tally("outbox_dead");
    if (row.publishCount > 1) tally("outbox_double_publish");
    if (!row.dead && !row.publishedAt && isOld) {
      tally("outbox_lag");
      if (!state.oldestUnpublished || row.createdAt < *state.oldestUnpublished) {
        state.oldestUnpublished = row.createdAt;
      }
    }
    const bool wasSeen = !unit.records.attempts.empty() || !unit.records.effects.empty();
    if (row.publishedAt && isOld && !wasSeen) tally("outbox_gap");
  }
}

void noteDeadLetters(FindingsState& state, const Unit& unit, const JudgeContext& context) {
  for (std::size_t i = 0; i < unit.records.deadLetters.size(); ++i) {
    const DeadLetter& letter = unit.records.deadLetters[i];
    // Some systems tell a dead letter by the queue that it was of.
    const QueueProfile* const profile = context.policy.queue(letter.queue);
    const bool isOfWork = profile != nullptr && profile->name == letter.queue && !profile->deadLetterQueue.empty();
    QueueDepths& queue = state.depths[isOfWork ? profile->deadLetterQueue : letter.queue];
    Snapshot& snapshot = queue.letters[letter.sampledAt.value_or(Instant{})];
    ++snapshot.messages;
    const auto since = letter.enqueuedAt ? letter.enqueuedAt : letter.diedAt;
    if (since && (!snapshot.oldest || *since < *snapshot.oldest)) snapshot.oldest = since;
    QueueFacts& facts = state.queues[letter.queue];
    if (since && (!facts.oldestLetter || *since < *facts.oldestLetter)) facts.oldestLetter = since;
    if (i >= unit.deadLetterVerdicts.size()) continue;
    const JudgedDeadLetter& judged = unit.deadLetterVerdicts[i];
    const bool isExpiring =
        judged.deadline && judged.verdict != RedriveVerdict::Obsolete &&
        *judged.deadline - context.asOf <= context.policy.thresholds.dlqExpiringWithin;
    if (!isExpiring) continue;
    snapshot.expiring.add(letter.messageId.empty() ? letter.keyText : letter.messageId,
                          state.mostExamples);
    if (!snapshot.nextDeadline || *judged.deadline < *snapshot.nextDeadline) {
      snapshot.nextDeadline = judged.deadline;
    }
  }
}

void noteUnit(FindingsState& state, const Unit& unit, const JudgeContext& context) {
  noteKeys(state, unit, context);
  noteRuns(state, unit, context);
  if (!unit.records.outbox.empty()) noteOutbox(state, unit, context);
  if (!unit.records.deadLetters.empty()) noteDeadLetters(state, unit, context);
  state.keepBounds();
}

}  // namespace counterfoil::judging
