// SPDX-License-Identifier: GPL-3.0-or-later
// What all rows of a file came to under its mapping's checks, in words.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "importers/mapping/plan_checks.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::string_view kConsistency = "consistency_break";
constexpr std::string_view kContinuity = "continuity_break";
constexpr std::string_view kControlTotal = "control_total_break";

std::string shownName(const std::string& group) {
  return maskCardNumbers(toValidUtf8(group));
}

std::string named(const std::string& group, std::string sentence) {
  return group.empty() ? std::move(sentence) : shownName(group) + " " + std::move(sentence);
}

bool areNear(Nano a, Nano b, Nano tolerance) {
  return (a < b ? b - a : a - b) <= tolerance;
}

class CheckResult {
 public:
  CheckResult(const CompiledCheck& check, const CheckState& state, CheckReader& outside)
      : m_check(check), m_state(state), m_outside(outside) {}

  void write(std::vector<StatementCheck>& checks, std::vector<StatementBalance>& balances) {
    StatementCheck& first = begin(m_check.name, codeOfCheck());
    first.breaks = m_state.breaks;
    m_examples = m_state.examples;
    if (!m_check.missing.empty()) {
      first.remark = fmt::format("not checked: there is no `{}`", m_check.missing);
    } else if (m_check.kind == CheckSpec::Kind::Row) {
      first.tried = m_state.tried;
      if (first.tried == 0 && first.breaks == 0)
        first.remark = "not checked: no row has the numbers for it";
    } else if (m_check.kind == CheckSpec::Kind::Moved) {
      chains(balances);
    } else {
      sums();
    }
    end();
    checks.insert(checks.end(), m_out.begin(), m_out.end());
  }

 private:
  [[nodiscard]] std::string_view codeOfCheck() const {
    if (!m_check.finding.empty()) return m_check.finding;
    if (m_check.isStated) return kControlTotal;
    return m_check.kind == CheckSpec::Kind::Moved && m_check.balance ? kContinuity : kConsistency;
  }

  StatementCheck& begin(std::string name, std::string_view code) {
    StatementCheck& check = m_out.emplace_back();
    check.name = std::move(name);
    check.finding = code;
    m_examples = {};
    return check;
  }
  void end() { m_out.back().examples = m_examples.all(); }

  void broken(std::uint64_t line, std::string seen) {
    ++m_out.back().breaks;
    m_examples.add(line == UINT64_MAX ? 0 : line, std::move(seen));
  }

  // ---- sums and counts

  void sums() {
    StatementCheck& check = m_out.back();
    const bool isOutside = !m_check.is.empty() && m_check.is.front().isOutside;
    std::optional<Nano> outside;
    if (isOutside && !m_outside.sum(m_check.is, outside)) return broken(0, m_outside.problem());
    if (isOutside && !outside) {
      check.remark = "not checked: the file does not state what it should come to";
      return;
    }
    const auto& groups = m_state.groups.values();
    if (groups.empty() && m_check.isStated && m_check.per == nullptr)
      compare("", GroupSum(), *outside);
    for (const auto& [name, group] : groups) {
      if (!m_check.whenHas.empty() && !group.isAsked) continue;
      if (!m_check.is.empty() && !isOutside && group.saying == 0) continue;
      if (group.rows == 0 && !m_check.isStated) continue;
      compare(name, group, isOutside ? *outside : group.is);
    }
    if (check.tried == 0) check.remark = "not checked: no row has the numbers for it";
    tellThinned(m_state.groups.halvings());
  }

  void compare(const std::string& name, const GroupSum& group, Nano is) {
    ++m_out.back().tried;
    constexpr Nano one = 1'000'000'000;
    const bool isCount = m_check.kind == CheckSpec::Kind::Count;
    const Nano sum = isCount ? static_cast<Nano>(group.rows) * one : group.sum;
    if (areNear(sum, is, m_check.tolerance)) return;
    if (isCount) {
      return broken(0, fmt::format("has {} rows, the file says {}", exactText(sum), exactText(is)));
    }
    const std::uint64_t line = m_check.isStated ? 0 : group.line;
    broken(line, named(name, fmt::format("comes to {}, not {}", exactText(sum), exactText(is))));
  }

  void tellThinned(unsigned halvings) {
    if (halvings == 0) return;
    m_out.back().remark =
        fmt::format("there are too many groups: only 1 of {} was checked", 1ull << halvings);
  }

  // ---- balances

  void chains(std::vector<StatementBalance>& balances) {
    const BalancePieces::Groups groups = m_state.balances->joined();
    if (m_check.balance) {
      for (const auto& [name, group] : groups.values()) chain(name, group);
      if (m_out.back().tried == 0 && m_out.back().breaks == 0) {
        m_out.back().remark = "not checked: no row states a balance";
      }
    }
    tellThinned(groups.halvings());
    if (m_check.opening || m_check.closing) {
      if (m_check.balance) {
        end();
        begin(m_check.name + ", opening and closing", kConsistency);
      }
      ends(groups.values());
    }
    for (const auto& [name, group] : groups.values()) publish(name, group, balances);
  }

