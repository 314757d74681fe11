// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <charconv>

#include "app/batch/commands.h"
#include "app/batch/exit_codes.h"
#include "app/batch/inspection_output.h"
#include "app/batch/print_to.h"
#include "app/batch/read_files.h"

namespace counterfoil {

namespace {

constexpr std::size_t kFirstRecords = 3;
constexpr std::size_t kMostRecords = 1000;

class InspectCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "inspect",
        "what it takes a file to be, its rows, what can't be read in it and why",
        {{"counterfoil inspect jobs.csv statement.csv",
          "format, rows, span, totals, first records, bad rows"},
         {"counterfoil inspect export.csv --as generic.effects",
          "read it as a format of your choice"}},
        {{"FILE", "file to look at: CSV, JSON, NDJSON, SQLite, XLSX, log; also .gz, .zst and .zip (all its "
          "files, or archive.zip/name for one)",
          PositionalSpec::Count::Many}},
        {{"--as", "FORMAT",
          "read the files as this format instead of finding it; see counterfoil formats"},
         {"--format",
          "FORMAT",
          "table for people; json: an array with an object a file",
          OptionSpec::Count::One,
          {"table", "json"}},
         {"--records", "N", "how many of the first records to show (default 3, at most 1000)"},
         {"--output", "FILE", "write the result there, whole or not at all"}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto specs = specsOf(arguments.values("FILE"), arguments.valueOr("--as", ""), session.log);
    if (!specs) return fail(specs.error());
    const auto records = countOf(arguments);
    if (!records) return fail(records.error());
    const auto looks = lookAt(*specs, session, *records);
    if (!looks) return fail(looks.error());
    const bool asJson = arguments.valueOr("--format", "table") == "json";
    const Result<> printed = printTo(
        arguments.valueOr("--output", ""), session, [&](Sink& sink, const TextStyle& style) {
          return sink.write(asJson ? inspectionJson(*looks) : textOf(*looks, style));
        });
    if (!printed) return fail(printed.error());
    return reportProblems(*looks, session);
  }

 private:
  static Result<std::size_t> countOf(const Arguments& arguments) {
    const std::string text = arguments.valueOr("--records", "");
    if (text.empty()) return kFirstRecords;
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size() || count > kMostRecords) {
      return fail(ErrorCode::Usage, fmt::format("--records: '{}' is no number from 0 to {}", text, kMostRecords));
    }
    return count;
  }

  static std::string textOf(const std::vector<FileLook>& looks, const TextStyle& style) {
    std::string out;
    for (const FileLook& look : looks) {
      if (!look.report) continue;  // standard error says why
      if (!out.empty()) out += '\n';
      out += inspectionText(look, style);
    }
    return out;
  }

  static int reportProblems(const std::vector<FileLook>& looks, Session& session) {
    int code = kExitReconciled;
    for (const FileLook& look : looks) {
      const bool whole = look.report && look.report->file.complete;
      if (whole) continue;
      code = kExitIncomplete;
      session.log.error("counterfoil: " +
                        (look.report ? look.report->file.problem : look.error.message));
    }
    return code;
  }
};

}  // namespace

std::unique_ptr<const Command> makeInspectCommand() {
  return std::make_unique<InspectCommand>();
}

}  // namespace counterfoil
