// SPDX-License-Identifier: GPL-3.0-or-later
// The decision list of classes.md §4: exactly one class per unit, first hit wins.
#pragma once

#include <vector>

#include "core/judge/view.h"

namespace counterfoil::judging {

struct Decision {
  Class unitClass = Class::Matched;
  std::vector<Flag> flags;
};

[[nodiscard]] Decision decide(const UnitView& view);

}  // namespace counterfoil::judging
