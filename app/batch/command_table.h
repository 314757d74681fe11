// SPDX-License-Identifier: GPL-3.0-or-later
// All commands. A further one is its own file with a make…Command() and one line in
// command_table.cpp.
#pragma once

#include <memory>
#include <vector>

#include "app/batch/command.h"

namespace counterfoil {

using CommandList = std::vector<std::unique_ptr<const Command>>;

/// In the order of --help.
[[nodiscard]] CommandList allCommands();

/// Options that every command takes.
[[nodiscard]] const std::vector<OptionSpec>& commonOptions();

}  // namespace counterfoil