  void chain(const std::string& name, const GroupBalance& group) {
    if (group.chain.rows() == 0) return;
    m_out.back().tried += group.chain.rows();
    const BalanceOutcome outcome = group.chain.outcome();
    for (const BalanceBreak& at : outcome.first) {
      broken(at.line, named(name, fmt::format("stood at {}, this row begins at {}",
                                              exactText(at.expected), exactText(at.found))));
    }
    m_out.back().breaks += outcome.breaks - outcome.first.size();
  }

  /// Told by the file or by the group's rows.
  bool stated(const std::optional<CompiledTerm>& term, const StatedBalance& ofRows,
              std::optional<Nano>& out) {
    out = ofRows.value;
    if (!term || !term->isOutside) return true;
    return m_outside.number(*term, out);
  }

  template <class Groups>
  void ends(const Groups& groups) {
    const auto isOutside = [](const std::optional<CompiledTerm>& term) {
      return term && term->isOutside;
    };
    if (groups.size() > 1 && (isOutside(m_check.opening) || isOutside(m_check.closing))) {
      m_out.back().remark = "not checked: the file states one balance for several groups";
      return;
    }
    for (const auto& [name, group] : groups) endsOf(name, group);
    if (groups.empty()) endsOf("", GroupBalance());
    if (m_out.back().tried == 0 && m_out.back().breaks == 0) {
      m_out.back().remark = "not checked: the file does not state them";
    }
  }

  void endsOf(const std::string& name, const GroupBalance& group) {
    if (group.opening.differs || group.closing.differs) {
      return broken(group.line,
                    named(name, "has several opening or closing balances: they need \"per\""));
    }
    std::optional<Nano> opening, closing;
    if (!stated(m_check.opening, group.opening, opening) ||
        !stated(m_check.closing, group.closing, closing)) {
      return broken(group.line, m_outside.problem());
    }
    if (opening && closing) {
      ++m_out.back().tried;
      if (areNear(*opening + group.moved, *closing, m_check.tolerance)) return;
      return broken(
          group.line,
          named(name, fmt::format("opens at {}, {} moved, and closes at {}, not {}",
                                  exactText(*opening), exactText(group.moved), exactText(*closing),
                                  exactText(*opening + group.moved))));
    }
    if (group.chain.rows() > 0 && (opening || closing)) againstRows(name, group, opening, closing);
  }

  void againstRows(const std::string& name, const GroupBalance& group,
                   const std::optional<Nano>& opening, const std::optional<Nano>& closing) {
    const BalanceOutcome outcome = group.chain.outcome();
    if (!outcome.hasCertainEnds) return;
    ++m_out.back().tried;
    const auto compareEnd = [&](const std::optional<Nano>& end, Nano ofRows,
                                std::string_view verb) {
      if (!end || areNear(*end, ofRows, m_check.tolerance)) return;
      broken(group.line, named(name, fmt::format("{} at {}, by its rows at {}", verb,
                                                 exactText(*end), exactText(ofRows))));
    };
    compareEnd(opening, outcome.opening, "opens");
    compareEnd(closing, outcome.closing, "closes");
  }

  void publish(const std::string& name, const GroupBalance& group,
               std::vector<StatementBalance>& balances) {
    std::optional<Nano> opening, closing;
    if (!stated(m_check.opening, group.opening, opening) ||
        !stated(m_check.closing, group.closing, closing))
      return;
    if (group.opening.differs || group.closing.differs) return;
    if (group.chain.rows() > 0) {
      const BalanceOutcome outcome = group.chain.outcome();
      if (outcome.hasCertainEnds && !opening) opening = outcome.opening;
      if (outcome.hasCertainEnds && !closing) closing = outcome.closing;
    }
    if (opening && !closing) closing = *opening + group.moved;
    if (closing && !opening) opening = *closing - group.moved;
    if (!opening) return;
    balances.push_back({m_check.name, shownName(name), exactText(*opening), exactText(*closing),
                        group.from, group.to});
  }

  const CompiledCheck& m_check;
  const CheckState& m_state;
  CheckReader& m_outside;
  std::vector<StatementCheck> m_out;
  FirstExamples m_examples;
};

}  // namespace

void PlanImpl::checkResults(const CheckTally& tally, std::vector<StatementCheck>& checks,
                            std::vector<StatementBalance>& balances) const {
  RowView none;  // values from outside the rows need no row
  none.fields.resize(m_columns.size());
  const std::unique_ptr<RowScratch> scratch = makeScratch();
  CheckReader outside(*this, none, static_cast<PlanScratch&>(*scratch));
  for (std::size_t i = 0; i < m_checks.size(); ++i) {
    CheckResult(m_checks[i], tally.checks[i], outside).write(checks, balances);
  }
}

}  // namespace counterfoil
