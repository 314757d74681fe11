// SPDX-License-Identifier: GPL-3.0-or-later
// erase: a customer's personal data, keeping the sums.
#include <fmt/format.h>

#include "app/batch/acting_person.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "core/base/text.h"
#include "core/store/erase.h"

namespace counterfoil {

static void describe(const EraseCounts& line, LineVisitor& visitor) {
  visitor.integer("records", static_cast<std::int64_t>(line.records));
  visitor.integer("units", static_cast<std::int64_t>(line.units));
  visitor.integer("skips", static_cast<std::int64_t>(line.skips));
  visitor.integer("dead_letters", static_cast<std::int64_t>(line.deadLetters));
  visitor.integer("quarantined_rows", static_cast<std::int64_t>(line.rowsOfFiles));
  visitor.integer("texts", static_cast<std::int64_t>(line.texts));
  visitor.integer("notes_left", static_cast<std::int64_t>(line.notes));
  visitor.integer("shared_keys_left", static_cast<std::int64_t>(line.keysShared));
}

template <>
struct ListTable<EraseCounts> {
  static std::vector<TextColumn> columns() {
    std::vector<TextColumn> columns;
    for (const char* title : {"records", "units", "skips", "dead letters", "quarantined rows", "texts"}) {
      columns.push_back({title, TextColumn::Align::Right, TextColumn::Fit::Whole, 0});
    }
    return columns;
  }
  static std::vector<TextCell> cells(const EraseCounts& line) {
    std::vector<TextCell> cells;
    for (const std::uint64_t count : {line.records, line.units, line.skips, line.deadLetters, line.rowsOfFiles, line.texts}) {
      cells.push_back({groupedNumber(count)});
    }
    return cells;
  }
};

namespace {

class EraseCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    using Count = OptionSpec::Count;
    static const CommandSpec spec = [] {
      CommandSpec made = {
          "erase",
          "takes a customer's personal data out of a store; sums, classes and the provider's ids stay",
          {{"counterfoil erase shop.counterfoil --customer cus_4471 --dry-run", "how much there is"},
           {"counterfoil erase shop.counterfoil --customer cus_4471", "takes it out, and writes the file anew"}},
          {storePositional()},
          {{"--customer", "ID", "the customer or destination, as the records have it"},
           {"--dry-run", "", "only count", Count::Flag},
           {"--wait", "TIME", "wait so long for a run on the same store, such as 10m; default: do not"},
           actingPersonSpec()},
          "Reports, backups and the files that were read are not in the store: take the data out of them too, else the next night "
          "reads it again."};
      for (const OptionSpec& option : listOptionSpecs()) made.options.push_back(option);
      return made;
    }();
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const std::string customer(trim(arguments.valueOr("--customer", "")));
    if (customer.empty()) return fail(ErrorCode::Usage, "erase needs --customer ID");
    if (customer == "erased") return fail(ErrorCode::Usage, "--customer: 'erased' stands for customers who were taken out already");
    {
      const auto store = openStore(arguments, session);   // says it well when there is none
      if (!store) return fail(store.error());
    }
    StoreOptions options;
    options.cancel = &session.console.interrupt.token;
    if (const auto text = arguments.value("--wait")) {
      const auto wait = parseDuration(*text);
      if (!wait) return fail(ErrorCode::Usage, "--wait: " + wait.error().message);
      options.wait = std::chrono::duration_cast<std::chrono::milliseconds>(*wait);
    }
    auto file = StoreFile::openForUpkeep(arguments.valueOr("STORE", ""), options);
    if (!file) return fail(file.error());
    const auto counts = arguments.has("--dry-run")
                            ? countErase(*file, customer)
                            : erase(*file, customer, asOfNow(session.console), actingPerson(arguments, session.console));
    if (!counts) return fail(counts.error());
    if (auto ok = printList(listChoicesOf(arguments), session, std::vector{*counts}); !ok) return fail(ok.error());
    tell(*counts, session);
    if (auto ok = file->close(); !ok) return fail(ok.error());
    return 0;
  }

 private:
  static void tell(const EraseCounts& counts, Session& session) {
    if (counts.isEmpty()) session.log.info("no record has this customer");
    if (counts.notes > 0) {
      session.log.warning(fmt::format("{} of people name the customer and stay: notes of decisions are signed", counted(counts.notes, "note", "notes")));
    }
    if (counts.keysShared > 0) {
      session.log.warning(fmt::format("{} are other customers' too and stay", counted(counts.keysShared, "key or reference", "keys and references")));
    }
  }
};

}  // namespace

std::unique_ptr<const Command> makeEraseCommand() { return std::make_unique<EraseCommand>(); }

}  // namespace counterfoil
