// SPDX-License-Identifier: GPL-3.0-or-later
// cases, findings, skips, dlq, proof: lists from a store. They end with 0, or 2, 3, 4.
#include "app/batch/case_lines.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "app/store_lists.h"

namespace counterfoil {

namespace {

constexpr FilterSet kCaseFilters = {true, false, true, false, {}};
constexpr FilterSet kFindingFilters = {false, true, false, true, "--code"};
constexpr FilterSet kSkipFilters = {false, false, true, true, "--verdict"};
constexpr FilterSet kQueueFilters = {false, false, true, true, "--verdict"};
constexpr FilterSet kProofFilters = {};

std::vector<OptionSpec> optionsFor(const FilterSet& set, std::vector<OptionSpec> own = {}) {
  for (const OptionSpec& option : filterSpecs(set)) own.push_back(option);
  for (const OptionSpec& option : listOptionSpecs()) own.push_back(option);
  return own;
}

/// What the list commands have in common; a list says what it prints.
class ListCommand : public Command {
 public:
  ListCommand(CommandSpec spec, const FilterSet& filters) : m_spec(std::move(spec)), m_filters(filters) {}
  [[nodiscard]] const CommandSpec& spec() const final { return m_spec; }

  Result<int> run(const Arguments& arguments, Session& session) const final {
    const auto filter = filterOf(arguments, m_filters);
    if (!filter) return fail(filter.error());
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    if (auto ok = print(*store, *filter, arguments, session); !ok) return fail(ok.error());
    return 0;
  }

 protected:
  virtual Result<> print(const Store& store, const ListFilter& filter, const Arguments& arguments,
                         Session& session) const = 0;

 private:
  CommandSpec m_spec;
  FilterSet m_filters;
};

class CasesCommand final : public ListCommand {
 public:
  CasesCommand()
      : ListCommand({"cases",
                     "breaks and open operations that stand, with their review states",
                     {{"counterfoil cases shop.counterfoil", "what stands"},
                      {"counterfoil cases shop.counterfoil --severity critical --format ndjson", "a line a case, for programs"}},
                     {storePositional()},
                     optionsFor(kCaseFilters)},
                    kCaseFilters) {}

 protected:
  Result<> print(const Store& store, const ListFilter& filter, const Arguments& arguments,
                 Session& session) const override {
    return printCases(store, filter, listChoicesOf(arguments), session);
  }
};

class FindingsCommand final : public ListCommand {
 public:
  FindingsCommand()
      : ListCommand({"findings",
                     "what a run says about keys, queues and sources, and what to change",
                     {{"counterfoil findings shop.counterfoil", "of the newest run"}},
                     {storePositional()},
                     optionsFor(kFindingFilters)},
                    kFindingFilters) {}

 protected:
  Result<> print(const Store& store, const ListFilter& filter, const Arguments& arguments,
                 Session& session) const override {
    return printList<Finding>(listChoicesOf(arguments), session, [&](ListPrinter<Finding>& printer) -> Result<> {
      Result<> printed;
      const auto walked = store.forEachFinding(filter, [&](RunNumber, const Finding& finding) {
        printed = printer.add(finding);
        return printed.has_value();
      });
      return walked ? printed : walked;
    });
  }
};

class SkipsCommand final : public ListCommand {
 public:
  SkipsCommand()
      : ListCommand({"skips",
                     "skipped duplicates with their verdicts: harmless, or work that was lost",
                     {{"counterfoil skips shop.counterfoil --verdict stranded", "skips that lost work"}},
                     {storePositional()},
                     optionsFor(kSkipFilters)},
                    kSkipFilters) {}

 protected:
  Result<> print(const Store& store, const ListFilter& filter, const Arguments& arguments,
                 Session& session) const override {
    return printList<SkipLine>(listChoicesOf(arguments), session, [&](ListPrinter<SkipLine>& printer) -> Result<> {
      Result<> printed;
      const auto walked = store.forEachSkip(filter, [&](const SkipRow& row) {
        printed = printer.add(skipLineOf(row));
        return printed.has_value();
      });
      return walked ? printed : walked;
    });
  }
};

class DlqCommand final : public ListCommand {
 public:
  DlqCommand()
      : ListCommand({"dlq",
                     "queues with their depths, or with --messages each dead letter and whether to redrive it",
                     {{"counterfoil dlq shop.counterfoil", "depth of every queue"},
                      {"counterfoil dlq shop.counterfoil --messages --verdict safe", "what may be redriven"}},
                     {storePositional()},
                     optionsFor(kQueueFilters, {{"--messages", "", "a line a message", OptionSpec::Count::Flag},
                                                {"--queue", "NAME", "only this queue"}})},
                    kQueueFilters) {}

 protected:
  Result<> print(const Store& store, const ListFilter& filter, const Arguments& arguments,
                 Session& session) const override {
    ListFilter wanted = filter;
    wanted.queue = arguments.valueOr("--queue", "");
    return arguments.has("--messages") ? printMessages(store, wanted, listChoicesOf(arguments), session)
                                       : printQueues(store, wanted, listChoicesOf(arguments), session);
  }

 private:
  static Result<> printQueues(const Store& store, const ListFilter& filter, const ListChoices& choices, Session& session) {
    const auto run = runOf(store, filter.run);
    if (!run) return fail(run.error());
    std::vector<QueueLine> lines;
    for (QueueLine& line : queueLinesOf(*run)) {
      const bool wanted = filter.queue.empty() || line.queue == filter.queue;
      if (wanted && (filter.limit == 0 || lines.size() < filter.limit)) lines.push_back(std::move(line));
    }
    return printList(choices, session, lines);
  }

  static Result<> printMessages(const Store& store, const ListFilter& filter, const ListChoices& choices, Session& session) {
    return printList<MessageLine>(choices, session, [&](ListPrinter<MessageLine>& printer) -> Result<> {
      Result<> printed;
      const auto walked = store.forEachDeadLetter(filter, [&](const DeadLetterRow& row) {
        printed = printer.add(messageLineOf(row));
        return printed.has_value();
      });
      return walked ? printed : walked;
    });
  }
};

class ProofCommand final : public ListCommand {
 public:
  ProofCommand()
      : ListCommand({"proof",
                     "the bridge from the local total to the provider's, by scope and currency",
                     {{"counterfoil proof shop.counterfoil", "of the newest run; unexplained is 0 unless a record was lost"}},
                     {storePositional()},
                     optionsFor(kProofFilters)},
                    kProofFilters) {}

 protected:
  Result<> print(const Store& store, const ListFilter& filter, const Arguments& arguments,
                 Session& session) const override {
    auto run = runOf(store, filter.run);
    if (!run) return fail(run.error());
    auto& lines = run->result.proof;
    if (filter.limit > 0 && lines.size() > filter.limit) lines.resize(filter.limit);
    return printList(listChoicesOf(arguments), session, lines);
  }
};

}  // namespace

std::unique_ptr<const Command> makeCasesCommand() { return std::make_unique<CasesCommand>(); }
std::unique_ptr<const Command> makeFindingsCommand() { return std::make_unique<FindingsCommand>(); }
std::unique_ptr<const Command> makeSkipsCommand() { return std::make_unique<SkipsCommand>(); }
std::unique_ptr<const Command> makeDlqCommand() { return std::make_unique<DlqCommand>(); }
std::unique_ptr<const Command> makeProofCommand() { return std::make_unique<ProofCommand>(); }

}  // namespace counterfoil
