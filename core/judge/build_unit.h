// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the Unit that callers see out of a judged sub-operation.
#pragma once

#include <vector>

#include "core/judge/split.h"
#include "core/judge/view.h"

namespace counterfoil::judging {

struct UnitParts {
  const UnitView* view = nullptr;
  std::vector<NodeIndex> nodes;          ///< every record of the unit, sorted
  std::vector<NodeIndex> unsureSkips;
  std::string mark;
};

/// Moves the records of `parts.nodes` out of the group; the view is of no use afterwards.
[[nodiscard]] Unit buildUnit(const UnitParts& parts, std::vector<Node>& nodes, const Links& links);

}  // namespace counterfoil::judging
