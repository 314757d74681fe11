// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/redrive.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/judge/clock.h"

namespace counterfoil::judging {

namespace {

/// Age of the key counts from when it may first have reached the provider.
std::optional<Instant> firstUse(const DeadLetter& letter, const UnitView& view) {
  std::optional<Instant> first;
  for (const Attempt* attempt : view.attempts) {
    const Instant start = startOf(*attempt);
    if (!first || start < *first) first = start;
  }
  if (first) return first;
  return letter.enqueuedAt ? letter.enqueuedAt : letter.diedAt;
}

JudgedDeadLetter withVerdict(RedriveVerdict value, std::string reason) {
  JudgedDeadLetter judged;
  judged.verdict = value;
  judged.reason = std::move(reason);
  return judged;
}

JudgedDeadLetter judgeRedrive(const DeadLetter& letter, const UnitView& view) {
  if (view.local == LocalSummary::Succeeded && view.live + view.pending > 0) {
    return withVerdict(RedriveVerdict::Obsolete,
                       "The work was done by another run: the message can be dropped.");
  }
  if (view.live + view.pending > 0) {
    return withVerdict(RedriveVerdict::Unsafe,
                       "The effect exists although the job failed: sending it again would repeat it.");
  }
  if (letter.key.empty()) {
    return withVerdict(RedriveVerdict::CheckFirst,
                       "The message has no key: nothing would stop a second effect.");
  }
  if (view.local == LocalSummary::Succeeded) {
    return withVerdict(RedriveVerdict::CheckFirst,
                       "A run says done, the provider shows no effect: find out which is right.");
  }
  if (view.fullyReversed > 0) {
    return withVerdict(RedriveVerdict::CheckFirst,
                       "The effect was reversed: sending it again would repeat what was undone.");
  }
  const auto retention = keyRetentionOf(*view.operation, view.context->policy);
  if (!retention) {
    return withVerdict(RedriveVerdict::CheckFirst,
                       "How long the provider keeps keys is not known (key_retention).");
  }
  const auto first = firstUse(letter, view);
  if (!first || view.context->asOf - *first >= *retention) {
    return withVerdict(
        RedriveVerdict::CheckFirst,
        first ? fmt::format("The key is {} old, the provider forgets keys after {}.",
                            formatDuration(view.context->asOf - *first), formatDuration(*retention))
              : "The age of the key is not known.");
  }
  return withVerdict(RedriveVerdict::Safe,
                     fmt::format("No effect, and the provider still knows the key (kept for {}).",
                                 formatDuration(*retention)));
}

}  // namespace

std::optional<Instant> deadlineOf(const DeadLetter& letter, const Policy& policy) {
  if (letter.deadline) return letter.deadline;
  const QueueProfile* queue = policy.queue(letter.queue);
  if (queue == nullptr || !queue->deadLetterRetention) return {};
  const auto since = letter.enqueuedAt ? letter.enqueuedAt : letter.diedAt;
  if (!since) return {};
  return *since + *queue->deadLetterRetention;
}

JudgedDeadLetter judgeDeadLetter(const DeadLetter& letter, const UnitView& view) {
  JudgedDeadLetter judged = judgeRedrive(letter, view);
  judged.deadline = deadlineOf(letter, view.context->policy);
  return judged;
}

}  // namespace counterfoil::judging
