// SPDX-License-Identifier: GPL-3.0-or-later
// Why a duplicate or an unexplained reversal came about, and hints at the mechanism.
#pragma once

#include <vector>

#include "core/judge/classify.h"

namespace counterfoil::judging {

[[nodiscard]] Why whyOf(const UnitView& view, Class unitClass);
[[nodiscard]] std::vector<Hint> hintsOf(const UnitView& view, Class unitClass);

/// Gap between the two closest of successive live effects; requires two live ones.
[[nodiscard]] Duration smallestLiveGap(const UnitView& view);
[[nodiscard]] Duration widestLiveGap(const UnitView& view);

/// A well-known timer that a gap equals within the policy's band ("visibility timeout of queue payments",
/// "Celery Redis visibility timeout"); blank if none.
struct Timer {
  std::string name;
  Duration period{0};
};
[[nodiscard]] Timer timerOf(Duration gap, std::string_view queue, const Policy& policy);
/// True if two gaps are the same within the band.
[[nodiscard]] bool isSamePeriod(Duration a, Duration b, const Policy& policy);
/// The gap between starts (or effects, where no attempts are left) that made PeriodicGap; 0 if none.
[[nodiscard]] Duration periodicGapOf(const UnitView& view);

}  // namespace counterfoil::judging
