// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/clock.h"

#include <algorithm>
#include <array>
#include <vector>

namespace counterfoil::judging {

namespace {

using Intervals = std::vector<Interval>;

const Intervals* coverageOf(std::size_t source, const JudgeContext& context) {
  const auto found = context.coverage.bySource.find(SourceId{static_cast<std::uint16_t>(source)});
  return found == context.coverage.bySource.end() ? nullptr : &found->second;
}

bool isInsideOne(const Intervals& intervals, Instant from, Instant to) {
  return std::any_of(intervals.begin(), intervals.end(), [&](const Interval& covered) {
    return covered.from <= from && to <= covered.to;
  });
}

/// Intervals that touch or overlap count as one. Each may be left by `slack` at its beginning.
bool unionCovers(Intervals intervals, Instant from, Instant to, Duration slack) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.from < b.from; });
  Intervals merged;
  for (const Interval& next : intervals) {
    if (next.to <= next.from) continue;
    if (!merged.empty() && next.from <= merged.back().to) {
      merged.back().to = std::max(merged.back().to, next.to);
    } else {
      merged.push_back(next);
    }
  }
  for (Interval& window : merged) window.from -= slack;
  return isInsideOne(merged, from, to);
}

bool touches(const Intervals& intervals, Instant from, Instant to) {
  return std::any_of(intervals.begin(), intervals.end(), [&](const Interval& covered) {
    return covered.from < to && from < covered.to;
  });
}

bool makes(const SourceProfile& source, RecordKind kind) { return source.kinds.count(kind) != 0; }

/// Whether the source would show a record of the kind, had there been one. What a broker holds at one moment does not.
bool isWitness(const SourceProfile& source, RecordKind kind) { return makes(source, kind) && !source.snapshot; }

bool mayCarryOut(const Operation& operation, const SourceProfile& source) {
  return makes(source, RecordKind::Effect) &&
         (operation.provider.empty() || operation.provider == source.provider);
}

/// The kind of record that stands for "something was done here": attempts where a source has them.
std::optional<RecordKind> witnessKind(const Policy& policy) {
  static constexpr std::array kKinds = {RecordKind::Attempt, RecordKind::Intent, RecordKind::Outbox,
                                        RecordKind::Claim, RecordKind::ProcessedEvent,
                                        RecordKind::Skip};
  for (RecordKind kind : kKinds) {
    for (const SourceProfile& source : policy.sources) {
      if (isWitness(source, kind)) return kind;
    }
  }
  return {};
}

/// A declared window is a promise about every record from its first instant on; one that was observed
/// begins with whatever record came first, so clocks that differ may hide an earlier one.
Duration slackAtStart(std::size_t source, const JudgeContext& context) {
  const SourceId id{static_cast<std::uint16_t>(source)};
  return context.coverage.declared.count(id) != 0 ? context.policy.clockSkew : Duration(0);
}

/// Calls fn(intervals or nullptr, source) for every source whose records would show a local one.
template <class Fn>
bool allWitnesses(const JudgeContext& context, const Fn& fn) {
  const auto kind = witnessKind(context.policy);
  if (!kind) return false;
  for (std::size_t i = 0; i < context.policy.sources.size(); ++i) {
    if (isWitness(context.policy.sources[i], *kind) && !fn(coverageOf(i, context), i)) return false;
  }
  return true;
}

/// Calls fn(intervals of one provider's sources, their slack) once for each provider that may carry it out.
template <class Fn>
bool allProviders(const Operation& operation, const JudgeContext& context, const Fn& fn) {
  const auto& sources = context.policy.sources;
  bool any = false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!mayCarryOut(operation, sources[i])) continue;
    const bool isFirstOfProvider = std::none_of(
        sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const SourceProfile& earlier) {
          return mayCarryOut(operation, earlier) && earlier.provider == sources[i].provider;
        });
    if (!isFirstOfProvider) continue;
    Intervals intervals;
    Duration slack = context.policy.clockSkew;
    for (std::size_t j = i; j < sources.size(); ++j) {
      const bool isSameProvider =
          mayCarryOut(operation, sources[j]) && sources[j].provider == sources[i].provider;
      const Intervals* covered = isSameProvider ? coverageOf(j, context) : nullptr;
      if (covered == nullptr || covered->empty()) continue;
      slack = std::min(slack, slackAtStart(j, context));
      intervals.insert(intervals.end(), covered->begin(), covered->end());
    }
    any = true;
    if (!fn(intervals, slack)) return false;
  }
  return any;
}

std::optional<Instant> startOf(const Intervals& intervals) {
  std::optional<Instant> start;
  for (const Interval& covered : intervals) {
    if (!start || covered.from < *start) start = covered.from;
  }
  return start;
}

const ProviderProfile* profileOf(const RecordHead& effect, const Policy& policy) {
  return policy.provider(providerOf(effect, policy));
}

}  // namespace

