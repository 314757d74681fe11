// SPDX-License-Identifier: GPL-3.0-or-later
// Exact links 1 to 4 of classes.md §3 over the nodes of a group: which records are one case. Also finds
// each record's operation (an effect has that of the attempt it is linked to).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/nodes.h"

namespace counterfoil::judging {

/// An effect whose key the provider cut and which fits several local keys equally well (or none).
struct UndecidedCut {
  NodeIndex effect = 0;
  std::vector<NodeIndex> locals;  ///< first record of each key it may belong to
};

struct Links {
  std::vector<OperationId> operation;       ///< by node; none for effects whose kind no operation has
  std::vector<std::string_view> key;        ///< by node; blank where it may not link
  std::vector<std::string_view> opRef;      ///< by node; blank where it is too common
  std::vector<bool> isNamedReversal;        ///< a reversal row that a refund of ours names
  std::vector<std::vector<NodeIndex>> cases;  ///< sorted; in order of their first node
  std::vector<NodeIndex> loose;             ///< reversals and disputes to attach, fees and other rows
  std::map<NodeIndex, Instant> restarts;    ///< after a key rested longer than its lifetime: since when
  std::vector<UndecidedCut> undecidedCuts;
};

/// Adds to judgement.commonLinkValues and coarseKeys. `nodes` are in canonical order.
[[nodiscard]] Links linkRecords(const std::vector<Node>& nodes, const JudgeContext& context,
                                Judgement& judgement);

}  // namespace counterfoil::judging
