// SPDX-License-Identifier: GPL-3.0-or-later
// dump and backup: the store as a whole.
#include "app/batch/commands.h"
#include "app/batch/print_to.h"
#include "app/batch/store_options.h"

namespace counterfoil {

namespace {

class DumpCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "dump",
        "the content of a store as canonical text: equal stores give equal bytes",
        {{"counterfoil dump shop.counterfoil | sha256sum", "to compare two stores"}},
        {storePositional()},
        {{"--output", "FILE", "write the text there, whole or not at all"},
         {"--check", "", "first look whether the file is damaged", OptionSpec::Count::Flag}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    if (arguments.has("--check")) {
      if (auto ok = check(*store, session); !ok) return fail(ok.error());
    }
    const auto printed = printTo(arguments.valueOr("--output", ""), session, [&](Sink& sink, const TextStyle&) {
      return store->dump([&](std::string_view line) { return sink.write(line); });
    });
    if (!printed) return fail(printed.error());
    return 0;
  }

 private:
  static Result<> check(const Store& store, Session& session) {
    const auto faults = store.checkIntegrity();
    if (!faults) return fail(faults.error());
    for (const std::string& fault : *faults) session.log.error(fault);
    if (faults->empty()) return {};
    return fail(ErrorCode::StoreBroken, "the store is damaged; restore it from a backup");
  }
};

class BackupCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "backup",
        "copies a store into one new file, also while a run is writing it",
        {{"counterfoil backup shop.counterfoil backup-2026-04-08.counterfoil", "an online copy"}},
        {storePositional(), {"TARGET", "the file to make; it must not be there", PositionalSpec::Count::One}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    if (auto ok = store->backup(arguments.valueOr("TARGET", "")); !ok) return fail(ok.error());
    return 0;
  }
};

}  // namespace

std::unique_ptr<const Command> makeDumpCommand() { return std::make_unique<DumpCommand>(); }
std::unique_ptr<const Command> makeBackupCommand() { return std::make_unique<BackupCommand>(); }

}  // namespace counterfoil
