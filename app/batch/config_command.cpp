// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/commands.h"
#include "app/batch/config_argument.h"
#include "app/batch/exit_codes.h"
#include "app/batch/print_to.h"
#include "app/config_json.h"

namespace counterfoil {

namespace {

class ConfigCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "config",
        "shows a configuration as it is understood: defaults filled in, paths and times resolved",
        {{"counterfoil config show counterfoil.json", "as JSON; secrets are named, never shown"}},
        {{"ACTION", "what to do", PositionalSpec::Count::One, {"show"}},
         {"CONFIG", "configuration file"}},
        {{"--output", "FILE", "write it there, whole or not at all"}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto config =
        loadNamedConfig(arguments.valueOr("CONFIG", ""), std::nullopt, asOfNow(session.console));
    if (!config) return fail(config.error());
    const Result<> printed =
        printTo(arguments.valueOr("--output", ""), session,
                [&](Sink& sink, const TextStyle&) { return sink.write(configJson(*config)); });
    if (!printed) return fail(printed.error());
    return kExitReconciled;
  }
};

}  // namespace

std::unique_ptr<const Command> makeConfigCommand() {
  return std::make_unique<ConfigCommand>();
}

}  // namespace counterfoil
