// SPDX-License-Identifier: GPL-3.0-or-later
// review: what people decide about cases, one by one, in bulk, from a spreadsheet; taken back, and looked at.
#include <fmt/format.h>

#include <charconv>

#include "app/batch/acting_person.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "app/review_sheet.h"
#include "core/base/text.h"
#include "core/store/decisions.h"

namespace counterfoil {

/// What became of one case, or of one row of a sheet.
struct ReviewLine {
  CaseId caseId;
  std::string before, after;
  std::int64_t decision = 0, row = 0;   ///< 0: none
  std::string refused;
};

static void describe(const ReviewLine& line, LineVisitor& visitor) {
  visitor.text("case", line.caseId);
  visitor.text("before", line.before);
  visitor.text("after", line.after);
  visitor.integerOrNull("decision", line.decision == 0 ? std::nullopt : std::optional(line.decision));
  visitor.integerOrNull("row", line.row == 0 ? std::nullopt : std::optional(line.row));
  visitor.text("refused", line.refused);
}

template <>
struct ListTable<ReviewLine> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    return {{"case", Align::Left, Fit::Whole, 0, Ink::Blue}, {"before", Align::Left, Fit::Whole, 0},
            {"after", Align::Left, Fit::Whole, 0},           {"decision", Align::Right, Fit::Whole, 0},
            {"", Align::Left, Fit::Wrap, 20}};
  }
  static std::vector<TextCell> cells(const ReviewLine& line) {
    const std::string where = line.row == 0 ? std::string() : fmt::format("row {}: ", line.row);
    const std::string word = !line.refused.empty() ? where + line.refused : line.decision == 0 ? where + "is like this already" : "";
    return {{forTerminal(line.caseId)}, {line.before}, {line.after},
            {line.decision == 0 ? "–" : std::to_string(line.decision)}, {forTerminal(word)}};
  }
};

static void describe(const DecisionRow& line, LineVisitor& visitor) {
  visitor.integer("decision", line.number);
  visitor.text("at", formatInstant(line.at));
  visitor.text("who", line.who);
  visitor.text("action", line.action);
  visitor.text("case", line.caseId);
  visitor.text("state", codeOf(line.state));
  visitor.text("assignee", line.assignee);
  visitor.text("reason", line.reason);
  visitor.text("note", line.note);
  visitor.integerOrNull("bulk", line.bulk == 0 ? std::nullopt : std::optional(line.bulk));
  visitor.integerOrNull("undoes", line.undoes == 0 ? std::nullopt : std::optional(line.undoes));
  visitor.integerOrNull("undone_by", line.undoneBy == 0 ? std::nullopt : std::optional(line.undoneBy));
}

template <>
struct ListTable<DecisionRow> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    return {{"decision", Align::Right, Fit::Whole, 0}, {"at", Align::Left, Fit::Whole, 0}, {"who", Align::Left, Fit::Middle, 8},
            {"state", Align::Left, Fit::Whole, 0},     {"assignee", Align::Left, Fit::Middle, 8}, {"", Align::Left, Fit::Wrap, 20}};
  }
  static std::vector<TextCell> cells(const DecisionRow& line) {
    std::string words = line.undoes != 0 ? fmt::format("takes decision {} back. ", line.undoes) : "";
    if (line.undoneBy != 0) words += fmt::format("(taken back by decision {}) ", line.undoneBy);
    words += line.reason + (line.reason.empty() || line.note.empty() ? "" : " – ") + line.note;
    return {{std::to_string(line.number)}, {formatInstant(line.at)}, {forTerminal(line.who)}, {std::string(codeOf(line.state))},
            {forTerminal(line.assignee)}, {forTerminal(words)}};
  }
};

namespace {

constexpr FilterSet kBulkFilters = {false, true, true, false, {}};

Result<std::optional<std::int64_t>> numberOf(const Arguments& arguments, std::string_view name) {
  const auto text = arguments.value(name);
  if (!text) return std::optional<std::int64_t>();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < 0) {
    return fail(ErrorCode::Usage, fmt::format("{} takes a number, not '{}'", name, forTerminal(*text)));
  }
  return std::optional(value);
}

