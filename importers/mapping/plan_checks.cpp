// SPDX-License-Identifier: GPL-3.0-or-later
// A mapping's checks: the numbers of a row go into the tally of its stretch of the file.
#include "importers/mapping/plan_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMostGroupName = 120;
constexpr std::size_t kMostShown = 60;

Nano signedAs(TermSign sign, Nano value) {
  switch (sign) {
    case TermSign::AsWritten:
      return value;
    case TermSign::Opposite:
      return -value;
    case TermSign::Positive:
      return value < 0 ? -value : value;
    case TermSign::Negative:
      return value < 0 ? value : -value;
  }
  return value;
}

/// What exports write where there is no number.
bool isNoNumber(std::string_view text) {
  return text.empty() || text == "-" || text == "\\N" || isNoValue(text);
}

}  // namespace

bool CheckReader::number(const CompiledTerm& term, std::optional<Nano>& out) {
  out.reset();
  Picked picked;
  if (!m_plan.pick(*term.value, m_row, m_scratch, true, picked)) {
    return unreadable(m_scratch.lastFault.column, m_scratch.lastFault.value);
  }
  if (isNoNumber(picked.text)) return true;
  const bool isExact = picked.type == FieldType::Number;
  const auto value = parseExact(picked.text, isExact ? DecimalSign::Point : term.decimal);
  const std::string_view label = picked.leaf == nullptr ? std::string_view() : picked.leaf->label;
  if (!value) return unreadable(label, picked.text);
  out = signedAs(term.sign, *value);
  return true;
}

bool CheckReader::sum(const std::vector<CompiledTerm>& terms, std::optional<Nano>& out) {
  out.reset();
  for (const CompiledTerm& term : terms) {
    std::optional<Nano> value;
    if (!number(term, value)) return false;
    if (value) out = out.value_or(0) + *value;
  }
  return true;
}

bool CheckReader::holds(const std::vector<CompiledCondition>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [this](const CompiledCondition& condition) {
                       bool answer = false;
                       return m_plan.holds(condition, m_row, m_scratch, answer) && answer;
                     });
}

std::optional<std::string_view> CheckReader::group(const CompiledCheck& check) {
  if (check.per == nullptr) return std::string_view();
  Picked picked;
  if (!m_plan.pick(*check.per, m_row, m_scratch, true, picked) || picked.text.empty())
    return std::nullopt;
  return picked.text.substr(0, kMostGroupName);
}

std::string_view CheckReader::day(const std::shared_ptr<const CompiledExpr>& expression) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  Picked picked;
  if (expression == nullptr || !m_plan.pick(*expression, m_row, m_scratch, true, picked)) return {};
  const std::string_view text = picked.text.substr(0, kForm.size());
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool isDigit = i < text.size() && text[i] >= '0' && text[i] <= '9';
    if (i >= text.size() || (kForm[i] == 'd' ? !isDigit : text[i] != kForm[i])) return {};
  }
  return text;
}

bool CheckReader::unreadable(std::string_view column, std::string_view value) {
  const std::string shown = maskCardNumbers(toValidUtf8(value.substr(0, kMostShown)));
  m_problem = fmt::format("'{}' in `{}` is no number that can be read", shown, column);
  return false;
}

namespace {

void addBreak(CheckState& state, std::uint64_t line, const std::string& seen) {
  ++state.breaks;
  if (state.examples.wants(line)) state.examples.add(line, toValidUtf8(seen));
}

/// A row into the tally of one check.
class RowCheck {
 public:
  RowCheck(const CompiledCheck& check, CheckReader& reader, std::uint64_t line, CheckState& state)
      : m_check(check), m_reader(reader), m_line(line), m_state(state) {}

  void run() {
    if (m_check.kind == CheckSpec::Kind::Row) return row();
    if (m_check.kind == CheckSpec::Kind::Moved) return moved();
    group();
  }

 private:
  void row() {
    if (!m_reader.holds(m_check.when)) return;
    std::optional<Nano> sum, is;
    if (!m_reader.sum(m_check.sum, sum) || !m_reader.sum(m_check.is, is)) return unreadable();
    if (!sum || !is) return;
    ++m_state.tried;
    const Nano difference = *sum < *is ? *is - *sum : *sum - *is;
    if (difference <= m_check.tolerance) return;
    addBreak(m_state, m_line,
             fmt::format("comes to {}, the row says {}", exactText(*sum), exactText(*is)));
  }

  void group() {
    const bool takesPart = m_reader.holds(m_check.when);
    const bool isAsked = !m_check.whenHas.empty() && m_reader.holds(m_check.whenHas);
    if (!takesPart && !isAsked) return;
    const auto name = m_reader.group(m_check);
    if (!name) return;
    GroupSum* const group = m_state.groups.at(*name);
    if (group == nullptr) return;
    group->isAsked = group->isAsked || isAsked;
    group->line = std::min(group->line, m_line);
    if (!takesPart) return;
    std::optional<Nano> sum, is;
    if (!m_reader.sum(m_check.sum, sum)) return unreadable();
    const bool isOfRows = !m_check.is.empty() && !m_check.is.front().isOutside;
    if (isOfRows && !m_reader.sum(m_check.is, is)) return unreadable();
    group->rows += sum || m_check.kind == CheckSpec::Kind::Count ? 1 : 0;
    group->sum += sum.value_or(0);
    group->saying += is ? 1 : 0;
    group->is += is.value_or(0);
  }

  void moved() {
    if (!m_reader.holds(m_check.when)) return;
    const auto name = m_reader.group(m_check);
    if (!name) return;
    std::optional<Nano> moved, balance;
    if (!m_reader.sum(m_check.sum, moved)) return unreadable();
    if (m_check.balance && !m_reader.number(*m_check.balance, balance)) return unreadable();
    if (!moved && !balance) return;
    GroupBalance* const group = m_state.balances->groups().at(*name);
    if (group == nullptr) return;
    group->moved += moved.value_or(0);
    group->line = std::min(group->line, m_line);
    ++group->rows;
    if (m_check.balance) group->chain.add(balance, moved.value_or(0), m_line);
    if (m_check.from != nullptr)
      group->addDays(std::string(m_reader.day(m_check.from)), m_reader.day(m_check.to));
    stated(m_check.opening, group->opening);
    stated(m_check.closing, group->closing);
  }

  void stated(const std::optional<CompiledTerm>& term, StatedBalance& out) {
    std::optional<Nano> value;
    if (!term || term->isOutside) return;
    if (!m_reader.number(*term, value)) return unreadable();
    if (value) out.add(*value, m_line);
  }

  void unreadable() { addBreak(m_state, m_line, m_reader.problem()); }

  const CompiledCheck& m_check;
  CheckReader& m_reader;
  std::uint64_t m_line;
  CheckState& m_state;
};

}  // namespace

CheckTally PlanImpl::makeTally() const {
  CheckTally tally;
  tally.checks.resize(m_checks.size());
  for (std::size_t i = 0; i < m_checks.size(); ++i) {
    if (m_checks[i].kind == CheckSpec::Kind::Moved) tally.checks[i].balances.emplace();
  }
  return tally;
}

void PlanImpl::check(const RowView& row, std::uint64_t line, RowScratch& scratch,
                     CheckTally& tally) const {
  if (row.fields.size() < m_columns.size()) return;
  CheckReader reader(*this, row, static_cast<PlanScratch&>(scratch));
  for (std::size_t i = 0; i < m_checks.size(); ++i) {
    if (m_checks[i].missing.empty()) RowCheck(m_checks[i], reader, line, tally.checks[i]).run();
  }
}

}  // namespace counterfoil
