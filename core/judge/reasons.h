// SPDX-License-Identifier: GPL-3.0-or-later
// Says in plain words, with the numbers, why a unit has its class.
#pragma once

#include <string>

#include "core/judge/classify.h"

namespace counterfoil::judging {

/// `unit` has its class, why, hints, flags, exposure and expected amount.
[[nodiscard]] std::string reasonOf(const Unit& unit, const UnitView& view);

/// "charge", "refund" or "effect", in the number asked for.
[[nodiscard]] std::string nounOf(const UnitView& view, std::size_t count);

}  // namespace counterfoil::judging
