// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>
#include <variant>

#include "app/remedies/run_configs.h"
#include "core/judge/clock.h"
#include "core/store/record_block.h"

namespace counterfoil {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kGroupsMost = 1000;             ///< queues with operations
constexpr std::size_t kAttemptsKnownMost = 4'000'000;  ///< by which an export that comes again counts once
constexpr std::size_t kKeysAskedMost = 2000;          ///< cases whose job ended in a later night

using Group = std::pair<std::string, std::string>;   ///< queue, operation
/// How much incidents would have needed, rounded up to values that people configure: a bounded number of them.
using Needs = std::map<Duration, std::uint64_t>;

struct GroupFacts {
  DurationHistogram durations, gaps, spans;
  std::array<Needs, kSettingCount> needs;
};

Duration roundedUp(Duration needed) {
  const Duration step = needed <= 2min ? Duration(1s) : needed <= 2h ? Duration(1min) : needed <= 72h ? Duration(1h) : Duration(24h);
  return (needed / step + (needed % step == Duration(0) ? 0 : 1)) * step;
}

struct Span {
  Instant start{};
  std::optional<Instant> end;
};

std::vector<Span> spansOf(const Records& records) {
  std::vector<Span> spans;
  for (const Attempt& attempt : records.attempts) {
    if (attempt.start) spans.push_back({*attempt.start, attempt.end});
  }
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
  return spans;
}

/// How long the longest run took that another one overlapped.
std::optional<Duration> overlapOf(const std::vector<Span>& spans) {
  std::optional<Duration> longest;
  for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
    const auto& end = spans[i].end;
    if (!end || spans[i + 1].start >= *end) continue;
    longest = std::max(longest.value_or(Duration(0)), *end - spans[i].start);
  }
  return longest;
}

class Advisor {
 public:
  Advisor(const Store& store, const CancelToken* cancel) : m_store(store), m_cancel(cancel), m_configs(store) {}

  Result<Advice> run() {
    std::vector<RunNumber> runs;
    auto ok = m_store.forEachRun({}, [&](const StoredRun& run) {
      runs.push_back(run.number);
      return true;
    });
    if (!ok) return fail(ok.error());
    m_advice.runs = runs.size();
    for (const RunNumber run : runs) {
      if (ok = readBlocks(run); !ok) return fail(ok.error());
    }
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {   // of each case its newest judgement counts
      if (ok = readUnits(*run); !ok) return fail(ok.error());
    }
    if (ok = askForEnds(); !ok) return fail(ok.error());
    if (!runs.empty()) {
      const auto config = m_configs.of(runs.back());
      if (!config) return fail(config.error());
      for (const auto& [group, facts] : m_groups) addLines(group, facts, config->get());
    }
    m_advice.incidents = m_incidents;
    return std::move(m_advice);
  }

 private:
  GroupFacts* factsOf(const Group& group) {
    const auto known = m_groups.find(group);
    if (known != m_groups.end()) return &known->second;
    return m_groups.size() < kGroupsMost ? &m_groups[group] : nullptr;
  }

  Result<> readBlocks(RunNumber run) {
    const auto blocks = m_store.blocksOf(run);
    if (!blocks) return fail(blocks.error());
    const auto config = m_configs.of(run);
    if (!config) return fail(config.error());
    for (const RunBlocks::Ref& ref : blocks->blocks) {
      if (!m_blocks.insert({ref.segment, ref.block}).second) continue;   // another run stored it
      if (m_cancel != nullptr && m_cancel->isCancelled()) return fail(ErrorCode::Cancelled, "interrupted");
      const auto bytes = m_store.blockBytes(ref);
      if (!bytes) return fail(bytes.error());
      const auto block = RecordBlock::open(*bytes);
      if (!block) return fail(block.error());
      if (auto ok = readBlock(*block, config->get()); !ok) return ok;
    }
    return {};
  }

  /// Rows of one key lie together.
  Result<> readBlock(const RecordBlock& block, const Config* config) {
    std::string key;
    std::vector<Instant> starts;
    Group group;
    const auto endKey = [&] {
      addGaps(group, starts);
      starts.clear();
    };
    for (std::size_t row = 0; row < block.size(); ++row) {
      if (block.kind(row) != RecordKind::Attempt) continue;
      const auto record = block.record(row);
      if (!record) return fail(record.error());
      const auto& attempt = std::get<Attempt>(*record);
      if (attempt.key != key || attempt.key.empty()) endKey();
      key = attempt.key;
      if (!isNew(attempt)) continue;
      ++m_advice.attempts;
      group = {attempt.queue, operationName(config, attempt)};
      if (!attempt.start) continue;
      if (!key.empty()) starts.push_back(*attempt.start);
      GroupFacts* facts = attempt.end && *attempt.end >= *attempt.start ? factsOf(group) : nullptr;
      if (facts != nullptr) facts->durations.add(*attempt.end - *attempt.start);
    }
    endKey();
    return {};
  }