Duration statementLagOf(const RecordHead& effect, const Policy& policy) {
  const ProviderProfile* profile = profileOf(effect, policy);
  return profile == nullptr ? Duration(0) : profile->statementLag;
}

Duration statementLagOf(const Operation& operation, const Policy& policy) {
  Duration lag{0};
  for (const ProviderProfile& profile : policy.providers) {
    const bool mayActHere = operation.provider.empty() || operation.provider == profile.name;
    if (mayActHere) lag = std::max(lag, profile.statementLag);
  }
  return lag;
}

Duration pendingLimitOf(const RecordHead& effect, const Policy& policy) {
  const ProviderProfile* profile = profileOf(effect, policy);
  return profile == nullptr ? ProviderProfile{}.pendingLimit : profile->pendingLimit;
}

std::optional<Duration> keyRetentionOf(const RecordHead& effect, const Policy& policy) {
  const ProviderProfile* profile = profileOf(effect, policy);
  return profile == nullptr ? std::nullopt : profile->keyRetention;
}

std::optional<Duration> keyRetentionOf(const Operation& operation, const Policy& policy) {
  std::optional<Duration> shortest;
  for (const ProviderProfile& profile : policy.providers) {
    if (!operation.provider.empty() && operation.provider != profile.name) continue;
    if (!profile.keyRetention) return {};
    shortest = shortest ? std::min(*shortest, *profile.keyRetention) : profile.keyRetention;
  }
  return shortest;
}

Instant startOf(const Attempt& attempt) {
  if (attempt.start) return *attempt.start;
  return attempt.end.value_or(Instant{});
}

Instant endOf(const Attempt& attempt, const Operation& operation) {
  if (attempt.end) return std::max(*attempt.end, startOf(attempt));
  return startOf(attempt) + operation.maxRuntime;
}

bool hasKnownLength(const Attempt& attempt) {
  return attempt.end.has_value() || attempt.status != AttemptStatus::Lost;
}

bool isPlausibleTime(const Node& local, const Node& effect, const JudgeContext& context) {
  if (!local.time) return true;
  const Policy& policy = context.policy;
  const Operation& operation = policy.operation(local.head->operation);
  const Effect& row = effect.effect();
  const Instant end = local.kind == RecordKind::Attempt ? endOf(local.attempt(), operation)
                                                        : *local.time + operation.maxRuntime;
  const Instant latest = end + statementLagOf(row, policy) + policy.clockSkew;
  const Instant earliest = *local.time - policy.clockSkew;
  return row.created <= latest && row.created + row.createdSpan >= earliest;
}

bool providersCover(const Operation& operation, Instant from, Instant to,
                    const JudgeContext& context) {
  const Instant first = from - context.policy.clockSkew;
  return allProviders(operation, context, [&](const Intervals& covered, Duration slack) {
    return unionCovers(covered, first, to, slack);
  });
}

bool localSourcesCover(const Effect& effect, const JudgeContext& context) {
  const Duration skew = context.policy.clockSkew;
  return allWitnesses(context, [&](const Intervals* covered, std::size_t source) {
    if (covered == nullptr) return false;
    if (effect.createdSpan > Duration(0)) {
      return touches(*covered, effect.created, effect.created + effect.createdSpan);
    }
    return unionCovers(*covered, effect.created - skew, effect.created + skew,
                       slackAtStart(source, context));
  });
}

std::optional<Instant> localCoverageStart(const JudgeContext& context) {
  std::optional<Instant> latest;
  allWitnesses(context, [&](const Intervals* covered, std::size_t) {
    const auto start = covered == nullptr ? std::nullopt : startOf(*covered);
    if (start && (!latest || *start > *latest)) latest = start;
    return true;
  });
  return latest;
}

bool isLocalCoverageDeclared(const JudgeContext& context) {
  return allWitnesses(context, [&](const Intervals* covered, std::size_t source) {
    const bool isRead = covered != nullptr && !covered->empty();
    return isRead && context.coverage.declared.count(SourceId{static_cast<std::uint16_t>(source)}) != 0;
  });
}

bool isBeforeLocalCoverage(Instant at, const JudgeContext& context) {
  const auto start = localCoverageStart(context);
  return start && at < *start;
}

bool isBeforeProviderCoverage(Instant at, const Operation& operation,
                              const JudgeContext& context) {
  bool isBefore = false;
  const Instant first = at - context.policy.clockSkew;
  allProviders(operation, context, [&](const Intervals& covered, Duration slack) {
    const auto start = startOf(covered);
    if (start && first < *start - slack) isBefore = true;
    return true;
  });
  return isBefore;
}

bool isBlindToSuccesses(const Policy& policy) {
  bool hasAttempts = false;
  for (const SourceProfile& source : policy.sources) {
    if (!makes(source, RecordKind::Attempt)) continue;
    if (source.blind) return true;
    hasAttempts = true;
  }
  return !hasAttempts;
}

}  // namespace counterfoil::judging
