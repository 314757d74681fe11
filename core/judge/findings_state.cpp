// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/findings_state.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace counterfoil::judging {

namespace {

/// Which entries stay does not depend on the order of adding: the smallest ones.
constexpr std::size_t kMostEntries = 200'000;

template <class Map>
void keepSmallest(Map& map) {
  while (map.size() > kMostEntries) map.erase(std::prev(map.end()));
}

void keepSmallestExamples(std::set<std::string>& examples, std::size_t most) {
  while (examples.size() > most) examples.erase(std::prev(examples.end()));
}

template <class Time>
void takeEarlier(std::optional<Time>& into, const std::optional<Time>& other) {
  if (other && (!into || *other < *into)) into = other;
}

struct FindingSeverity {
  std::string_view code;
  Severity severity;
};
constexpr std::array kSeverities = {
    FindingSeverity{"key_too_coarse", Severity::High},
    FindingSeverity{"key_too_fine", Severity::High},
    FindingSeverity{"key_not_forwarded", Severity::Medium},
    FindingSeverity{"key_reused_after_retention", Severity::High},
    FindingSeverity{"key_reused_other_payload", Severity::Medium},
    FindingSeverity{"key_scope_collision", Severity::Medium},
    FindingSeverity{"message_id_as_key", Severity::Medium},
    FindingSeverity{"dedupe_ttl_too_short", Severity::High},
    FindingSeverity{"claim_ttl_below_p99", Severity::High},
    FindingSeverity{"timeout_below_p99", Severity::High},
    FindingSeverity{"stuck_claim", Severity::Medium},
    FindingSeverity{"overlapping_execution", Severity::High},
    FindingSeverity{"periodic_redelivery", Severity::High},
    FindingSeverity{"unguarded_interval", Severity::High},
    FindingSeverity{"poison_message", Severity::Medium},
    FindingSeverity{"retry_storm", Severity::Medium},
    FindingSeverity{"early_ack_loss", Severity::High},
    FindingSeverity{"partial_task", Severity::Medium},
    FindingSeverity{"skip_rate_anomaly", Severity::Medium},
    FindingSeverity{"outbox_lag", Severity::Medium},
    FindingSeverity{"outbox_double_publish", Severity::Medium},
    FindingSeverity{"outbox_dead", Severity::High},
    FindingSeverity{"outbox_gap", Severity::High},
    FindingSeverity{"dlq_depth", Severity::Medium},
    FindingSeverity{"dlq_at_cap", Severity::High},
    FindingSeverity{"dlq_expiring", Severity::High},
    FindingSeverity{"clock_skew", Severity::Medium},
    FindingSeverity{"link_value_too_common", Severity::Medium},
};

}  // namespace

void Tally::add(const std::string& example, std::size_t most, std::int64_t times) {
  count += times;
  if (example.empty()) return;
  if (examples.size() >= most && !examples.empty() && *examples.rbegin() <= example) return;
  examples.insert(example);
  keepSmallestExamples(examples, most);
}

void Tally::merge(const Tally& other, std::size_t most) {
  count += other.count;
  examples.insert(other.examples.begin(), other.examples.end());
  keepSmallestExamples(examples, most);
}

void GapTally::add(Duration gap) {
  shortest = count == 0 ? gap : std::min(shortest, gap);
  longest = std::max(longest, gap);
  ++count;
}

void GapTally::merge(const GapTally& other) {
  if (other.count == 0) return;
  shortest = count == 0 ? other.shortest : std::min(shortest, other.shortest);
  longest = std::max(longest, other.longest);
  count += other.count;
}

void QueueFacts::merge(const QueueFacts& other, std::size_t most) {
  attempts += other.attempts;
  skips += other.skips;
  retries += other.retries;
  repeats += other.repeats;
  durations.merge(other.durations);
  retryDurations.merge(other.retryDurations);
  overlapped.merge(other.overlapped);
  overlaps.merge(other.overlaps, most);
  const bool isLonger = other.longestSpan > longestSpan ||
                        (other.longestSpan == longestSpan && other.longestSpanKey < longestSpanKey);
  if (isLonger) {
    longestSpan = other.longestSpan;
    longestSpanKey = other.longestSpanKey;
  }
  for (const auto& [name, gaps] : other.timers) timers[name].merge(gaps);
  for (const auto& [bucket, gaps] : other.otherGaps) otherGaps[bucket].merge(gaps);
  takeEarlier(oldestLetter, other.oldestLetter);
}

