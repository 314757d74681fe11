// SPDX-License-Identifier: GPL-3.0-or-later
// A list of cases that a person filled in (CSV or XLSX, as `counterfoil report` writes them): what is to become of
// which case, row by row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/decisions.h"

namespace counterfoil {

struct ReviewRow {
  std::uint64_t line = 0;      ///< of the sheet, from 1
  CaseId caseId;
  ReviewChange change;
  std::string fault;           ///< why the row cannot be applied; "" = it can
};

/// Rows that ask for something: a decision, another assignee, a note. Hostile input is bounded (64 MiB, a million rows).
/// Errors: Missing, Io, Format (no workbook, no column "case" or "decision"), Limit.
[[nodiscard]] Result<std::vector<ReviewRow>> readReviewSheet(const std::string& path);

}  // namespace counterfoil
