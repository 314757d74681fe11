// SPDX-License-Identifier: GPL-3.0-or-later
// Field expressions of a mapping: from JSON to Leaf and FieldExpr, every word and type checked.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/instant.h"
#include "core/base/text.h"
#include "importers/mapping/mapping_model.h"

namespace counterfoil {

namespace {

constexpr std::array<std::string_view, 21> kMembers = {
    "column", "value",    "template", "pointer", "decode", "find", "when",    "words",
    "unit",   "negative", "decimals", "form",    "zone",   "plus", "minus",   "on_error",
    "sum",    "join",     "with",     "plus_ms", "line"};
constexpr std::array<std::string_view, 13> kConditionMembers = {
    "column", "value", "template", "pointer", "decode", "find", "when", "words", "is", "not",
    "join", "with", "line"};
constexpr std::size_t kMaxLeaves = 256;

Result<std::vector<TemplatePart>> parseTemplate(const JsonNode& node) {
  std::vector<TemplatePart> parts;
  std::string literal;
  const std::string& text = node.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) {
      literal += text[i++];
    } else if (text[i] == '{') {
      const std::size_t end = text.find('}', i);
      if (end == std::string::npos || end == i + 1)
        return failAt(node, "template with an unfinished {column}");
      parts.push_back({std::move(literal), text.substr(i + 1, end - i - 1)});
      literal.clear();
      i = end;
    } else {
      literal += text[i];
    }
  }
  if (parts.empty())
    return failAt(node, "template without a {column}; a fixed text is written {\"value\": …}");
  if (!literal.empty()) parts.push_back({std::move(literal), {}});
  return parts;
}

bool isPointer(std::string_view text) {
  return !text.empty() && text.front() == '/';
}

Result<std::vector<DecodeStep>> parseDecode(const JsonNode& node) {
  auto names = textsOf(node, "decode");
  if (!names) return fail(names.error());
  std::vector<DecodeStep> steps;
  for (std::string& name : *names) {
    const auto decoder = decoderFromName(name);
    if (!decoder && !isPointer(name)) {
      std::size_t count = 0;
      const std::string_view* known = decoderNames(count);
      return failAt(
          node, fmt::format("unknown decoder '{}'{}; known are {}", name, didYouMean(name, known, count),
                            fmt::join(known, known + count, ", ")));
    }
    steps.push_back({decoder, decoder ? std::string() : std::move(name)});
  }
  return steps;
}

Result<Pattern> compileAt(const JsonNode& node, std::string_view text) {
  auto pattern = Pattern::compile(text);
  if (!pattern) return failAt(node, pattern.error().message);
  return pattern;
}

/// A target of `words` has to be one of the field's codes where the field is enumerated.
Result<> checkTarget(const JsonNode& node, const std::string& target, const FieldRow* field,
                     RecordKind kind) {
  if (field == nullptr) return {};
  if (field->meaning == FieldMeaning::Word && !valueOfCode(kind, field->field, target)) {
    const auto codes = codesOf(kind, field->field);
    return failAt(node, fmt::format("'{}' is no {} of a record of kind {}; known are {}{}", target,
                                    field->name, codeOf(kind), fmt::join(codes, ", "),
                                    didYouMean(target, codes.data(), codes.size())));
  }
  if (field->meaning == FieldMeaning::Flag && !flagOf(target)) {
    return failAt(node, fmt::format("'{}' is neither true nor false", target));
  }
  if (field->meaning == FieldMeaning::Live && !liveOf(target)) {
    return failAt(node, fmt::format("'{}' is neither true (live) nor false (test)", target));
  }
  return {};
}

Result<WordMap> parseWords(const JsonNode& node, const FieldRow* field, RecordKind kind) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "'words' has to be an object of lists");
  WordMap map;
  for (const auto& [target, list] : node.members) {
    if (auto ok = checkTarget(list, target, field, kind); !ok) return fail(ok.error());
    auto words = textsOf(list, target);
    if (!words) return fail(words.error());
    for (std::string& word : *words) {
      const bool given =
          std::any_of(map.targetByWord.begin(), map.targetByWord.end(),
                      [&](const auto& entry) { return equalsIgnoreCase(entry.first, word); });
      if (given) return failAt(list, fmt::format("word '{}' is given twice", word));
      if (word == "*") {
        map.catchAll = target;
      } else if (word.empty()) {
        map.blank = target;
      } else {
        map.targetByWord.emplace_back(std::move(word), target);
      }
    }
  }
  return map;
}

