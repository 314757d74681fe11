// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/life_of_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kEventsMost = 10'000;
constexpr std::array<std::string_view, 11> kLanes = {"intent", "outbox", "attempt", "claim", "skip", "processed_event",
                                                     "dead_letter", "effect", "case", "decision", "remedy"};

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    if (!out.empty()) out += ", ";
    out += part;
  }
  return out;
}

std::string firstOf(std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) {
    if (!id.empty()) return std::string(id);
  }
  return {};
}

/// The events of one record; a job that ran has two.
class Events {
 public:
  std::vector<LifeEvent> out;

  void add(const Attempt& r) {
    const std::string detail = joined({r.queue, r.task, r.worker, r.number ? fmt::format("attempt {}", *r.number) : "", r.error});
    if (r.start) put(r, *r.start, "started", detail);
    if (r.end || !r.start) put(r, r.end, codeOf(r.status), r.start ? r.error : detail);
    if (r.start && !r.end) out.back().event = codeOf(r.status);
  }
  void add(const Skip& r) { put(r, r.time, codeOf(r.reason), joined({r.queue, r.worker})); }
  void add(const Claim& r) {
    const std::string until = r.expiresAt ? "until " + formatInstant(*r.expiresAt) : "";
    put(r, r.claimedAt ? r.claimedAt : r.expiresAt, codeOf(r.state), until);
  }
  void add(const Intent& r) {
    put(r, r.createdAt, codeOf(r.status), r.dueAt ? "due " + formatInstant(*r.dueAt) : "");
    out.back().id = firstOf({r.id, out.back().id});
  }
  void add(const OutboxRow& r) {
    put(r, r.createdAt, r.dead ? "dead" : "written", r.topic);
    out.back().id = firstOf({r.id, out.back().id});
    if (!r.publishedAt) return;
    put(r, r.publishedAt, "published", r.publishCount > 1 ? fmt::format("{} times", r.publishCount) : "");
    out.back().id = firstOf({r.id, out.back().id});
  }
  void add(const ProcessedEvent& r) {
    put(r, r.processedAt, "processed", "");
    out.back().id = firstOf({r.id, out.back().id});
  }
  void add(const Effect& r) {
    put(r, r.created, fmt::format("{} {}", codeOf(r.kind), codeOf(r.status)),
        joined({r.customer, r.parentId.empty() ? "" : "of " + r.parentId}));
  }
  void add(const DeadLetter& r) {
    put(r, r.diedAt ? r.diedAt : r.enqueuedAt ? r.enqueuedAt : r.sampledAt, "dead letter",
        joined({r.queue, r.receiveCount ? fmt::format("received {} times", *r.receiveCount) : "", r.error}));
    out.back().id = firstOf({r.messageId, r.jobId});
  }
  void add(const QueueDepth&) {}

 private:
  void put(const RecordHead& head, std::optional<Instant> time, std::string_view event, std::string detail) {
    LifeEvent& added = out.emplace_back();
    added.time = time;
    added.event = event;
    added.id = firstOf({head.effectId, head.jobId, head.messageId, head.opRef});
    added.key = head.keyText.empty() ? head.key : head.keyText;
    added.amount = head.amount;
    added.detail = std::move(detail);
  }
};

auto contentOf(const LifeEvent& event) {
  return std::tie(event.time, event.lane, event.event, event.id, event.key, event.amount, event.detail, event.source, event.place);
}

class LifeReader {
 public:
  LifeReader(const Store& store, std::string text) : m_store(store), m_text(std::move(text)) {}

  Result<Life> read() {
    auto own = m_store.findRecords(m_text);
    if (!own) return fail(own.error());
    auto units = m_store.findUnits(m_text, *own);
    if (!units) return fail(units.error());
    m_life.units = std::move(*units);
    if (auto ok = findAll(std::move(*own)); !ok) return fail(ok.error());
    for (const FoundRecord& found : m_records) {
      if (auto ok = addRecord(found, m_recordCount++); !ok) return fail(ok.error());
    }
    for (const StoredUnit& unit : m_life.units) {
      if (auto ok = addCase(unit); !ok) return fail(ok.error());
    }
    if (m_life.events.empty()) {
      return fail(ErrorCode::Missing, fmt::format("nothing in the store carries the key or id '{}'", forTerminal(m_text)));
    }
    mergeEqual();
    return std::move(m_life);
  }

 private:
  /// What finds the records of a unit that has no key.
  static void addIdsOf(const Records& records, std::set<std::string>& ids) {
    const auto add = [&ids](const std::string& id) {
      if (!id.empty()) ids.insert(id);
    };
    for (const Attempt& record : records.attempts) add(firstOf({record.jobId, record.messageId, record.opRef}));
    for (const Intent& record : records.intents) add(firstOf({record.opRef, record.jobId}));
    for (const Effect& record : records.effects) add(record.effectId);
    for (const DeadLetter& record : records.deadLetters) add(firstOf({record.messageId, record.jobId}));
  }