  static std::string operationName(const Config* config, const Attempt& attempt) {
    if (config == nullptr) return {};
    return config->policy.operation(attempt.operation).name;
  }

  /// An export that comes again, a little longer, holds the same runs.
  bool isNew(const Attempt& attempt) {
    if (m_attempts.size() >= kAttemptsKnownMost) return true;
    const std::string text = fmt::format("{}\n{}\n{}\n{}\n{}", attempt.jobId, attempt.messageId, attempt.key,
                                         attempt.number.value_or(-1),
                                         attempt.start ? attempt.start->time_since_epoch().count() : -1);
    return m_attempts.insert(m_store.keyHash()(text).low).second;
  }

  void addGaps(const Group& group, std::vector<Instant>& starts) {
    if (starts.size() < 2) return;
    GroupFacts* facts = factsOf(group);
    if (facts == nullptr) return;
    std::sort(starts.begin(), starts.end());
    for (std::size_t i = 1; i < starts.size(); ++i) facts->gaps.add(starts[i] - starts[i - 1]);
    facts->spans.add(starts.back() - starts.front());
  }

  Result<> readUnits(RunNumber run) {
    ListFilter filter;
    filter.run = run;
    filter.detail = Detail::Notable;
    return m_store.forEachUnit(filter, [&](const StoredUnit& stored) {
      const Unit& unit = stored.unit;
      const bool stood = stored.judged == Class::StalledAttempt || stored.judged == Class::UnacknowledgedEffect;
      if (stood && m_waiting.size() < kKeysAskedMost && !unit.key.empty()) m_waiting.try_emplace(unit.id, std::pair(groupOfUnit(unit), unit.key));
      const bool isNone = stored.state == ReviewState::Dismissed;   // "not a duplicate"
      if (m_cases.insert(unit.id).second && !isNone) addIncidents(unit, stored.judged);
      return true;
    });
  }

  static Group groupOfUnit(const Unit& unit) {
    std::string queue;
    for (const Attempt& attempt : unit.records.attempts) {
      if (queue.empty()) queue = attempt.queue;
    }
    return {queue, unit.operationName};
  }

  void need(const Group& group, Setting setting, Duration needed) {
    GroupFacts* facts = factsOf(group);
    if (facts == nullptr || needed <= Duration(0)) return;
    ++facts->needs[static_cast<std::size_t>(setting)][roundedUp(needed)];
    ++m_incidents;
  }

  void addIncidents(const Unit& unit, Class judged) {
    const Group group = groupOfUnit(unit);
    const auto spans = spansOf(unit.records);
    if (const auto overlap = overlapOf(spans)) {
      need(group, Setting::VisibilityTimeout, *overlap);
      if (!unit.records.claims.empty()) need(group, Setting::ClaimTtl, *overlap);
    } else if (judged == Class::DuplicateEffect && isOneKey(unit) && spans.size() > 1) {
      need(group, Setting::DedupeTtl, spans.back().start - spans.front().start + 1s);
    }
    if (unit.why == Why::SameKeyAfterRetention) need(group, Setting::KeyRetention, effectSpan(unit) + 1s);
  }
  static bool isOneKey(const Unit& unit) {
    return unit.why == Why::SameKeyInRetention || unit.why == Why::SameKeyAfterRetention;
  }

  static Duration effectSpan(const Unit& unit) {
    std::optional<Instant> first, last;
    for (const Effect& effect : unit.records.effects) {
      if (effect.kind != EffectKind::Forward || effect.status != EffectStatus::Live) continue;
      if (!first || effect.created < *first) first = effect.created;
      if (!last || effect.created > *last) last = effect.created;
    }
    return first ? *last - *first : Duration(0);
  }

  /// Jobs that were taken for lost: those that a later night saw end only took longer.
  Result<> askForEnds() {
    for (const auto& [id, waiting] : m_waiting) {
      if (m_cancel != nullptr && m_cancel->isCancelled()) return fail(ErrorCode::Cancelled, "interrupted");
      const auto found = m_store.findRecords(waiting.second);
      if (!found) return fail(found.error());
      Duration longest(0);
      for (const FoundRecord& record : *found) {
        const auto* attempt = std::get_if<Attempt>(&record.record);
        if (attempt == nullptr || !attempt->start || !attempt->end || attempt->status != AttemptStatus::Succeeded) continue;
        longest = std::max(longest, *attempt->end - *attempt->start);
      }
      need(waiting.first, Setting::MaxRuntime, longest);
    }
    return {};
  }

