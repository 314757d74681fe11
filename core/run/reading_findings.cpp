// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/reading_findings.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/run/scan.h"
#include "core/run/statement_findings.h"

namespace counterfoil {

namespace {

using Sums = std::map<Currency, __int128>;

std::string nameOf(const NightState& night, SourceId source) {
  const auto& sources = night.policy.sources;
  return source.value < sources.size() ? sources[source.value].name : fmt::format("#{}", source.value);
}

std::string subjectOf(const NightState& night, SourceId source) { return "source " + nameOf(night, source); }

std::string moneyText(__int128 minor, Currency currency) {
  const bool isNegative = minor < 0;
  __int128 rest = isNegative ? -minor : minor;
  std::string digits;
  for (; rest > 0; rest /= 10) digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  const auto decimals = static_cast<std::size_t>(currency.exponent());
  while (digits.size() <= decimals) digits.insert(digits.begin(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, ".");
  return currency.text() + " " + (isNegative ? "-" : "") + digits;
}

__int128 at(const Sums& sums, Currency currency) {
  const auto found = sums.find(currency);
  return found == sums.end() ? __int128{0} : found->second;
}

std::vector<const FileReport*> filesOf(const NightState& night, SourceId source) {
  std::vector<const FileReport*> files;
  for (const FileReport& report : night.scan.reports) {
    if (report.source == source) files.push_back(&report);
  }
  return files;
}

/// A source's declared count and totals against what its rows came to; a repeat counts once.
class ControlTotals {
 public:
  ControlTotals(const NightState& night, const Verdicts& verdicts, FindingsCollector& findings)
      : m_night(night), m_verdicts(verdicts), m_findings(findings) {}

  void check(const RunOptions::Declared& declared) {
    std::uint64_t rows = 0;
    Sums basis;
    for (const FileReport* file : filesOf(m_night, declared.source)) {
      rows += file->dataRows;
      for (const Money& money : file->declaredBasis) basis[money.currency] += money.minor;
    }
    const auto repeats = m_verdicts.repeats().find(declared.source);
    const std::uint64_t repeated = repeats == m_verdicts.repeats().end() ? 0 : repeats->second;
    if (declared.count && *declared.count != rows - std::min(rows, repeated)) {
      tell(declared.source, fmt::format("declared {} rows, read {}", *declared.count, rows - std::min(rows, repeated)));
    }
    for (const Money& total : declared.totals) checkTotal(declared.source, total, at(basis, total.currency));
  }

 private:
  void checkTotal(SourceId source, const Money& declared, __int128 read) {
    RepeatedMoney repeated;
    const auto found = m_verdicts.repeatedMoney().find(source);
    if (found != m_verdicts.repeatedMoney().end()) repeated = found->second;
    const __int128 forward = at(repeated.forward, declared.currency);
    const __int128 other = at(repeated.other, declared.currency);
    // Records carry no sign: a file that writes refunds below zero took them off its sum.
    const bool closes = read - forward - other == declared.minor || read - forward + other == declared.minor;
    if (closes) return;
    tell(source, fmt::format("declared {}, the rows come to {}", moneyText(declared.minor, declared.currency),
                             moneyText(read - forward - other, declared.currency)));
  }

  void tell(SourceId source, std::string seen) {
    Finding finding;
    finding.code = "control_total_break";
    finding.subject = subjectOf(m_night, source);
    finding.count = 1;
    finding.severity = Severity::High;
    finding.seen = std::move(seen) + ".";
    finding.advice = "Ask for the file again or compare it with its sender: rows are missing or were added.";
    m_findings.addFinding(std::move(finding));
  }

  const NightState& m_night;
  const Verdicts& m_verdicts;
  FindingsCollector& m_findings;
};

/// Files that cover a stretch each (a date in the path): what lies between two of them, or of the declared
/// coverage outside all of them, is missing.
void findCoverageGaps(const NightState& night, SourceId source, FindingsCollector& findings) {
  std::vector<Interval> covered;
  for (const FileReport* file : filesOf(night, source)) {
    if (file->covers) covered.push_back(*file->covers);
  }
  if (covered.empty()) return;
  std::sort(covered.begin(), covered.end(),
            [](const Interval& a, const Interval& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  std::vector<Interval> gaps;
  Instant reached = covered.front().from;
  const auto declared = night.options.declaredCoverage.find(source);
  if (declared != night.options.declaredCoverage.end() && !declared->second.empty()) {
    reached = std::min(reached, declared->second.front().from);
    covered.push_back({declared->second.back().to, declared->second.back().to});
  }
  for (const Interval& interval : covered) {
    if (interval.from > reached) gaps.push_back({reached, interval.from});
    reached = std::max(reached, interval.to);
  }
  if (gaps.empty()) return;
  Finding finding;
  finding.code = "coverage_gap";
  finding.subject = subjectOf(night, source);
  finding.count = static_cast<std::int64_t>(gaps.size());
  finding.severity = Severity::High;
  finding.seen = fmt::format("no file covers {} to {}.", formatInstant(gaps.front().from), formatInstant(gaps.front().to));
  finding.advice = "Fetch the missing file; what falls into the gap cannot be judged.";
  for (const Interval& gap : gaps) {
    if (finding.examples.size() == night.policy.thresholds.maxExamples) break;
    finding.examples.push_back(formatInstant(gap.from) + "/" + formatInstant(gap.to));
  }
  findings.addFinding(std::move(finding));
}

void findStale(const NightState& night, const RunOptions::MustReach& wanted, FindingsCollector& findings) {
  std::optional<Instant> reached;
  for (const FileReport* file : filesOf(night, wanted.source)) {
    if (file->to && (!reached || *file->to > *reached)) reached = file->to;
    if (file->covers && (!reached || file->covers->to > *reached)) reached = file->covers->to;
  }
  const auto declared = night.options.declaredCoverage.find(wanted.source);
  if (declared != night.options.declaredCoverage.end()) {
    for (const Interval& interval : declared->second) {
      if (!reached || interval.to > *reached) reached = interval.to;
    }
  }
  if (reached && *reached >= wanted.at) return;
  Finding finding;
  finding.code = "stale_source";
  finding.subject = subjectOf(night, wanted.source);
  finding.count = 1;
  finding.severity = Severity::High;
  finding.seen = reached ? fmt::format("it reaches {}, but has to reach {}.", formatInstant(*reached), formatInstant(wanted.at))
                         : fmt::format("it has no record, but has to reach {}.", formatInstant(wanted.at));
  finding.advice = "Look whether the export of this source still runs.";
  findings.addFinding(std::move(finding));
}

void findDuplicateStatements(const NightState& night, SourceId source, FindingsCollector& findings) {
  Finding finding;
  for (const FileReport* file : filesOf(night, source)) {
    if (file->repeated == 0) continue;
    ++finding.count;
    finding.examples.push_back(file->path);
  }
  if (finding.count == 0) return;
  finding.code = "duplicate_statement";
  finding.subject = subjectOf(night, source);
  finding.severity = Severity::Low;
  finding.seen = finding.count == 1 ? "1 file has the content of another one and was counted once."
                                    : fmt::format("{} files have the content of another one and were counted once.", finding.count);
  finding.advice = "Look why the same export came again; nothing was counted twice.";
  std::sort(finding.examples.begin(), finding.examples.end());
  if (finding.examples.size() > night.policy.thresholds.maxExamples) {
    finding.examples.resize(night.policy.thresholds.maxExamples);
  }
  findings.addFinding(std::move(finding));
}

void reasonsOfSource(const NightState& night, SourceId source, std::vector<std::string>& reasons) {
  const SourceProfile& profile = night.policy.sources[source.value];
  bool hasProblem = false;
  for (const InputProblem& problem : night.scan.problems) {
    if (problem.source != source) continue;
    reasons.push_back("source " + profile.name + ": " + problem.error.message);
    hasProblem = true;
  }
  const auto files = filesOf(night, source);
  const auto& mayBeEmpty = night.options.mayBeEmpty;
  const bool isEmptyAllowed = std::find(mayBeEmpty.begin(), mayBeEmpty.end(), profile.name) != mayBeEmpty.end();
  if (files.empty()) {
    if (!hasProblem && !isEmptyAllowed) reasons.push_back("source " + profile.name + " has no file");
    return;
  }
  std::uint64_t rows = 0, bytes = 0;
  for (const FileReport* file : files) {
    if (!file->complete) reasons.push_back("source " + profile.name + ": " + file->path + ": " + file->problem);
    rows += file->recorded + file->repeated;
    bytes += file->bytes;
  }
  if (profile.snapshot && bytes == 0 && !isEmptyAllowed) {
    reasons.push_back("source " + profile.name + " is an empty file: its export wrote nothing, not even that nothing waits; say \"may_be_empty\": true if that is right");
  }
  if (rows == 0 && mustHaveRows(profile, mayBeEmpty)) {
    reasons.push_back("source " + profile.name + " has no row that can be matched; say \"may_be_empty\": true if that is right");
  }
}

}  // namespace

void addReadingFindings(const NightState& night, const Verdicts& verdicts, FindingsCollector& findings) {
  ControlTotals totals(night, verdicts, findings);
  for (const RunOptions::Declared& declared : night.options.declared) totals.check(declared);
  for (const RunOptions::MustReach& wanted : night.options.mustReach) findStale(night, wanted, findings);
  for (std::size_t i = 0; i < night.policy.sources.size(); ++i) {
    const SourceId source{static_cast<std::uint16_t>(i)};
    findCoverageGaps(night, source, findings);
    findDuplicateStatements(night, source, findings);
    for (Finding& finding : statementFindings(subjectOf(night, source), filesOf(night, source),
                                              night.policy.thresholds.maxExamples)) {
      findings.addFinding(std::move(finding));
    }
  }
}

void addCommonValues(const NightState& night, std::vector<Finding>& findings) {
  if (night.components.commonValues() == 0) return;
  const auto at = std::find_if(findings.begin(), findings.end(),
                               [](const Finding& finding) { return finding.code >= "link_value_too_common"; });
  if (at != findings.end() && at->code == "link_value_too_common") return;
  Finding finding;
  finding.code = "link_value_too_common";
  finding.subject = "run";
  finding.count = static_cast<std::int64_t>(night.components.commonValues());
  finding.severity = Severity::Medium;
  finding.seen = fmt::format("{} values join so many keys that they were ignored as links.", finding.count);
  finding.advice = "Map a reference that names one order or one job, not a tenant or a placeholder.";
  findings.insert(at, std::move(finding));
}

Finding keysDoNotMeetFinding(const KeyMeeting& keys) {
  Finding finding;
  finding.code = "keys_do_not_meet";
  finding.subject = "run";
  finding.count = static_cast<std::int64_t>(keys.meeting);
  finding.severity = Severity::Critical;
  const std::uint64_t fewer = std::min(keys.localKeys, keys.providerKeys);
  finding.seen = fmt::format("{} of {} keys match", keys.meeting, fewer);
  if (keys.betterColumn.empty()) {
    finding.seen += ".";
    finding.advice = "Look which field of the statement holds what the jobs call their key, and name it in the mapping.";
  } else {
    finding.seen += fmt::format("; `{}` would match {}", keys.betterColumn, keys.betterMatches);
    finding.seen += keys.betterOf < fewer ? fmt::format(" of {} that were tried.", keys.betterOf) : ".";
    finding.advice = fmt::format("Map `{}` as the key.", keys.betterColumn);
  }
  return finding;
}

std::vector<Finding> proofFindings(const std::vector<ProofLine>& proof) {
  std::vector<Finding> findings;
  for (const ProofLine& line : proof) {
    if (line.unexplainedMinor == 0) continue;
    Finding finding;
    finding.code = "proof_not_zero";
    finding.subject = line.scope.empty() ? "run" : "scope " + line.scope;
    finding.count = 1;
    finding.severity = Severity::Critical;
    finding.seen = fmt::format("{} ({}) stay unexplained between both sides.",
                               moneyText(line.unexplainedMinor, line.currency), codeOf(line.kind));
    finding.advice = "A record was lost or counted twice inside the program: do not use this result, report it.";
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<std::string> reasonsIncomplete(const NightState& night, const RunResult& result) {
  static constexpr std::string_view kMakesIncomplete[] = {"control_total_break", "continuity_break", "consistency_break",
                                                          "coverage_gap",        "stale_source",     "keys_do_not_meet"};
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < night.policy.sources.size(); ++i) {
    reasonsOfSource(night, SourceId{static_cast<std::uint16_t>(i)}, reasons);
  }
  std::uint64_t quarantined = 0;
  for (const SourceReport& source : result.sources) quarantined += source.quarantined;
  if (quarantined > night.options.maxQuarantined) {
    reasons.push_back(fmt::format("{} rows are quarantined, {} are allowed (max_quarantined)", quarantined,
                                  night.options.maxQuarantined));
  }
  const auto& accepted = night.options.acceptFindings;
  for (const Finding& finding : result.findings) {
    const bool counts = std::find(std::begin(kMakesIncomplete), std::end(kMakesIncomplete), finding.code) !=
                        std::end(kMakesIncomplete);
    if (!counts || std::find(accepted.begin(), accepted.end(), finding.code) != accepted.end()) continue;
    reasons.push_back(finding.code + " (" + finding.subject + "): " + finding.seen);
  }
  return reasons;
}

}  // namespace counterfoil
