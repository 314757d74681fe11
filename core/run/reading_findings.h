// SPDX-License-Identifier: GPL-3.0-or-later
// Findings that only the reading side can know (classes.md §5), and whether the result is complete
// (contract.md §1). Internal to core/run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/run/night.h"
#include "core/run/verdicts.h"

namespace counterfoil {

/// control_total_break, coverage_gap, stale_source, duplicate_statement, and what statements say of
/// themselves (statement_findings.h).
void addReadingFindings(const NightState& night, const Verdicts& verdicts, FindingsCollector& findings);

/// link_value_too_common, when no group before the judge showed the values that the ledger left out.
void addCommonValues(const NightState& night, std::vector<Finding>& findings);
[[nodiscard]] Finding keysDoNotMeetFinding(const KeyMeeting& keys);
/// Nothing if every line closes.
[[nodiscard]] std::vector<Finding> proofFindings(const std::vector<ProofLine>& proof);

/// Sentences why the result is not complete, in order of the sources.
[[nodiscard]] std::vector<std::string> reasonsIncomplete(const NightState& night, const RunResult& result);

}  // namespace counterfoil
