// SPDX-License-Identifier: GPL-3.0-or-later
// From words to a command and its arguments.
#pragma once

#include <string>
#include <vector>

#include "app/batch/command_table.h"

namespace counterfoil {

struct CommandLine {
  const Command* command = nullptr;  ///< null: the program was asked for its own help or version
  Arguments arguments;  ///< also the common options, "--help" and "--version" among them
};

/// Error (Usage) says what is wrong and, where a known word is near, "did you mean".
[[nodiscard]] Result<CommandLine> parseCommandLine(const std::vector<std::string>& words,
                                                   const CommandList& commands);

}  // namespace counterfoil
