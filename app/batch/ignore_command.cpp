// SPDX-License-Identifier: GPL-3.0-or-later
// ignore: rules that hide cases nobody needs to look at, with a reason and an end.
#include <fmt/format.h>

#include <charconv>

#include "app/batch/acting_person.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/store_options.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/store/decisions.h"

namespace counterfoil {

static void describe(const IgnoreRule& line, LineVisitor& visitor) {
  visitor.integer("rule", line.number);
  visitor.text("rule_text", textOf(line));
  visitor.text("reason", line.reason);
  visitor.integer("hides", line.hidden);
  visitor.text("in_force", line.removed == 0 ? "yes" : "no");
}

template <>
struct ListTable<IgnoreRule> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    return {{"rule", Align::Right, Fit::Whole, 0}, {"hides", Align::Right, Fit::Whole, 0}, {"", Align::Left, Fit::Wrap, 20},
            {"reason", Align::Left, Fit::Wrap, 12}};
  }
  static std::vector<TextCell> cells(const IgnoreRule& line) {
    const std::string end = line.removed == 0 ? "" : " (removed)";
    return {{std::to_string(line.number)}, {std::to_string(line.hidden)}, {forTerminal(textOf(line)) + end}, {forTerminal(line.reason)}};
  }
};

namespace {

class IgnoreCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    using Count = OptionSpec::Count;
    static const CommandSpec spec = [] {
      CommandSpec made = {
          "ignore",
          "rules that hide cases nobody needs to look at, with a reason and an end",
          {{"counterfoil ignore shop.counterfoil add --class field_mismatch --key \"test:*\" --reason tests",
            "hides such cases of test orders"},
           {"counterfoil ignore shop.counterfoil list", "the rules, and how many cases each hides"},
           {"counterfoil ignore shop.counterfoil remove 2 --reason \"biller replaced\"", "the cases come back"}},
          {storePositional(), {"ACTION", "add, list or remove", PositionalSpec::Count::One, {"add", "list", "remove"}},
           {"NUMBER", "of the rule to remove", PositionalSpec::Count::Optional}},
          {{"--class", "CLASS", "the classes it hides; never another kind of break", Count::Many},
           {"--operation", "NAME", "only of this operation"},
           {"--key", "PATTERN", "only keys like this; * stands for any text"},
           {"--scope", "SCOPE", "only of this account"},
           {"--queue", "NAME", "only of this queue"},
           {"--up-to", "AMOUNT", "only where no more than this is at stake (with --currency)"},
           {"--currency", "CODE", "of --up-to"},
           {"--until", "TIME", "nights as of this instant or later look again"},
           {"--reason", "TEXT", "why"},
           {"--all", "", "list removed rules too", Count::Flag},
           actingPersonSpec()},
          "What a rule hides is shown as dismissed, counted, and judged again every night; a case that somebody works on is not "
          "hidden."};
      for (const OptionSpec& option : listOptionSpecs()) made.options.push_back(option);
      return made;
    }();
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const std::string action = arguments.valueOr("ACTION", "");
    if (action == "list") return list(arguments, session);
    if (action != "add" && action != "remove") return fail(ErrorCode::Usage, "ignore takes add, list or remove");
    const auto store = Store::openForReview(arguments.valueOr("STORE", ""));
    if (!store) return fail(store.error());
    const Signature signature{actingPerson(arguments, session.console), asOfNow(session.console)};
    return action == "add" ? add(*store, signature, arguments, session) : remove(*store, signature, arguments, session);
  }

 private:
  static Result<int> list(const Arguments& arguments, Session& session) {
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    const auto rules = ignoreRulesOf(*store, arguments.has("--all") ? RulesWanted::All : RulesWanted::InForce);
    if (!rules) return fail(rules.error());
    if (auto ok = printList(listChoicesOf(arguments), session, *rules); !ok) return fail(ok.error());
    return 0;
  }

  static Result<std::optional<Money>> amountOf(const Arguments& arguments) {
    const auto text = arguments.value("--up-to");
    if (!text) return std::optional<Money>();
    const auto currency = Currency::parse(arguments.valueOr("--currency", ""));
    if (!currency) return fail(ErrorCode::Usage, "--up-to needs --currency, such as USD");
    AmountStyle style;
    style.exponent = currency->exponent();
    const AmountOutcome amount = parseAmount(*text, style);
    if (amount.fault || amount.value.negative) {
      return fail(ErrorCode::Usage, fmt::format("--up-to takes an amount such as 12.50, not '{}'", forTerminal(*text)));
    }
    return std::optional(Money{amount.value.minor, *currency});
  }

  static Result<IgnoreRule> ruleOf(const Arguments& arguments) {
    IgnoreRule rule;
    for (const std::string& word : arguments.values("--class")) {
      const auto value = classFromCode(word);
      if (!value) return fail(ErrorCode::Usage, fmt::format("--class: no such class '{}'", forTerminal(word)));
      rule.classes.insert(*value);
    }
    rule.operation = arguments.valueOr("--operation", "");
    rule.key = arguments.valueOr("--key", "");
    rule.scope = arguments.value("--scope");
    rule.queue = arguments.valueOr("--queue", "");
    rule.reason = arguments.valueOr("--reason", "");
    auto most = amountOf(arguments);
    if (!most) return fail(most.error());
    rule.most = std::move(*most);
    if (const auto until = arguments.value("--until")) {
      const auto instant = parseInstant(*until);
      if (!instant) return fail(ErrorCode::Usage, fmt::format("--until takes an instant such as 2026-12-31T00:00:00Z, not '{}'", forTerminal(*until)));
      rule.until = *instant;
    }
    return rule;
  }

  static Result<int> say(const std::string& text, Session& session) {
    auto ok = printTo("", session, [&](Sink& sink, const TextStyle&) { return sink.write(text + "\n"); });
    if (!ok) return fail(ok.error());
    return 0;
  }

  static Result<int> add(const Store& store, const Signature& signature, const Arguments& arguments, Session& session) {
    auto rule = ruleOf(arguments);
    if (!rule) return fail(rule.error());
    const auto out = addIgnoreRule(store, std::move(*rule), signature);
    if (!out) return fail(out.error());
    return say(fmt::format("rule {} hides {} cases from now on", out->rule, out->cases), session);
  }

  static Result<int> remove(const Store& store, const Signature& signature, const Arguments& arguments, Session& session) {
    const std::string text = arguments.valueOr("NUMBER", "");
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return fail(ErrorCode::Usage, "ignore remove takes the number of a rule");
    const auto out = removeIgnoreRule(store, number, arguments.valueOr("--reason", ""), signature);
    if (!out) {
      Error said = out.error();
      if (said.code == ErrorCode::Missing) said.code = ErrorCode::Usage;
      return fail(said);
    }
    return say(fmt::format("rule {} is removed; {} cases come back", number, out->cases), session);
  }
};

}  // namespace

std::unique_ptr<const Command> makeIgnoreCommand() { return std::make_unique<IgnoreCommand>(); }

}  // namespace counterfoil