/// Codes of an option that is given several times or joined by commas.
template <class Value, class Parse>
Result<std::set<Value>> codesOf(const Arguments& arguments, std::string_view name, Parse parse) {
  std::set<Value> out;
  for (const std::string& joined : arguments.values(name)) {
    for (std::size_t from = 0; from <= joined.size();) {
      const std::size_t comma = std::min(joined.find(',', from), joined.size());
      const std::string word = joined.substr(from, comma - from);
      const auto value = parse(word);
      if (!value) return fail(ErrorCode::Usage, fmt::format("{}: no such value '{}'", name, forTerminal(word)));
      out.insert(*value);
      from = comma + 1;
    }
  }
  return out;
}

Result<ReviewChange> changeOf(const Arguments& arguments) {
  ReviewChange change;
  if (const auto state = arguments.value("--state")) {
    change.state = reviewStateFromCode(*state);
    if (!change.state) return fail(ErrorCode::Usage, fmt::format("--state: no such state '{}'", forTerminal(*state)));
  }
  change.assignee = arguments.value("--assignee");
  change.note = arguments.valueOr("--note", "");
  change.reason = arguments.valueOr("--reason", "");
  if (!change.state && !change.assignee && change.note.empty()) {
    return fail(ErrorCode::Usage, "say what is to become of it: --state, --assignee or --note");
  }
  return change;
}

ReviewLine lineOf(const ReviewOutcome& out) {
  return {out.caseId, std::string(codeOf(out.before)), std::string(codeOf(out.after)), out.decision, 0, {}};
}

class ReviewCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    using Count = OptionSpec::Count;
    static const CommandSpec spec = [] {
      CommandSpec made = {
          "review",
          "decides about cases: who looks at them, what came of it; kept with who, when and why",
          {{"counterfoil review shop.counterfoil 5a01e32b6b8b200b --assignee ada", "Ada looks at it"},
           {"counterfoil review shop.counterfoil 5a01e32b6b8b200b --state resolved --reason refunded", "one case"},
           {"counterfoil review shop.counterfoil --class amount_mismatch --state dismissed --reason \"known fee\"",
            "says how many cases it would change; --expect 12 does it"},
           {"counterfoil review shop.counterfoil --from edited.xlsx", "decisions of a spreadsheet that report wrote"},
           {"counterfoil review shop.counterfoil --undo 3", "takes one decision back, without touching others"},
           {"counterfoil review shop.counterfoil 5a01e32b6b8b200b --history", "what was decided about a case"}},
          {storePositional(), {"CASE", "the case's id; left out: all that the filters name", PositionalSpec::Count::Optional}},
          {{"--state", "STATE",
            "what it becomes: assigned, investigating, awaiting_fix, resolved, dismissed, force_closed or reopened"},
           {"--assignee", "NAME", "who looks at it; blank takes it away"},
           {"--note", "TEXT", "kept with the decision"},
           {"--reason", "TEXT", "why; resolved, dismissed and force_closed need one"},
           {"--from", "FILE", "apply the columns decision, decision_reason, assignee and note of an edited CSV or XLSX, row by row"},
           {"--undo", "NUMBER", "take a decision back"},
           {"--undo-bulk", "NUMBER", "take back what is left of a bulk"},
           {"--history", "", "list the decisions about the case", Count::Flag},
           {"--yes", "", "do it, however many cases there are", Count::Flag},
           {"--expect", "NUMBER", "do it if it changes that many cases, else nothing"},
           {"--class", "CLASS", "only these classes, such as duplicate_effect", Count::Many},
           {"--in-state", "STATE", "only cases in these states", Count::Many},
           actingPersonSpec()},
          "A decision holds as long as the records are those that were decided on; new evidence opens the case again. A run that "
          "computes meanwhile neither waits nor loses it."};
      for (const OptionSpec& option : filterSpecs(kBulkFilters)) made.options.push_back(option);
      for (const OptionSpec& option : listOptionSpecs()) made.options.push_back(option);
      return made;
    }();
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    if (auto ok = checkModes(arguments); !ok) return fail(ok.error());
    if (arguments.has("--history")) return history(arguments, session);
    const auto store = Store::openForReview(arguments.valueOr("STORE", ""));
    if (!store) return fail(store.error());
    const Signature signature{actingPerson(arguments, session.console), asOfNow(session.console)};
    if (arguments.has("--from")) return fromSheet(*store, signature, arguments, session);
    if (arguments.has("--undo") || arguments.has("--undo-bulk")) return undo(*store, signature, arguments, session);
    const auto change = changeOf(arguments);
    if (!change) return fail(change.error());
    if (!arguments.has("CASE")) return bulk(*store, *change, signature, arguments, session);
    const auto out = decideCase(*store, arguments.valueOr("CASE", ""), *change, signature);
    if (!out) return fail(asUsage(out.error()));
    return print({lineOf(*out)}, arguments, session, 0);
  }

 private:
  /// An id that is not there is the caller's mistake.
  static Error asUsage(Error error) {
    if (error.code == ErrorCode::Missing) error.code = ErrorCode::Usage;
    return error;
  }

  static Result<> checkModes(const Arguments& arguments) {
    const int modes = int{arguments.has("--from")} + int{arguments.has("--undo")} + int{arguments.has("--undo-bulk")} +
                      int{arguments.has("--history")};
    if (modes > 1) return fail(ErrorCode::Usage, "give one of --from, --undo, --undo-bulk and --history");
    if (arguments.has("--history") && !arguments.has("CASE")) return fail(ErrorCode::Usage, "--history needs CASE");
    if (modes == 1 && !arguments.has("--history") && arguments.has("CASE")) {
      return fail(ErrorCode::Usage, "CASE does not go with --from, --undo and --undo-bulk");
    }
    return {};
  }

  static Result<int> print(const std::vector<ReviewLine>& lines, const Arguments& arguments, Session& session, int code) {
    if (auto ok = printList(listChoicesOf(arguments), session, lines); !ok) return fail(ok.error());
    return code;
  }

  static Result<int> history(const Arguments& arguments, Session& session) {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto id = standingIdOf(*store, arguments.valueOr("CASE", ""));
    if (!id) return fail(asUsage(id.error()));
    const auto decisions = store->decisionsOf(*id);
    if (!decisions) return fail(decisions.error());
    if (auto ok = printList(listChoicesOf(arguments), session, *decisions); !ok) return fail(ok.error());
    return 0;
  }

  static Result<int> undo(const Store& store, const Signature& signature, const Arguments& arguments, Session& session) {
    const std::string why = arguments.valueOr("--reason", "");
    const auto one = numberOf(arguments, "--undo"), many = numberOf(arguments, "--undo-bulk");
    if (!one) return fail(one.error());
    if (!many) return fail(many.error());
    if (*one) {
      const auto out = undoDecision(store, **one, why, signature);
      if (!out) return fail(asUsage(out.error()));
      return print({lineOf(*out)}, arguments, session, 0);
    }
    const auto out = undoBulk(store, **many, why, signature);
    if (!out) return fail(asUsage(out.error()));
    session.log.info(fmt::format("{} decisions taken back, {} were already", out->changed, out->already));
    return 0;
  }

  static Result<ListFilter> bulkFilter(const Arguments& arguments) {
    auto filter = filterOf(arguments, kBulkFilters);
    if (!filter) return filter;
    auto classes = codesOf<Class>(arguments, "--class", classFromCode);
    if (!classes) return fail(classes.error());
    auto states = codesOf<ReviewState>(arguments, "--in-state", reviewStateFromCode);
    if (!states) return fail(states.error());
    filter->classes = std::move(*classes);
    filter->states = std::move(*states);
    const bool isAll = filter->classes.empty() && filter->states.empty() && filter->severities.empty() && filter->key.empty() &&
                       filter->operation.empty() && !filter->since && !filter->run;
    if (isAll) return fail(ErrorCode::Usage, "name a CASE, or filters that say which: --class, --key, --operation, --severity, --since …");
    return filter;
  }

  static Result<int> bulk(const Store& store, const ReviewChange& change, const Signature& signature, const Arguments& arguments,
                          Session& session) {
    const auto filter = bulkFilter(arguments);
    if (!filter) return fail(filter.error());
    const auto expected = numberOf(arguments, "--expect");
    if (!expected) return fail(expected.error());
    BulkConsent consent;
    if (*expected) consent = {BulkConsent::Kind::Expect, static_cast<std::uint64_t>(**expected)};
    else if (arguments.has("--yes")) consent.kind = BulkConsent::Kind::Yes;
    const auto out = decideAll(store, *filter, change, signature, consent);
    if (!out) return fail(asUsage(out.error()));
    if (out->refusedCount > 0) {
      std::string text = fmt::format("{} cases cannot be decided so, and nothing was changed:", out->refusedCount);
      for (const std::string& refused : out->refused) text += "\n  " + refused;
      return fail(ErrorCode::Usage, text);
    }
    const std::string already = out->already == 0 ? "" : fmt::format("; {} are like this already", out->already);
    const std::string said = out->bulk != 0
                                 ? fmt::format("{} cases changed (bulk {}; --undo-bulk {} takes it back){}", out->changed, out->bulk, out->bulk, already)
                             : out->changed == 0
                                 ? fmt::format("no case would change{}", already)
                                 : fmt::format("{} cases would change{}; nothing was changed yet: add --expect {} or --yes", out->changed, already, out->changed);
    auto ok = printTo(arguments.valueOr("--output", ""), session, [&](Sink& sink, const TextStyle&) { return sink.write(said + "\n"); });
    if (!ok) return fail(ok.error());
    return 0;
  }

  /// Every row by itself: one that is refused leaves the others as they are.
  static Result<int> fromSheet(const Store& store, const Signature& signature, const Arguments& arguments, Session& session) {
    const auto rows = readReviewSheet(arguments.valueOr("--from", ""));
    if (!rows) return fail(rows.error());
    std::vector<ReviewLine> lines;
    std::size_t changed = 0, refused = 0;
    for (const ReviewRow& row : *rows) {
      ReviewLine line;
      const auto out = row.fault.empty() ? decideCase(store, row.caseId, row.change, signature)
                                         : Result<ReviewOutcome>(fail(ErrorCode::Usage, row.fault));
      if (!out && out.error().code != ErrorCode::Usage && out.error().code != ErrorCode::Missing) return fail(out.error());
      if (out) line = lineOf(*out);
      else line.refused = out.error().message;
      line.caseId = out ? out->caseId : row.caseId;
      line.row = static_cast<std::int64_t>(row.line);
      changed += out && out->decision != 0 ? 1 : 0;
      refused += out ? 0 : 1;
      lines.push_back(std::move(line));
    }
    session.log.info(fmt::format("{} of {} rows applied, {} refused", changed, rows->size(), refused));
    return print(lines, arguments, session, refused == 0 ? 0 : 3);
  }
};

class AuditCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "audit",
        "proves that the decisions about cases are those that were made, in their order",
        {{"counterfoil audit shop.counterfoil", "ends with 4 where one was changed, taken out, put in or moved"},
         {"counterfoil audit shop.counterfoil --seal 9f2c…", "and whether a seal that was noted earlier is still in the chain"}},
        {storePositional()},
        {{"--seal", "DIGEST", "the seal that an earlier audit printed"}},
        "Each decision seals what it says and the seal of the one before. Whoever can write the file can also write a whole new "
        "chain: note the seal elsewhere, and have it looked for."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto report = auditDecisions(*store, arguments.valueOr("--seal", ""));
    if (!report) return fail(report.error());
    for (const std::string& fault : report->faults) session.log.error(fault);
    const std::string said = report->faults.empty()
                                 ? fmt::format("{} decisions, the chain is whole; seal {}\n", report->decisions,
                                               report->head.empty() ? "–" : report->head)
                                 : fmt::format("{} decisions, the chain is broken\n", report->decisions);
    auto ok = printTo("", session, [&](Sink& sink, const TextStyle&) { return sink.write(said); });
    if (!ok) return fail(ok.error());
    return report->faults.empty() ? 0 : 4;
  }
};

}  // namespace

std::unique_ptr<const Command> makeReviewCommand() { return std::make_unique<ReviewCommand>(); }
std::unique_ptr<const Command> makeAuditCommand() { return std::make_unique<AuditCommand>(); }

}  // namespace counterfoil
