// SPDX-License-Identifier: GPL-3.0-or-later
// The time line of a case.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/list/record_fields.h"
#include "reports/model/report_case.h"

namespace counterfoil {
namespace {

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

auto orderOf(const CaseEvent& event) {
  return std::tie(event.time, event.lane, event.code, event.id, event.source, event.place, event.detail);
}

class Events {
 public:
  Events(const StoredUnit& stored, const CaseContext& context) : m_stored(stored), m_context(context) {}

  std::vector<CaseEvent> take() {
    const Records& records = m_stored.unit.records;
    for (const auto& record : records.intents) add(record);
    for (const auto& record : records.outbox) add(record);
    for (const auto& record : records.attempts) add(record);
    for (const auto& record : records.claims) add(record);
    for (const auto& record : records.skips) add(record);
    for (const auto& record : records.processedEvents) add(record);
    for (const auto& record : records.deadLetters) add(record);
    for (const auto& record : records.effects) add(record);
    for (const DecisionRow& decision : m_context.decisions) addDecision(decision);
    addJudgement();
    std::sort(m_events.begin(), m_events.end(), [](const CaseEvent& a, const CaseEvent& b) { return orderOf(a) < orderOf(b); });
    return std::move(m_events);
  }

 private:
  void add(const Attempt& r) {
    const std::string number = r.number ? fmt::format("#{}", *r.number) : "";
    const std::string where = joined({r.queue, r.task, r.worker, number});
    if (r.start) put(r, Lane::Attempt, r.start, "started", r.jobId, where);
    if (r.end || !r.start) {
      put(r, Lane::Attempt, r.end, codeOf(r.status), r.jobId, joined({r.start ? std::string_view() : where, r.error}));
    } else if (r.status != AttemptStatus::Succeeded) {
      m_events.back().code = codeOf(r.status);
      m_events.back().event = m_context.words.event(codeOf(r.status));
    }
  }
  void add(const Skip& r) { put(r, Lane::Skip, r.time, codeOf(r.reason), r.jobId, joined({r.queue, r.worker})); }
  void add(const Claim& r) {
    put(r, Lane::Claim, r.claimedAt ? r.claimedAt : r.expiresAt, codeOf(r.state), r.jobId,
        r.expiresAt ? "→ " + m_context.words.instant(*r.expiresAt) : "");
  }
  void add(const Intent& r) {
    put(r, Lane::Intent, r.createdAt, r.status == IntentStatus::Open ? "opened" : codeOf(r.status), firstOf({r.id, r.opRef}),
        r.dueAt ? "→ " + m_context.words.instant(*r.dueAt) : "");
  }
  void add(const OutboxRow& r) {
    put(r, Lane::Outbox, r.createdAt, r.dead ? "dead" : "written", r.id, r.topic);
    if (r.publishedAt) put(r, Lane::Outbox, r.publishedAt, "published", r.id, r.publishCount > 1 ? fmt::format("×{}", r.publishCount) : "");
  }
  void add(const ProcessedEvent& r) { put(r, Lane::ProcessedEvent, r.processedAt, "processed", r.id, ""); }
  void add(const DeadLetter& r) {
    put(r, Lane::DeadLetter, r.diedAt ? r.diedAt : r.enqueuedAt ? r.enqueuedAt : r.sampledAt, "died", firstOf({r.messageId, r.jobId}),
        joined({r.queue, r.receiveCount ? fmt::format("×{}", *r.receiveCount) : "", r.error}));
  }
  void add(const Effect& r) {
    put(r, Lane::Effect, r.created, fmt::format("{} {}", codeOf(r.kind), codeOf(r.status)), r.effectId,
        joined({m_context.masker.customer(r.customer), r.parentId.empty() ? "" : "← " + r.parentId}));
  }

  void put(const RecordHead& head, Lane lane, std::optional<Instant> time, std::string_view code, std::string_view id,
           const std::string& detail) {
    CaseEvent& event = m_events.emplace_back();
    event.time = time;
    event.lane = lane;
    event.code = code;
    event.event = m_context.words.event(code);
    event.id = m_context.masker.text(firstOf({id, head.jobId, head.messageId, head.effectId, head.opRef}));
    event.amount = head.amount;
    event.detail = m_context.masker.text(detail);
    if (head.place.source.value < m_context.sourceNames.size()) event.source = m_context.sourceNames[head.place.source.value];
    for (const RawText& raw : m_stored.raw) {
      if (raw.place != head.place) continue;
      if (raw.line > 0) event.place = fmt::format("{}:{}", raw.path, raw.line);
      if (m_context.masker.isPlain()) event.raw = raw.text;
      break;
    }
  }

  void addDecision(const DecisionRow& decision) {
    CaseEvent& event = m_events.emplace_back();
    event.time = decision.at;
    event.lane = Lane::Decision;
    event.code = codeOf(decision.state);
    event.event = m_context.words.label(decision.state);
    event.detail = m_context.masker.text(joined({decision.who, decision.assignee, decision.note}));
  }

  void addJudgement() {
    CaseEvent& event = m_events.emplace_back();
    event.time = m_stored.asOf;
    event.lane = Lane::Case;
    event.code = codeOf(m_stored.unit.unitClass);
    event.event = m_context.words.label(m_stored.unit.unitClass, !m_stored.unit.exposure.empty());
    if (m_stored.unit.exposure.size() == 1) event.amount = m_stored.unit.exposure.front();
  }

  const StoredUnit& m_stored;
  const CaseContext& m_context;
  std::vector<CaseEvent> m_events;
};

}  // namespace

std::vector<CaseEvent> caseEventsOf(const StoredUnit& stored, const CaseContext& context) {
  return Events(stored, context).take();
}

}  // namespace counterfoil
