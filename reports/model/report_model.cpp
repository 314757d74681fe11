// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/report_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/report_tiles.h"

namespace counterfoil {
namespace {

constexpr std::size_t kTrendMost = 60;

std::set<Class> classesOf(ClassGroup group) {
  std::set<Class> classes;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (groupOf(static_cast<Class>(i)) == group) classes.insert(static_cast<Class>(i));
  }
  return classes;
}

/// Of `marks`, the place of a run.
Result<std::size_t> placeOf(const std::vector<RunMark>& marks, RunNumber number) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].number == number) return i;
  }
  return fail(ErrorCode::Usage, fmt::format("the store has no run {}", number));
}

std::vector<RunMark> marksIn(const std::vector<RunMark>& marks, const Interval& period) {
  std::vector<RunMark> out;
  std::copy_if(marks.begin(), marks.end(), std::back_inserter(out),
               [&](const RunMark& mark) { return period.contains(mark.asOf); });
  return out;
}

Result<RunChange> changesOf(const Store& store, const std::vector<RunMark>& marks) {
  RunChange sum;
  for (const RunMark& mark : marks) {
    const auto change = runChange(store, mark.number);
    if (!change) return fail(change.error());
    sum.add(*change);
  }
  return sum;
}

QuarantinedRow masked(QuarantinedRow row, const Masker& masker) {
  row.value = masker.text(row.value);
  row.reason = masker.text(row.reason);
  if (!masker.isPlain()) row.raw.clear();
  return row;
}

FindingRow findingRow(Finding finding, const Words& words, const Masker& masker) {
  const CodeWords known = words.finding(finding.code);
  finding.subject = masker.text(finding.subject);
  finding.seen = masker.text(finding.seen);
  finding.advice = masker.text(finding.advice);
  for (std::string& example : finding.examples) example = masker.text(example);
  return {std::move(finding), std::string(known.label), std::string(known.explanation)};
}

}  // namespace

ReportModel::ReportModel(const Store& store, ReportRequest request, UnitWalk walk)
    : m_store(&store),
      m_request(std::move(request)),
      m_walk(std::move(walk)),
      m_words(m_request.language),
      m_masker(m_request.unmask ? Masker::Show::Plain : Masker::Show::Masked) {
  if (!m_walk) {
    m_walk = [](const Store& from, const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn) {
      return from.forEachUnit(filter, fn);
    };
  }
}

Result<ReportModel> ReportModel::load(const Store& store, const ReportRequest& request, UnitWalk walk) {
  ReportModel model(store, request, std::move(walk));
  ReportFacts& facts = model.m_facts;
  facts.kind = request.kind;
  facts.name = request.name;
  facts.language = request.language;
  facts.unmasked = request.unmask;
  Result<> loaded;
  switch (request.kind) {
    case ReportKind::Run: loaded = model.loadRunFacts(); break;
    case ReportKind::Period: loaded = model.loadPeriod(); break;
    case ReportKind::Case: loaded = model.loadCase(); break;
    case ReportKind::List: loaded = model.loadList(); break;
  }
  if (!loaded) return fail(loaded.error());
  facts.title = request.title.empty() ? titleOf(facts, model.m_words) : request.title;
  if (request.title.empty() && !model.m_units.empty()) facts.title += " " + model.m_units.front().unit.id;
  facts.tiles = tilesOf(facts, model.m_words);
  return model;
}

