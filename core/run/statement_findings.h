// SPDX-License-Identifier: GPL-3.0-or-later
// What statements say of themselves and does not hold: consistency_break, continuity_break and
// control_total_break (classes.md §5). Internal to core/run.
#pragma once

#include <string>
#include <vector>

#include "core/judge/findings.h"
#include "core/run/input.h"

namespace counterfoil {

/// One finding a check of the source's files that does not hold, and one for balances that do not
/// go on from file to file. `files`: of one source, in any order. Sorted by code and check.
[[nodiscard]] std::vector<Finding> statementFindings(const std::string& subject,
                                                     const std::vector<const FileReport*>& files,
                                                     std::size_t maxExamples);

}  // namespace counterfoil
