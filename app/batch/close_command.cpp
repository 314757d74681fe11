// SPDX-License-Identifier: GPL-3.0-or-later
// close: a period whose accounts were handed in. What changes later about it shows as a restatement.
#include <fmt/format.h>

#include "app/batch/acting_person.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "app/config.h"
#include "core/base/text.h"
#include "core/store/closing.h"
#include "reports/text/run_words.h"

namespace counterfoil {

static void describe(const Restatement& line, LineVisitor& visitor) {
  visitor.integer("run", line.run);
  visitor.text("as_of", formatInstant(line.asOf));
  visitor.text("closed_through", formatInstant(line.through));
  visitor.text("case", line.caseId);
  visitor.text("key", line.key);
  visitor.text("operation", line.operation);
  visitor.text("class_before", line.classBefore);
  visitor.money("exposure_before", line.exposureBefore);
  visitor.text("class_now", line.classNow);
  visitor.money("exposure_now", line.exposureNow);
}

template <>
struct ListTable<Restatement> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    return {{"run", Align::Right, Fit::Whole, 0},     {"case", Align::Left, Fit::Middle, 12, Ink::Blue},
            {"key", Align::Left, Fit::Middle, 12},    {"before", Align::Left, Fit::Whole, 0},
            {"exposure", Align::Right, Fit::Whole, 0}, {"now", Align::Left, Fit::Whole, 0},
            {"exposure", Align::Right, Fit::Whole, 0}};
  }
  static std::vector<TextCell> cells(const Restatement& line) {
    return {{std::to_string(line.run)}, {forTerminal(line.caseId)}, {forTerminal(line.key)},
            {line.classBefore.empty() ? "not listed" : line.classBefore}, {moneyWords(line.exposureBefore)}, {line.classNow},
            {moneyWords(line.exposureNow)}};
  }
};

namespace {

class CloseCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    using Count = OptionSpec::Count;
    static const CommandSpec spec = [] {
      CommandSpec made = {
          "close",
          "closes a period: what changes about it later is listed as a restatement",
          {{"counterfoil close shop.counterfoil --through 2026-03-31", "March is handed in"},
           {"counterfoil close shop.counterfoil", "what was restated since, and which periods are closed"}},
          {storePositional()},
          {{"--through", "DATE", "the last day of the period (in the time zone of the configuration), or an instant"},
           {"--note", "TEXT", "kept with it"},
           {"--reopen", "", "take the newest closing back", Count::Flag},
           actingPersonSpec()},
          "Nothing is locked: cases of a closed period are judged as ever. A night that judges one of them otherwise than before "
          "notes it."};
      for (const OptionSpec& option : listOptionSpecs()) made.options.push_back(option);
      return made;
    }();
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const std::string path = arguments.valueOr("STORE", "");
    const auto through = arguments.value("--through");
    if (through && arguments.has("--reopen")) return fail(ErrorCode::Usage, "give --through or --reopen, not both");
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    Result<> done;
    if (through) {
      done = close(*store, path, *through, arguments, session);
    } else if (arguments.has("--reopen")) {
      done = reopen(path, session);
    } else {
      done = list(path, arguments, session);
    }
    if (!done) return fail(done.error());
    return 0;
  }

 private:
  /// The end of that day where the newest run's configuration lives.
  static Result<Instant> endOf(const Store& store, const std::string& text) {
    if (const auto instant = parseInstant(text)) return *instant;
    const auto last = store.lastRun();
    if (!last) return fail(last.error());
    if (!*last) return fail(ErrorCode::Usage, "the store has no run yet");
    const auto run = store.run(**last);
    if (!run) return fail(run.error());
    const auto config = parseConfig(run->config, "the configuration of the newest run", run->identity.asOf, run->identity.asOf);
    const auto zone = Zone::named(config ? config->zone : std::string("UTC"));
    if (!zone) return fail(zone.error());
    const auto form = TimeForm::make("%Y-%m-%d", *zone);
    if (!form) return fail(form.error());
    const TimeOutcome day = form->parse(text);
    if (day.fault) {
      return fail(ErrorCode::Usage, fmt::format("--through takes a day (2026-03-31) or an instant, not '{}'", forTerminal(text)));
    }
    return day.value.at + day.value.span;
  }

  static Result<> close(const Store& store, const std::string& path, const std::string& text, const Arguments& arguments,
                        Session& session) {
    const auto end = endOf(store, text);
    if (!end) return fail(end.error());
    auto file = StoreFile::openForChange(path);
    if (!file) return fail(file.error());
    const ClosedPeriod period{*end, asOfNow(session.console), actingPerson(arguments, session.console), arguments.valueOr("--note", "")};
    if (auto ok = closePeriod(*file, period); !ok) return ok;
    session.log.info("closed until " + formatInstant(*end));
    return {};
  }

  static Result<> reopen(const std::string& path, Session& session) {
    auto file = StoreFile::openForChange(path);
    if (!file) return fail(file.error());
    const auto period = reopenPeriod(*file);
    if (!period) return fail(period.error());
    if (!*period) return fail(ErrorCode::Usage, "no period is closed");
    session.log.info("no longer closed until " + formatInstant((*period)->through));
    return {};
  }

  static Result<> list(const std::string& path, const Arguments& arguments, Session& session) {
    auto file = StoreFile::openForReading(path);
    if (!file) return fail(file.error());
    const auto periods = closedPeriods(*file);
    if (!periods) return fail(periods.error());
    for (const ClosedPeriod& period : *periods) {
      session.log.info(fmt::format("closed until {} by {}{}", formatInstant(period.through), forTerminal(period.who),
                                   period.note.empty() ? "" : ": " + forTerminal(period.note)));
    }
    return printList<Restatement>(listChoicesOf(arguments), session, [&](ListPrinter<Restatement>& printer) -> Result<> {
      Result<> printed;
      const auto walked = forEachRestatement(*file, {}, [&](const Restatement& line) {
        printed = printer.add(line);
        return printed.has_value();
      });
      return walked ? printed : walked;
    });
  }
};

}  // namespace

std::unique_ptr<const Command> makeCloseCommand() { return std::make_unique<CloseCommand>(); }

}  // namespace counterfoil
