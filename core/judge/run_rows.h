// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that a source tells in several rows, as logs and event streams do: one when it starts, one when it ends, one
// when it is skipped (classes.md §1).
#pragma once

#include <vector>

#include "core/judge/nodes.h"

namespace counterfoil::judging {

/// Joins such rows: `nodes` are in canonical order before and afterwards. What is joined to another row counts as
/// repeated, and what only it says goes to the row that stays: the records are changed for that.
void joinRunRows(std::vector<Node>& nodes, const Policy& policy, Judgement& judgement);

}  // namespace counterfoil::judging