Result<> ReportModel::readRun(RunNumber number) {
  auto run = m_store->run(number);
  if (!run && run.error().code == ErrorCode::Missing) return fail(ErrorCode::Usage, run.error().message);
  if (!run) return fail(run.error());
  RunResult& result = run->result;
  m_facts.program = run->program;
  m_facts.run = number;
  m_facts.asOf = run->identity.asOf;
  m_facts.configuration = m_masker.text(run->config);
  m_facts.health = m_words.health(result);
  m_facts.complete = result.complete;
  for (const std::string& sentence : result.incompleteBecause) m_facts.incompleteBecause.push_back(m_masker.text(sentence));
  m_facts.units = result.units;
  m_facts.breaks = result.breaks;
  m_facts.open = result.open;
  m_facts.overdue = result.overdue;
  m_facts.unjudged = result.unjudged;
  m_facts.notListed = result.unitsNotListed;
  m_facts.exposure = result.exposure;
  m_facts.saved = result.saved;
  m_facts.skips = result.skips;
  m_facts.deadLetters = result.deadLetters;
  m_facts.proof = result.proof;
  m_facts.keys = result.keys;
  for (Finding& finding : result.findings) m_facts.findings.push_back(findingRow(std::move(finding), m_words, m_masker));
  maskExamples();
  for (QuarantinedRow& row : result.quarantined) m_facts.quarantined.push_back(masked(std::move(row), m_masker));
  for (const auto& queue : result.queues) m_facts.queues.push_back(queueLineOf(queue));
  const auto worst = m_store->worstOf(number);
  if (!worst) return fail(worst.error());
  m_facts.classes = classRowsOf(result, *worst, m_words);
  m_facts.sources = std::move(result.sources);
  for (const SourceReport& source : m_facts.sources) {
    m_facts.quarantinedCount += source.quarantined;
    m_sourceNames.push_back(source.name);
  }
  const auto coverage = m_store->coverageOf(number);
  if (!coverage) return fail(coverage.error());
  m_facts.coverage = coverageRowsOf(*coverage, m_sourceNames);
  // What stands is known of today only: of an older run it would be what later nights found.
  const auto last = m_store->lastRun();
  if (!last) return fail(last.error());
  if (*last != number) return {};
  const auto earlier = m_store->breaksNotSeenBy(number);
  if (!earlier) return fail(earlier.error());
  m_facts.earlierBreaks = *earlier;
  return {};
}

Result<> ReportModel::fillTrend(const std::vector<RunMark>& marks) {
  const std::size_t first = marks.size() > kTrendMost ? marks.size() - kTrendMost : 0;
  for (std::size_t i = first; i < marks.size(); ++i) {
    auto counts = runCounts(*m_store, marks[i].number);
    if (!counts) return fail(counts.error());
    m_facts.trend.push_back(std::move(*counts));
  }
  return {};
}

Result<> ReportModel::compare(const std::vector<RunMark>& marks) {
  auto change = runChange(*m_store, marks.back().number);
  if (!change) return fail(change.error());
  m_facts.change = *change;
  if (marks.size() < 2) return {};
  Comparison comparison;
  auto before = runCounts(*m_store, marks[marks.size() - 2].number);
  if (!before) return fail(before.error());
  auto now = runCounts(*m_store, marks.back().number);
  if (!now) return fail(now.error());
  comparison.before = std::move(*before);
  comparison.now = std::move(*now);
  comparison.change = std::move(*change);
  fillBefore(comparison.before, m_facts.classes, m_words);
  m_facts.comparison = std::move(comparison);
  return {};
}

Result<> ReportModel::loadRunFacts() {
  auto marks = runMarks(*m_store);
  if (!marks) return fail(marks.error());
  if (marks->empty()) return fail(ErrorCode::Usage, "the store has no run yet");
  if (!m_request.run) {   // the newest by number, as in the lists
    m_request.run = std::max_element(marks->begin(), marks->end(), [](const RunMark& a, const RunMark& b) {
                      return a.number < b.number;
                    })->number;
  }
  const auto place = placeOf(*marks, *m_request.run);
  if (!place) return fail(place.error());
  marks->resize(*place + 1);
  m_facts.runs = {marks->back()};
  if (auto ok = readRun(*m_request.run); !ok) return ok;
  if (auto ok = fillTrend(*marks); !ok) return ok;
  return compare(*marks);
}

