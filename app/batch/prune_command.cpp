// SPDX-License-Identifier: GPL-3.0-or-later
// prune: retention by whole runs, with holds.
#include <fmt/format.h>

#include "app/batch/acting_person.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "core/base/text.h"
#include "core/store/prune.h"
#include "reports/text/run_words.h"

namespace counterfoil {

static void describe(const RunToPrune& line, LineVisitor& visitor) {
  visitor.integer("run", line.run);
  visitor.text("as_of", formatInstant(line.asOf));
  visitor.integer("records", static_cast<std::int64_t>(line.records));
  visitor.text("fate", wordsOf(line.fate));
  visitor.text("because", line.because);
}

template <>
struct ListTable<RunToPrune> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    return {{"run", Align::Right, Fit::Whole, 0}, {"as of", Align::Left, Fit::Whole, 0}, {"records", Align::Right, Fit::Whole, 0},
            {"", Align::Left, Fit::Whole, 0},     {"because", Align::Left, Fit::Wrap, 16}};
  }
  static std::vector<TextCell> cells(const RunToPrune& line) {
    const bool goes = line.fate == RunFate::Goes;
    return {{std::to_string(line.run)}, {formatInstant(line.asOf)}, {groupedNumber(line.records)},
            {std::string(goes ? "goes" : "stays: ") + (goes ? "" : std::string(wordsOf(line.fate))), goes ? Ink::Yellow : Ink::Plain},
            {forTerminal(line.because)}};
  }
};

namespace {

class PruneCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    using Count = OptionSpec::Count;
    static const CommandSpec spec = [] {
      CommandSpec made = {
          "prune",
          "takes away whole runs that are older than wanted, but none that is still needed",
          {{"counterfoil prune shop.counterfoil --keep 400d --dry-run", "what would go, and what stays and why"},
           {"counterfoil prune shop.counterfoil --keep 400d", "takes it away and gives the space back"},
           {"counterfoil prune shop.counterfoil --hold 42 --reason audit", "keeps run 42 whatever its age"}},
          {storePositional()},
          {{"--keep", "TIME", "keep runs so much older than the newest, such as 400d"},
           {"--before", "DATE", "take away runs whose as-of is before this instant (2026-01-01T00:00:00Z)"},
           {"--dry-run", "", "only list what would go", Count::Flag},
           {"--hold", "RUN|CASE", "never take away this run, or the runs that judged this case"},
           {"--reason", "TEXT", "why it is held"},
           {"--release", "RUN|CASE", "end a hold"},
           {"--wait", "TIME", "wait so long for a run on the same store, such as 10m; default: do not"},
           actingPersonSpec()},
          "A run stays that is held, that a standing or decided case rests on, or from which a run that stays has records. The "
          "newest run always stays."};
      for (const OptionSpec& option : listOptionSpecs()) made.options.push_back(option);
      return made;
    }();
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    if (arguments.has("--hold") || arguments.has("--release")) {
      if (auto ok = hold(arguments, session); !ok) return fail(ok.error());
      return 0;
    }
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto cutoff = cutoffOf(arguments, *store);
    if (!cutoff) return fail(cutoff.error());
    const Result<> done = arguments.has("--dry-run") ? list(arguments, *cutoff, session) : takeAway(arguments, *cutoff, session);
    if (!done) return fail(done.error());
    return 0;
  }

 private:
  static Result<Instant> cutoffOf(const Arguments& arguments, const Store& store) {
    const auto keep = arguments.value("--keep");
    const auto before = arguments.value("--before");
    if (keep.has_value() == before.has_value()) {
      return fail(ErrorCode::Usage, "prune needs one of --keep 400d and --before 2026-01-01T00:00:00Z");
    }
    if (before) {
      const auto at = parseInstant(before->size() == 10 ? *before + "T00:00:00Z" : *before);
      if (!at) return fail(ErrorCode::Usage, "--before: " + at.error().message);
      return *at;
    }
    const auto span = parseDuration(*keep);
    if (!span) return fail(ErrorCode::Usage, "--keep: " + span.error().message);
    const auto latest = store.latestAsOf();
    if (!latest) return fail(latest.error());
    if (!*latest) return fail(ErrorCode::Usage, "the store has no run yet");
    return **latest - *span;
  }

  static Result<> hold(const Arguments& arguments, Session& session) {
    const std::string path = arguments.valueOr("STORE", "");
    auto file = StoreFile::openForChange(path);
    if (!file) {
      return file.error().code == ErrorCode::Missing ? fail(ErrorCode::Usage, file.error().message) : fail(file.error());
    }
    if (const auto target = arguments.value("--release")) return releaseHold(*file, *target);
    const std::string target = arguments.valueOr("--hold", "");
    const std::string reason = arguments.valueOr("--reason", "");
    if (reason.empty()) return fail(ErrorCode::Usage, "--hold needs a --reason; who finds it in a year wants to know");
    const bool isRun = target.size() < 10 && target.find_first_not_of("0123456789") == std::string::npos;
    return addHold(*file, {isRun ? "run" : "case", target, asOfNow(session.console), actingPerson(arguments, session.console), reason});
  }

  static Result<> list(const Arguments& arguments, Instant cutoff, Session& session) {
    auto file = StoreFile::openForReading(arguments.valueOr("STORE", ""));
    if (!file) return fail(file.error());
    const auto plan = planPrune(*file, cutoff);
    if (!plan) return fail(plan.error());
    return printList(listChoicesOf(arguments), session, *plan);
  }

  static Result<> takeAway(const Arguments& arguments, Instant cutoff, Session& session) {
    StoreOptions options;
    options.cancel = &session.console.interrupt.token;
    if (const auto text = arguments.value("--wait")) {
      const auto wait = parseDuration(*text);
      if (!wait) return fail(ErrorCode::Usage, "--wait: " + wait.error().message);
      options.wait = std::chrono::duration_cast<std::chrono::milliseconds>(*wait);
    }
    auto file = StoreFile::openForUpkeep(arguments.valueOr("STORE", ""), options);
    if (!file) return fail(file.error());
    const auto plan = planPrune(*file, cutoff);
    if (!plan) return fail(plan.error());
    const auto done = prune(*file, *plan, asOfNow(session.console), actingPerson(arguments, session.console));
    if (!done) return fail(done.error());
    if (done->runs > 0) {
      const auto space = giveSpaceBack(*file);
      if (!space) return fail(space.error());
      if (*space == Rewritten::NoRoom) session.log.warning("no room to write the file anew: its free space is used by later runs");
    }
    if (auto ok = printList(listChoicesOf(arguments), session, *plan); !ok) return ok;
    session.log.info(fmt::format("{} taken away: {} records, {} closed cases", counted(done->runs, "run", "runs"),
                                 groupedNumber(done->records), groupedNumber(done->cases)));
    return file->close();
  }
};

}  // namespace

std::unique_ptr<const Command> makePruneCommand() { return std::make_unique<PruneCommand>(); }

}  // namespace counterfoil
