// SPDX-License-Identifier: GPL-3.0-or-later
// --help, made from the command table.
#pragma once

#include <string>

#include "app/batch/command_table.h"

namespace counterfoil {

[[nodiscard]] std::string programHelp(const CommandList& commands, const TextStyle& style);
[[nodiscard]] std::string commandHelp(const CommandSpec& spec, const TextStyle& style);
[[nodiscard]] std::string versionText();

}  // namespace counterfoil