Result<std::map<Currency, int>> parseDecimals(const JsonNode& node) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "'decimals' has to be an object, {\"ISK\": 2}");
  std::map<Currency, int> decimals;
  for (const auto& [code, value] : node.members) {
    const auto currency = Currency::parse(code);
    if (!currency) return failAt(value, fmt::format("unknown currency '{}'", code));
    int digits = -1;
    const auto [end, error] =
        std::from_chars(value.text.data(), value.text.data() + value.text.size(), digits);
    if (value.type != JsonNode::Type::Number || error != std::errc() ||
        end != value.text.data() + value.text.size() || digits < 0 || digits > 6) {
      return failAt(value, fmt::format("'{}' has to be a number of decimals from 0 to 6", code));
    }
    decimals[*currency] = digits;
  }
  return decimals;
}

class LeafParser {
 public:
  LeafParser(const FieldRow* field, const ExpressionContext& context)
      : m_field(field), m_context(context) {}

  Result<std::vector<Leaf>> parse(const JsonNode& node) {
    Leaf leaf;
    leaf.where = node.where();
    leaf.usualSpellings = m_context.usualSpellings;
    if (node.type == JsonNode::Type::String) {
      if (node.text.empty()) return failAt(node, "a column without a name");
      leaf.text = node.text;
      return std::vector<Leaf>{std::move(leaf)};
    }
    if (node.type != JsonNode::Type::Object)
      return failAt(node, "a field is a column name, a list or an object");
    for (const auto& [name, value] : node.members) {
      if (auto ok = member(name, value, leaf); !ok) return fail(ok.error());
    }
    return withBase(node, std::move(leaf));
  }

 private:
  Result<std::vector<Leaf>> withBase(const JsonNode& node, Leaf leaf) {
    const JsonNode* column = node.find("column");
    const JsonNode* pointer = node.find("pointer");
    const int bases =
        (column != nullptr) + (node.find("value") != nullptr) + (node.find("template") != nullptr) +
        (node.find("sum") != nullptr) + (node.find("join") != nullptr) + (node.find("line") != nullptr);
    if (bases > 1)
      return failAt(node, "only one of 'column', 'value', 'template', 'sum', 'join' and 'line' can be given");
    if (pointer != nullptr) {
      if (bases == 0) {
        leaf.base = Leaf::Base::Document;
        leaf.text = pointer->text;
      } else {
        leaf.decode.push_back({std::nullopt, pointer->text});
      }
    } else if (bases == 0) {
      return failAt(node, "one of 'column', 'value', 'template', 'sum', 'join', 'line' and 'pointer' is missing");
    }
    if (column == nullptr) return std::vector<Leaf>{std::move(leaf)};
    auto names = textsOf(*column, "column");
    if (!names) return fail(names.error());
    std::vector<Leaf> leaves;
    for (std::string& name : *names) {
      if (name.empty()) return failAt(*column, "a column without a name");
      leaves.push_back(leaf);
      leaves.back().text = std::move(name);
    }
    return leaves;
  }

  Result<> member(const std::string& name, const JsonNode& node, Leaf& leaf) {
    if (name == "column" || name == "is" || name == "not") return {};
    if (name == "words") {
      auto words = parseWords(node, m_field, m_context.kind);
      if (!words) return fail(words.error());
      leaf.words = std::make_shared<const WordMap>(std::move(*words));
      return {};
    }
    if (name == "when") return when(node, leaf);
    if (name == "decode") return take(parseDecode(node), leaf.decode);
    if (name == "decimals") return take(parseDecimals(node), leaf.decimals);
    if (name == "zone") return zone(node, leaf);
    if (name == "plus_ms") return plusMs(node, leaf);
    if (name == "value") return value(node, leaf);
    if (name == "sum") return sum(node, leaf);
    if (name == "join") return join(node, leaf);
    if (node.type != JsonNode::Type::String)
      return failAt(node, fmt::format("'{}' has to be a text", name));
    return textMember(name, node, leaf);
  }

  template <class T>
  static Result<> take(Result<T> from, T& to) {
    if (!from) return fail(from.error());
    to = std::move(*from);
    return {};
  }

  Result<> textMember(const std::string& name, const JsonNode& node, Leaf& leaf) {
    if (name == "with") {
      leaf.with = node.text;
      return {};
    }
    if (name == "template") {
      leaf.base = Leaf::Base::Template;
      leaf.text = node.text;
      return take(parseTemplate(node), leaf.parts);
    }
    if (name == "pointer") {
      if (!isPointer(node.text)) return failAt(node, "a pointer begins with '/'");
      return {};
    }
    if (name == "line") {
      auto pattern = compileAt(node, node.text);
      if (!pattern) return fail(pattern.error());
      leaf.base = Leaf::Base::Document;
      leaf.text = std::string(kLinePlace) + node.text;
      return {};
    }
    if (name == "find") {
      auto pattern = compileAt(node, node.text);
      if (!pattern) return fail(pattern.error());
      leaf.find = std::make_shared<const Pattern>(std::move(*pattern));
      return {};
    }
    if (name == "on_error") return choice(node, name, {"quarantine", "blank"}, leaf.blankOnError);
    if (name == "unit") return choice(node, name, {"major", "minor", "hundredths"}, leaf.unit);
    if (name == "negative")
      return negative(node, name, leaf);
    if (name == "plus" || name == "minus") return fee(node, name, leaf);
    if (name == "form") {
      leaf.form = node.text;
      auto form = TimeForm::make(node.text, Zone());
      if (!form) return failAt(node, form.error().message);
    }
    return {};
  }

