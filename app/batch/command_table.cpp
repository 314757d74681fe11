// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/command_table.h"

#include "app/batch/commands.h"

namespace counterfoil {

CommandList allCommands() {
  using Make = std::unique_ptr<const Command> (*)();
  static constexpr Make table[] = {
      makeRunCommand,    makeMatchCommand,      makeInitCommand,    makeInspectCommand,
      makeCheckCommand,  makeRunsCommand,       makeCasesCommand,   makeFindingsCommand,
      makeSkipsCommand,  makeDlqCommand,        makeProofCommand,   makeShowCommand,
      makeReviewCommand, makeIgnoreCommand,     makeReportCommand,  makeRemedyCommand, makeVerifyCommand,
      makeAdviseCommand, makeAuditCommand,      makeCloseCommand,   makePruneCommand,
      makeEraseCommand,  makeDumpCommand,       makeBackupCommand,  makeConfigCommand, makeFormatsCommand,
      makeDemoCommand,   makeCompletionCommand, makeHelpCommand,
  };
  CommandList commands;
  for (const Make make : table) commands.push_back(make());
  return commands;
}

const std::vector<OptionSpec>& commonOptions() {
  using Count = OptionSpec::Count;
  static const std::vector<OptionSpec> options = {
      {"--quiet", "", "only errors on standard error", Count::Flag},
      {"--verbose", "", "say more on standard error", Count::Flag},
      {"--no-color", "", "no colours (also: NO_COLOR=1, TERM=dumb)", Count::Flag},
      {"--help", "", "this text", Count::Flag},
      {"--version", "", "the program's version", Count::Flag},
  };
  return options;
}

}  // namespace counterfoil
