// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <chrono>

#include "app/batch/case_lines.h"
#include "app/batch/commands.h"
#include "app/batch/config_argument.h"
#include "app/batch/exit_codes.h"
#include "app/batch/progress.h"
#include "app/batch/read_files.h"
#include "app/batch/run_options.h"
#include "app/night_store.h"
#include "app/report_files.h"
#include "core/base/text.h"
#include "reports/text/text_style.h"

namespace counterfoil {

namespace {

std::vector<OptionSpec> runCommandOptions() {
  using Count = OptionSpec::Count;
  std::vector<OptionSpec> options = runOptionSpecs();
  const std::vector<OptionSpec> own = {
      {"--fail-on-new", "", "exit 1 only for breaks that are new or worse since the run before", Count::Flag},
      {"--baseline", "", "a first run on old data: what is found counts as known already", Count::Flag},
      {"--backfill", "", "allow an as-of before the last run", Count::Flag},
      {"--reread", "", "read every file again, also those known by path, size and time", Count::Flag},
      {"--wait", "TIME", "wait so long for another run on the same store, such as 10m; default: do not"},
  };
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

class RunCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "run",
        "the nightly job: reads both sides, matches, decides and keeps everything in the store",
        {{"counterfoil run counterfoil.json", "one night; exit 0: reconciled, 1: breaks, 3: incomplete"},
         {"counterfoil run counterfoil.json --format json --quiet", "one object for programs"},
         {"counterfoil run counterfoil.json --fail-on-new", "only what is new or worse fails"}},
        {{"CONFIG", "the configuration file", PositionalSpec::Count::One}},
        runCommandOptions(),
        "The same inputs, configuration and as-of again change nothing and give the earlier run's result and exit "
        "code. Killed at any moment, a run leaves the store as it was; run it again."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    auto choices = runChoicesOf(arguments, session);
    if (!choices) return fail(choices.error());
    const auto config = loadNamedConfig(arguments.valueOr("CONFIG", ""), choices->asOf, choices->now);
    if (!config) return fail(config.error());
    tellLeftOut(*config, session.log);
    auto options = optionsOf(arguments, *choices);
    if (!options) return fail(options.error());
    const bool show = session.console.errIsTerminal && !session.quiet;
    Progress progress(session.console, show ? Progress::Show::Yes : Progress::Show::No);
    options->night.progress = [&progress](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      progress.update(stage, done, total);
    };
    const auto began = std::chrono::steady_clock::now();
    auto night = runIntoStore(*config, *options);
    progress.clear();
    if (!night) return fail(night.error());
    if (night->repeated) {
      session.log.info(fmt::format("run {} is this night already: nothing was changed", night->run.number));
    }
    if (auto ok = print(*night, *config, *choices, session); !ok) return fail(ok.error());
    const int exitCode = exitCodeOf(night->run, choices->failOn, choices->neverFail, arguments.has("--fail-on-new"));
    return writeReports(*night, *config, exitCode, began, session) ? exitCode : kExitFailed;
  }

 private:
  static Result<NightStoreOptions> optionsOf(const Arguments& arguments, const RunChoices& choices) {
    NightStoreOptions options;
    options.night = choices.night;
    options.baseline = arguments.has("--baseline");
    options.backfill = arguments.has("--backfill");
    options.reread = arguments.has("--reread");
    options.program = COUNTERFOIL_VERSION;
    if (const auto text = arguments.value("--wait")) {
      const auto wait = parseDuration(*text);
      if (!wait) return fail(ErrorCode::Usage, "--wait: " + wait.error().message);
      options.wait = std::chrono::duration_cast<std::chrono::milliseconds>(*wait);
    }
    return options;
  }

  /// All of the configuration's reports; what cannot be written is said and takes nothing from the others.
  static bool writeReports(const StoredNight& night, const Config& config, int exitCode,
                           std::chrono::steady_clock::time_point began, Session& session) {
    WriterOptions options;
    options.exitCode = exitCode;
    options.now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    options.took = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - began);
    const WrittenReports reports = writeConfiguredReports(config, *night.store, night.run.number, options);
    for (const std::string& path : reports.paths) session.log.info(fmt::format("{} is written", forTerminal(path)));
    for (const Error& error : reports.errors) session.log.error(error.message);
    return reports.errors.empty();
  }

  static Result<> print(const StoredNight& night, const Config& config, const RunChoices& choices, Session& session) {
    if (choices.format == ListFormat::Ndjson || choices.format == ListFormat::Csv) {
      ListFilter filter;
      filter.run = night.run.number;
      filter.detail = choices.night.detail;
      return printCases(*night.store, filter, {choices.format, choices.outputPath}, session);
    }
    RunOutcome outcome;
    outcome.result = night.run.result;
    outcome.units = storedUnits(*night.store, night.run.number, choices.night.detail);
    RunChoices numbered = choices;
    numbered.run = night.run.number;
    std::vector<std::string> next;
    if (config.storePath != ":memory:") {
      const auto earlier = night.store->breaksNotSeenBy(night.run.number);
      if (!earlier) return fail(earlier.error());
      // Tonight's numbers are of tonight's files: what stands from before must not be forgotten over them.
      const std::string stands = *earlier == 0 ? "" : "   # " + counted(*earlier, "more break of another night stands",
                                                                        "more breaks of other nights stand");
      next = {fmt::format("counterfoil cases {}{}", config.storePath, stands),
              fmt::format("counterfoil show {} KEY", config.storePath)};
    }
    return printOutcome(outcome, numbered, next, session);
  }
};

}  // namespace

std::unique_ptr<const Command> makeRunCommand() { return std::make_unique<RunCommand>(); }

}  // namespace counterfoil
