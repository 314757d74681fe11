// SPDX-License-Identifier: GPL-3.0-or-later
// A deposit and the rest: several keys under one business reference that each succeeded with an amount of
// their own, and an effect that shows it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/judge/link.h"

namespace counterfoil::judging {

/// The mark (amount) of each attempt that succeeded for an amount of its own; empty where the reference
/// is one operation.
[[nodiscard]] std::map<NodeIndex, std::string> marksOfReference(
    const std::vector<NodeIndex>& members, const std::vector<Node>& nodes, const Links& links,
    const Policy& policy);

}  // namespace counterfoil::judging
