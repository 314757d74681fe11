// SPDX-License-Identifier: GPL-3.0-or-later
// Findings on queues: settings against what was measured, redelivery, depth of dead-letter queues.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/judge/findings_state.h"

namespace counterfoil::judging {

namespace {

/// Fewer retries than this are no storm, fewer attempts no skip rate.
constexpr std::int64_t kStormMinimum = 10;
constexpr std::int64_t kRateMinimum = 10;

Finding findingOf(std::string_view code, std::string subject, std::int64_t count) {
  Finding finding;
  finding.code = code;
  finding.subject = std::move(subject);
  finding.count = count;
  finding.severity = severityOfFinding(code);
  return finding;
}

/// The next round value above what was needed: tens of seconds, from ten minutes on whole minutes.
Duration roundedUp(Duration needed) {
  const Duration step = needed < Duration(10min) ? Duration(10s) : Duration(1min);
  return ((needed + step - Duration(1)) / step) * step;
}

class QueueFindings {
 public:
  QueueFindings(std::vector<Finding>& findings, const std::string& name, const QueueFacts& facts,
                const JudgeContext& context)
      : m_findings(findings), m_name(name), m_facts(facts), m_context(context),
        m_profile(context.policy.queue(name)) {}

  void run() {
    overlaps();
    timeouts();
    periods();
    dedupeTtl();
    storm();
    skipRate();
  }

 private:
  [[nodiscard]] std::string subject() const { return queueSubject(m_name); }
  [[nodiscard]] const Thresholds& thresholds() const { return m_context.policy.thresholds; }

  void overlaps() {
    if (m_facts.overlaps.count == 0) return;
    Finding finding = findingOf("overlapping_execution", subject(), m_facts.overlaps.count);
    finding.examples.assign(m_facts.overlaps.examples.begin(), m_facts.overlaps.examples.end());
    const Duration needed = roundedUp(m_facts.overlapped.longest());
    finding.seen = fmt::format("Two runs of one key at work at the same time: {} times.",
                               m_facts.overlaps.count);
    finding.advice = fmt::format(
        "a visibility or lock timeout of at least {} would have absorbed {} of {} overlaps.",
        formatDuration(needed), m_facts.overlapped.countUpTo(needed), m_facts.overlaps.count);
    m_findings.push_back(std::move(finding));
  }

  void timeouts() {
    if (m_profile == nullptr || m_facts.durations.total() == 0) return;
    if (m_profile->visibilityTimeout) {
      belowP99("timeout_below_p99", "visibility timeout", *m_profile->visibilityTimeout);
    }
    if (m_profile->claimTtl) belowP99("claim_ttl_below_p99", "claim TTL", *m_profile->claimTtl);
  }

  void belowP99(std::string_view code, std::string_view what, Duration configured) {
    const Duration p99 = m_facts.durations.atPercentile(99);
    if (configured >= p99) return;
    const std::int64_t longer = m_facts.durations.total() - m_facts.durations.countUpTo(configured);
    Finding finding = findingOf(code, subject(), std::max<std::int64_t>(longer, 1));
    const Duration enough = roundedUp(std::max(p99, m_facts.overlapped.longest()));
    finding.seen = fmt::format("{} {} is below the p99 of {} ({} runs).", what,
                               formatDuration(configured), formatDuration(p99),
                               m_facts.durations.total());
    finding.advice = fmt::format("set the {} to at least {}", what, formatDuration(enough));
    if (m_facts.overlaps.count > 0) {
      finding.advice +=
          fmt::format(": it would have absorbed {} of {} overlaps",
                      m_facts.overlapped.countUpTo(enough), m_facts.overlaps.count);
    }
    finding.advice += ".";
    m_findings.push_back(std::move(finding));
  }

