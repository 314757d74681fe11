// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/named_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxNames = 64;
constexpr std::size_t kMaxLeaves = 256;
/// Leaves that names may become all in all: a name of ten alternatives of names of ten would be
/// thousands.
constexpr std::size_t kMaxReplaced = 20'000;

class NameReplacer {
 public:
  NameReplacer(const std::vector<NamedValue>& names, const std::vector<std::string>& fileColumns)
      : m_names(names) {
    for (const std::string& column : fileColumns) m_fileColumns.insert(toLowerAscii(trim(column)));
  }

  Result<> replace(std::shared_ptr<const FieldExpr>& expression) {
    if (expression == nullptr) return {};
    auto replaced = replacedIn(*expression);
    if (!replaced) return fail(replaced.error());
    expression = std::move(*replaced);
    return {};
  }

  Result<> replace(std::vector<Condition>& conditions) {
    for (Condition& condition : conditions) {
      if (auto ok = replace(condition.value); !ok) return ok;
    }
    return {};
  }

  Result<> replace(std::vector<CheckTerm>& terms) {
    for (CheckTerm& term : terms) {
      if (auto ok = replace(term.value); !ok) return ok;
    }
    return {};
  }

 private:
  // Nesting is bounded by the depth of the mapping's JSON text and the number of names: a name that
  // is being replaced is none.
  Result<std::shared_ptr<const FieldExpr>> replacedIn(const FieldExpr& expression) {
    FieldExpr out = expression;
    out.leaves.clear();
    for (const Leaf& leaf : expression.leaves) {
      const std::size_t before = out.leaves.size();
      if (auto ok = addLeaf(leaf, expression.digest, out.leaves); !ok) return fail(ok.error());
      m_replaced += out.leaves.size() - before;
      if (out.leaves.size() > kMaxLeaves || m_replaced > kMaxReplaced)
        return wrong(expression.where, "names make too many alternatives of it");
    }
    return std::make_shared<const FieldExpr>(std::move(out));
  }

  static tl::unexpected<Error> wrong(const std::string& where, std::string_view what) {
    return fail(ErrorCode::Config, fmt::format("{}: {}", where, what));
  }

  /// The name that a column begins with; null if it is a column.
  [[nodiscard]] const NamedValue* nameOf(const std::string& column) const {
    const std::string_view first = std::string_view(column).substr(0, column.find('.'));
    const auto found = std::find_if(m_names.begin(), m_names.end(),
                                    [&](const NamedValue& value) { return value.name == first; });
    if (found == m_names.end()) return nullptr;
    const bool isOpen = std::find(m_open.begin(), m_open.end(), first) != m_open.end();
    const bool isColumn =
        first.size() < column.size() && m_fileColumns.count(toLowerAscii(column)) != 0;
    return isOpen || isColumn ? nullptr : &*found;
  }

  Result<> addLeaf(Leaf leaf, bool digest, std::vector<Leaf>& out) {
    if (auto ok = replaceInside(leaf); !ok) return ok;
    const NamedValue* name = leaf.base == Leaf::Base::Column ? nameOf(leaf.text) : nullptr;
    if (name == nullptr) {
      out.push_back(std::move(leaf));
      return {};
    }
    auto places = placesOf(leaf, *name);
    if (!places) return fail(places.error());
    if (!digest || places->size() == 1) {
      std::move(places->begin(), places->end(), std::back_inserter(out));
      return {};
    }
    // A digest takes all leaves together, and alternatives are one value.
    Leaf one;
    one.base = Leaf::Base::Join;
    one.text = one.label = leaf.text;
    one.where = leaf.where;
    FieldExpr alternatives;
    alternatives.leaves = std::move(*places);
    alternatives.where = leaf.where;
    one.joined.push_back(std::make_shared<const FieldExpr>(std::move(alternatives)));
    out.push_back(std::move(one));
    return {};
  }

  /// The expressions that a leaf holds.
  Result<> replaceInside(Leaf& leaf) {
    if (auto ok = replace(leaf.when); !ok) return ok;
    if (auto ok = replace(leaf.zoneOfRow); !ok) return ok;
    if (auto ok = replace(leaf.plusMs); !ok) return ok;
    for (auto& part : leaf.joined) {
      if (auto ok = replace(part); !ok) return ok;
    }
    for (const SumPart& part : leaf.sum) {
      if (nameOf(part.column) == nullptr) continue;
      return wrong(leaf.where,
                   fmt::format("'sum' adds columns of the file, and '{}' is a place in a name's value",
                               part.column));
    }
    for (TemplatePart& part : leaf.parts) {
      if (part.value != nullptr || part.column.empty() || nameOf(part.column) == nullptr) continue;
      Leaf place;
      place.text = part.column;
      place.where = leaf.where;
      FieldExpr value;
      value.leaves.push_back(std::move(place));
      value.where = leaf.where;
      part.value = std::make_shared<const FieldExpr>(std::move(value));
      if (auto ok = replace(part.value); !ok) return ok;
    }
    return {};
  }