  /// Signs count as written: where fees are costs the gross is net plus fee, where they are movements of
  /// the balance (negative) it is net minus fee.
  static Result<> fee(const JsonNode& node, std::string_view name, Leaf& leaf) {
    if (node.text != "fee") return failAt(node, fmt::format("'{}' can only be \"fee\"", name));
    if (leaf.feeSign != 0) return failAt(node, "'plus' and 'minus' at once");
    leaf.feeSign = name == "plus" ? 1 : -1;
    return {};
  }

  Result<> negative(const JsonNode& node, std::string_view name, Leaf& leaf) const {
    if (m_field == nullptr || m_field->meaning != FieldMeaning::Fee)
      return choice(node, name, {"quarantine", "reversal", "drop"}, leaf.negative);
    bool isCost = false;
    if (auto ok = choice(node, name, {"returned", "cost"}, isCost); !ok) return ok;
    leaf.negative = isCost ? NegativeRule::Cost : NegativeRule::Returned;
    return {};
  }

  /// Columns that are added up, blank ones as nothing: `["Commission", {"column": "Rebate", "negate": true}]`.
  Result<> sum(const JsonNode& node, Leaf& leaf) const {
    const bool isMoney = m_field != nullptr && (m_field->meaning == FieldMeaning::Amount ||
                                                m_field->meaning == FieldMeaning::Fee);
    if (!isMoney) return failAt(node, "'sum' belongs to amounts and fees");
    if (node.type != JsonNode::Type::Array || node.items.empty())
      return failAt(node, "'sum' has to be a list of columns");
    leaf.base = Leaf::Base::Sum;
    for (const JsonNode& item : node.items) {
      auto part = sumPart(item);
      if (!part) return fail(part.error());
      leaf.text += (leaf.text.empty() ? "" : part->negate ? " - " : " + ") + part->column;
      leaf.sum.push_back(std::move(*part));
    }
    return {};
  }

  /// Texts behind one another, each of them an expression; blank if one is.
  Result<> join(const JsonNode& node, Leaf& leaf) const {
    static constexpr FieldRow kPartField{"join", Field::Error, FieldMeaning::Text, 0};
    if (node.type != JsonNode::Type::Array || node.items.empty())
      return failAt(node, "'join' has to be a list of expressions");
    leaf.base = Leaf::Base::Join;
    leaf.text = "join";
    for (const JsonNode& item : node.items) {
      auto part = parseExpression(item, kPartField, m_context);
      if (!part) return fail(part.error());
      leaf.joined.push_back(std::make_shared<const FieldExpr>(std::move(*part)));
    }
    return {};
  }

  static Result<SumPart> sumPart(const JsonNode& item) {
    static constexpr std::array<std::string_view, 2> kPartMembers = {"column", "negate"};
    if (item.type == JsonNode::Type::String && !item.text.empty()) return SumPart{item.text, false};
    if (item.type != JsonNode::Type::Object) return failAt(item, "a column's name or an object is expected");
    if (auto ok = checkMembers(item, kPartMembers.data(), kPartMembers.size()); !ok) return fail(ok.error());
    const JsonNode* column = item.find("column");
    const JsonNode* negate = item.find("negate");
    if (column == nullptr || column->type != JsonNode::Type::String || column->text.empty())
      return failAt(item, "'column' is missing");
    if (negate != nullptr && negate->type != JsonNode::Type::Boolean)
      return failAt(*negate, "'negate' has to be true or false");
    return SumPart{column->text, negate != nullptr && negate->text == "true"};
  }

  template <class T>
  static Result<> choice(const JsonNode& node, std::string_view name,
                         std::initializer_list<std::string_view> words, T& out) {
    const auto found = std::find(words.begin(), words.end(), node.text);
    if (found == words.end()) {
      return failAt(node, fmt::format("'{}' is no {}; known are {}", node.text, name,
                                      fmt::join(words, ", ")));
    }
    out = static_cast<T>(found - words.begin());
    return {};
  }

  static Result<> value(const JsonNode& node, Leaf& leaf) {
    if (node.type == JsonNode::Type::Array || node.type == JsonNode::Type::Object) {
      return failAt(node, "'value' has to be a text, a number, true or false");
    }
    leaf.base = Leaf::Base::Value;
    leaf.text = node.text;
    return {};
  }