  void periods() {
    for (const auto& [timer, gaps] : m_facts.timers) {
      if (gaps.count >= thresholds().periodicMinimum) addPeriod(gaps, timer);
    }
    std::int64_t all = 0;
    for (const auto& [bucket, gaps] : m_facts.otherGaps) all += gaps.count;
    for (const auto& [bucket, gaps] : m_facts.otherGaps) {
      const bool isPeriod = gaps.count >= thresholds().periodicMinimum && gaps.count * 2 > all;
      if (isPeriod) addPeriod(gaps, "");
    }
  }

  void addPeriod(const GapTally& gaps, const std::string& timer) {
    Finding finding = findingOf("periodic_redelivery", subject(), gaps.count);
    finding.seen = fmt::format("Redeliveries {1} apart: {0}", gaps.count, formatDuration(gaps.shortest));
    if (timer.empty()) {
      finding.seen += ".";
      finding.advice = "find the timer of this length and make it longer than the longest run.";
    } else {
      finding.seen += fmt::format("; that is {}.", timer);
      finding.advice = fmt::format("make it longer than the longest run ({}), or let workers renew it.",
                                   formatDuration(m_facts.durations.longest()));
    }
    // One finding per queue: the timer that explains most stands for it.
    const auto same = std::find_if(m_findings.begin(), m_findings.end(), [&](const Finding& f) {
      return f.code == finding.code && f.subject == finding.subject;
    });
    if (same == m_findings.end()) {
      m_findings.push_back(std::move(finding));
      return;
    }
    const std::int64_t total = same->count + finding.count;
    if (finding.count > same->count) *same = std::move(finding);
    same->count = total;
  }

  void dedupeTtl() {
    if (m_profile == nullptr || !m_profile->dedupeTtl) return;
    const Duration ttl = *m_profile->dedupeTtl;
    Duration needed = m_facts.longestSpan;
    std::string because = fmt::format("attempts of {} lie {} apart", m_facts.longestSpanKey,
                                      formatDuration(m_facts.longestSpan));
    const Duration letterAge =
        m_facts.oldestLetter ? m_context.asOf - *m_facts.oldestLetter : Duration(0);
    const Duration horizon = m_profile->retryHorizon.value_or(Duration(0)) + letterAge;
    if (horizon > needed) {
      needed = horizon;
      because = fmt::format("retries and dead letters may come {} later", formatDuration(horizon));
    }
    if (needed <= ttl) return;
    Finding finding = findingOf("dedupe_ttl_too_short", subject(), 1);
    if (!m_facts.longestSpanKey.empty()) finding.examples.push_back(m_facts.longestSpanKey);
    finding.seen = fmt::format("Keys are remembered for {}, but {}.", formatDuration(ttl), because);
    finding.advice = fmt::format("remember keys for at least {}.", formatDuration(roundedUp(needed)));
    m_findings.push_back(std::move(finding));
  }

  void storm() {
    const Duration all = m_facts.durations.sum();
    const Duration retried = m_facts.retryDurations.sum();
    const bool isStorm = m_facts.retries >= kStormMinimum && all > Duration(0) &&
                         retried >= all / 100 * thresholds().retryStormPercent;
    if (!isStorm) return;
    Finding finding = findingOf("retry_storm", subject(), m_facts.retries);
    finding.seen = fmt::format("{} of {} worker time went into repeated runs ({}).",
                               formatDuration(retried), formatDuration(all), m_facts.retries);
    finding.advice = "space retries out, and stop early on errors that do not pass.";
    m_findings.push_back(std::move(finding));
  }

  void skipRate() {
    const std::int64_t all = m_facts.attempts + m_facts.skips;
    const bool isHigh = m_facts.attempts > 0 && all >= kRateMinimum &&
                        m_facts.skips * 100 > all * thresholds().skipRatePercentMaximum;
    if (!isHigh) return;
    Finding finding = findingOf("skip_rate_anomaly", subject(), m_facts.skips);
    finding.seen = fmt::format("Skipped deliveries: {} of {}.", m_facts.skips, all);
    finding.advice = "so many repeats point at a key that is too coarse or a producer that sends twice.";
    m_findings.push_back(std::move(finding));
  }

