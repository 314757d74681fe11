// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/report_case.h"

#include <algorithm>
#include <set>

#include "reports/list/lines.h"

namespace counterfoil {
namespace {

template <class RecordList>
void addCustomers(const RecordList& records, std::set<std::string>& customers) {
  for (const auto& record : records) {
    if (!record.customer.empty()) customers.insert(record.customer);
  }
}

/// Texts of one case, with its own customers masked wherever they stand.
class CaseTexts {
 public:
  CaseTexts(const Masker& masker, const Records& records) : m_masker(masker), m_customers(customersOf(records)) {}
  std::string text(std::string_view value) const { return m_masker.text(value, m_customers); }
  std::vector<std::string> texts(const std::vector<std::string>& values) const {
    std::vector<std::string> out;
    for (const std::string& value : values) out.push_back(text(value));
    return out;
  }
  std::string customer() const { return m_customers.empty() ? "" : m_masker.customer(*m_customers.begin()); }
  void mask(std::vector<CaseEvent>& events) const {
    for (CaseEvent& event : events) {
      event.id = text(event.id);
      event.detail = text(event.detail);
    }
  }

 private:
  const Masker& m_masker;
  std::set<std::string> m_customers;
};

void fillRecords(const Unit& unit, const CaseTexts& texts, ReportCase& out) {
  CaseLine line;
  fillCaseLine(unit, Instant{}, line);
  out.attempts = texts.texts(line.attempts);
  out.effects = texts.texts(line.effects);
  out.deadLetters = texts.texts(line.deadLetters);
  out.attemptCount = unit.records.attempts.size();
  out.effectCount = unit.records.effects.size();
  out.skipCount = unit.records.skips.size();
  out.deadLetterCount = unit.records.deadLetters.size();
}

void fillReview(const StoredUnit& stored, const CaseTexts& texts, CaseContext& context, ReportCase& out) {
  out.state = stored.state;
  out.isClosed = out.group == ClassGroup::Closed && stored.state == ReviewState::Open;
  out.assignee = stored.assignee;
  if (!context.decisions.empty()) out.note = texts.text(context.decisions.back().note);
  for (DecisionRow& decision : context.decisions) decision.note = texts.text(decision.note);
  out.decisions = context.decisions;
}

void fillVerdict(const Unit& unit, const Words& words, ReportCase& out) {
  out.unitClass = unit.unitClass;
  out.group = groupOf(unit.unitClass);
  out.hasMoney = !unit.exposure.empty() || unit.expectedAmount.has_value();
  out.label = words.label(unit.unitClass, out.hasMoney);
  out.advice = words.advice(unit.unitClass);
  out.severity = unit.severity;
  out.amount = unit.expectedAmount;
  out.exposure = unit.exposure;
  out.why = unit.why;
  out.hints = unit.hints;
  out.flags = unit.flags;
}

}  // namespace

std::set<std::string> customersOf(const Records& records) {
  std::set<std::string> customers;
  addCustomers(records.attempts, customers);
  addCustomers(records.skips, customers);
  addCustomers(records.claims, customers);
  addCustomers(records.intents, customers);
  addCustomers(records.outbox, customers);
  addCustomers(records.processedEvents, customers);
  addCustomers(records.effects, customers);
  addCustomers(records.deadLetters, customers);
  return customers;
}

std::string caseVersionOf(const std::string& recordsDigest) { return recordsDigest.substr(0, 16); }

ReportCase reportCaseOf(const StoredUnit& stored, CaseContext context) {
  const Unit& unit = stored.unit;
  const CaseTexts texts(context.masker, unit.records);
  ReportCase out;
  fillVerdict(unit, context.words, out);
  out.caseId = unit.id;
  out.version = caseVersionOf(stored.recordsDigest);
  out.isNew = stored.isNew;
  out.key = texts.text(unit.key);
  out.opRef = texts.text(unit.opRef);
  out.keys = texts.texts(unit.keys);
  out.operation = unit.operationName;
  out.scope = unit.scope;
  out.reason = texts.text(reasonOf(unit, stored.asOf, context.words));
  out.firstRun = stored.firstRun;
  out.lastRun = stored.lastRun;
  out.run = stored.run;
  out.firstSeen = unit.firstSeen;
  if (unit.firstSeen) out.age = std::max(Duration{0}, stored.asOf - *unit.firstSeen);
  out.due = unit.due;
  out.candidates = unit.candidates;
  out.customer = texts.customer();
  fillRecords(unit, texts, out);
  fillReview(stored, texts, context, out);
  out.detailed = context.detailed;
  if (context.detailed) {
    out.events = caseEventsOf(stored, context);
    texts.mask(out.events);
  }
  return out;
}

}  // namespace counterfoil