void PartSample::add(const QueueDepth& row) {
  PartSample one;
  one.told = {row.depth, row.inFlight, row.oldestAge};
  if (row.offset) {
    one.offsets = 1;
    one.least = one.greatest = *row.offset;
  }
  merge(one);
}

void PartSample::merge(const PartSample& other) {
  const auto size = [](const PartSample& part) { return std::tie(part.told.depth, part.told.inFlight, part.told.oldestAge); };
  if (size(other) > size(*this)) told = other.told;
  if (other.offsets == 0) return;
  least = offsets == 0 ? other.least : std::min(least, other.least);
  greatest = offsets == 0 ? other.greatest : std::max(greatest, other.greatest);
  offsets += other.offsets;
}

/// Of offsets there have to be two, the beginning and the end: of more it is not known which.
DepthSample PartSample::sample() const {
  DepthSample sample = told;
  if (!sample.depth && offsets == 2) sample.depth = subtractChecked(greatest, least);
  return sample;
}

DepthSample sumOf(const DepthParts& parts) {
  DepthSample most;
  for (auto part = parts.begin(); part != parts.end();) {
    const SourceId source = part->first.first;
    DepthSample whole;
    DepthSample sum{0, 0, std::nullopt};
    bool hasParts = false;
    for (; part != parts.end() && part->first.first == source; ++part) {
      const DepthSample one = part->second.sample();
      if (part->first.second.empty()) {
        whole = one;
        continue;
      }
      hasParts = true;
      sum.depth = sum.depth && one.depth ? addChecked(*sum.depth, *one.depth) : std::nullopt;
      sum.inFlight = sum.inFlight && one.inFlight ? addChecked(*sum.inFlight, *one.inFlight) : std::nullopt;
      sum.oldestAge = std::max(sum.oldestAge, one.oldestAge);
    }
    const DepthSample& own = hasParts && (sum.depth > whole.depth || !whole.depth) ? sum : whole;
    const auto size = [](const DepthSample& sample) { return std::tie(sample.depth, sample.inFlight, sample.oldestAge); };
    if (size(own) > size(most)) most = own;
  }
  return most;
}

Tally& FindingsState::tally(std::string_view code, std::string subject) {
  return tallies[{std::string(code), std::move(subject)}];
}

void FindingsState::merge(FindingsState&& other) {
  for (const auto& [key, added] : other.tallies) tallies[key].merge(added, mostExamples);
  for (const auto& [name, facts] : other.queues) queues[name].merge(facts, mostExamples);
  for (auto& [name, added] : other.depths) {
    QueueDepths& depth = depths[name];
    depth.kinds.merge(added.kinds);
    depth.deadLetterQueues.merge(added.deadLetterQueues);
    for (const auto& [at, parts] : added.samples) {
      for (const auto& [which, part] : parts) depth.samples[at][which].merge(part);
    }
    for (const auto& [at, snapshot] : added.letters) {
      Snapshot& letters = depth.letters[at];
      letters.messages += snapshot.messages;
      takeEarlier(letters.oldest, snapshot.oldest);
      takeEarlier(letters.nextDeadline, snapshot.nextDeadline);
      letters.expiring.merge(snapshot.expiring, mostExamples);
    }
  }
  for (const auto& [hour, added] : other.hours) {
    hours[hour].repeats += added.repeats;
    hours[hour].guards += added.guards;
  }
  for (auto& [fold, keys] : other.spellings) spellings[fold].merge(keys);
  for (auto& [job, steps] : other.jobs) {
    jobs[job].with.merge(steps.with);
    jobs[job].without.merge(steps.without);
  }
  keepBounds();
  for (auto& [key, finding] : other.fromOutside) {
    const auto [known, isNew] = fromOutside.emplace(key, finding);
    if (!isNew) known->second.count += finding.count;
  }
  takeEarlier(oldestUnpublished, other.oldestUnpublished);
  skips += other.skips;
  repeats += other.repeats;
}

void FindingsState::keepBounds() {
  keepSmallest(spellings);
  keepSmallest(jobs);
}

Severity severityOfFinding(std::string_view code) {
  const auto found = std::find_if(kSeverities.begin(), kSeverities.end(),
                                  [&](const FindingSeverity& known) { return known.code == code; });
  return found == kSeverities.end() ? Severity::Low : found->severity;
}

std::string queueSubject(std::string_view queue) {
  return queue.empty() ? "run" : "queue " + std::string(queue);
}

std::string sourceSubject(SourceId source, const Policy& policy) {
  return source.value < policy.sources.size() ? "source " + policy.sources[source.value].name : "run";
}

}  // namespace counterfoil::judging