  std::vector<Finding>& m_findings;
  const std::string& m_name;
  const QueueFacts& m_facts;
  const JudgeContext& m_context;
  const QueueProfile* m_profile;
};

/// A depth that only grew, over at least three samples.
bool isGrowing(const QueueDepths& queue) {
  std::vector<std::int64_t> depths;
  for (const auto& [at, parts] : queue.samples) {
    if (const auto depth = sumOf(parts).depth) depths.push_back(*depth);
  }
  return depths.size() >= 3 && std::is_sorted(depths.begin(), depths.end()) &&
         depths.back() > depths.front();
}

void addDepth(std::vector<Finding>& findings, const FindingsCollector::QueueState& state,
              const QueueDepths& queue) {
  if (!state.depth) return;
  const bool isOver = state.maxDepth && *state.depth > *state.maxDepth;
  const bool grows = state.deadLetter && isGrowing(queue);
  if (!isOver && !grows) return;
  Finding finding = findingOf("dlq_depth", queueSubject(state.queue), *state.depth);
  finding.seen = fmt::format("Messages: {}", *state.depth);
  if (state.maxDepth) finding.seen += fmt::format(", the alarm is above {}", *state.maxDepth);
  if (grows) {
    finding.seen += fmt::format("; it only grew over {} samples", queue.samples.size());
  }
  if (state.oldest) finding.seen += fmt::format("; the oldest is {} old", formatDuration(*state.oldest));
  finding.seen += ".";
  finding.advice = "look at the messages' verdicts: redrive what is safe, drop what is obsolete.";
  findings.push_back(std::move(finding));
}

void addCap(std::vector<Finding>& findings, const FindingsCollector::QueueState& state,
            const Policy& policy) {
  const QueueProfile* profile = policy.queue(state.queue);
  if (profile == nullptr || !profile->depthCap || !state.depth) return;
  // Of a queue with a dead-letter queue it is the latter that is trimmed.
  if (!profile->deadLetterQueue.empty() && profile->deadLetterQueue != state.queue) return;
  if (*state.depth < *profile->depthCap - *profile->depthCap / 100) return;
  Finding finding = findingOf("dlq_at_cap", queueSubject(state.queue), *state.depth);
  finding.seen = fmt::format("Messages: {} of at most {}; the oldest are being dropped.",
                             *state.depth, *profile->depthCap);
  finding.advice = "save the messages before they are lost, then empty the queue.";
  findings.push_back(std::move(finding));
}

void addExpiring(std::vector<Finding>& findings, const std::string& name, const QueueDepths& queue,
                 const JudgeContext& context) {
  if (queue.letters.empty()) return;
  const Snapshot& newest = queue.letters.rbegin()->second;
  if (newest.expiring.count == 0) return;
  Finding finding = findingOf("dlq_expiring", queueSubject(name), newest.expiring.count);
  finding.examples.assign(newest.expiring.examples.begin(), newest.expiring.examples.end());
  const Duration left = *newest.nextDeadline - context.asOf;
  finding.seen = left > Duration(0)
                     ? fmt::format("Messages that will be deleted soon: {}; the first in {}.",
                                   newest.expiring.count, formatDuration(left))
                     : fmt::format("Messages past the time at which the broker deletes them: {}.",
                                   newest.expiring.count);
  finding.advice = "save or redrive them before that, and lengthen the retention.";
  findings.push_back(std::move(finding));
}

}  // namespace

void computeQueueFindings(std::vector<Finding>& findings, const FindingsState& state,
                          const JudgeContext& context) {
  for (const auto& [name, facts] : state.queues) QueueFindings(findings, name, facts, context).run();
}

void computeDepthFindings(std::vector<Finding>& findings, const FindingsState& state,
                          const JudgeContext& context) {
  for (const FindingsCollector::QueueState& queue : queueStates(state, context)) {
    addDepth(findings, queue, state.depths.at(queue.queue));
    addCap(findings, queue, context.policy);
  }
  for (const auto& [name, queue] : state.depths) addExpiring(findings, name, queue, context);
}

namespace {

/// Queues to which other queues' dead letters go. One that sends its own on (to wait and come back, as retries
/// do) is none.
std::set<std::string> deadLetterTargets(const FindingsState& state) {
  std::set<std::string> targets;
  for (const auto& [name, depths] : state.depths) {
    for (const std::string& target : depths.deadLetterQueues) {
      const auto known = state.depths.find(target);
      const bool sendsOn = known != state.depths.end() && !known->second.deadLetterQueues.empty();
      if (target != name && !sendsOn) targets.insert(target);
    }
  }
  return targets;
}

/// What the configuration says of a queue wins, then what its rows say, then what other queues say of it; its
/// name only speaks where nothing else does.
QueueKind kindOf(const std::string& name, const QueueDepths& depths, const std::set<std::string>& targets,
                 const Policy& policy) {
  for (const QueueProfile& profile : policy.queues) {
    if (profile.deadLetterQueue == name) return QueueKind::Dead;
  }
  const QueueProfile* const profile = policy.queue(name);
  const bool hasLettersElsewhere = profile != nullptr && profile->name == name && !profile->deadLetterQueue.empty();
  if (depths.kinds.count(QueueKind::Dead) > 0 && !hasLettersElsewhere) return QueueKind::Dead;
  for (const QueueKind stated : depths.kinds) {
    if (stated != QueueKind::Dead) return stated;
  }
  if (hasLettersElsewhere) return QueueKind::Work;
  if (!depths.letters.empty() || targets.count(name) > 0 || isNamedLikeDeadLetters(name)) return QueueKind::Dead;
  return QueueKind::Unstated;
}

void takeLetters(FindingsCollector::QueueState& queue, const QueueDepths& depths, Instant asOf) {
  if (depths.letters.empty()) return;
  const auto& [sampled, snapshot] = *depths.letters.rbegin();
  queue.depth = snapshot.messages;
  if (sampled != Instant{}) queue.sampledAt = sampled;
  if (snapshot.oldest) queue.oldest = queue.sampledAt.value_or(asOf) - *snapshot.oldest;
}

void takeSamples(FindingsCollector::QueueState& queue, const QueueDepths& depths) {
  if (depths.samples.empty()) return;
  const auto& [at, parts] = *depths.samples.rbegin();
  const DepthSample sample = sumOf(parts);
  if (sample.depth) queue.depth = sample.depth;
  queue.inFlight = sample.inFlight;
  if (sample.oldestAge) queue.oldest = sample.oldestAge;
  queue.sampledAt = at;
  queue.samples = static_cast<std::int64_t>(depths.samples.size());
  if (depths.samples.size() == 1) return;
  queue.firstAt = depths.samples.begin()->first;
  queue.firstDepth = sumOf(depths.samples.begin()->second).depth;
}

}  // namespace

std::vector<FindingsCollector::QueueState> queueStates(const FindingsState& state,
                                                       const JudgeContext& context) {
  const std::set<std::string> targets = deadLetterTargets(state);
  std::vector<FindingsCollector::QueueState> states;
  for (const auto& [name, depths] : state.depths) {
    FindingsCollector::QueueState queue;
    queue.queue = name;
    queue.kind = kindOf(name, depths, targets, context.policy);
    queue.deadLetter = queue.kind == QueueKind::Dead;
    const QueueProfile* profile = context.policy.queue(name);
    // max_depth of a queue that has a dead-letter queue is the bound of the latter.
    const bool isBounded = profile != nullptr &&
                           (profile->deadLetterQueue.empty() || profile->deadLetterQueue == name);
    if (isBounded) queue.maxDepth = profile->maxDepth;
    if (queue.deadLetter) takeLetters(queue, depths, context.asOf);
    takeSamples(queue, depths);
    states.push_back(queue);
  }
  return states;
}

}  // namespace counterfoil::judging
