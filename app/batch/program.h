// SPDX-License-Identifier: GPL-3.0-or-later
// The batch program without its process: words in, text and an exit code out.
#pragma once

#include <string>
#include <vector>

#include "app/batch/console.h"

namespace counterfoil {

/// Runs one command line (without the program's name). Never throws.
[[nodiscard]] int runProgram(const std::vector<std::string>& words, Console& console);

}  // namespace counterfoil
