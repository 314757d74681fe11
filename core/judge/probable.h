// SPDX-License-Identifier: GPL-3.0-or-later
// Class probable_duplicate: two matched units (or one and an effect nobody recorded) that look like the
// same work. A suggestion; a person decides.
#pragma once

#include <vector>

#include "core/judge/judge.h"

namespace counterfoil::judging {

/// Looks at operations that ask for it. Sets class, severity, exposure, reason and candidates.
void findProbableDuplicates(const std::vector<Unit*>& units, const JudgeContext& context);

}  // namespace counterfoil::judging
