// SPDX-License-Identifier: GPL-3.0-or-later
// A made-up night for tests of reports: breaks of several classes, open units, skips, dead letters,
// quarantined rows, findings, a proof that closes.
#pragma once

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "core/run/run.h"

namespace counterfoil::testing {

class ListedUnits final : public UnitList {
 public:
  explicit ListedUnits(std::vector<Unit> units) : m_units(std::move(units)) {}
  [[nodiscard]] std::uint64_t size() const override { return m_units.size(); }
  Result<> forEach(const std::function<bool(const Unit&)>& fn) const override {
    for (const Unit& unit : m_units) {
      if (!fn(unit)) break;
    }
    return {};
  }

 private:
  std::vector<Unit> m_units;
};

inline Instant day(int dayOfApril, int hour, int minute = 0) {
  using namespace std::chrono;
  return sys_days{year{2026} / 4 / dayOfApril} + hours{hour} + minutes{minute};
}

inline Money usd(std::int64_t minor) {
  return {minor, *Currency::parse("USD")};
}

inline Unit unitOf(Class unitClass, Severity severity, std::string key, std::vector<Money> exposure,
                   std::string reason) {
  Unit unit;
  unit.id = "0123456789abcdef";
  unit.key = key;
  unit.keys = {std::move(key)};
  unit.operationName = "charge";
  unit.unitClass = unitClass;
  unit.severity = severity;
  unit.exposure = std::move(exposure);
  unit.reason = std::move(reason);
  unit.firstSeen = day(7, 4);
  return unit;
}

inline Attempt attemptOf(std::string jobId, std::string customer = {}) {
  Attempt attempt;
  attempt.jobId = std::move(jobId);
  attempt.customer = std::move(customer);
  attempt.status = AttemptStatus::Succeeded;
  return attempt;
}

inline Effect effectOf(std::string id, Instant created) {
  Effect effect;
  effect.effectId = std::move(id);
  effect.created = created;
  return effect;
}

inline std::vector<Unit> sampleUnits() {
  std::vector<Unit> units;
  Unit twice =
      unitOf(Class::DuplicateEffect, Severity::Critical, "charge:4471", {usd(5900)},
             "2 live charges under one key, 24 h 10 min apart; stripe forgets keys after 24 h.");
  twice.why = Why::SameKeyAfterRetention;
  twice.raise(Hint::PeriodicGap);
  twice.opRef = "4471";
  twice.records.attempts = {attemptOf("job-2", "cus_42"), attemptOf("job-1", "cus_42"),
                            attemptOf("job-1", "cus_42")};
  twice.records.effects = {effectOf("ch_2", day(7, 9)), effectOf("ch_1", day(6, 9))};
  units.push_back(std::move(twice));

  Unit lost = unitOf(Class::LostAfterClaim, Severity::High, "mail:77", {},
                     "A worker skipped this as done, but no attempt of it ever finished.");
  lost.records.skips.emplace_back();
  lost.records.skips.back().keyText = "mail:77";
  lost.records.skips.back().worker = "w3";
  lost.records.skips.back().time = day(7, 5, 30);
  lost.skipVerdicts.push_back({SkipVerdict::Stranded, "Nothing under this key succeeded.", {}});
  units.push_back(std::move(lost));

  for (int i = 1; i <= 7; ++i) {
    units.push_back(unitOf(
        Class::MissingEffect, Severity::High, "charge:50" + std::to_string(i), {usd(1000 + i)},
        "The job finished, and stripe's statement, which covers the time, has no charge."));
  }

  Unit expected =
      unitOf(Class::Expected, Severity::None, "charge:9001", {}, "Due 2026-04-08 09:00 UTC.");
  units.push_back(std::move(expected));
  Unit dead = unitOf(Class::Unfulfilled, Severity::Medium, "charge:9100", {usd(300)},
                     "Failed for good and lies in payments.dlq.");
  dead.records.deadLetters.emplace_back();
  dead.records.deadLetters.back().messageId = "m-17";
  dead.records.deadLetters.back().queue = "payments.dlq";
  dead.deadLetterVerdicts.push_back(
      {RedriveVerdict::CheckFirst, "stripe may have forgotten the key.", {}});
  units.push_back(std::move(dead));
  return units;
}

inline SourceReport sourceOf(std::string name, std::string format, std::uint64_t rows) {
  SourceReport source;
  source.name = std::move(name);
  source.format = std::move(format);
  source.digest = "sha256:00ff";
  source.rows = rows;
  source.recorded = rows;
  source.from = day(7, 0);
  source.to = day(7, 23, 59);
  return source;
}

inline RunResult sampleResult() {
  RunResult result;
  result.asOf = day(8, 6);
  result.units = 1100;
  result.breaks = 9;
  result.open = 2;
  result.unjudged = 1;
  result.classes = {{Class::DuplicateEffect, 1}, {Class::LostAfterClaim, 1},
                    {Class::MissingEffect, 7},   {Class::Expected, 1},
                    {Class::Unfulfilled, 1},     {Class::Matched, 1089}};
  const Currency dollars = *Currency::parse("USD");
  result.exposureByClass = {{Class::DuplicateEffect, {{dollars, 5900}}},
                            {Class::MissingEffect, {{dollars, 7028}}}};
  result.exposure = {usd(12928)};
  result.breaksBySeverity = {{Severity::Critical, 1}, {Severity::High, 8}};
  result.skips = {{SkipVerdict::Legit, 5}, {SkipVerdict::Stranded, 1}};
  result.saved = {usd(7500)};
  result.deadLetters = {{RedriveVerdict::CheckFirst, 1}};
  result.sources = {sourceOf("jobs", "generic.attempts", 1200),
                    sourceOf("statement", "stripe.balance", 1210)};
  result.sources[0].recorded = 1198;
  result.sources[0].quarantined = 1;
  result.sources[0].repeated = 1;
  QuarantinedRow bad;
  bad.file = "jobs.csv";
  bad.line = 17;
  bad.column = "amount";
  bad.value = "12,x0";
  bad.rule = "not_an_amount";
  bad.reason = "amount '12,x0' is not a number; correct the file or map another column";
  result.quarantined = {bad};
  Finding finding;
  finding.code = "overlapping_execution";
  finding.subject = "queue payments";
  finding.count = 41;
  finding.severity = Severity::Medium;
  finding.seen =
      "41 executions of one key overlap another; the visibility timeout of 30 s is below the p99 "
      "of 92 s.";
  finding.advice = "A visibility timeout of at least 100 s would have absorbed all 41.";
  finding.examples = {"charge:4471"};
  result.findings = {finding};
  FindingsCollector::QueueState queue;
  queue.queue = "payments.dlq";
  queue.deadLetter = true;
  queue.kind = QueueKind::Dead;
  queue.depth = 12;
  queue.maxDepth = 10;
  queue.oldest = std::chrono::hours(26);
  queue.sampledAt = day(8, 5);
  result.queues = {queue};
  ProofLine proof;
  proof.currency = dollars;
  proof.localMinor = 1041200;
  proof.providerMinor = 1040072;
  proof.steps[static_cast<std::size_t>(BridgeStep::Duplicates)] = 5900;
  proof.steps[static_cast<std::size_t>(BridgeStep::Missing)] = -7028;
  result.proof = {proof};
  result.keys = {1098, 1094, 1089, "", 0};
  return result;
}

inline RunOutcome sampleOutcome() {
  return {sampleResult(), std::make_unique<ListedUnits>(sampleUnits())};
}

}  // namespace counterfoil::testing
