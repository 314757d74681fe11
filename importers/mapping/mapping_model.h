// SPDX-License-Identifier: GPL-3.0-or-later
// A mapping as parsed, before it is bound to a file: what mapping_spec.cpp builds and plan_*.cpp
// reads. Internal to importers/mapping. Plain values, shared and immutable once parsed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/money.h"
#include "importers/json/json_checks.h"
#include "importers/json/json_document.h"
#include "importers/mapping/decoders.h"
#include "importers/mapping/exact_number.h"
#include "importers/mapping/fields.h"
#include "importers/mapping/layout.h"
#include "importers/mapping/mapping_spec.h"
#include "importers/mapping/pattern.h"

namespace counterfoil {

enum class AmountUnit : std::uint8_t { Major, Minor, Hundredths };
/// What a negative number is. Of fees without a rule the sign says nothing.
enum class NegativeRule : std::uint8_t {
  Quarantine,
  Reversal,
  Drop,
  Returned,  ///< of fees: costs stand above zero, below it are those given back
  Cost       ///< of fees: the other way round
};

/// A decoder, a pointer or a dotted path into what the decoders before it gave, or a pattern to be
/// found in it.
struct DecodeStep {
  std::optional<Decoder> decoder = {};
  std::string pointer = {};
  std::string path = {};                        ///< of a place inside a name's value
  std::shared_ptr<const Pattern> find = {};     ///< of a name, before that place
  bool blankOnError = false;                    ///< of a name that says so, whatever the field says
};

/// A column that `sum` adds, or takes off.
struct SumPart {
  std::string column;
  bool negate = false;
};

struct FieldExpr;

struct TemplatePart {
  std::string literal;  ///< stands before the column
  std::string column;   ///< blank for the end of the template
  std::shared_ptr<const FieldExpr> value = {};  ///< in place of the column, where that is a name's
};

/// `words`: target -> words of the file; compared without case (ASCII).
struct WordMap {
  std::vector<std::pair<std::string, std::string>> targetByWord;  ///< word, target
  std::optional<std::string> catchAll;  ///< target of "*": any word that is not blank
  std::optional<std::string> blank;     ///< target of ""
  [[nodiscard]] const std::string* find(std::string_view word) const;
};

/// "is": words (without case), patterns, or "" for blank; `negated` for "not".
struct Condition {
  std::shared_ptr<const FieldExpr> value;
  std::vector<std::string> words;
  std::vector<std::shared_ptr<const Pattern>> patterns;
  bool blank = false;
  bool negated = false;
};

/// One way to get a value: where it is taken from, and what is done with it, in this order: when,
/// decode and pointer, find, words.
struct Leaf {
  enum class Base : std::uint8_t { Column, Value, Template, Document, Sum, Join };
  Base base = Base::Column;
  std::string text;  ///< column, value or document pointer; a template as written
  std::string label;  ///< for messages, where it is another one than the text: a place in a name's value
  std::vector<TemplatePart> parts;
  std::vector<SumPart> sum;
  std::vector<std::shared_ptr<const FieldExpr>> joined;
  std::string with;  ///< between joined parts
  std::vector<DecodeStep> decode;
  std::shared_ptr<const Pattern> find;
  std::vector<Condition> when;  ///< all have to hold, else blank
  std::shared_ptr<const WordMap> words;
  bool blankOnError = false;  ///< "on_error": "blank" instead of quarantine

  AmountUnit unit = AmountUnit::Major;
  NegativeRule negative = NegativeRule::Quarantine;
  int feeSign = 0;                   ///< 1: "plus" the row's fee, -1: "minus" it; what is compared is the gross
  std::map<Currency, int> decimals;  ///< a provider's own exponents, with unit minor
  std::string form;
  std::string zone;  ///< "" = the source's
  std::shared_ptr<const FieldExpr> zoneOfRow;
  std::shared_ptr<const FieldExpr> plusMs;  ///< of times: milliseconds of the row that are added

