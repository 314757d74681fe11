// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a row, for the checks of a mapping. Internal to importers/mapping.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/mapping/plan_internal.h"

namespace counterfoil {

class CheckReader {
 public:
  CheckReader(const PlanImpl& plan, const RowView& row, PlanScratch& scratch)
      : m_plan(plan), m_row(row), m_scratch(scratch) {}

  /// Nothing where the row has none; false if it has one that cannot be read: problem() tells.
  bool number(const CompiledTerm& term, std::optional<Nano>& out);
  /// Blank terms add nothing; nothing if all are blank.
  bool sum(const std::vector<CompiledTerm>& terms, std::optional<Nano>& out);
  bool holds(const std::vector<CompiledCondition>& conditions);
  /// "" where the check has no groups; nothing for a row that is in none.
  std::optional<std::string_view> group(const CompiledCheck& check);
  /// The day that a text begins with, yyyy-mm-dd; "" if it is none.
  std::string_view day(const std::shared_ptr<const CompiledExpr>& expression);
  [[nodiscard]] const std::string& problem() const { return m_problem; }

 private:
  bool unreadable(std::string_view column, std::string_view value);
  const PlanImpl& m_plan;
  const RowView& m_row;
  PlanScratch& m_scratch;
  std::string m_problem;
};

}  // namespace counterfoil
