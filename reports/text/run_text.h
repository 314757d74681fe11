// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a night for people: what is wrong, how much it is, why, what could not be judged,
// what to do next. Deterministic for the same outcome, width and colour.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/run/run.h"
#include "reports/text/text_style.h"

namespace counterfoil {

struct RunTextOptions {
  TextStyle style;
  std::size_t rowsPerClass = 5;  ///< units shown of each class
  bool closedToo = false;        ///< also units that are neither broken nor open, where listed
  std::vector<std::string> nextCommands;  ///< the last lines
};

/// Error: the units could not be read.
[[nodiscard]] Result<std::string> runText(const RunOutcome& outcome, const RunTextOptions& options);

}  // namespace counterfoil