  bool usualSpellings =
      false;          ///< of a generic format: column names are compared by foldColumnName
  std::string where;  ///< file:line:column
};

/// First leaf that is not blank; with `digest` the digest of all (fingerprints).
struct FieldExpr {
  std::vector<Leaf> leaves;
  bool digest = false;
  bool ownColumns = false;  ///< written by the user: columns that the file lacks are an error
  std::string where;
};

/// A member of "names": a value that columns such as "args.0" are places in.
struct NamedValue {
  std::string name;
  std::shared_ptr<const FieldExpr> value;
};

/// A member of "tasks": what the rows of a task have in place of the mapping's own fields.
struct TaskRule {
  std::string task;                             ///< as written: a name, "re:…" or "*"
  std::shared_ptr<const Pattern> pattern = {};  ///< of "re:…"
  bool exclude = false;                         ///< all rows of the task
  std::vector<Condition> excludeIf = {};        ///< those for which one holds
  std::map<Field, std::shared_ptr<const FieldExpr>> fields = {};
};

enum class TermSign : std::uint8_t { AsWritten, Opposite, Positive, Negative };

/// A number of a row, or one from outside the rows, on its way into a sum.
struct CheckTerm {
  std::shared_ptr<const FieldExpr> value;
  TermSign sign = TermSign::AsWritten;
};

/// What the statement says about itself: a member of "checks".
struct CheckSpec {
  enum class Kind : std::uint8_t { Row, Sum, Count, Moved };
  std::string name;
  Kind kind = Kind::Row;
  std::vector<CheckTerm> sum;   ///< added; of Moved: what moves the balance
  std::vector<CheckTerm> is;    ///< added; what it should come to (Sum: 0 if there are none)
  std::shared_ptr<const FieldExpr> per;
  std::shared_ptr<const FieldExpr> balance, opening, closing;   ///< of Moved
  std::shared_ptr<const FieldExpr> from, to;   ///< of Moved: the days it opens and closes on
  std::string finding;          ///< code of the finding that a break is, or "" for the kind's own
  std::vector<Condition> when;      ///< rows that take part
  std::vector<Condition> whenHas;   ///< groups that take part have such a row
  Nano tolerance = 0;
  std::string where;
};

/// Documents' places of values that stand in lines around the rows begin so; a pattern follows.
inline constexpr std::string_view kLinePlace = "line:";

struct MappingModel final : MappingSpec {
  [[nodiscard]] RecordKind record() const override { return kind; }
  [[nodiscard]] const Layout& layout() const override { return rowLayout; }
  [[nodiscard]] const std::string& formatName() const override { return name; }
  [[nodiscard]] std::vector<std::string> knownColumns() const override;
  [[nodiscard]] const std::vector<std::string>& toldBy() const override { return telling; }
  [[nodiscard]] std::vector<std::string> valueNames() const override;
  [[nodiscard]] bool tellsTask() const override { return fields.count(Field::Task) > 0; }

  RecordKind kind = RecordKind::Attempt;
  Layout rowLayout;
  std::string name;
  std::vector<std::string> bases;   ///< formats that it extends, directly or not
  std::map<Field, std::shared_ptr<const FieldExpr>> fields;
  std::vector<NamedValue> names;
  std::vector<TaskRule> tasks;   ///< the first that fits counts: names, then patterns, then "*"
  std::vector<Condition> exclude;
  std::vector<Condition> rowLines;   ///< of a log: lines that are rows; any of them
  std::vector<std::string> telling;
  std::vector<CheckSpec> checks;
};

/// Reads one field's expression. `usualSpellings` and `ownColumns` as in Leaf and FieldExpr.
struct ExpressionContext {
  RecordKind kind = RecordKind::Attempt;
  bool usualSpellings = false;
  bool ownColumns = false;
};
[[nodiscard]] Result<FieldExpr> parseExpression(const JsonNode& node, const FieldRow& field,
                                                const ExpressionContext& context);
/// `{"column": …, "is": …}` of `when` and `exclude`.
[[nodiscard]] Result<Condition> parseCondition(const JsonNode& node,
                                               const ExpressionContext& context);

/// Puts the checks of "checks" beside those of the format that is extended; null takes one away.
[[nodiscard]] Result<> parseChecks(const JsonNode& node, const ExpressionContext& context,
                                   std::vector<CheckSpec>& checks);

/// Takes the members of "names"; those of the format that is extended may be replaced.
[[nodiscard]] Result<> parseNames(const JsonNode& node, const ExpressionContext& context,
                                  std::vector<NamedValue>& names);
/// Puts the members of "tasks" before those of the format that is extended; one for the same task
/// takes its place. `isOneOfSeveral`: the same rules are given to mappings of other records too, so
/// fields that this kind lacks are left out.
[[nodiscard]] Result<> parseTasks(const JsonNode& node, const ExpressionContext& context,
                                  bool isOneOfSeveral, MappingModel& model);

[[nodiscard]] Result<Layout> parseLayout(const JsonNode& node, Layout base);

/// parseMappings with the name of the format it comes from ("" for a source's own). `depth` counts
/// formats that extend formats: a circle is an error.
[[nodiscard]] Result<std::vector<std::shared_ptr<const MappingModel>>> parseMappingsAs(
    const JsonNode& node, const std::string& formatName, int depth = 0);
/// namedFormat for a mapping that extends it.
[[nodiscard]] Result<std::vector<std::shared_ptr<const MappingSpec>>> baseFormat(
    std::string_view name, int depth);

}  // namespace counterfoil
