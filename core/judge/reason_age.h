// SPDX-License-Identifier: GPL-3.0-or-later
// Some reasons tell an age ("it was due 9 h ago"). A judgement that holds for many nights is kept once, and tells its age
// as of the night that is asked for.
#pragma once

#include <string>

#include "core/judge/unit.h"

namespace counterfoil {

/// The unit's reason, judged as of `judged`, as it reads as of `asOf`. Unchanged where it tells no age.
[[nodiscard]] std::string reasonAsOf(const Unit& unit, Instant judged, Instant asOf);

}  // namespace counterfoil
