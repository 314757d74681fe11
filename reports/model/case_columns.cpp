// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the list of cases. Codes are stable: spreadsheets that come back are read by them.
#include <type_traits>

#include "core/base/instant.h"
#include "reports/model/report_case.h"

namespace counterfoil {
namespace {

CellValue textCell(std::string_view text) {
  if (text.empty()) return std::monostate{};
  return std::string(text);
}

std::string joinedIds(const std::vector<std::string>& ids) {
  std::string out;
  for (const std::string& id : ids) {
    if (!out.empty()) out += ' ';
    out += id;
  }
  return out;
}

template <class Code>
CellValue codeCells(const std::vector<Code>& codes, const Words& words, bool forPeople) {
  std::string out;
  for (const Code code : codes) {
    if (!out.empty()) out += forPeople ? ", " : " ";
    out += forPeople ? words.label(code) : codeOf(code);
  }
  return textCell(out);
}

CellValue stateCell(const ReportCase& line, const Words& words, bool forPeople) {
  if (line.isClosed) return forPeople ? std::string(words(Word::Closed)) : std::string("closed");
  return std::string(forPeople ? words.label(line.state) : codeOf(line.state));
}

/// What is at stake in further currencies: sums of two currencies are never one.
CellValue otherExposure(const ReportCase& line, const Words& words, bool forPeople) {
  std::string out;
  for (std::size_t i = 1; i < line.exposure.size(); ++i) {
    if (i > 1) out += ' ';
    const Money& money = line.exposure[i];
    out += forPeople ? words.money(money) : money.currency.text() + " " + formatPlain(money);
  }
  return textCell(out);
}

CellValue ageCell(const ReportCase& line, const Words& words, bool forPeople) {
  if (!line.age) return std::monostate{};
  return forPeople ? words.duration(*line.age) : formatAge(*line.age);
}

constexpr CaseColumn kColumns[] = {
    {"case", Word::Case, CellKind::Id, [](const ReportCase& c, const Words&, bool) { return textCell(c.caseId); }},
    {"class", Word::Class, CellKind::Code, [](const ReportCase& c, const Words&, bool) { return textCell(codeOf(c.unitClass)); }},
    {"label", Word::Label, CellKind::Text, [](const ReportCase& c, const Words&, bool) { return textCell(c.label); }},
    {"severity", Word::Severity, CellKind::Code,
     [](const ReportCase& c, const Words& w, bool people) {
       return c.severity == Severity::None ? CellValue{} : textCell(people ? w.label(c.severity) : codeOf(c.severity));
     }},
    {"state", Word::State, CellKind::Code, stateCell},
    {"key", Word::Key, CellKind::Id, [](const ReportCase& c, const Words&, bool) { return textCell(c.key); }},
    {"op_ref", Word::OpRef, CellKind::Id, [](const ReportCase& c, const Words&, bool) { return textCell(c.opRef); }},
    {"operation", Word::Operation, CellKind::Text, [](const ReportCase& c, const Words&, bool) { return textCell(c.operation); }},
    {"scope", Word::Scope, CellKind::Text, [](const ReportCase& c, const Words&, bool) { return textCell(c.scope); }},
    {"exposure", Word::Exposure, CellKind::Amount,
     [](const ReportCase& c, const Words&, bool) { return c.exposure.empty() ? CellValue{} : CellValue{c.exposure.front()}; }},
    {"currency", Word::Currency, CellKind::Code,
     [](const ReportCase& c, const Words&, bool) { return c.exposure.empty() ? CellValue{} : textCell(c.exposure.front().currency.text()); }},
    {"other_exposure", Word::OtherExposure, CellKind::Text, otherExposure},
    {"why", Word::Why, CellKind::Code,
     [](const ReportCase& c, const Words& w, bool people) { return textCell(people ? w.label(c.why) : codeOf(c.why)); }},
    {"hints", Word::Hints, CellKind::Code,
     [](const ReportCase& c, const Words& w, bool people) { return codeCells(c.hints, w, people); }},
    {"flags", Word::Flags, CellKind::Code,
     [](const ReportCase& c, const Words& w, bool people) { return codeCells(c.flags, w, people); }},
    {"reason", Word::Reason, CellKind::Text, [](const ReportCase& c, const Words&, bool) { return textCell(c.reason); }},
    {"first_run", Word::FirstRun, CellKind::Number,
     [](const ReportCase& c, const Words&, bool) { return CellValue{static_cast<std::int64_t>(c.firstRun)}; }},
    {"last_run", Word::LastRun, CellKind::Number,
     [](const ReportCase& c, const Words&, bool) { return CellValue{static_cast<std::int64_t>(c.lastRun)}; }},
    {"age", Word::Age, CellKind::Text, ageCell},
    {"attempts", Word::Attempts, CellKind::Id, [](const ReportCase& c, const Words&, bool) { return textCell(joinedIds(c.attempts)); }},
    {"effects", Word::Effects, CellKind::Id, [](const ReportCase& c, const Words&, bool) { return textCell(joinedIds(c.effects)); }},
    {"assignee", Word::Assignee, CellKind::Text, [](const ReportCase& c, const Words&, bool) { return textCell(c.assignee); }},
    {"note", Word::Note, CellKind::Text, [](const ReportCase& c, const Words&, bool) { return textCell(c.note); }},
    {"case_version", Word::CaseVersion, CellKind::Id, [](const ReportCase& c, const Words&, bool) { return textCell(c.version); }},
    {"decision", Word::Decision, CellKind::ToFill, [](const ReportCase&, const Words&, bool) { return CellValue{}; }},
    {"decision_reason", Word::DecisionReason, CellKind::ToFill, [](const ReportCase&, const Words&, bool) { return CellValue{}; }},
};

}  // namespace

std::span<const CaseColumn> caseColumns() { return kColumns; }

}  // namespace counterfoil
