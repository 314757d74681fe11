// SPDX-License-Identifier: GPL-3.0-or-later
// What command_table.cpp lists: one function a command, defined in the command's own file.
#pragma once

#include <memory>

#include "app/batch/command.h"

namespace counterfoil {

[[nodiscard]] std::unique_ptr<const Command> makeRunCommand();
[[nodiscard]] std::unique_ptr<const Command> makeRunsCommand();
[[nodiscard]] std::unique_ptr<const Command> makeCasesCommand();
[[nodiscard]] std::unique_ptr<const Command> makeFindingsCommand();
[[nodiscard]] std::unique_ptr<const Command> makeSkipsCommand();
[[nodiscard]] std::unique_ptr<const Command> makeDlqCommand();
[[nodiscard]] std::unique_ptr<const Command> makeProofCommand();
[[nodiscard]] std::unique_ptr<const Command> makeShowCommand();
[[nodiscard]] std::unique_ptr<const Command> makeDumpCommand();
[[nodiscard]] std::unique_ptr<const Command> makeBackupCommand();
[[nodiscard]] std::unique_ptr<const Command> makeCheckCommand();
[[nodiscard]] std::unique_ptr<const Command> makeCompletionCommand();
[[nodiscard]] std::unique_ptr<const Command> makeConfigCommand();
[[nodiscard]] std::unique_ptr<const Command> makeDemoCommand();
[[nodiscard]] std::unique_ptr<const Command> makeFormatsCommand();
[[nodiscard]] std::unique_ptr<const Command> makeHelpCommand();
[[nodiscard]] std::unique_ptr<const Command> makeInitCommand();
[[nodiscard]] std::unique_ptr<const Command> makeInspectCommand();
[[nodiscard]] std::unique_ptr<const Command> makeMatchCommand();
[[nodiscard]] std::unique_ptr<const Command> makeRemedyCommand();
[[nodiscard]] std::unique_ptr<const Command> makeVerifyCommand();
[[nodiscard]] std::unique_ptr<const Command> makeAdviseCommand();
[[nodiscard]] std::unique_ptr<const Command> makeCloseCommand();
[[nodiscard]] std::unique_ptr<const Command> makePruneCommand();
[[nodiscard]] std::unique_ptr<const Command> makeEraseCommand();
[[nodiscard]] std::unique_ptr<const Command> makeReportCommand();
[[nodiscard]] std::unique_ptr<const Command> makeReviewCommand();
[[nodiscard]] std::unique_ptr<const Command> makeIgnoreCommand();
[[nodiscard]] std::unique_ptr<const Command> makeAuditCommand();

}  // namespace counterfoil
