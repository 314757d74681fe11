// SPDX-License-Identifier: GPL-3.0-or-later
// A case splits into sub-operations, the units that get a class (classes.md §3): by our own accounts, by
// business reference, by fingerprint where nothing else ties the records, a deposit and the rest of one
// order, and skips of something that was never done.
#pragma once

#include <string>
#include <vector>

#include "core/judge/link.h"

namespace counterfoil::judging {

struct SubOperation {
  std::vector<NodeIndex> nodes;        ///< sorted; without loose reversals
  std::string mark;                    ///< blank where the case is one sub-operation
  bool sharesReference = false;        ///< a deposit and the rest
  bool isAmbiguous = false;            ///< holds records that fit another one equally well
  std::vector<NodeIndex> unsureSkips;  ///< skips that nothing ties to this one rather than another
};

/// `members` are the nodes of one case. Keys that name several sub-operations go to judgement.coarseKeys.
[[nodiscard]] std::vector<SubOperation> splitCase(const std::vector<NodeIndex>& members,
                                                  const std::vector<Node>& nodes,
                                                  const Links& links, const JudgeContext& context,
                                                  Judgement& judgement);

}  // namespace counterfoil::judging
