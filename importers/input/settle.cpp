// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace counterfoil {

namespace {

struct ColumnLook {
  std::uint8_t decimal = 0;
  std::uint8_t date = 0;
  bool ambiguous = false;
};

constexpr auto kPoint = static_cast<std::uint8_t>(DecimalEvidence::Point);
constexpr auto kComma = static_cast<std::uint8_t>(DecimalEvidence::Comma);
constexpr auto kDayMonth = static_cast<std::uint8_t>(DateEvidence::DayMonth);
constexpr auto kMonthDay = static_cast<std::uint8_t>(DateEvidence::MonthDay);
constexpr auto kUndecided = static_cast<std::uint8_t>(DateEvidence::Undecided);

std::map<std::string, ColumnLook> byColumn(const ScanOutput& look) {
  std::map<std::string, ColumnLook> columns;
  for (std::size_t p = 0; p < look.evidence.size(); ++p) {
    for (std::size_t c = 0; c < look.evidence[p].columns.size(); ++c) {
      const OpenEvidence::Column& seen = look.evidence[p].columns[c];
      ColumnLook& column = columns[seen.name];
      column.decimal |= seen.decimal;
      column.date |= seen.date;
      column.ambiguous = column.ambiguous || look.ambiguousAmounts[p][c];
    }
  }
  return columns;
}

enum class Verdict : std::uint8_t { First, Second, Either, Undecided };

/// Which of two readings the rows bear. Where no row could be read both ways say nothing.
Verdict compare(const ScanOutput& first, const ScanOutput& second) {
  const bool anyRead = first.recorded + first.excluded + second.recorded + second.excluded > 0;
  if (!anyRead) return Verdict::Undecided;
  if (first.checksum == second.checksum && first.quarantinedCount == second.quarantinedCount) return Verdict::Either;
  if (first.quarantinedCount < second.quarantinedCount) return Verdict::First;
  if (second.quarantinedCount < first.quarantinedCount) return Verdict::Second;
  return Verdict::Undecided;
}

class Settler {
 public:
  Settler(const ScanOutput& look, const std::function<Result<ScanOutput>(const ColumnFacts&)>& trial)
      : m_look(look), m_trial(trial) {}

  Result<Settled> settle() {
    for (const auto& [name, column] : byColumn(m_look)) {
      settleDecimal(name, column);
      settleDate(name, column);
    }
    // Tried last, each beside all that is known of the others: a row that fails elsewhere tells nothing.
    for (const std::string& name : m_openDecimals) {
      if (auto done = tryDecimal(name); !done) return fail(done.error());
    }
    for (const std::string& name : m_openDates) {
      if (auto done = tryDate(name); !done) return fail(done.error());
    }
    return std::move(m_settled);
  }

 private:
  void addProblem(std::string text) {
    if (!m_settled.problem.empty()) m_settled.problem += "; ";
    m_settled.problem += text;
  }

  void settleDecimal(const std::string& name, const ColumnLook& column) {
    if ((column.decimal & kPoint) != 0 && (column.decimal & kComma) != 0) {
      addProblem(fmt::format("column '{}': some amounts are written with a decimal point (1,234.50), others with a "
                             "decimal comma (1.234,50); declare \"decimal\" in the layout, or correct the file",
                             name));
      m_settled.undecidedDecimals.push_back(name);
    } else if ((column.decimal & kComma) != 0) {
      m_settled.facts.decimal.emplace_back(name, DecimalSign::Comma);
    } else if ((column.decimal & kPoint) == 0 && column.ambiguous) {
      m_openDecimals.push_back(name);
    }
  }

  Result<> tryDecimal(const std::string& name) {
    ColumnFacts point = othersKnown();
    ColumnFacts comma = point;
    point.decimal.emplace_back(name, DecimalSign::Point);
    comma.decimal.emplace_back(name, DecimalSign::Comma);
    const Result<Verdict> verdict = tried(point, comma);
    if (!verdict) return fail(verdict.error());
    switch (*verdict) {
      case Verdict::First:
      case Verdict::Either: break;
      case Verdict::Second: m_settled.facts.decimal.emplace_back(name, DecimalSign::Comma); break;
      case Verdict::Undecided:
        addProblem(fmt::format("column '{}': amounts such as 1,250 or 1.250 may be 1250 or 1.25, and no amount of the "
                               "file decides; declare \"decimal\" in the layout",
                               name));
        m_settled.undecidedDecimals.push_back(name);
    }
    return {};
  }

