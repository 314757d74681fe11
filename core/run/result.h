// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the result of a run together from what its stages counted. Internal to core/run.
#pragma once

#include "core/run/night.h"
#include "core/run/sift.h"
#include "core/run/verdicts.h"

namespace counterfoil {

/// Counts of plain units, their proof and queue tallies, and the provider's totals as they were read.
Result<> addSlimTotals(NightState& night, const SiftTally& tally, Verdicts& verdicts);

/// Everything but keys and the lists' bounds. `verdicts` are those of all workers, merged.
Result<RunResult> makeResult(NightState& night, Verdicts& verdicts, const std::optional<Finding>& keysFinding);

}  // namespace counterfoil
