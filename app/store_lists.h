// SPDX-License-Identifier: GPL-3.0-or-later
// What a store holds as the lines of lists: the same for the batch program and the window.
#pragma once

#include <optional>

#include "core/store/store.h"
#include "reports/list/lines.h"

namespace counterfoil {

/// The run a list of one run shows: the one asked for, else the newest. Error (Usage) where there is none.
[[nodiscard]] Result<StoredRun> runOf(const Store& store, std::optional<RunNumber> wanted);

/// "Cleared by run 12, 9 h after it was due."; blank for a case that was not cleared.
[[nodiscard]] std::string clearedWords(const StoredUnit& stored);

/// Fills `line` (its strings are used again); `state` is that of the review, "closed" for a closed case
/// that nobody looked at.
void fillCaseLine(const StoredUnit& stored, CaseLine& line);
[[nodiscard]] SkipLine skipLineOf(const SkipRow& row);
[[nodiscard]] MessageLine messageLineOf(const DeadLetterRow& row);
/// Depths of a run's queues, in order of name.
[[nodiscard]] std::vector<QueueLine> queueLinesOf(const StoredRun& run);

}  // namespace counterfoil
