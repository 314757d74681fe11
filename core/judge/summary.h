// SPDX-License-Identifier: GPL-3.0-or-later
// The local summary of a unit (S, O, F, K, B, N), its expected amount, and when its counterpart is due.
#pragma once

#include "core/judge/view.h"

namespace counterfoil::judging {

/// Fills local, expected, lastSuccess, earliest, due and the members about claims and run time.
void summarise(UnitView& view);

/// End of a claim: stated, else by the queue's claim TTL, else after the longest run time.
[[nodiscard]] Instant claimEnd(const Claim& claim, const UnitView& view);

}  // namespace counterfoil::judging