Result<> ReportModel::loadPeriod() {
  const auto marks = runMarks(*m_store);
  if (!marks) return fail(marks.error());
  if (marks->empty()) return fail(ErrorCode::Usage, "the store has no run yet");
  const Instant end = m_request.until.value_or(marks->back().asOf + Duration(1));
  const Interval period{m_request.since.value_or(marks->front().asOf), end};
  const std::vector<RunMark> covered = marksIn(*marks, period);
  if (covered.empty()) {
    return fail(ErrorCode::Usage, fmt::format("no run has its as-of from {} on and before {}", formatInstant(period.from),
                                              formatInstant(period.to)));
  }
  m_facts.period = period;
  m_facts.runs = covered;
  m_request.run = covered.back().number;
  if (auto ok = readRun(covered.back().number); !ok) return ok;
  if (auto ok = fillTrend(covered); !ok) return ok;
  auto change = changesOf(*m_store, covered);
  if (!change) return fail(change.error());
  m_facts.change = *change;
  Comparison comparison;
  comparison.ofPeriods = true;
  comparison.change = std::move(*change);
  comparison.runs = covered.size();
  comparison.now = m_facts.trend.back();
  const std::vector<RunMark> before = marksIn(*marks, {period.from - (period.to - period.from), period.from});
  comparison.runsBefore = before.size();
  if (!before.empty()) {
    auto counts = runCounts(*m_store, before.back().number);
    auto changeBefore = changesOf(*m_store, before);
    if (!counts) return fail(counts.error());
    if (!changeBefore) return fail(changeBefore.error());
    comparison.before = std::move(*counts);
    comparison.changeBefore = std::move(*changeBefore);
    fillBefore(comparison.before, m_facts.classes, m_words);
  }
  m_facts.comparison = std::move(comparison);
  return {};
}

Result<> ReportModel::loadCase() {
  auto units = m_store->findUnits(m_request.caseId);
  if (!units) return fail(units.error());
  if (units->empty()) {
    return fail(ErrorCode::Usage, fmt::format("no case of the store has the id, key or other id '{}'", m_request.caseId));
  }
  constexpr std::size_t most = 50;
  if (units->size() > most) units->resize(most);
  m_units = std::move(*units);
  if (auto ok = readRun(m_units.front().run); !ok) return ok;
  m_facts.runs = {{m_facts.run, m_facts.asOf}};
  m_facts.health.clear();
  m_request.detailsTotal = most;
  m_request.detailsPerClass = most;
  return countListed();
}

Result<> ReportModel::loadList() {
  const auto last = m_store->lastRun();
  if (!last) return fail(last.error());
  if (!*last) return fail(ErrorCode::Usage, "the store has no run yet");
  if (auto ok = readRun(m_request.filter.run.value_or(**last)); !ok) return ok;
  m_facts.runs = {{m_facts.run, m_facts.asOf}};
  m_facts.health.clear();
  return countListed();
}

Result<> ReportModel::countListed() {
  m_facts.classes.clear();
  m_facts.units = m_facts.breaks = m_facts.open = m_facts.overdue = 0;
  ListingCounts counts;
  auto ok = forEachCase(CaseSet::Listed, [&](const ReportCase& line) { return counts.add(line); });
  if (!ok) return ok;
  m_facts.units = counts.units;
  m_facts.breaks = counts.breaks;
  m_facts.open = counts.open;
  m_facts.overdue = counts.overdue;
  m_facts.exposure = counts.exposure.values();
  m_facts.classes = counts.rows(m_words);
  m_facts.earlierBreaks = 0;
  return {};
}

ListFilter ReportModel::filterFor(CaseSet set) const {
  ListFilter filter = m_request.filter;
  if (m_request.kind == ReportKind::Run || m_request.kind == ReportKind::Period) filter.run = m_request.run;
  if (set == CaseSet::Earlier) {
    filter.run.reset();
    filter.detail = Detail::BreaksAndOpen;
    filter.classes.clear();
  } else if (filter.run && filter.classes.empty() && set != CaseSet::Listed) {
    filter.classes = classesOf(set == CaseSet::Breaks ? ClassGroup::Break : ClassGroup::Open);
  }
  return filter;
}