  /// The leaf once for each alternative of the name's value.
  Result<std::vector<Leaf>> placesOf(const Leaf& leaf, const NamedValue& name) {
    m_open.push_back(name.name);
    auto value = replacedIn(*name.value);
    m_open.pop_back();
    if (!value) return fail(value.error());
    const std::string path =
        leaf.text.size() > name.name.size() ? leaf.text.substr(name.name.size() + 1) : std::string();
    std::vector<Leaf> places;
    for (const Leaf& base : (*value)->leaves) places.push_back(placeIn(base, leaf, path));
    return places;
  }

  static Leaf placeIn(const Leaf& base, const Leaf& leaf, const std::string& path) {
    Leaf place = leaf;
    place.label = leaf.label.empty() ? leaf.text : leaf.label;
    place.base = base.base;
    place.text = base.text;
    place.parts = base.parts;
    place.joined = base.joined;
    place.with = base.with;
    place.usualSpellings = base.usualSpellings;
    place.decode = base.decode;
    if (base.find != nullptr) place.decode.push_back({.find = base.find});
    if (!path.empty()) place.decode.push_back({.path = path});
    for (DecodeStep& step : place.decode)
      step.blankOnError = step.blankOnError || base.blankOnError;
    place.decode.insert(place.decode.end(), leaf.decode.begin(), leaf.decode.end());
    place.when.insert(place.when.begin(), base.when.begin(), base.when.end());
    return place;
  }

  const std::vector<NamedValue>& m_names;
  std::set<std::string> m_fileColumns;
  std::vector<std::string> m_open;   ///< names that are being replaced
  std::size_t m_replaced = 0;
};

Result<> replaceInCheck(CheckSpec& check, NameReplacer& replacer) {
  for (auto* terms : {&check.sum, &check.is}) {
    if (auto ok = replacer.replace(*terms); !ok) return ok;
  }
  for (auto* value : {&check.per, &check.balance, &check.opening, &check.closing}) {
    if (auto ok = replacer.replace(*value); !ok) return ok;
  }
  if (auto ok = replacer.replace(check.when); !ok) return ok;
  return replacer.replace(check.whenHas);
}

Result<> checkName(const JsonNode& node, const std::string& name) {
  constexpr std::string_view kNotInNames = ".{}/ ";
  if (name.empty() || name.find_first_of(kNotInNames) != std::string::npos)
    return failAt(node, fmt::format("'{}' is no name: write one word without dots", name));
  return {};
}

}  // namespace

Result<MappingModel> withNamesReplaced(const MappingModel& model,
                                       const std::vector<std::string>& fileColumns) {
  if (model.names.empty()) return model;
  MappingModel out = model;
  NameReplacer replacer(model.names, fileColumns);
  for (auto& [field, expression] : out.fields) {
    if (auto ok = replacer.replace(expression); !ok) return fail(ok.error());
  }
  for (TaskRule& rule : out.tasks) {
    for (auto& [field, expression] : rule.fields) {
      if (auto ok = replacer.replace(expression); !ok) return fail(ok.error());
    }
    if (auto ok = replacer.replace(rule.excludeIf); !ok) return fail(ok.error());
  }
  if (auto ok = replacer.replace(out.exclude); !ok) return fail(ok.error());
  if (auto ok = replacer.replace(out.rowLines); !ok) return fail(ok.error());
  for (CheckSpec& check : out.checks) {
    if (auto ok = replaceInCheck(check, replacer); !ok) return fail(ok.error());
  }
  out.names.clear();
  return out;
}

Result<> parseNames(const JsonNode& node, const ExpressionContext& context,
                    std::vector<NamedValue>& names) {
  static constexpr FieldRow kNameField{"names", Field::Error, FieldMeaning::Text, 0};
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "'names' has to be an object, {\"args\": EXPRESSION}");
  for (const auto& [name, value] : node.members) {
    if (auto ok = checkName(value, name); !ok) return ok;
    auto parsed = parseExpression(value, kNameField, context);
    if (!parsed) return fail(parsed.error());
    const bool hasWords = std::any_of(parsed->leaves.begin(), parsed->leaves.end(),
                                      [](const Leaf& leaf) { return leaf.words != nullptr; });
    if (hasWords) return failAt(value, "a name's value has no 'words': give them to the fields");
    auto expression = std::make_shared<const FieldExpr>(std::move(*parsed));
    const auto same = std::find_if(names.begin(), names.end(),
                                   [&wanted = name](const NamedValue& other) { return other.name == wanted; });
    if (same != names.end()) {
      same->value = std::move(expression);
    } else {
      names.push_back({name, std::move(expression)});
    }
  }
  if (names.size() > kMaxNames)
    return failAt(node, fmt::format("more than {} names", kMaxNames));
  return {};
}

}  // namespace counterfoil
