// SPDX-License-Identifier: GPL-3.0-or-later
// Refunds, voids and disputes go to the charge they belong to: by parent id, else key, else business
// reference. A refund that a job of ours made is an effect of its own unit and still lowers the charge.
#pragma once

#include <vector>

#include "core/judge/split.h"

namespace counterfoil::judging {

/// A row that lowers effects of a unit.
struct Lowering {
  NodeIndex node = 0;
  bool isRecordedLocally = false;  ///< a refund operation of ours names it: it is a record of that unit
};

struct AttachedReversals {
  std::vector<std::vector<Lowering>> bySubOperation;  ///< parallel to the sub-operations
  std::vector<NodeIndex> unattached;                  ///< rows without a unit
};

[[nodiscard]] AttachedReversals attachReversals(const std::vector<SubOperation>& subOperations,
                                                const std::vector<Node>& nodes,
                                                const Links& links);

}  // namespace counterfoil::judging