  void settleDate(const std::string& name, const ColumnLook& column) {
    if ((column.date & kDayMonth) != 0 && (column.date & kMonthDay) != 0) {
      addProblem(fmt::format("column '{}': some dates have the day first (25/04/2026), others the month (04/25/2026); "
                             "declare a \"form\" for it, or correct the file",
                             name));
    } else if ((column.date & kDayMonth) != 0) {
      m_settled.facts.dateOrder.emplace_back(name, DateOrder::DayMonth);
    } else if ((column.date & kMonthDay) != 0) {
      m_settled.facts.dateOrder.emplace_back(name, DateOrder::MonthDay);
    } else if ((column.date & kUndecided) != 0) {
      m_openDates.push_back(name);
    }
  }

  Result<> tryDate(const std::string& name) {
    ColumnFacts dayMonth = othersKnown(name);
    ColumnFacts monthDay = dayMonth;
    dayMonth.dateOrder.emplace_back(name, DateOrder::DayMonth);
    monthDay.dateOrder.emplace_back(name, DateOrder::MonthDay);
    const Result<Verdict> verdict = tried(dayMonth, monthDay);
    if (!verdict) return fail(verdict.error());
    // Which order leaves fewer broken rows is no evidence for dates: each text is a date both ways.
    if (*verdict == Verdict::Either) {
      m_settled.facts.dateOrder.emplace_back(name, DateOrder::DayMonth);
      return {};
    }
    addProblem(fmt::format("column '{}': dates such as 03/04/2026 may be 3 April or March 4, and no date of the file "
                           "decides; declare a \"form\" for it (\"%d/%m/%Y\" or \"%m/%d/%Y\")",
                           name));
    return {};
  }

  /// What is settled, and for dates that are still open any order: each of their texts is a date both ways.
  [[nodiscard]] ColumnFacts othersKnown(const std::string& but = {}) const {
    ColumnFacts facts = m_settled.facts;
    for (const std::string& name : m_openDates) {
      const auto isNamed = [&](const auto& entry) { return entry.first == name; };
      if (name != but && std::none_of(facts.dateOrder.begin(), facts.dateOrder.end(), isNamed)) {
        facts.dateOrder.emplace_back(name, DateOrder::DayMonth);
      }
    }
    return facts;
  }

  Result<Verdict> tried(const ColumnFacts& first, const ColumnFacts& second) {
    const Result<ScanOutput> one = m_trial(first);
    if (!one) return fail(one.error());
    const Result<ScanOutput> other = m_trial(second);
    if (!other) return fail(other.error());
    return compare(*one, *other);
  }

  const ScanOutput& m_look;
  const std::function<Result<ScanOutput>(const ColumnFacts&)>& m_trial;
  std::vector<std::string> m_openDecimals, m_openDates;
  Settled m_settled;
};

}  // namespace

Result<Settled> settleColumns(const ScanOutput& look,
                              const std::function<Result<ScanOutput>(const ColumnFacts&)>& trial) {
  return Settler(look, trial).settle();
}

std::vector<std::vector<std::uint32_t>> placesOf(const FileView& view, const std::vector<std::string>& columns) {
  std::vector<std::vector<std::uint32_t>> places;
  if (columns.empty()) return places;
  places.resize(view.plans.size());
  for (std::size_t p = 0; p < view.plans.size(); ++p) {
    const std::vector<std::string>& names = view.plans[p]->columns();
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (std::find(columns.begin(), columns.end(), names[c]) != columns.end()) places[p].push_back(view.columnOf[p][c]);
    }
  }
  return places;
}

}  // namespace counterfoil
