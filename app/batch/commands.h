// SPDX-License-Identifier: GPL-3.0-or-later
// What command_table.cpp lists: one function a command, defined in the command's own file.
#pragma once

#include <memory>

#include "app/batch/command.h"

namespace counterfoil {

[[nodiscard]] std::unique_ptr<const Command> makeCompletionCommand();
[[nodiscard]] std::unique_ptr<const Command> makeDemoCommand();
[[nodiscard]] std::unique_ptr<const Command> makeHelpCommand();

}  // namespace counterfoil
