// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "app/batch/commands.h"
#include "app/batch/config_argument.h"
#include "app/batch/progress.h"
#include "app/batch/read_files.h"
#include "app/batch/run_options.h"

namespace counterfoil {

namespace {

std::vector<OptionSpec> matchOptions() {
  using Count = OptionSpec::Count;
  std::vector<OptionSpec> options = {
      {"--config", "FILE", "sources and rules of a configuration; its store is not touched"},
      {"--local", "FILE", "what the jobs say: attempts, in any known format", Count::Many},
      {"--provider", "FILE", "what the provider did: statements, exports", Count::Many},
      {"--skips", "FILE", "duplicates that workers skipped", Count::Many},
      {"--claims", "FILE", "claimed keys, processed events", Count::Many},
      {"--intents", "FILE", "what ought to happen: orders, invoices", Count::Many},
      {"--outbox", "FILE", "outbox rows", Count::Many},
      {"--dead-letters", "FILE", "messages of dead-letter queues", Count::Many},
      {"--queue-depths", "FILE", "samples of queue depths", Count::Many},
  };
  const std::vector<OptionSpec> common = runOptionSpecs();
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

/// A word as a shell takes it back.
std::string shellWord(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

class MatchCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "match",
        "compares both sides and says what is wrong, how much it is and why; writes no store",
        {{"counterfoil match --local jobs.csv --provider statement.csv",
          "formats are found by looking at the files"},
         {"counterfoil match --config counterfoil.json", "with your sources and rules"},
         {"counterfoil match --config counterfoil.json --format ndjson --notable | jq .",
          "a line an operation, for programs"}},
        {},
        matchOptions(),
        "Without a configuration every rule is at its default: the statement is taken to cover the "
        "time from its "
        "first record to its last, and what lies outside is not judged."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    auto choices = runChoicesOf(arguments, session);
    if (!choices) return fail(choices.error());
    const auto config = configOf(arguments, *choices);
    if (!config) return fail(config.error());
    tellLeftOut(*config, session.log);
    // Only JSON shows the digests of files; files of one size are compared by them anyway.
    choices->night.wantDigests = choices->format == ListFormat::Json;
    Progress progress(session.console, showOf(session));
    choices->night.progress = [&progress](std::string_view stage, std::uint64_t done,
                                          std::uint64_t total) {
      progress.update(stage, done, total);
    };
    const auto night = runNight(*config, choices->night);
    progress.clear();
    if (!night) return fail(night.error());
    const RunOutcome& outcome = night->outcome;
    if (Result<> printed =
            printOutcome(outcome, *choices, nextCommands(arguments, outcome.result), session);
        !printed) {
      return fail(printed.error());
    }
    return exitCodeOf(outcome.result, choices->failOn, choices->neverFail);
  }

 private:
  static Progress::Show showOf(const Session& session) {
    return session.console.errIsTerminal && !session.quiet ? Progress::Show::Yes
                                                           : Progress::Show::No;
  }

  static AdHocFiles filesOf(const Arguments& arguments) {
    AdHocFiles files;
    files.local = arguments.values("--local");
    files.provider = arguments.values("--provider");
    files.skips = arguments.values("--skips");
    files.claims = arguments.values("--claims");
    files.intents = arguments.values("--intents");
    files.outbox = arguments.values("--outbox");
    files.deadLetters = arguments.values("--dead-letters");
    files.queueDepths = arguments.values("--queue-depths");
    return files;
  }

  static Result<Config> configOf(const Arguments& arguments, const RunChoices& choices) {
    const AdHocFiles files = filesOf(arguments);
    const auto path = arguments.value("--config");
    if (path && !files.isEmpty()) {
      return fail(ErrorCode::Usage,
                  "give either --config or files, not both; a configuration names its own files");
    }
    if (path) return loadNamedConfig(*path, choices.asOf, choices.now);
    const bool hasLocal = !files.local.empty() || !files.intents.empty() || !files.outbox.empty();
    if (!hasLocal || files.provider.empty()) {
      return fail(ErrorCode::Usage,
                  "match needs both sides: --local FILE and --provider FILE, or --config FILE; see "
                  "counterfoil match --help");
    }
    return configOfFiles(files, choices.asOf.value_or(choices.now));
  }

  std::vector<std::string> nextCommands(const Arguments& arguments, const RunResult& result) const {
    std::vector<std::string> commands;
    if (!result.quarantined.empty()) {
      commands.push_back("counterfoil inspect " + shellWord(result.quarantined.front().file));
    }
    if (const auto path = arguments.value("--config")) {
      commands.push_back(fmt::format(
          "counterfoil match --config {} --format csv --output breaks.csv", shellWord(*path)));
      return commands;
    }
    std::string files;
    for (const OptionSpec& option : spec().options) {
      if (option.count != OptionSpec::Count::Many) continue;
      for (const std::string& file : arguments.values(option.name)) files += " " + shellWord(file);
    }
    commands.push_back(fmt::format("counterfoil init{} --output counterfoil.json", files));
    commands.emplace_back("counterfoil match --config counterfoil.json");
    return commands;
  }
};

}  // namespace

std::unique_ptr<const Command> makeMatchCommand() {
  return std::make_unique<MatchCommand>();
}

}  // namespace counterfoil
