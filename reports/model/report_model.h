// SPDX-License-Identifier: GPL-3.0-or-later
// What a report says, as plain values over a store: read by every writer (HTML, XLSX, PDF, CSV …). Texts are
// in the language asked for and personal data in them is masked, but nothing is escaped: files are hostile,
// each writer makes texts harmless for its format. Lists that may be long (cases, skips, dead letters) are
// streamed. A model reads the store whenever it is asked and lives no longer than it. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/store/run_change.h"
#include "core/store/store.h"
#include "reports/list/lines.h"
#include "reports/model/masking.h"
#include "reports/model/report_case.h"
#include "reports/model/words.h"

namespace counterfoil {

enum class ReportKind : std::uint8_t { Run, Period, Case, List };

struct ReportRequest {
  /// Run: one run, the newest if none is named. Period: the runs with an as-of from `since` on, before
  /// `until`. Case: one unit by case id, key or other id. List: what stands under a filter.
  ReportKind kind = ReportKind::Run;
  std::optional<RunNumber> run;
  std::optional<Instant> since, until;
  std::string caseId;
  ListFilter filter;                ///< which cases are listed; `run` and `since` above are not looked for here
  Language language = Language::English;
  bool unmask = false;
  std::string name;                 ///< of the configuration ("shop"), for titles and file names
  std::string title;                ///< blank: made from the kind
  std::size_t detailsPerClass = 20; ///< so many cases of a class come with their time line
  std::size_t detailsTotal = 200;
};

/// How a value stands: there, none of it (0 and known), nothing was read that could tell, or failed.
enum class ValueState : std::uint8_t { Value, None, NoData, Error };
enum class Tone : std::uint8_t { Neutral, Good, Warning, Bad };

struct ReportTile {
  std::string_view id;       ///< "breaks", "open", "exposure" …
  std::string label, value, detail;
  ValueState state = ValueState::Value;
  Tone tone = Tone::Neutral;
};

struct ClassRow {
  Class unitClass{};
  ClassGroup group{};
  std::string label;
  Severity worst = Severity::None;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> before;   ///< in the run or period before
  std::vector<Money> exposure;
};

struct Comparison {
  bool ofPeriods = false;
  RunCounts before, now;                 ///< at the end of each
  RunChange change;                      ///< of this run or period
  std::optional<RunChange> changeBefore; ///< of the period before
  std::size_t runs = 1, runsBefore = 1;
};

struct FindingRow {
  Finding finding;           ///< texts masked; seen and advice are those of the run, in English
  std::string label, explanation;
};

struct CoverageRow {
  std::string source;
  std::vector<Interval> intervals;
  bool declared = false;
};

struct ReportFacts {
  ReportKind kind = ReportKind::Run;
  std::string title, name, program;
  Language language = Language::English;
  bool unmasked = false;
  RunNumber run = 0;                     ///< the run shown; of a period its last
  Instant asOf{};
  std::vector<RunMark> runs;             ///< those covered, oldest first
  std::optional<Interval> period;
  bool complete = true;
  std::vector<std::string> incompleteBecause;
  std::string health;                    ///< the sentence at the top; blank for lists and cases
  std::vector<ReportTile> tiles;
  std::uint64_t units = 0, breaks = 0, open = 0, overdue = 0, unjudged = 0, notListed = 0;
  std::vector<Money> exposure, saved;
  std::map<SkipVerdict, std::uint64_t> skips;
  std::map<RedriveVerdict, std::uint64_t> deadLetters;
  std::vector<ClassRow> classes;         ///< in decision order, without those of no unit
  std::vector<RunCounts> trend;          ///< oldest first, the run shown last
  RunChange change;                      ///< of the run or period shown
  std::optional<Comparison> comparison;
  std::vector<ProofLine> proof;
  std::vector<FindingRow> findings;
  KeyMeeting keys;
  std::vector<CoverageRow> coverage;
  std::vector<SourceReport> sources;
  std::vector<QuarantinedRow> quarantined;   ///< at most 1000; `raw` is blank unless unmasked
  std::uint64_t quarantinedCount = 0;
  std::vector<QueueLine> queues;
  std::uint64_t earlierBreaks = 0;       ///< of other nights, standing: CaseSet::Earlier
  std::string configuration;             ///< as it was read
};

/// Which cases: those the report is about, by group, or breaks of other nights that still stand.
enum class CaseSet : std::uint8_t { Listed, Breaks, Open, Earlier };

/// Store::forEachUnit, or one that also knows plain operations.
using UnitWalk = std::function<Result<>(const Store&, const ListFilter&, const std::function<bool(const StoredUnit&)>&)>;

class ReportModel {
 public:
  /// Errors: Usage (no run, none in the period, no such case), and those of the store.
  static Result<ReportModel> load(const Store& store, const ReportRequest& request, UnitWalk walk = {});

  [[nodiscard]] const ReportFacts& facts() const { return m_facts; }
  [[nodiscard]] const Words& words() const { return m_words; }
  [[nodiscard]] const ReportRequest& request() const { return m_request; }

  /// In output order (or the filter's); an Error of fn stops and comes back.
  Result<> forEachCase(CaseSet set, const std::function<Result<>(const ReportCase&)>& fn) const;
  /// Of the run shown (of a case: its own; of a list none, unless it is one key's or operation's). Empty `verdicts`: all.
  Result<> forEachSkip(const std::set<SkipVerdict>& verdicts, const std::function<Result<>(const SkipRow&)>& fn) const;
  Result<> forEachDeadLetter(const std::set<RedriveVerdict>& verdicts,
                             const std::function<Result<>(const DeadLetterRow&)>& fn) const;

 private:
  ReportModel(const Store& store, ReportRequest request, UnitWalk walk);
  Result<> loadRunFacts();
  Result<> loadPeriod();
  Result<> loadCase();
  Result<> loadList();
  Result<> readRun(RunNumber number);
  Result<> compare(const std::vector<RunMark>& marks);
  Result<> fillTrend(const std::vector<RunMark>& marks);
  Result<> countListed();
  [[nodiscard]] ListFilter filterFor(CaseSet set) const;
  [[nodiscard]] std::set<std::string> customersOfCase(const CaseId& caseId) const;
  [[nodiscard]] bool isShown(const CaseId& caseId) const;
  void maskExamples();

  const Store* m_store;
  ReportRequest m_request;
  UnitWalk m_walk;
  Words m_words;
  Masker m_masker;
  ReportFacts m_facts;
  std::vector<std::string> m_sourceNames;
  std::vector<StoredUnit> m_units;       ///< of a case: the one, or those under its key
};

}  // namespace counterfoil
