// SPDX-License-Identifier: GPL-3.0-or-later
// A night that is run through the engine, and the same night judged in one piece as the measure.
#pragma once

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/judge/judge.h"
#include "core/run/unit_codec.h"
#include "core/run/verdicts.h"
#include "tests/core/support/night.h"
#include "tests/core/support_run/memory_input.h"

namespace counterfoil::testing {

struct EngineSettings {
  unsigned threads = 1;
  std::uint64_t memoryBytes = 1ull << 30;
  Detail detail = Detail::All;
  unsigned shuffle = 0;      ///< 0: as given
};

/// What a run came to, as text: equal runs give equal texts.
struct EngineRun {
  RunResult result;
  std::vector<std::string> units;   ///< one line a unit, in order of the list
  std::vector<Unit> whole;          ///< the same units
  std::size_t fetched = 0;
  std::uint64_t spilled = 0;
  std::size_t openStreams = 0;      ///< after the list is gone
};

inline std::string moneyLine(const std::vector<Money>& values) {
  std::string text;
  for (const Money& money : values) text += " " + std::to_string(money.minor) + money.currency.text();
  return text;
}

/// Everything that a list shows of a unit; places are left out (they follow the order of rows).
inline std::string lineOf(const Unit& unit) {
  std::string line = std::string(codeOf(unit.unitClass)) + "|" + unit.key + "|" + unit.scope + "|" + unit.id + "|" +
                     unit.operationName + "|" + unit.opRef + "|" + unit.mark + "|" + std::string(codeOf(unit.why)) + "|";
  for (Flag flag : unit.flags) line += std::string(codeOf(flag)) + " ";
  line += "|";
  for (Hint hint : unit.hints) line += std::string(codeOf(hint)) + " ";
  line += "|" + std::string(codeOf(unit.severity)) + "|" + moneyLine(unit.exposure) + "|" + unit.reason + "|";
  for (const std::string& candidate : unit.candidates) line += candidate + " ";
  line += "+" + std::to_string(unit.moreCandidates) + "|";
  std::vector<std::string> ids;
  for (const Attempt& attempt : unit.records.attempts) ids.push_back("a:" + attempt.jobId);
  for (const Effect& effect : unit.records.effects) ids.push_back("e:" + effect.effectId);
  for (const Skip& skip : unit.records.skips) ids.push_back("s:" + skip.jobId);
  for (const DeadLetter& letter : unit.records.deadLetters) ids.push_back("d:" + letter.messageId);
  for (const Intent& intent : unit.records.intents) ids.push_back("i:" + intent.id);
  for (const JudgedSkip& skip : unit.skipVerdicts) ids.push_back("v:" + std::string(codeOf(skip.verdict)));
  for (const JudgedDeadLetter& letter : unit.deadLetterVerdicts) ids.push_back("r:" + std::string(codeOf(letter.verdict)));
  std::sort(ids.begin(), ids.end());
  for (const std::string& id : ids) line += id + " ";
  return line;
}

struct EngineNight : Night {
  std::vector<SourceId> files = {kJobs, kStatement, kSkips, kClaims, kIntents, kOutbox, kDeadLetters, kSecondStatement};
  std::vector<AnyRecord> all;
  RunOptions options;
  std::function<void(MemoryInput&)> prepare;

  EngineNight() {
    options.asOf = asOf;
    for (SourceId source : files) {
      cover(source, -24h, 48h);
      coverage.declared.insert(source);
    }
    for (const SourceProfile& source : policy.sources) options.mayBeEmpty.push_back(source.name);
  }

  template <class... Kinds>
  EngineNight& add(const Build<Kinds>&... added) {
    (all.push_back(AnyRecord(added.record())), ...);
    return *this;
  }

  [[nodiscard]] Result<EngineRun> tryRun(const EngineSettings& settings = {}) const {
    MemoryInput input;
    input.sourceOfFile = files;
    std::vector<AnyRecord> records = all;
    if (settings.shuffle != 0) {
      std::mt19937 random(settings.shuffle);
      std::shuffle(records.begin(), records.end(), random);
    }
    input.setRecords(std::move(records));
    if (prepare) prepare(input);
    RunOptions how = options;
    how.asOf = asOf;
    how.memoryBytes = settings.memoryBytes;
    how.detail = settings.detail;
    how.declaredCoverage = coverage.bySource;
    how.earlier = &earlier;
    Executor executor(settings.threads);
    MemorySpill spill;
    EngineRun run;
    {
      auto outcome = runEngine(input, policy, how, executor, spill);
      if (!outcome) return fail(outcome.error());
      auto read = outcome->units->forEach([&](const Unit& unit) {
        run.units.push_back(lineOf(unit));
        run.whole.push_back(unit);
        return true;
      });
      if (!read) return fail(read.error());
      if (outcome->units->size() != run.units.size()) return fail(ErrorCode::Internal, "size of the list");
      run.result = std::move(outcome->result);
    }
    run.fetched = input.fetched;
    run.spilled = spill.writtenBytes();
    run.openStreams = spill.openStreams();
    return run;
  }

