// SPDX-License-Identifier: GPL-3.0-or-later
// Takes reversals off the effects of one unit: from the one they name, else from the latest effect of
// their amount, else from the latest larger one, else spread from the latest on.
#pragma once

#include <vector>

#include "core/judge/view.h"

namespace counterfoil::judging {

/// `effects` are in order of time; `nodes` hold the lowering rows.
void lowerEffects(std::vector<EffectState>& effects, std::vector<Lowering> lowerings,
                  const std::vector<Node>& nodes);

}  // namespace counterfoil::judging
