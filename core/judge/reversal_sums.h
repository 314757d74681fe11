// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that say something of a charge's amount and are no reversals of their own: what was refunded of a
// charge so far, as one sum, and the part of an authorisation that was never captured.
#pragma once

#include <vector>

#include "core/judge/nodes.h"

namespace counterfoil::judging {

/// A reversal under its charge's own id is the sum of the charge's refunds, as charge objects and lists of
/// payments state it. Refunds that the same provider lists one by one are in it: they leave it. One that
/// names its charge both as parent and as what it `replaces` lowers the charge: that much was never taken. What goes is counted
/// in judgement.repeats and listed in repeatedEffects; `records` is changed. Keeps the order of the nodes.
void settleReversalSums(std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement);

}  // namespace counterfoil::judging
