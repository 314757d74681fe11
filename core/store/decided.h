// SPDX-License-Identifier: GPL-3.0-or-later
// A person's decision about a case in the result of a night: its unit counts as what was decided, not as what the
// rules alone would say (classes.md §4, class 2).
#pragma once

#include "core/judge/unit.h"
#include "core/run/run.h"

namespace counterfoil {

/// Gives the unit class `decided` and moves it in every sum of the result: classes, breaks, exposure, proof.
[[nodiscard]] Result<> settleDecided(RunResult& result, Unit& unit, Class decided, const Policy& policy);

}  // namespace counterfoil
