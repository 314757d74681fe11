// SPDX-License-Identifier: GPL-3.0-or-later
// What was read twice is one record (classes.md §1): overlapping exports and pages, a pending row that a
// posted one takes the place of, an authorisation and its capture, the running and the ended row of one
// attempt.
#pragma once

#include <vector>

#include "core/judge/nodes.h"

namespace counterfoil::judging {

/// Removes repeats from `nodes` (kept in canonical order), counts them in judgement.repeats and lists the
/// effects among them. A kept effect takes over the key, order, parent and customer that only its
/// repeats state: `records` is changed for that.
void dropRepeats(std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement);

}  // namespace counterfoil::judging
