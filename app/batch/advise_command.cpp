// SPDX-License-Identifier: GPL-3.0-or-later
// advise: settings that would have absorbed what all nights saw.
#include <fmt/format.h>

#include "app/advice.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "core/base/text.h"

namespace counterfoil {

static std::optional<std::string> durationText(const std::optional<Duration>& duration) {
  if (!duration) return std::nullopt;
  return formatShortDuration(*duration);
}

/// Percentiles are bounds of buckets: nobody wants their microseconds.
static Duration rounded(Duration value) {
  using namespace std::chrono_literals;
  const Duration step = value >= 2s ? Duration(1s) : Duration(1ms);
  return (value + step - Duration(1)) / step * step;
}

static std::optional<std::string> observedText(const AdviceLine& line, Duration value) {
  return line.observed == 0 ? std::nullopt : std::optional(formatShortDuration(rounded(value)));
}

static void describe(const AdviceLine& line, LineVisitor& visitor) {
  visitor.text("queue", line.queue);
  visitor.text("operation", line.operation);
  visitor.text("setting", codeOf(line.setting));
  visitor.textOrNull("configured", durationText(line.configured));
  visitor.integer("observed", static_cast<std::int64_t>(line.observed));
  visitor.textOrNull("p50", observedText(line, line.p50));
  visitor.textOrNull("p99", observedText(line, line.p99));
  visitor.textOrNull("longest", observedText(line, line.longest));
  visitor.integer("incidents", static_cast<std::int64_t>(line.incidents));
  visitor.integer("absorbed_now", static_cast<std::int64_t>(line.absorbedNow));
  visitor.textOrNull("least_for_most", durationText(line.most));
  visitor.integer("absorbed_by_most", static_cast<std::int64_t>(line.absorbedByMost));
  visitor.textOrNull("least_for_all", durationText(line.least));
  visitor.text("advice", line.advice);
}

template <>
struct ListTable<AdviceLine> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    std::vector<TextColumn> columns = {{"queue", Align::Left, Fit::Whole, 0}, {"operation", Align::Left, Fit::Whole, 0},
                                       {"setting", Align::Left, Fit::Whole, 0}};
    for (const char* title : {"configured", "p50", "p99", "longest", "incidents"}) columns.push_back({title, Align::Right, Fit::Whole, 0});
    columns.push_back({"", Align::Left, Fit::Below, 0});
    return columns;
  }
  static std::vector<TextCell> cells(const AdviceLine& line) {
    const auto duration = [&](Duration value) { return TextCell{line.observed == 0 ? "–" : formatDuration(rounded(value))}; };
    return {{forTerminal(line.queue)}, {forTerminal(line.operation)}, {std::string(codeOf(line.setting))},
            {line.configured ? formatDuration(*line.configured) : "–"}, duration(line.p50), duration(line.p99), duration(line.longest),
            {std::to_string(line.incidents), line.incidents > line.absorbedNow ? Ink::Yellow : Ink::Plain}, {line.advice}};
  }
};

namespace {

class AdviseCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "advise",
        "settings that would have absorbed the incidents of all nights",
        {{"counterfoil advise shop.counterfoil", "timeouts and lifetimes, with how many incidents each would have absorbed"},
         {"counterfoil advise shop.counterfoil --format csv", "for a spreadsheet"}},
        {storePositional()},
        listOptionSpecs(),
        "An incident counts once, as its newest night judged it. Every value is the least that would have been enough; leave room above it."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto advice = adviceOf(*store, &session.console.interrupt.token);
    if (!advice) return fail(advice.error());
    if (auto ok = printList(listChoicesOf(arguments), session, advice->lines); !ok) return fail(ok.error());
    session.log.info(fmt::format("{}, {}", counted(advice->runs, "night", "nights"), counted(advice->attempts, "attempt", "attempts")));
    return 0;
  }
};

}  // namespace

std::unique_ptr<const Command> makeAdviseCommand() { return std::make_unique<AdviseCommand>(); }

}  // namespace counterfoil
