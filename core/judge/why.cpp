// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/why.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/text.h"
#include "core/judge/clock.h"
#include "core/judge/predicates.h"

namespace counterfoil::judging {

namespace {

struct KnownTimer {
  Duration period;
  std::string_view name;
};
constexpr std::array kKnownTimers = {
    KnownTimer{30s, "the SQS visibility timeout or BullMQ lock of 30 s"},
    KnownTimer{300s, "Kafka's max.poll.interval of 300 s"},
    KnownTimer{1800s, "Celery's visibility timeout on SQS or RabbitMQ's consumer_timeout of 30 min"},
    KnownTimer{3600s, "Celery's visibility timeout on Redis of 1 h"},
};

std::vector<Instant> liveTimes(const UnitView& view) {
  std::vector<Instant> times;
  for (const EffectState& effect : view.effects) {
    if (effect.isLive()) times.push_back(effect.row->created);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<Duration> gapsOf(const std::vector<Instant>& times) {
  std::vector<Duration> gaps;
  for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
  return gaps;
}

std::vector<Duration> attemptGaps(const UnitView& view) {
  std::vector<Instant> starts;
  for (const Attempt* attempt : view.attempts) starts.push_back(startOf(*attempt));
  std::sort(starts.begin(), starts.end());
  return gapsOf(starts);
}

/// κ of the effects' providers; the assumed day where one is unknown.
Duration retentionOf(const UnitView& view) {
  std::optional<Duration> longest;
  for (const EffectState& effect : view.effects) {
    if (!effect.isLive()) continue;
    const Duration retention =
        keyRetentionOf(*effect.row, view.context->policy).value_or(Duration(24h));
    longest = longest ? std::max(*longest, retention) : retention;
  }
  return longest.value_or(Duration(24h));
}

Why whyDuplicate(const UnitView& view) {
  std::set<std::string_view> keys;
  std::size_t without = 0;
  for (const EffectState& effect : view.effects) {
    if (!effect.isLive()) continue;
    if (effect.row->key.empty()) ++without;
    else keys.insert(effect.row->key);
  }
  if (keys.empty()) return Why::NoKey;
  if (without > 0) return Why::OutsideQueue;
  if (keys.size() > 1) return Why::KeyPerAttempt;
  return smallestLiveGap(view) >= retentionOf(view) ? Why::SameKeyAfterRetention
                                                    : Why::SameKeyInRetention;
}

/// Taken back before it settled: a void; else a refund.
Why whyReversal(const UnitView& view) {
  for (const EffectState& effect : view.effects) {
    if (!effect.isUnexplained) continue;
    if (effect.hasDispute) return Why::Dispute;
    const auto settled = effect.row->effective;
    const bool isBeforeSettlement = settled && *settled > effect.row->created &&
                                    effect.reversedAt < *settled;
    return isBeforeSettlement && effect.isFullyReversed ? Why::Void : Why::Refund;
  }
  return Why::Refund;
}

/// Two executions of one key that ran at the same time. Attempts come in order of start.
bool hasOverlap(const UnitView& view) {
  std::optional<Instant> latestEnd;
  for (const Attempt* attempt : view.attempts) {
    if (!attempt->start) continue;
    if (latestEnd && *attempt->start < *latestEnd) return true;
    if (!hasKnownLength(*attempt)) continue;
    const Instant end = endOf(*attempt, *view.operation);
    latestEnd = latestEnd ? std::max(*latestEnd, end) : end;
  }
  return false;
}

/// Each wait clearly longer than the one before.
bool hasBackoff(const UnitView& view) {
  const auto gaps = attemptGaps(view);
  if (gaps.size() < 2 || gaps.front() <= Duration(0)) return false;
  for (std::size_t i = 1; i < gaps.size(); ++i) {
    if (gaps[i] * 2 < gaps[i - 1] * 3) return false;
  }
  return true;
}

bool liesWithin(const Attempt& attempt, const EffectState& effect, const UnitView& view) {
  const Policy& policy = view.context->policy;
  const Instant from = startOf(attempt) - policy.clockSkew;
  const Instant to = endOf(attempt, *view.operation) + statementLagOf(*effect.row, policy) +
                     policy.clockSkew;
  return effect.becameLive() && from <= effect.row->created && effect.row->created <= to;
}

template <class Accept>
bool anyAttemptWithEffect(const UnitView& view, const Accept& accept) {
  return std::any_of(view.attempts.begin(), view.attempts.end(), [&](const Attempt* attempt) {
    return accept(*attempt) &&
           std::any_of(view.effects.begin(), view.effects.end(), [&](const EffectState& effect) {
             return liesWithin(*attempt, effect, view);
           });
  });
}

/// The worker went away between the effect and the acknowledgement.
bool hasCrashWindow(const UnitView& view) {
  return anyAttemptWithEffect(view, [](const Attempt& attempt) {
    return attempt.status == AttemptStatus::Lost || attempt.status == AttemptStatus::Running ||
           attempt.status == AttemptStatus::Unknown;
  });
}

/// Our client gave up or lost the line, the provider did the work all the same.
bool hasClientRetry(const UnitView& view) {
  return anyAttemptWithEffect(view, [](const Attempt& attempt) {
    if (attempt.error.empty() || attempt.status == AttemptStatus::Succeeded) return false;
    const std::string error = toLowerAscii(attempt.error);
    for (std::string_view sign : {"timeout", "timed out", "connection reset", "broken pipe",
                                  "connection aborted", "gateway"}) {
      if (error.find(sign) != std::string::npos) return true;
    }
    return false;
  });
}

bool hasRedrive(const UnitView& view) {
  return std::any_of(view.deadLetters.begin(), view.deadLetters.end(), [&](const DeadLetter* letter) {
    const auto died = letter->diedAt ? letter->diedAt : letter->enqueuedAt;
    return died && std::any_of(view.attempts.begin(), view.attempts.end(), [&](const Attempt* a) {
             return startOf(*a) > *died && (letter->diedAt.has_value() || view.attempts.size() > 1);
           });
  });
}

bool hasDoublePublish(const UnitView& view) {
  std::int64_t published = 0;
  for (const OutboxRow* row : view.outbox) {
    published += std::max<std::int64_t>(row->publishCount, row->publishedAt ? 1 : 0);
  }
  return published > 1;
}

bool hasSeveralAccounts(const UnitView& view) {
  std::set<std::string_view> accounts;
  for (const EffectState& effect : view.effects) {
    if (effect.becameLive() && !effect.row->account.empty()) accounts.insert(effect.row->account);
  }
  return accounts.size() > 1;
}

bool isScaleOf(std::int64_t a, std::int64_t b) {
  for (const std::int64_t factor : {10, 100, 1000}) {
    if (b != 0 && a % factor == 0 && a / factor == b) return true;
  }
  return false;
}

bool hasUnitScale(const UnitView& view, Class unitClass) {
  if (unitClass != Class::AmountMismatch || view.live == 0) return false;
  const EffectState& effect = view.liveEffect();
  if (!haveComparableAmounts(view, effect)) return false;
  const std::int64_t ours = view.expected->minor;
  const std::int64_t theirs = effect.row->amount->minor;
  return isScaleOf(ours, theirs) || isScaleOf(theirs, ours);
}

std::string_view queueOf(const UnitView& view) {
  return view.attempts.empty() ? std::string_view() : std::string_view(view.attempts.front()->queue);
}

}  // namespace

Duration smallestLiveGap(const UnitView& view) {
  const auto gaps = gapsOf(liveTimes(view));
  return gaps.empty() ? Duration(0) : *std::min_element(gaps.begin(), gaps.end());
}

Duration widestLiveGap(const UnitView& view) {
  const auto times = liveTimes(view);
  return times.empty() ? Duration(0) : times.back() - times.front();
}

bool isSamePeriod(Duration a, Duration b, const Policy& policy) {
  const std::int64_t percent = policy.thresholds.periodicPercent;
  const std::int64_t difference = a > b ? (a - b).count() : (b - a).count();
  return b > Duration(0) && difference <= b.count() / 100 * percent;
}

Timer timerOf(Duration gap, std::string_view queue, const Policy& policy) {
  const QueueProfile* profile = policy.queue(queue);
  if (profile != nullptr && profile->visibilityTimeout &&
      isSamePeriod(gap, *profile->visibilityTimeout, policy)) {
    return {"the visibility timeout of queue " + profile->name, *profile->visibilityTimeout};
  }
  for (const KnownTimer& timer : kKnownTimers) {
    if (isSamePeriod(gap, timer.period, policy)) return {std::string(timer.name), timer.period};
  }
  return {};
}

Duration periodicGapOf(const UnitView& view) {
  auto gaps = attemptGaps(view);
  if (gaps.empty()) gaps = gapsOf(liveTimes(view));
  std::erase_if(gaps, [](Duration gap) { return gap <= Duration(0); });
  for (Duration gap : gaps) {
    if (!timerOf(gap, queueOf(view), view.context->policy).name.empty()) return gap;
  }
  const auto needed = static_cast<std::size_t>(
      std::max<std::int64_t>(view.context->policy.thresholds.periodicMinimum, 2));
  const bool areEqual = gaps.size() >= needed &&
                        std::all_of(gaps.begin(), gaps.end(), [&](Duration gap) {
                          return isSamePeriod(gap, gaps.front(), view.context->policy);
                        });
  return areEqual ? gaps.front() : Duration(0);
}

Why whyOf(const UnitView& view, Class unitClass) {
  if (unitClass == Class::DuplicateEffect) return whyDuplicate(view);
  return unitClass == Class::UnexplainedReversal ? whyReversal(view) : Why::None;
}

std::vector<Hint> hintsOf(const UnitView& view, Class unitClass) {
  std::vector<Hint> hints;
  const bool isRepeat = view.attempts.size() > 1 || view.becameLive > 1;
  if (hasClientRetry(view)) hints.push_back(Hint::ClientRetry);
  if (hasCrashWindow(view)) hints.push_back(Hint::CrashWindow);
  if (hasUnitScale(view, unitClass)) hints.push_back(Hint::MinorUnitScale);
  if (hasDoublePublish(view)) hints.push_back(Hint::OutboxDoublePublish);
  if (hasOverlap(view)) hints.push_back(Hint::Overlap);
  if (isRepeat && periodicGapOf(view) > Duration(0)) hints.push_back(Hint::PeriodicGap);
  if (hasRedrive(view)) hints.push_back(Hint::Redrive);
  if (hasBackoff(view)) hints.push_back(Hint::RetryBackoff);
  if (hasSeveralAccounts(view)) hints.push_back(Hint::SeveralAccounts);
  return hints;
}

}  // namespace counterfoil::judging
