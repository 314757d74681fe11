// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/batch/command_table.h"
#include "app/batch/commands.h"
#include "app/batch/exit_codes.h"
#include "app/batch/help_text.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

class HelpCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "help",
        "what a command does and takes",
        {{"counterfoil help match", "examples, options and exit codes of match"}},
        {{"COMMAND", "name of a command", PositionalSpec::Count::Optional}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const CommandList commands = allCommands();
    const auto name = arguments.value("COMMAND");
    if (!name) return print(programHelp(commands, session.outStyle), session);
    std::vector<std::string_view> names;
    for (const auto& command : commands) {
      if (command->spec().name == *name)
        return print(commandHelp(command->spec(), session.outStyle), session);
      names.push_back(command->spec().name);
    }
    const std::string near = nearest(*name, names.data(), names.size());
    return fail(ErrorCode::Usage,
                near.empty()
                    ? fmt::format("'{}' is no command; counterfoil --help lists them", *name)
                    : fmt::format("'{}' is no command; did you mean '{}'?", *name, near));
  }

 private:
  static Result<int> print(std::string_view text, Session& session) {
    if (Result<> written = session.console.out.write(text); !written) return fail(written.error());
    return kExitReconciled;
  }
};

}  // namespace

std::unique_ptr<const Command> makeHelpCommand() {
  return std::make_unique<HelpCommand>();
}

}  // namespace counterfoil
