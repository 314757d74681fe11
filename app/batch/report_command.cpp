// SPDX-License-Identifier: GPL-3.0-or-later
// report: a run, a period, one case or a filtered list as a file to forward, print or archive.
#include <fmt/format.h>

#include "app/batch/commands.h"
#include "app/batch/print_to.h"
#include "app/batch/store_options.h"
#include "app/report_files.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr FilterSet kFilters = {true, false, true, false, {}};

std::vector<OptionSpec> reportOptions() {
  using Count = OptionSpec::Count;
  std::vector<OptionSpec> options = {
      {"--output", "PATH", "the file; {date}, {run} and {name} are filled in; folders are made. Default: standard output"},
      {"--until", "TIME", "a period ends before this instant"},
      {"--case", "ID", "one case as a page: its id, key, or the id of a job, message, order or effect"},
      {"--lang", "LANGUAGE", "of words, numbers and dates", Count::One, {"en", "ru"}},
      {"--unmask", "", "show customers, addresses, phone numbers and rows as written", Count::Flag},
      {"--title", "TEXT", "instead of the usual one"},
      {"--split", "BY", "junit: a test a class, or a test a case", Count::One, {"class", "case"}},
      {"--index", "", "also keep index.html and index.json of the reports in the folder", Count::Flag},
  };
  OptionSpec format{"--format", "FORMAT", "html (default), or one of these"};
  for (const ReportFormat& each : reportFormats()) format.choices.push_back(each.code);
  options.insert(options.begin(), format);
  for (const OptionSpec& option : filterSpecs(kFilters)) options.push_back(option);
  return options;
}

/// "2026-04-01", "2026-04-01T00:00:00Z", or "7d": so long before `end`.
Result<Instant> timeOf(const std::string& name, const std::string& text, Instant end) {
  if (const auto length = parseDuration(text)) return end - *length + Duration(1);
  const auto at = parseInstant(text.size() == 10 ? text + "T00:00:00Z" : text);
  if (at) return *at;
  return fail(ErrorCode::Usage, fmt::format("{}: {}; give a day, an instant, or a duration such as 7d", name, at.error().message));
}

/// The filter's own --since is an instant; a report's may be a duration.
Arguments withoutSince(const Arguments& arguments, const CommandSpec& spec) {
  Arguments out;
  for (const OptionSpec& option : spec.options) {
    if (option.name == "--since") continue;
    for (const std::string& value : arguments.values(option.name)) out.add(option.name, value);
  }
  return out;
}

bool filters(const ListFilter& filter) {
  return !filter.classes.empty() || !filter.states.empty() || !filter.severities.empty() || !filter.key.empty() ||
         !filter.text.empty() || !filter.operation.empty() || filter.limit > 0;
}

class ReportCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "report",
        "a run, a period, one case or a filtered list as a file to forward, print or archive",
        {{"counterfoil report shop.counterfoil --output night-{date}.html", "the newest run as one page"},
         {"counterfoil report shop.counterfoil --since 7d --lang ru --output week.html", "the week, in Russian"},
         {"counterfoil report shop.counterfoil --case charge:4471 --output case.html", "one case for a ticket"},
         {"counterfoil report shop.counterfoil --format csv --class missing_effect", "a filtered list"}},
        {storePositional()},
        reportOptions(),
        "Without a filter the report is about a run (--run, else the newest), or with --since about a period; filters make "
        "it a list of what stands. Personal data is masked unless --unmask is given. A file is replaced whole or not at all."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto request = requestOf(arguments, *store);
    if (!request) return fail(request.error());
    const auto model = loadReport(*store, *request);
    if (!model) return fail(model.error());
    if (auto ok = write(*model, arguments, session); !ok) return fail(ok.error());
    return 0;
  }

 private:
  Result<ReportRequest> requestOf(const Arguments& arguments, const Store& store) const {
    ReportRequest request;
    auto filter = filterOf(withoutSince(arguments, spec()), kFilters);
    if (!filter) return fail(filter.error());
    request.filter = std::move(*filter);
    request.language = languageFromCode(arguments.valueOr("--lang", "en")).value_or(Language::English);
    request.unmask = arguments.has("--unmask");
    request.title = arguments.valueOr("--title", "");
    request.caseId = arguments.valueOr("--case", "");
    const auto latest = store.latestAsOf();
    if (!latest) return fail(latest.error());
    const Instant end = latest->value_or(Instant{});
    if (const auto text = arguments.value("--until")) {
      const auto until = timeOf("--until", *text, end);
      if (!until) return fail(until.error());
      request.until = *until;
    }
    if (const auto text = arguments.value("--since")) {
      const auto since = timeOf("--since", *text, end);
      if (!since) return fail(since.error());
      request.since = *since;
    }
    return withKind(std::move(request));
  }

  static Result<ReportRequest> withKind(ReportRequest request) {
    const bool period = request.since || request.until;
    if (!request.caseId.empty()) {
      request.kind = ReportKind::Case;
    } else if (filters(request.filter)) {
      request.kind = ReportKind::List;
      request.filter.since = request.since;
      if (request.until) return fail(ErrorCode::Usage, "--until goes with a period, not with a filtered list");
    } else if (period) {
      request.kind = ReportKind::Period;
      if (request.filter.run) return fail(ErrorCode::Usage, "--run and --since are two different reports; give one of them");
    } else {
      request.run = std::exchange(request.filter.run, {});
    }
    return request;
  }

  static Result<> write(const ReportModel& model, const Arguments& arguments, Session& session) {
    const ReportFormat* format = reportFormatOf(arguments.valueOr("--format", "html"));
    if (format == nullptr) return fail(ErrorCode::Usage, "--format: no such format");
    WriterOptions options;
    if (arguments.valueOr("--split", "class") == "case") options.split = JunitSplit::Case;
    const std::string path = filledReportPath(arguments.valueOr("--output", ""), model.facts());
    if (!isFileOutput(path)) {
      if (arguments.has("--index")) return fail(ErrorCode::Usage, "--index needs --output");
      if (!format->toSink) return fail(ErrorCode::Usage, fmt::format("a report of the format {} needs --output", format->code));
      options.width = session.outStyle.width;
      return format->toSink(model, options, session.console.out);
    }
    if (auto ok = writeReportFile(model, *format, options, path); !ok) return ok;
    if (arguments.has("--index")) {
      if (auto ok = updateReportIndex(model, *format, path); !ok) return ok;
    }
    session.log.info(fmt::format("{} is written", forTerminal(path)));
    return {};
  }
};

}  // namespace

std::unique_ptr<const Command> makeReportCommand() { return std::make_unique<ReportCommand>(); }

}  // namespace counterfoil