  Result<> when(const JsonNode& node, Leaf& leaf) {
    const bool several = node.type == JsonNode::Type::Array;
    const std::size_t count = several ? node.items.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      auto condition = parseCondition(several ? node.items[i] : node, m_context);
      if (!condition) return fail(condition.error());
      leaf.when.push_back(std::move(*condition));
    }
    return {};
  }

  Result<> zone(const JsonNode& node, Leaf& leaf) {
    if (node.type == JsonNode::Type::String) {
      leaf.zone = node.text;
      auto zone = Zone::named(node.text);
      if (!zone) return failAt(node, zone.error().message);
      return {};
    }
    static constexpr FieldRow kZoneField{"zone", Field::Error, FieldMeaning::Text, 0};
    auto expression = parseExpression(node, kZoneField, m_context);
    if (!expression) return fail(expression.error());
    leaf.zoneOfRow = std::make_shared<const FieldExpr>(std::move(*expression));
    return {};
  }

  /// Of times: how many milliseconds later, said by the row.
  Result<> plusMs(const JsonNode& node, Leaf& leaf) const {
    static constexpr FieldRow kPlusField{"plus_ms", Field::Error, FieldMeaning::Text, 0};
    if (m_field == nullptr || m_field->meaning != FieldMeaning::Time)
      return failAt(node, "'plus_ms' belongs to times");
    auto expression = parseExpression(node, kPlusField, m_context);
    if (!expression) return fail(expression.error());
    leaf.plusMs = std::make_shared<const FieldExpr>(std::move(*expression));
    return {};
  }

  const FieldRow* m_field;
  const ExpressionContext& m_context;
};

Result<> parseIs(const JsonNode& node, Condition& condition) {
  auto texts = textsOf(node, "is");
  if (!texts) return fail(texts.error());
  for (std::string& text : *texts) {
    if (text.empty()) {
      condition.blank = true;
    } else if (text.rfind("re:", 0) == 0) {
      auto pattern = compileAt(node, std::string_view(text).substr(3));
      if (!pattern) return fail(pattern.error());
      condition.patterns.push_back(std::make_shared<const Pattern>(std::move(*pattern)));
    } else {
      condition.words.push_back(std::move(text));
    }
  }
  return {};
}

}  // namespace

const std::string* WordMap::find(std::string_view word) const {
  if (word.empty()) return blank ? &*blank : nullptr;
  for (const auto& [known, target] : targetByWord) {
    if (equalsIgnoreCase(known, word)) return &target;
  }
  return catchAll ? &*catchAll : nullptr;
}

Result<Condition> parseCondition(const JsonNode& node, const ExpressionContext& context) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "a condition is an object, {\"column\": …, \"is\": …}");
  if (auto ok = checkMembers(node, kConditionMembers.data(), kConditionMembers.size()); !ok)
    return fail(ok.error());
  const JsonNode* is = node.find("is");
  const JsonNode* isNot = node.find("not");
  if ((is == nullptr) == (isNot == nullptr))
    return failAt(node, "a condition needs one of 'is' and 'not'");
  Condition condition;
  condition.negated = isNot != nullptr;
  if (auto ok = parseIs(is != nullptr ? *is : *isNot, condition); !ok) return fail(ok.error());
  FieldExpr expression;
  expression.ownColumns = context.ownColumns;
  expression.where = node.where();
  auto leaves = LeafParser(nullptr, context).parse(node);
  if (!leaves) return fail(leaves.error());
  expression.leaves = std::move(*leaves);
  condition.value = std::make_shared<const FieldExpr>(std::move(expression));
  return condition;
}

Result<FieldExpr> parseExpression(const JsonNode& node, const FieldRow& field,
                                  const ExpressionContext& context) {
  FieldExpr expression;
  expression.ownColumns = context.ownColumns;
  expression.where = node.where();
  const bool isList = node.type == JsonNode::Type::Array;
  expression.digest = isList && field.meaning == FieldMeaning::Fingerprint;
  if (isList && node.items.empty())
    return failAt(node, fmt::format("'{}' is an empty list", field.name));
  const std::size_t count = isList ? node.items.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const JsonNode& item = isList ? node.items[i] : node;
    if (item.type == JsonNode::Type::Object) {
      if (auto ok = checkMembers(item, kMembers.data(), kMembers.size()); !ok)
        return fail(ok.error());
    }
    auto leaves = LeafParser(&field, context).parse(item);
    if (!leaves) return fail(leaves.error());
    for (Leaf& leaf : *leaves) expression.leaves.push_back(std::move(leaf));
  }
  if (expression.leaves.size() > kMaxLeaves) return failAt(node, "more than 256 alternatives");
  return expression;
}

}  // namespace counterfoil
