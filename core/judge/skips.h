// SPDX-License-Identifier: GPL-3.0-or-later
// Every skip gets a verdict: was the work really done, or should it have been done?
#pragma once

#include <vector>

#include "core/judge/split.h"
#include "core/judge/view.h"

namespace counterfoil::judging {

struct SkipContext {
  Class unitClass = Class::Matched;
  bool isUnsure = false;       ///< nothing ties the skip to this sub-operation rather than another
};

[[nodiscard]] JudgedSkip judgeSkip(const Skip& skip, const UnitView& view,
                                   const SkipContext& context);

}  // namespace counterfoil::judging