  static std::optional<Duration> configuredOf(const Group& group, Setting setting, const Config* config) {
    if (config == nullptr) return {};
    const QueueProfile* queue = config->policy.queue(group.first);
    const Operation* operation = nullptr;
    for (const Operation& each : config->policy.operations) {
      if (each.name == group.second) operation = &each;
    }
    switch (setting) {
      case Setting::VisibilityTimeout: return queue == nullptr ? std::nullopt : queue->visibilityTimeout;
      case Setting::ClaimTtl: return queue == nullptr ? std::nullopt : queue->claimTtl;
      case Setting::DedupeTtl: return queue == nullptr ? std::nullopt : queue->dedupeTtl;
      case Setting::KeyRetention:
        return operation == nullptr ? std::nullopt : judging::keyRetentionOf(*operation, config->policy);
      case Setting::MaxRuntime: return operation == nullptr ? std::nullopt : std::optional(operation->maxRuntime);
    }
    return {};
  }

  static std::uint64_t absorbed(const Needs& needs, Duration by) {
    std::uint64_t count = 0;
    for (const auto& [needed, times] : needs) count += needed <= by ? times : 0;
    return count;
  }

  void addLines(const Group& group, const GroupFacts& facts, const Config* config) {
    for (std::size_t i = 0; i < kSettingCount; ++i) {
      AdviceLine line;
      line.setting = static_cast<Setting>(i);
      const bool byGaps = line.setting == Setting::DedupeTtl || line.setting == Setting::KeyRetention;
      const DurationHistogram& observed = byGaps ? facts.spans : facts.durations;
      line.queue = group.first;
      line.operation = group.second;
      line.configured = configuredOf(group, line.setting, config);
      line.observed = static_cast<std::uint64_t>(observed.total());
      line.p50 = observed.atPercentile(50);
      line.p99 = observed.atPercentile(99);
      line.longest = observed.longest();
      fillNeeds(facts.needs[i], line);
      const bool isAlways = line.setting == Setting::VisibilityTimeout || line.setting == Setting::DedupeTtl;
      if (line.incidents == 0 && !(isAlways && line.observed > 0)) continue;
      line.advice = sentenceOf(line);
      m_advice.lines.push_back(std::move(line));
    }
  }

  static void fillNeeds(const Needs& needs, AdviceLine& line) {
    if (needs.empty()) return;
    line.least = needs.rbegin()->first;
    line.incidents = absorbed(needs, *line.least);
    if (line.configured) line.absorbedNow = absorbed(needs, *line.configured);
    for (const auto& [needed, times] : needs) {
      const std::uint64_t count = absorbed(needs, needed);
      if (count * 10 < line.incidents * 9) continue;
      if (needed * 2 <= *line.least) {
        line.most = needed;
        line.absorbedByMost = count;
      }
      break;
    }
  }

  static std::string sentenceOf(const AdviceLine& line) {
    const std::string now = line.configured ? formatDuration(*line.configured) + " is configured" : "none is configured";
    if (line.incidents == 0) {
      const bool isShort = line.setting == Setting::VisibilityTimeout && line.configured && *line.configured < line.p99;
      return isShort ? fmt::format("{}, below the p99 of {}: no incident yet.", now, formatDuration(line.p99))
                     : std::string("No incident of this kind.");
    }
    std::string text = now;
    if (line.absorbedNow > 0) text += fmt::format(", enough for {} of {}", line.absorbedNow, line.incidents);
    if (line.absorbedNow == line.incidents) return text + ": it was not in force, or did not hold.";
    text += "; ";
    if (line.most) text += fmt::format("{} would have absorbed {} of {}, ", formatDuration(*line.most), line.absorbedByMost, line.incidents);
    if (line.incidents == 1) return text + formatDuration(*line.least) + " would have absorbed it.";
    return text + fmt::format("{} {}all {}.", formatDuration(*line.least), line.most ? "" : "would have absorbed ", line.incidents);
  }

  const Store& m_store;
  const CancelToken* m_cancel;
  RunConfigs m_configs;
  Advice m_advice;
  std::uint64_t m_incidents = 0;
  std::map<Group, GroupFacts> m_groups;
  std::set<std::pair<std::int64_t, std::int64_t>> m_blocks;
  std::unordered_set<std::uint64_t> m_attempts;
  std::set<CaseId> m_cases;
  std::map<CaseId, std::pair<Group, std::string>> m_waiting;
};

}  // namespace

std::string_view codeOf(Setting setting) {
  constexpr std::array<std::string_view, kSettingCount> codes = {"visibility_timeout", "claim_ttl", "dedupe_ttl", "key_retention",
                                                                 "max_runtime"};
  return codes[static_cast<std::size_t>(setting)];
}

Result<Advice> adviceOf(const Store& store, const CancelToken* cancel) {
  return Advisor(store, cancel).run();
}

}  // namespace counterfoil
