// SPDX-License-Identifier: GPL-3.0-or-later
// Stores in memory for tests of reports: two nights of the sample outcome, or a night of texts that want to
// be more than text.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/store/store.h"
#include "tests/golden/sample_outcome.h"

namespace counterfoil::testing {

inline void giveIds(std::vector<Unit>& units) {
  for (Unit& unit : units) unit.id = sha256Hex(unit.key + unit.opRef).substr(0, 16);
  std::sort(units.begin(), units.end(), outputBefore);
}

inline Result<StoredRun> addNight(Store& store, const RunResult& result, std::vector<Unit> units, const std::string& config) {
  giveIds(units);
  Executor executor(1);
  NightWriter writer = store.beginNight(1, 8u << 20);
  NightFacts facts;
  facts.identity = {result.asOf, "sha256:config", "sha256:" + formatInstant(result.asOf)};
  facts.config = config;
  facts.program = "0.1.0";
  facts.coverage.bySource[SourceId{0}] = {{day(6, 0), day(8, 0)}};
  facts.coverage.bySource[SourceId{1}] = {{day(7, 0), day(8, 0)}};
  facts.coverage.declared = {SourceId{1}};
  const ListedUnits list(std::move(units));
  return writer.commit(facts, result, list, [](const Unit&) { return std::vector<RawText>(); }, executor);
}

inline Result<Store> sampleStore() {
  auto store = Store::openForRun(":memory:");
  if (!store) return store;
  std::vector<Unit> before = sampleUnits();
  before.erase(before.begin() + 5, before.end());   // fewer breaks than the night after
  RunResult first = sampleResult();
  first.asOf = day(7, 6);
  first.breaks = 5;
  first.open = 0;
  first.classes = {{Class::DuplicateEffect, 1}, {Class::LostAfterClaim, 1}, {Class::MissingEffect, 3}, {Class::Matched, 1000}};
  if (auto added = addNight(*store, first, before, "{\"name\": \"shop\"}"); !added) return fail(added.error());
  if (auto added = addNight(*store, sampleResult(), sampleUnits(), "{\"name\": \"shop\"}"); !added) return fail(added.error());
  return store;
}

/// What hostile files hold: markup, formulas, control and bidi characters, the end of everything quoted, an
/// invalid byte, what XML forbids.
inline const std::vector<std::string>& hostileTexts() {
  static const std::vector<std::string> texts = {
      "<script>alert(1)</script>",  "\"><img src=x onerror=alert(1)>", "=HYPERLINK(\"http://example.com\")",
      "@SUM(1+1)|cmd",              "\x1b[2Jcleared\x07\x01",           "abc\xE2\x80\xAE" "cba",
      "]]></failure><x/>",          "line\r\nbreak\ttab",               "| a | b |\n# head [x](javascript:1)",
      "bad\xFF\xC0utf8",            "end\xEF\xBF\xBF",                  "</style></title>' onload='x",
      "label=\"}\\\n value 1"};
  return texts;
}

inline Result<Store> hostileStore() {
  auto store = Store::openForRun(":memory:");
  if (!store) return store;
  std::vector<Unit> units;
  for (const std::string& text : hostileTexts()) {
    Unit unit = unitOf(Class::MissingEffect, Severity::High, text, {usd(100)}, text);
    unit.opRef = text;
    unit.scope = text;
    unit.operationName = text;
    Attempt attempt = attemptOf(text, text);
    attempt.queue = attempt.worker = attempt.error = text;
    attempt.start = day(7, 4);
    unit.records.attempts = {attempt};
    unit.records.skips.emplace_back();
    unit.records.skips.back().keyText = unit.records.skips.back().worker = text;
    unit.records.skips.back().time = day(7, 5);
    unit.skipVerdicts.push_back({SkipVerdict::Stranded, text, {}});
    unit.records.deadLetters.emplace_back();
    unit.records.deadLetters.back().messageId = unit.records.deadLetters.back().queue = unit.records.deadLetters.back().error = text;
    unit.deadLetterVerdicts.push_back({RedriveVerdict::Unsafe, text, {}});
    units.push_back(std::move(unit));
  }
  units.push_back(unitOf(Class::MissingEffect, Severity::High, std::string(1u << 20, 'x'), {usd(100)}, std::string(1u << 20, '<')));
  RunResult result = sampleResult();
  result.classes = {{Class::MissingEffect, units.size()}};
  result.breaks = result.units = units.size();
  result.open = 0;
  result.findings.clear();
  result.complete = false;
  result.quarantined.clear();
  for (const std::string& text : hostileTexts()) {
    Finding finding;
    finding.code = finding.subject = finding.seen = finding.advice = text;
    finding.examples = {text};
    result.findings.push_back(finding);
    QuarantinedRow row;
    row.file = row.column = row.value = row.rule = row.reason = row.raw = text;
    result.quarantined.push_back(row);
    result.incompleteBecause.push_back(text);
    result.queues.push_back(result.queues.front());
    result.queues.back().queue = text;
    SourceReport source = sourceOf(text, text, 1);
    source.digest = text;
    result.sources.push_back(source);
  }
  if (auto added = addNight(*store, result, units, hostileTexts().front() + "\n</pre>"); !added) return fail(added.error());
  return store;
}

}  // namespace counterfoil::testing
