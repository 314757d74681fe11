// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "core/base/text.h"
#include "reports/text/run_words.h"

namespace counterfoil {

/// A line of `runs`.
struct RunLine {
  std::int64_t run = 0;
  std::string asOf;
  bool complete = true;
  bool backfill = false;
  std::int64_t units = 0, breaks = 0, newBreaks = 0, open = 0, unjudged = 0, records = 0;
  std::vector<Money> exposure;
};

static void describe(const RunLine& line, LineVisitor& visitor) {
  visitor.integer("run", line.run);
  visitor.text("as_of", line.asOf);
  visitor.text("complete", line.complete ? "yes" : "no");
  visitor.text("backfill", line.backfill ? "yes" : "no");
  visitor.integer("units", line.units);
  visitor.integer("breaks", line.breaks);
  visitor.integer("new_breaks", line.newBreaks);
  visitor.integer("open", line.open);
  visitor.integer("unjudged", line.unjudged);
  visitor.integer("records", line.records);
  visitor.money("exposure", line.exposure);
}

template <>
struct ListTable<RunLine> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    std::vector<TextColumn> columns;
    for (const char* title : {"run", "units", "breaks", "new", "open", "records", "exposure"}) {
      columns.push_back({title, Align::Right, Fit::Whole, 0});
    }
    columns.insert(columns.begin() + 1, {"as of", Align::Left, Fit::Whole, 0});
    columns.push_back({"", Align::Left, Fit::Whole, 0});
    return columns;
  }
  static std::vector<TextCell> cells(const RunLine& line) {
    const auto number = [](std::int64_t value) { return TextCell{groupedNumber(static_cast<std::uint64_t>(value))}; };
    TextCell breaks = number(line.breaks);
    if (line.breaks > 0) breaks.ink = Ink::Red;
    return {number(line.run),  {line.asOf},        number(line.units), breaks, number(line.newBreaks),
            number(line.open), number(line.records), {moneyWords(line.exposure)},
            {line.complete ? "" : "incomplete", Ink::Yellow}};
  }
};

namespace {

RunLine lineOf(const StoredRun& run) {
  RunLine line;
  line.run = run.number;
  line.asOf = formatInstant(run.identity.asOf);
  line.complete = run.result.complete;
  line.backfill = run.backfill;
  line.units = static_cast<std::int64_t>(run.result.units);
  line.breaks = static_cast<std::int64_t>(run.result.breaks);
  for (const auto& [severity, count] : run.newBreaks) line.newBreaks += static_cast<std::int64_t>(count);
  line.open = static_cast<std::int64_t>(run.result.open);
  line.unjudged = static_cast<std::int64_t>(run.result.unjudged);
  line.records = static_cast<std::int64_t>(run.records);
  line.exposure = run.result.exposure;
  return line;
}

class RunsCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {"runs",
                                     "the runs of a store with what they found",
                                     {{"counterfoil runs shop.counterfoil", "every run, oldest first"}},
                                     {storePositional()},
                                     options()};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto filter = filterOf(arguments, {});
    if (!filter) return fail(filter.error());
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto printed = printList<RunLine>(
        listChoicesOf(arguments), session, [&](ListPrinter<RunLine>& printer) -> Result<> {
          Result<> added;
          const auto walked = store->forEachRun(*filter, [&](const StoredRun& run) {
            added = printer.add(lineOf(run));
            return added.has_value();
          });
          return walked ? added : walked;
        });
    if (!printed) return fail(printed.error());
    return 0;
  }

 private:
  static std::vector<OptionSpec> options() {
    std::vector<OptionSpec> options = filterSpecs({});
    options.push_back({"--since", "TIME", "only runs as of this instant or later"});
    for (const OptionSpec& option : listOptionSpecs()) options.push_back(option);
    return options;
  }
};

}  // namespace

std::unique_ptr<const Command> makeRunsCommand() { return std::make_unique<RunsCommand>(); }

}  // namespace counterfoil
