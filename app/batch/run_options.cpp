// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "app/batch/print_to.h"
#include "app/machine.h"
#include "reports/json/run_json.h"
#include "reports/list/list_tables.h"
#include "reports/text/run_text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kRowsPerClass = 5;
constexpr std::size_t kRowsPerClassAsked = 200;  ///< with --notable or --all

Result<unsigned> parseThreads(std::string_view text) {
  unsigned value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < 1 ||
      value > 256) {
    return fail(ErrorCode::Usage, fmt::format("--threads takes 1 to 256, not '{}'", text));
  }
  return value;
}

Result<> readNightOptions(const Arguments& arguments, Session& session, NightOptions& night) {
  night.cancel = &session.console.interrupt.token;
  night.memoryBytes = defaultMemoryBytes();
  if (const auto text = arguments.value("--memory")) {
    const auto bytes = parseMemory(*text);
    if (!bytes) return fail(bytes.error().within("--memory"));
    night.memoryBytes = *bytes;
  }
  night.threads = defaultThreadCount();
  if (const auto text = arguments.value("--threads")) {
    const auto threads = parseThreads(*text);
    if (!threads) return fail(threads.error());
    night.threads = *threads;
  }
  return {};
}

std::string linesWritten(const RunResult& result, const std::string& path) {
  return fmt::format("{}: {}, {}", path, counted(result.units, "operation", "operations"),
                     counted(result.breaks, "break", "breaks"));
}

/// A few rows of each kind of fault and how many more: thousands of equal lines help nobody.
void reportQuarantined(const RunResult& result, Log& log) {
  std::uint64_t count = 0;
  for (const SourceReport& source : result.sources) count += source.quarantined;
  if (count == 0) return;
  constexpr std::size_t shownOfEach = 3;
  std::map<std::pair<std::string, std::string>, std::size_t> seen;  // by file and rule
  std::uint64_t shown = 0;
  for (const QuarantinedRow& row : result.quarantined) {
    if (++seen[{row.file, row.rule}] > shownOfEach) continue;
    log.warning(fmt::format("{}:{}: {}", row.file, row.line, row.reason));
    ++shown;
  }
  if (count > shown) log.warning(fmt::format("{} more like this", groupedNumber(count - shown)));
}

void reportForPrograms(const RunResult& result, Log& log) {
  reportQuarantined(result, log);
  for (const std::string& reason : result.incompleteBecause) log.error("incomplete: " + reason);
}

Result<> printCaseLines(const RunOutcome& outcome, ListFormat format, const TextStyle& style,
                        Sink& sink) {
  ListPrinter<CaseLine> printer(sink, format, style);
  CaseLine line;
  Result<> written;
  Result<> read = outcome.units->forEach([&](const Unit& unit) {
    fillCaseLine(unit, outcome.result.asOf, line);
    written = printer.add(line);
    return written.has_value();
  });
  if (!read) return read;
  if (!written) return written;
  return printer.finish();
}

Result<> printFormat(const RunOutcome& outcome, const RunChoices& choices, const TextStyle& style,
                     const std::vector<std::string>& nextCommands, Sink& sink) {
  switch (choices.format) {
    case ListFormat::Json:
      return sink.write(runJson(outcome.result, choices.run));
    case ListFormat::Ndjson:
    case ListFormat::Csv:
      return printCaseLines(outcome, choices.format, style, sink);
    case ListFormat::Table:
      break;
  }
  const bool more = choices.notable || choices.all;
  const auto text =
      runText(outcome, {style, more ? kRowsPerClassAsked : kRowsPerClass, more, nextCommands});
  if (!text) return fail(text.error());
  return sink.write(*text);
}

}  // namespace

std::vector<OptionSpec> runOptionSpecs() {
  using Count = OptionSpec::Count;
  return {
      {"--as-of", "TIME",
       "judge as of this instant (2026-04-08T06:00:00Z); default: the configuration's, else now"},
      {"--notable", "",
       "also list closed operations that are not plain: reversed, within tolerance, guarded",
       Count::Flag},
      {"--all", "", "list every operation", Count::Flag},
      {"--format",
       "FORMAT",
       "table for people; json: one object of the run; ndjson, csv: a line an operation",
       Count::One,
       {"table", "json", "ndjson", "csv"}},
      {"--output", "FILE",
       "write the result there, whole or not at all; messages stay on standard error"},
      {"--fail-on",
       "SEVERITY",
       "exit 1 only for breaks of this severity or worse; default: any break",
       Count::One,
       {"critical", "high", "medium", "low", "never"}},
      {"--memory", "SIZE",
       "bound of memory, such as 256M; default: half of what is free, 1G at most"},
      {"--threads", "N", "threads to use; default: all processors"},
  };
}

Result<RunChoices> runChoicesOf(const Arguments& arguments, Session& session) {
  RunChoices choices;
  choices.now = asOfNow(session.console);
  if (const auto text = arguments.value("--as-of")) {
    const auto asOf = parseInstant(*text);
    if (!asOf) return fail(ErrorCode::Usage, "--as-of: " + asOf.error().message);
    choices.asOf = *asOf;
  }
  if (Result<> read = readNightOptions(arguments, session, choices.night); !read)
    return fail(read.error());
  choices.format =
      listFormatFromCode(arguments.valueOr("--format", "table")).value_or(ListFormat::Table);
  choices.outputPath = arguments.valueOr("--output", "");
  choices.notable = arguments.has("--notable");
  choices.all = arguments.has("--all");
  choices.night.detail = choices.all       ? Detail::All
                         : choices.notable ? Detail::Notable
                                           : Detail::BreaksAndOpen;
  const std::string failOn = arguments.valueOr("--fail-on", "");
  choices.neverFail = failOn == "never";
  choices.failOn = severityFromCode(failOn).value_or(Severity::None);
  return choices;
}

Result<> printOutcome(const RunOutcome& outcome, const RunChoices& choices,
                      const std::vector<std::string>& nextCommands, Session& session) {
  const bool toFile = isFileOutput(choices.outputPath);
  Result<> printed = printTo(choices.outputPath, session, [&](Sink& sink, const TextStyle& style) {
    return printFormat(outcome, choices, style, nextCommands, sink);
  });
  if (!printed) return printed;
  if (toFile) session.log.info(linesWritten(outcome.result, choices.outputPath));
  if (toFile || choices.format != ListFormat::Table) reportForPrograms(outcome.result, session.log);
  return {};
}

}  // namespace counterfoil
