// SPDX-License-Identifier: GPL-3.0-or-later
// A small night to judge: one day of jobs and of a statement, both covered, looked at the next morning.
// Change what a test is about, then judged().
#pragma once

#include <QString>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/judge/judge.h"
#include "tests/core/support/records.h"

namespace counterfoil::testing {

inline std::string textOf(std::string_view view) { return std::string(view); }

struct Night {
  Policy policy;
  Coverage coverage;
  EarlierKnowledge earlier;
  RunKnowledge run;
  Instant asOf = atTime(30h);
  Records records;

  Night() {
    policy.operations[0].name = "charge";
    policy.providers.push_back({});
    policy.providers[0].name = "stripe";
    policy.sources = {{"jobs", "", false, {RecordKind::Attempt}},
                      {"statement", "stripe", false, {RecordKind::Effect}},
                      {"skips", "", false, {RecordKind::Skip}},
                      {"claims", "", false, {RecordKind::Claim, RecordKind::ProcessedEvent}},
                      {"intents", "", false, {RecordKind::Intent}},
                      {"outbox", "", false, {RecordKind::Outbox}},
                      {"dlq", "", false, {RecordKind::DeadLetter}},
                      {"second", "stripe", false, {RecordKind::Effect}}};
    cover(kJobs, -24h, 48h);
    cover(kStatement, -24h, 48h);
  }

  Operation& operation() { return policy.operations[0]; }
  ProviderProfile& provider() { return policy.providers[0]; }
  void cover(SourceId source, Duration from, Duration to) {
    coverage.bySource[source] = {{atTime(from), atTime(to)}};
  }
  /// Adds a refund operation (index 1).
  void addRefunds() {
    Operation refunds;
    refunds.name = "refund";
    refunds.effect = OperationEffect::Reversal;
    policy.operations.push_back(refunds);
  }

  template <class... Kinds>
  Night& add(const Build<Kinds>&... added) {
    (records.add(AnyRecord(added.record())), ...);
    return *this;
  }

  [[nodiscard]] JudgeContext context() const { return {policy, coverage, asOf, &earlier, &run}; }
  [[nodiscard]] Judgement judged() const { return judge(records, context()); }

  /// The only unit. Throws when there is another number of units.
  [[nodiscard]] Unit unit() const {
    Judgement judgement = judged();
    if (judgement.units.size() != 1) {
      throw std::runtime_error("units: " + std::to_string(judgement.units.size()));
    }
    return std::move(judgement.units[0]);
  }
  /// The unit that holds the effect, attempt's job or order with this name.
  [[nodiscard]] Unit unitWith(const std::string& name) const {
    for (Unit& unit : judged().units) {
      if (holds(unit, name)) return std::move(unit);
    }
    throw std::runtime_error("no unit with " + name);
  }

  static bool holds(const Unit& unit, const std::string& name) {
    for (const Effect& e : unit.records.effects) if (e.effectId == name) return true;
    for (const Attempt& a : unit.records.attempts) if (a.jobId == name) return true;
    for (const DeadLetter& d : unit.records.deadLetters) if (d.messageId == name) return true;
    return unit.opRef == name || unit.mark == name;
  }
};

inline QString classText(const Unit& unit) {
  return QString::fromStdString(textOf(codeOf(unit.unitClass)));
}
template <class Code>
QString codes(const std::vector<Code>& values) {
  QString text;
  for (Code value : values) {
    if (!text.isEmpty()) text += ' ';
    text += QString::fromStdString(textOf(codeOf(value)));
  }
  return text;
}
/// "USD 1500 EUR -20"
inline QString exposureText(const Unit& unit) {
  QString text;
  for (const Money& money : unit.exposure) {
    if (!text.isEmpty()) text += ' ';
    text += QString::fromStdString(money.currency.text()) + ' ' + QString::number(money.minor);
  }
  return text;
}

}  // namespace counterfoil::testing
