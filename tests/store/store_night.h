// SPDX-License-Identifier: GPL-3.0-or-later
// Small nights for the tests of the store: records and units that follow from a seed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/store/store.h"

namespace counterfoil::test {

inline Instant at(std::int64_t seconds) { return Instant(std::chrono::seconds(seconds)); }
inline Currency usd() { return *Currency::parse("USD"); }

inline Attempt attempt(std::uint64_t number, const std::string& prefix = "charge:") {
  Attempt out;
  out.keyText = prefix + std::to_string(number);
  out.key = normalKey(out.keyText);
  out.jobId = "job-" + std::to_string(number);
  out.opRef = "order-" + std::to_string(number / 2);
  out.queue = "payments";
  out.task = "shop.charge_card";
  out.worker = "worker-" + std::to_string(number % 7);
  out.operation.value = 0;
  out.amount = Money{static_cast<std::int64_t>(100 + number % 900), usd()};
  out.status = AttemptStatus::Succeeded;
  out.number = 1;
  out.start = at(1'775'000'000 + static_cast<std::int64_t>(number));
  out.end = at(1'775'000'003 + static_cast<std::int64_t>(number));
  out.place = {SourceId{0}, FileId{0}, number * 180, 0};
  return out;
}

inline Effect effect(std::uint64_t number, const std::string& prefix = "charge:") {
  Effect out;
  out.keyText = prefix + std::to_string(number);
  out.key = normalKey(out.keyText);
  out.effectId = "ch_" + std::to_string(number);
  out.amount = Money{static_cast<std::int64_t>(100 + number % 900), usd()};
  out.customer = "cus_" + std::to_string(number % 97);
  out.fee = 30;
  out.created = at(1'775'000'002 + static_cast<std::int64_t>(number));
  out.place = {SourceId{1}, FileId{1}, number * 150, 0};
  return out;
}

inline Unit unit(std::uint64_t number, Class unitClass, Severity severity, const std::string& prefix = "charge:") {
  Unit out;
  out.key = prefix + std::to_string(number);
  out.keys = {out.key};
  out.id = sha256Hex(out.key).substr(0, 16);
  out.operationName = "charge";
  out.operation.value = 0;
  out.opRef = "order-" + std::to_string(number / 2);
  out.unitClass = unitClass;
  out.severity = severity;
  if (groupOf(unitClass) == ClassGroup::Break) out.exposure = {Money{static_cast<std::int64_t>(100 + number % 900), usd()}};
  out.reason = "Made for a test: \"" + out.key + "\".";
  out.expectedAmount = Money{static_cast<std::int64_t>(100 + number % 900), usd()};
  out.due = at(1'775'000'900 + static_cast<std::int64_t>(number));
  out.firstSeen = at(1'775'000'000 + static_cast<std::int64_t>(number));
  out.records.attempts = {attempt(number, prefix)};
  return out;
}

/// Units in memory, in output order.
class Units : public UnitList {
 public:
  std::vector<Unit> units;
  [[nodiscard]] std::uint64_t size() const override { return units.size(); }
  Result<> forEach(const std::function<bool(const Unit&)>& fn) const override {
    for (const Unit& each : units) {
      if (!fn(each)) break;
    }
    return {};
  }
};

inline NightFacts facts(int day, const std::string& inputs = {}) {
  NightFacts out;
  out.identity.asOf = at(1'775'600'000 + 86'400 * day);
  out.identity.configDigest = "sha256:config";
  out.identity.inputsDigest = inputs.empty() ? "sha256:inputs-" + std::to_string(day) : inputs;
  out.config = "{\"name\": \"shop\"}";
  out.program = "0.1.0";
  out.started = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  out.finished = out.started;
  out.coverage.bySource[SourceId{0}] = {{at(1'775'000'000), at(1'775'600'000)}};
  out.coverage.declared.insert(SourceId{0});
  return out;
}

inline RunResult resultOf(const NightFacts& facts, const std::vector<Unit>& units, std::uint64_t plain) {
  RunResult out;
  out.asOf = facts.identity.asOf;
  out.units = units.size() + plain;
  out.classes[Class::Matched] = plain;
  for (const Unit& each : units) {
    ++out.classes[each.unitClass];
    if (groupOf(each.unitClass) == ClassGroup::Break) {
      ++out.breaks;
      ++out.breaksBySeverity[each.severity];
    }
    if (groupOf(each.unitClass) == ClassGroup::Open) ++out.open;
  }
  SourceReport jobs;
  jobs.name = "jobs";
  jobs.format = "generic.attempts";
  jobs.digest = "sha256:jobs";
  jobs.rows = jobs.recorded = units.size() + plain;
  jobs.from = at(1'775'000'000);
  FileReport file;
  file.path = "jobs.csv";
  file.digest = "sha256:jobs";
  file.bytes = 1234;
  file.covers = Interval{at(1'775'000'000), at(1'775'600'000)};
  jobs.files = {file};
  out.sources = {jobs};
  Finding finding;
  finding.code = "overlapping_execution";
  finding.subject = "queue payments";
  finding.count = 2;
  finding.severity = Severity::Medium;
  finding.seen = "2 of 5 overlap";
  finding.advice = "a visibility timeout of 100 s";
  finding.examples = {"charge:1", "with \"quotes\" and \\"};
  out.findings = {finding};
  ProofLine line;
  line.currency = usd();
  line.localMinor = 100;
  line.providerMinor = 90;
  line.steps[0] = -10;
  out.proof = {line};
  out.exposure = {Money{1500, usd()}};
  FindingsCollector::QueueState queue;
  queue.queue = "payments.dlq";
  queue.deadLetter = true;
  queue.kind = QueueKind::Dead;
  queue.samples = 3;
  queue.firstDepth = 2;
  queue.depth = 3;
  queue.oldest = std::chrono::hours(5);
  out.queues = {queue};
  return out;
}

/// Records 0..count-1 of both sides; every tenth has no effect and is a break, every tenth + 1 is expected.
inline Result<StoredRun> commitNight(Store& store, int day, std::uint64_t count, Executor& executor,
                                     std::uint64_t memoryBytes = 64u << 20, const std::string& prefix = "charge:") {
  NightWriter writer = store.beginNight(executor.threadCount(), memoryBytes);
  std::vector<Unit> listed;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (auto ok = writer.addRecord(attempt(i, prefix), 0); !ok) return fail(ok.error());
    if (i % 10 == 0) {
      listed.push_back(unit(i, Class::MissingEffect, Severity::High, prefix));
    } else if (i % 10 == 1) {
      listed.push_back(unit(i, Class::Expected, Severity::None, prefix));
    } else if (auto ok = writer.addRecord(effect(i, prefix), 0); !ok) {
      return fail(ok.error());
    }
  }
  std::sort(listed.begin(), listed.end(), outputBefore);
  Units units;
  units.units = listed;
  const NightFacts night = facts(day);
  return writer.commit(night, resultOf(night, listed, count - listed.size()), units,
                       [](const Unit& each) {
                         RawText raw;
                         raw.place = each.records.attempts.front().place;
                         raw.line = 7;
                         raw.path = "jobs.csv";
                         raw.text = "raw," + each.key;
                         return std::vector<RawText>{raw};
                       },
                       executor);
}

inline std::string dumpOf(const Store& store) {
  std::string out;
  const auto ok = store.dump([&](std::string_view line) -> Result<> {
    out += line;
    return {};
  });
  return ok ? out : "error: " + ok.error().message;
}

}  // namespace counterfoil::test