  [[nodiscard]] EngineRun run(const EngineSettings& settings = {}) const {
    auto done = tryRun(settings);
    if (!done) throw std::runtime_error(done.error().message);
    return std::move(*done);
  }

  /// All records before the judge in one piece.
  [[nodiscard]] std::vector<Unit> judgedInOnePiece() const {
    Records together;
    for (const AnyRecord& record : all) {
      if (headOf(record) != nullptr) together.add(AnyRecord(record));
    }
    RunKnowledge knowledge;
    for (const AnyRecord& record : all) {
      const RecordHead* head = headOf(record);
      if (head != nullptr && head->keyDamaged) knowledge.damagedSources.insert(head->place.source);
    }
    Coverage declared = coverage;
    for (const auto& [source, intervals] : coverage.bySource) declared.declared.insert(source);
    JudgeContext whole{policy, declared, asOf, &earlier, &knowledge};
    Judgement judgement = judge(std::move(together), whole);
    std::vector<Unit*> waiting;
    for (Unit& unit : judgement.units) {
      if (wantsSuggestions(unit, policy)) waiting.push_back(&unit);
    }
    suggestMatches(waiting, whole);
    std::sort(judgement.units.begin(), judgement.units.end(), outputBefore);
    return std::move(judgement.units);
  }
  [[nodiscard]] std::vector<std::string> linesInOnePiece(Detail detail = Detail::All) const {
    std::vector<std::string> lines;
    for (const Unit& unit : judgedInOnePiece()) {
      if (isListed(unit, detail)) lines.push_back(lineOf(unit));
    }
    return lines;
  }
};

/// The first lines that differ, so that a failure can be read.
inline QString difference(const std::vector<std::string>& got, const std::vector<std::string>& expected) {
  for (std::size_t i = 0; i < std::max(got.size(), expected.size()); ++i) {
    const std::string a = i < got.size() ? got[i] : "(end)";
    const std::string b = i < expected.size() ? expected[i] : "(end)";
    if (a != b) return QString("line %1\n  got      %2\n  expected %3").arg(i).arg(QString::fromStdString(a), QString::fromStdString(b));
  }
  return {};
}

/// The counts and sums of a result as one text.
inline std::string textOf(const RunResult& result) {
  std::string text = std::to_string(result.units) + " " + std::to_string(result.breaks) + " " +
                     std::to_string(result.open) + " " + std::to_string(result.overdue) + " " +
                     std::to_string(result.unjudged) + " " + (result.complete ? "complete" : "incomplete") + "\n";
  for (const std::string& reason : result.incompleteBecause) text += "! " + reason + "\n";
  for (const auto& [unitClass, count] : result.classes) text += std::string(codeOf(unitClass)) + " " + std::to_string(count) + "\n";
  for (const auto& [unitClass, sums] : result.exposureByClass) {
    for (const auto& [currency, minor] : sums) text += std::string(codeOf(unitClass)) + " " + std::to_string(minor) + currency.text() + "\n";
  }
  text += "exposure" + moneyLine(result.exposure) + "\nsaved" + moneyLine(result.saved) + "\n";
  for (const auto& [severity, count] : result.breaksBySeverity) text += std::string(codeOf(severity)) + " " + std::to_string(count) + "\n";
  for (const auto& [verdict, count] : result.skips) text += std::string(codeOf(verdict)) + " " + std::to_string(count) + "\n";
  for (const auto& [verdict, count] : result.deadLetters) text += std::string(codeOf(verdict)) + " " + std::to_string(count) + "\n";
  for (const Finding& finding : result.findings) {
    text += finding.code + " " + finding.subject + " " + std::to_string(finding.count) + " " + finding.seen;
    for (const std::string& example : finding.examples) text += " " + example;
    text += "\n";
  }
  for (const ProofLine& line : result.proof) {
    text += line.scope + " " + line.currency.text() + " " + std::string(codeOf(line.kind)) + " " +
            std::to_string(line.localMinor) + " " + std::to_string(line.providerMinor) + " " +
            std::to_string(line.unexplainedMinor);
    for (std::int64_t step : line.steps) text += " " + std::to_string(step);
    text += "\n";
  }
  for (const SourceReport& source : result.sources) {
    text += source.name + " " + std::to_string(source.rows) + " " + std::to_string(source.recorded) + " " +
            std::to_string(source.repeated) + "\n";
  }
  text += std::to_string(result.keys.localKeys) + " " + std::to_string(result.keys.providerKeys) + " " +
          std::to_string(result.keys.meeting) + " " + result.keys.betterColumn + "\n";
  return text;
}

}  // namespace counterfoil::testing
