// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "app/life_of_key.h"
#include "app/remedies/life_remedies.h"
#include "app/store_lists.h"
#include "core/base/text.h"
#include "reports/text/run_words.h"

namespace counterfoil {

static void describe(const LifeEvent& event, LineVisitor& visitor) {
  visitor.textOrNull("time", event.time ? std::optional(formatInstant(*event.time)) : std::nullopt);
  visitor.text("lane", event.lane);
  visitor.text("event", event.event);
  visitor.text("id", event.id);
  visitor.text("key", event.key);
  visitor.money("amount", event.amount ? std::vector{*event.amount} : std::vector<Money>());
  visitor.text("detail", event.detail);
  visitor.text("source", event.source);
  visitor.text("place", event.place);
  std::vector<std::string> runs;
  for (const RunNumber run : event.runs) runs.push_back(std::to_string(run));
  visitor.list("runs", runs);
  std::vector<std::string> fields;
  for (const auto& [name, value] : event.fields) fields.push_back(std::string(name) + "=" + value);
  visitor.list("fields", fields);
  visitor.text("raw", event.raw);
}

namespace {

/// Lanes as columns: a mark where the event happened.
std::string laneMarks(const std::vector<std::string_view>& lanes, std::string_view lane) {
  std::string out;
  for (const std::string_view each : lanes) out += each == lane ? "● " : "│ ";
  if (!out.empty()) out.pop_back();
  return out;
}

std::string printLife(const Life& life, const TextStyle& style) {
  std::string out;
  for (const StoredUnit& unit : life.units) {
    out += fmt::format("{} {}  {}  {}\n", paint(labelOf(unit.unit.unitClass, !unit.unit.exposure.empty()), Ink::Bold, style),
                       forTerminal(unit.unit.key), moneyWords(unit.unit.exposure), codeOf(unit.state));
    const std::string cleared = clearedWords(unit);
    const std::string reason = cleared.empty() ? unit.unit.reason : unit.unit.reason + " " + cleared;
    for (const std::string& line : wrapped(forTerminal(reason), style.width)) out += line + "\n";
    out += "\n";
  }
  std::vector<std::string_view> lanes;
  for (const std::string_view lane : lifeLanes()) {
    const bool used = std::any_of(life.events.begin(), life.events.end(), [&](const LifeEvent& event) { return event.lane == lane; });
    if (used) lanes.push_back(lane);
  }
  using Align = TextColumn::Align;
  using Fit = TextColumn::Fit;
  TextTable table({{"time", Align::Left, Fit::Whole, 0}, {"lanes", Align::Left, Fit::Whole, 0},
                   {"lane", Align::Left, Fit::Whole, 0}, {"event", Align::Left, Fit::Whole, 0},
                   {"id", Align::Left, Fit::Middle, 12, Ink::Blue}, {"amount", Align::Right, Fit::Whole, 0},
                   {"where", Align::Left, Fit::Middle, 8}, {"", Align::Left, Fit::Wrap, 16}});
  for (const LifeEvent& event : life.events) {
    const std::string where = event.place.empty() ? event.source : event.place;
    table.add({{event.time ? formatInstant(*event.time) : "–"}, {laneMarks(lanes, event.lane)}, {event.lane},
               {forTerminal(event.event)}, {forTerminal(event.id)},
               {event.amount ? formatForPeople(*event.amount) : ""}, {forTerminal(where)},
               {event.lane == "case" && event.event != "restated" ? "" : forTerminal(event.detail)}});
  }
  table.print(style, true, out);
  return out;
}

}  // namespace

template <>
struct ListTable<LifeEvent> {   // the table of `show` has a head and lanes: printLife()
  static std::vector<TextColumn> columns() { return {}; }
  static std::vector<TextCell> cells(const LifeEvent&) { return {}; }
};

namespace {

class ShowCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "show",
        "the life of one key on one time line: jobs, skips, dead letters, effects, decisions",
        {{"counterfoil show shop.counterfoil charge:4471", "by key"},
         {"counterfoil show shop.counterfoil ch_1", "by the provider's id; also job, message, order and case ids"}},
        {storePositional(), {"KEY-OR-ID", "a key, or the id of a job, message, order, effect or case", PositionalSpec::Count::One}},
        listOptionSpecs()};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    auto life = lifeOf(*store, arguments.valueOr("KEY-OR-ID", ""));
    if (!life) {
      if (life.error().code == ErrorCode::Missing) return fail(ErrorCode::Usage, life.error().message);
      return fail(life.error());
    }
    auto file = StoreFile::openForReading(arguments.valueOr("STORE", ""));
    if (!file) return fail(file.error());
    if (auto ok = addRemedies(*file, *life); !ok) return fail(ok.error());
    const ListChoices choices = listChoicesOf(arguments);
    const Result<> printed =
        choices.format == ListFormat::Table
            ? printTo(choices.outputPath, session,
                      [&](Sink& sink, const TextStyle& style) { return sink.write(printLife(*life, style)); })
            : printList(choices, session, life->events);
    if (!printed) return fail(printed.error());
    return 0;
  }
};

}  // namespace

std::unique_ptr<const Command> makeShowCommand() { return std::make_unique<ShowCommand>(); }

}  // namespace counterfoil