  /// Records under the text itself, and under the keys of the units they belong to.
  Result<> findAll(std::vector<FoundRecord> own) {
    take(std::move(own));
    std::set<std::string> wanted;
    for (const StoredUnit& unit : m_life.units) {
      wanted.insert(unit.unit.keys.begin(), unit.unit.keys.end());
      if (unit.unit.keys.empty()) addIdsOf(unit.unit.records, wanted);
    }
    wanted.erase(m_text);
    for (const std::string& text : wanted) {
      auto found = m_store.findRecords(text);
      if (!found) return fail(found.error());
      take(std::move(*found));
    }
    if (m_records.size() <= kEventsMost) return {};
    return fail(ErrorCode::Limit, fmt::format("{} records carry '{}'; show takes at most {}", m_records.size(),
                                              forTerminal(m_text), kEventsMost));
  }
  void take(std::vector<FoundRecord> found) {
    for (FoundRecord& record : found) {
      if (m_seen.insert({record.run, headOf(record.record)->place}).second) m_records.push_back(std::move(record));
    }
  }

  Result<const std::vector<std::string>*> sourcesOf(RunNumber number) {
    const auto known = m_sources.find(number);
    if (known != m_sources.end()) return &known->second;
    auto names = m_store.sourceNamesOf(number);
    if (!names) return fail(names.error());
    return &m_sources.emplace(number, std::move(*names)).first->second;
  }

  Result<> addRecord(const FoundRecord& found, std::size_t number) {
    const auto sources = sourcesOf(found.run);
    if (!sources) return fail(sources.error());
    Events events;
    std::visit([&](const auto& record) { events.add(record); }, found.record);
    const Place& place = headOf(found.record)->place;
    for (LifeEvent& event : events.out) {
      event.lane = codeOf(kindOf(found.record));
      if (place.source.value < (*sources)->size()) event.source = (**sources)[place.source.value];
      event.place = placeOf(place);
      event.raw = rawOf(found.run, place);
      event.runs = {found.run};
      event.record = number;
      event.fields = fieldsOf(found.record);
      m_life.events.push_back(std::move(event));
    }
    return {};
  }

  /// Lines are known of records whose text is kept.
  std::string placeOf(const Place& place) const {
    for (const StoredUnit& unit : m_life.units) {
      for (const RawText& raw : unit.raw) {
        if (raw.place == place && raw.line > 0) return fmt::format("{}:{}", raw.path, raw.line);
      }
    }
    return {};
  }

  /// The same place of another night may hold another row.
  std::string rawOf(RunNumber run, const Place& place) const {
    for (const StoredUnit& unit : m_life.units) {
      for (const RawText& raw : unit.raw) {
        if (raw.place.offset != place.offset || raw.place.part != place.part) continue;
        const auto origin = m_store.originOf(unit.run, raw.place.file);
        if (origin && origin->first == run && origin->second == place.file) return raw.text;
      }
    }
    return {};
  }

  Result<> addCase(const StoredUnit& stored) {
    LifeEvent event;
    event.time = stored.asOf;
    event.lane = "case";
    event.event = codeOf(stored.unit.unitClass);
    event.id = stored.unit.id;
    event.key = stored.unit.key;
    if (stored.unit.exposure.size() == 1) event.amount = stored.unit.exposure.front();
    event.detail = stored.unit.reason;
    for (RunNumber run = stored.firstRun; run <= stored.lastRun; ++run) event.runs.push_back(run);
    m_life.events.push_back(std::move(event));
    const auto decisions = m_store.decisionsOf(stored.unit.id);
    if (!decisions) return fail(decisions.error());
    for (const DecisionRow& decision : *decisions) {
      LifeEvent& added = m_life.events.emplace_back();
      added.time = decision.at;
      added.lane = "decision";
      added.event = codeOf(decision.state);
      added.id = decision.caseId;
      added.detail = joined({decision.who, decision.assignee, decision.reason, decision.note});
    }
    return {};
  }

  /// The same row read by several runs is one event.
  void mergeEqual() {
    auto& events = m_life.events;
    std::sort(events.begin(), events.end(), [](const LifeEvent& a, const LifeEvent& b) {
      return std::tuple(contentOf(a), a.runs) < std::tuple(contentOf(b), b.runs);
    });
    std::vector<LifeEvent> merged;
    for (LifeEvent& event : events) {
      if (!merged.empty() && contentOf(merged.back()) == contentOf(event) && event.runs != merged.back().runs) {
        merged.back().runs.insert(merged.back().runs.end(), event.runs.begin(), event.runs.end());
        if (merged.back().raw.empty()) merged.back().raw = std::move(event.raw);
      } else {
        merged.push_back(std::move(event));
      }
    }
    events = std::move(merged);
  }

  const Store& m_store;
  std::string m_text;
  Life m_life;
  std::vector<FoundRecord> m_records;
  std::size_t m_recordCount = 0;
  std::set<std::pair<RunNumber, Place>> m_seen;
  std::map<RunNumber, std::vector<std::string>> m_sources;
};

}  // namespace

std::span<const std::string_view> lifeLanes() {
  return kLanes;
}

Result<Life> lifeOf(const Store& store, const std::string& keyOrId) {
  return LifeReader(store, keyOrId).read();
}

}  // namespace counterfoil