Result<> ReportModel::forEachCase(CaseSet set, const std::function<Result<>(const ReportCase&)>& fn) const {
  std::map<Class, std::size_t> detailed;
  std::size_t total = 0;
  Result<> result;
  const auto visit = [&](const StoredUnit& stored) {
    const ClassGroup group = groupOf(stored.unit.unitClass);
    if (set == CaseSet::Breaks && group != ClassGroup::Break) return true;
    if (set == CaseSet::Open && group != ClassGroup::Open) return true;
    if (set == CaseSet::Earlier && (group != ClassGroup::Break || stored.run == m_facts.run || isDecided(stored.state))) return true;
    CaseContext context{m_words, m_masker, m_sourceNames, {}, false};
    if (stored.state != ReviewState::Open || !stored.assignee.empty()) {
      auto decisions = m_store->decisionsOf(stored.unit.id);
      if (!decisions) {
        result = fail(decisions.error());
        return false;
      }
      context.decisions = std::move(*decisions);
    }
    std::size_t& ofClass = detailed[stored.unit.unitClass];
    if (ofClass < m_request.detailsPerClass && total < m_request.detailsTotal) {
      ++ofClass;
      ++total;
      context.detailed = true;
    }
    result = fn(reportCaseOf(stored, std::move(context)));
    return result.has_value();
  };
  if (set == CaseSet::Earlier && m_facts.earlierBreaks == 0) return {};
  if (m_request.kind == ReportKind::Case) {
    for (const StoredUnit& unit : m_units) {
      if (!visit(unit)) break;
    }
    return result;
  }
  ListFilter filter = filterFor(set);
  filter.withRaw = true;
  const auto walked = m_walk(*m_store, filter, visit);
  return walked ? result : walked;
}

/// A key may hold a customer: the unit of the row knows which text that is.
std::set<std::string> ReportModel::customersOfCase(const CaseId& caseId) const {
  if (m_masker.isPlain() || caseId.empty()) return {};
  const auto unit = m_store->unitOf(m_facts.run, caseId, false);
  return unit && *unit ? customersOf((*unit)->unit.records) : std::set<std::string>();
}

bool ReportModel::isShown(const CaseId& caseId) const {
  return m_request.kind != ReportKind::Case ||
         std::any_of(m_units.begin(), m_units.end(), [&](const StoredUnit& unit) { return unit.unit.id == caseId; });
}

void ReportModel::maskExamples() {
  if (m_masker.isPlain()) return;
  std::size_t looks = 0;
  constexpr std::size_t most = 200;
  for (FindingRow& row : m_facts.findings) {
    for (std::string& example : row.finding.examples) {
      if (++looks > most) return;
      const auto units = m_store->findUnits(example);
      if (!units) continue;
      for (const StoredUnit& unit : *units) example = m_masker.text(example, customersOf(unit.unit.records));
    }
  }
}

Result<> ReportModel::forEachSkip(const std::set<SkipVerdict>& verdicts, const std::function<Result<>(const SkipRow&)>& fn) const {
  if (m_request.kind == ReportKind::List && m_request.filter.key.empty() && m_request.filter.operation.empty()) return {};
  ListFilter filter;
  filter.run = m_facts.run;
  filter.key = m_request.filter.key;
  filter.operation = m_request.filter.operation;
  for (const SkipVerdict verdict : verdicts) filter.codes.insert(std::string(codeOf(verdict)));
  Result<> result;
  const auto walked = m_store->forEachSkip(filter, [&](const SkipRow& row) {
    if (!isShown(row.caseId)) return true;
    SkipRow shown = row;
    const std::set<std::string> customers = customersOfCase(row.caseId);
    shown.key = m_masker.text(row.key, customers);
    shown.reason = m_masker.text(row.reason, customers);
    result = fn(shown);
    return result.has_value();
  });
  return walked ? result : walked;
}

Result<> ReportModel::forEachDeadLetter(const std::set<RedriveVerdict>& verdicts,
                                        const std::function<Result<>(const DeadLetterRow&)>& fn) const {
  if (m_request.kind == ReportKind::List && m_request.filter.key.empty() && m_request.filter.operation.empty()) return {};
  ListFilter filter;
  filter.run = m_facts.run;
  filter.key = m_request.filter.key;
  filter.operation = m_request.filter.operation;
  for (const RedriveVerdict verdict : verdicts) filter.codes.insert(std::string(codeOf(verdict)));
  Result<> result;
  const auto walked = m_store->forEachDeadLetter(filter, [&](const DeadLetterRow& row) {
    if (!isShown(row.caseId)) return true;
    DeadLetterRow shown = row;
    const std::set<std::string> customers = customersOfCase(row.caseId);
    shown.key = m_masker.text(row.key, customers);
    shown.error = m_masker.text(row.error, customers);
    shown.reason = m_masker.text(row.reason, customers);
    result = fn(shown);
    return result.has_value();
  });
  return walked ? result : walked;
}

}  // namespace counterfoil
