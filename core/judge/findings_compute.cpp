// SPDX-License-Identifier: GPL-3.0-or-later
// From counters to findings: what was seen, how many, and what to change.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/judge/findings_state.h"

namespace counterfoil::judging {

namespace {

/// Findings whose sentence needs nothing but a count ({n}).
struct Sentence {
  std::string_view code;
  std::string_view seen;
  std::string_view advice;
};
constexpr std::array kSentences = {
    Sentence{"key_too_coarse", "Keys of this shape that stand for several different operations: {n}",
             "put what tells the operations apart (order, period, amount version) into the key"},
    Sentence{"key_too_fine", "Operations whose attempts used several keys: {n}",
             "make the key from the business reference before the first attempt and keep it for "
             "every retry; do not draw a random one in the handler"},
    Sentence{"key_missing", "Attempts without a key: {n}",
             "give every job a key when it is enqueued"},
    Sentence{"key_not_forwarded", "Effects that do not carry the key of the job that made them: {n}",
             "send the job's key to the provider as its idempotency key, and export that field"},
    Sentence{"key_format_risk", "Keys in a form that tools damage or mix up: {n}",
             "use short keys made of letters, digits and a few separators, from the business "
             "reference; import such columns as text"},
    Sentence{"key_reused_after_retention",
             "Keys used again after the provider had forgotten them: {n}",
             "do not retry with a key older than the provider keeps it: look the payment up first"},
    Sentence{"key_reused_other_payload", "Keys used again with another payload: {n}",
             "a changed order is another operation: give it another key"},
    Sentence{"key_scope_collision",
             "Keys shared by several accounts, queues or operations: {n}",
             "put the account and the kind of work into the key, and index by both"},
    Sentence{"message_id_as_key", "Keys that are the id of the queue message: {n}",
             "message ids change on a redrive: make the key from the business reference"},
    Sentence{"stuck_claim", "Claims still in progress though nothing runs: {n}",
             "give claims an end (TTL) longer than the longest run, and let a new worker take over"},
    Sentence{"poison_message", "Operations that failed with one error on every try: {n}",
             "move such messages aside after a few tries and fix the cause before a redrive"},
    Sentence{"permanent_error_retried", "Operations that retried an error no retry can cure: {n}",
             "do not retry errors of validation: fail at once and tell a person"},
    Sentence{"early_ack_loss", "Jobs lost with their worker and never delivered again: {n}",
             "acknowledge after the work, not before it"},
    Sentence{"outbox_double_publish", "Outbox rows published more than once: {n}",
             "mark the row before or with the publish, or let consumers dedupe by its id"},
    Sentence{"outbox_dead", "Outbox rows given up: {n}",
             "publish them again by hand once the cause is known"},
    Sentence{"outbox_gap", "Outbox rows published, but no attempt followed: {n}",
             "look for the consumer: a missing subscription, a filter, an early acknowledgement"},
    Sentence{"clock_skew", "Effects before the start of the attempt that made them: {n}",
             "check the clocks of workers and the zone of the export; allow more with clock_skew"},
    Sentence{"link_value_too_common", "A value that joins too many keys was ignored as a link",
             "map a field that names one order, not a tenant or a placeholder"},
};

Finding baseOf(std::string_view code, const std::string& subject, const Tally& tally) {
  Finding finding;
  finding.code = code;
  finding.subject = subject;
  finding.count = tally.count;
  finding.severity = severityOfFinding(code);
  finding.examples.assign(tally.examples.begin(), tally.examples.end());
  return finding;
}

void computeTallies(std::vector<Finding>& findings, const FindingsState& state) {
  for (const auto& [key, tally] : state.tallies) {
    const std::string& code = key.first;   // a structured binding can't be captured with Clang 14
    const std::string& subject = key.second;
    const auto sentence =
        std::find_if(kSentences.begin(), kSentences.end(),
                     [&](const Sentence& known) { return known.code == code; });
    if (sentence == kSentences.end()) continue;
    Finding finding = baseOf(code, subject, tally);
    // A value is one finding, however many groups and workers met it.
    if (code == "link_value_too_common") finding.count = 1;
    finding.seen = fmt::format(fmt::runtime(sentence->seen), fmt::arg("n", finding.count)) + ".";
    finding.advice = std::string(sentence->advice) + ".";
    findings.push_back(std::move(finding));
  }
}

void computeOutboxLag(std::vector<Finding>& findings, const FindingsState& state,
                      const JudgeContext& context) {
  for (const auto& [key, tally] : state.tallies) {
    if (key.first != "outbox_lag") continue;
    Finding finding = baseOf(key.first, key.second, tally);
    finding.seen = fmt::format("Outbox rows that wait to be published: {}; the oldest of the run waits for {}.",
                               tally.count,
                               formatDuration(context.asOf - state.oldestUnpublished.value_or(context.asOf)));
    finding.advice = "look at the publisher: is it running, and does it keep up?";
    findings.push_back(std::move(finding));
  }
}

/// Keys of one-sided units that are one but for case and punctuation.
void computeSpellings(std::vector<Finding>& findings, const FindingsState& state) {
  Tally tally;
  for (const auto& [fold, keys] : state.spellings) {
    if (fold.empty() || keys.size() < 2) continue;
    tally.add(*keys.begin() + " ~ " + *std::next(keys.begin()), state.mostExamples);
  }
  if (tally.count == 0) return;
  Finding finding = baseOf("key_format_risk", "spelling", tally);
  finding.seen = fmt::format("Keys that differ from another one only by case, spaces or punctuation: {}.",
                             tally.count);
  finding.advice = "write keys the same way everywhere; they are compared exactly.";
  findings.push_back(std::move(finding));
}

void computePartialTasks(std::vector<Finding>& findings, const FindingsState& state) {
  Tally tally;
  for (const auto& [job, steps] : state.jobs) {
    const bool isPartial = !steps.with.empty() && !steps.without.empty();
    if (isPartial) tally.add(job.substr(job.find('|') + 1), state.mostExamples);
  }
  if (tally.count == 0) return;
  Finding finding = baseOf("partial_task", "run", tally);
  finding.seen = fmt::format("Jobs with an effect of some of their steps and not of others: {}.",
                             tally.count);
  finding.advice = "make each step a job of its own with its own key, or record steps as they finish.";
  findings.push_back(std::move(finding));
}

/// At least so many unguarded repeats before the dedupe store is suspected.
constexpr std::int64_t kUnguardedMinimum = 3;

std::string hourText(std::int64_t hour) {
  return formatInstant(Instant(std::chrono::hours(hour)));
}

/// Hours with repeats and no guard, between hours that had one.
void computeUnguarded(std::vector<Finding>& findings, const FindingsState& state) {
  std::optional<std::int64_t> firstGuard;
  std::optional<std::int64_t> lastGuard;
  for (const auto& [hour, tally] : state.hours) {
    if (tally.guards == 0) continue;
    if (!firstGuard) firstGuard = hour;
    lastGuard = hour;
  }
  if (!firstGuard) return;
  std::int64_t repeats = 0;
  std::optional<std::int64_t> from;
  std::int64_t to = 0;
  const auto close = [&] {
    if (from && repeats >= kUnguardedMinimum) {
      Finding finding;
      finding.code = "unguarded_interval";
      finding.subject = hourText(*from);
      finding.count = repeats;
      finding.severity = severityOfFinding(finding.code);
      finding.seen = fmt::format("Repeats between {1} and {2} without a single skip or claim: {0}.", repeats,
                                 hourText(*from), hourText(to + 1));
      finding.advice = "the store of seen keys seems to have been down: let workers stop without it.";
      findings.push_back(std::move(finding));
    }
    from.reset();
    repeats = 0;
  };
  for (const auto& [hour, tally] : state.hours) {
    if (tally.guards > 0) {
      close();
      continue;
    }
    if (hour < *firstGuard || hour > *lastGuard) continue;
    if (!from) from = hour;
    to = hour;
    repeats += tally.repeats;
  }
  close();
}

void computeBlindSources(std::vector<Finding>& findings, const JudgeContext& context) {
  for (const SourceProfile& source : context.policy.sources) {
    if (!source.blind || source.kinds.count(RecordKind::Attempt) == 0) continue;
    Finding finding;
    finding.code = "blind_source";
    finding.subject = "source " + source.name;
    finding.count = 1;
    finding.severity = severityOfFinding(finding.code);
    finding.seen = "This source keeps no successes, or one row per job: repeats cannot be seen here.";
    finding.advice = "how often something happened is counted at the provider; add the "
                     "application's own orders as intents to see what is missing.";
    findings.push_back(std::move(finding));
  }
}

/// A guard is read and never worked, though jobs repeat.
void computeIdleGuard(std::vector<Finding>& findings, const FindingsState& state,
                      const JudgeContext& context) {
  const bool readsSkips = std::any_of(
      context.policy.sources.begin(), context.policy.sources.end(),
      [](const SourceProfile& source) { return source.kinds.count(RecordKind::Skip) != 0; });
  if (!readsSkips || state.skips > 0 || state.repeats == 0) return;
  Finding finding;
  finding.code = "skip_rate_anomaly";
  finding.subject = "run";
  finding.count = state.repeats;
  finding.severity = severityOfFinding(finding.code);
  finding.seen = fmt::format("Repeats without a single skip in the log: {}.", state.repeats);
  finding.advice = "check that the guard is switched on and that its log is complete.";
  findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> computeFindings(const FindingsState& state, const JudgeContext& context) {
  std::vector<Finding> findings;
  computeTallies(findings, state);
  computeOutboxLag(findings, state, context);
  computeSpellings(findings, state);
  computePartialTasks(findings, state);
  computeUnguarded(findings, state);
  computeBlindSources(findings, context);
  computeIdleGuard(findings, state, context);
  computeQueueFindings(findings, state, context);
  computeDepthFindings(findings, state, context);
  return findings;
}

}  // namespace counterfoil::judging
