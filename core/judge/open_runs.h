// SPDX-License-Identifier: GPL-3.0-or-later
// Which attempts of a unit are still open: what came later may have closed them.
#pragma once

#include <vector>

#include "core/judge/view.h"

namespace counterfoil::judging {

[[nodiscard]] bool isOpenStatus(AttemptStatus status);

/// Attempts that run, wait for a retry, or whose end nobody saw. Not those whose job ended elsewhere, began anew or
/// was skipped later on: of a job its last run counts, and one that may still run.
[[nodiscard]] std::vector<const Attempt*> openRunsOf(const UnitView& view);

}  // namespace counterfoil::judging
