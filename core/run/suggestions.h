// SPDX-License-Identifier: GPL-3.0-or-later
// The fourth stage of a run: units without a counterpart look for each other (link 5), then all waiting
// ones are counted and listed. Internal to core/run.
#pragma once

#include "core/run/judging.h"

namespace counterfoil {

/// So many waiting units, the first in output order, are weighed against each other; others get no
/// suggestions. Bounds memory whatever the night; the same for every memory bound.
inline constexpr std::size_t kWeighedUnitsMax = 50'000;

/// Consumes `waiting`: hands all its units on, in output order of what they were, with suggestions.
Result<> weighWaiting(NightState& night, const JudgeContext& context, UnitStore& waiting,
                      const std::function<Result<>(const Unit&)>& take);

}  // namespace counterfoil
