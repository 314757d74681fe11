// SPDX-License-Identifier: GPL-3.0-or-later
// "checks" of a mapping: from JSON to CheckSpec, every member and word checked.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "importers/mapping/mapping_model.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMostChecks = 32;
constexpr std::size_t kMostTerms = 64;
constexpr FieldRow kCheckField{"checks", Field::Error, FieldMeaning::Text, 0};

/// Members by kind, the one that tells the kind first.
constexpr std::array<std::string_view, 5> kRowMembers = {"row", "is", "when", "tolerance",
                                                         "finding"};
constexpr std::array<std::string_view, 7> kSumMembers = {
    "sum", "is", "per", "when", "when_has", "tolerance", "finding"};
constexpr std::array<std::string_view, 3> kCountMembers = {"count", "is", "when"};
constexpr std::array<std::string_view, 9> kMovedMembers = {
    "moved", "balance", "opening", "closing", "per", "when", "tolerance", "from", "to"};
constexpr std::array<std::string_view, 3> kFindings = {"consistency_break", "continuity_break",
                                                       "control_total_break"};

struct KindRow {
  CheckSpec::Kind kind;
  const std::string_view* members;
  std::size_t count;
};
constexpr std::array<KindRow, 4> kKinds = {{
    {CheckSpec::Kind::Row, kRowMembers.data(), kRowMembers.size()},
    {CheckSpec::Kind::Sum, kSumMembers.data(), kSumMembers.size()},
    {CheckSpec::Kind::Count, kCountMembers.data(), kCountMembers.size()},
    {CheckSpec::Kind::Moved, kMovedMembers.data(), kMovedMembers.size()},
}};

class CheckParser {
 public:
  CheckParser(const JsonNode& node, const ExpressionContext& context)
      : m_node(node), m_context(context) {}

  Result<CheckSpec> parse(const std::string& name) {
    m_check.name = name;
    m_check.where = m_node.where();
    if (m_node.type != JsonNode::Type::Object) {
      return failAt(m_node, fmt::format("check '{}' has to be an object", name));
    }
    if (auto ok = findKind(); !ok) return fail(ok.error());
    for (const auto& [member, value] : m_node.members) {
      if (auto ok = take(member, value); !ok) return fail(ok.error());
    }
    if (auto ok = complete(); !ok) return fail(ok.error());
    return std::move(m_check);
  }

 private:
  Result<> findKind() {
    const KindRow* found = nullptr;
    for (const KindRow& row : kKinds) {
      if (m_node.find(row.members[0]) == nullptr) continue;
      if (found != nullptr) {
        return failAt(m_node, fmt::format("check '{}' has both '{}' and '{}': make two of it",
                                          m_check.name, found->members[0], row.members[0]));
      }
      found = &row;
    }
    if (found == nullptr) {
      return failAt(m_node, fmt::format("check '{}' needs one of 'row', 'sum', 'count' and 'moved'",
                                        m_check.name));
    }
    m_check.kind = found->kind;
    return checkMembers(m_node, found->members, found->count);
  }

  Result<> take(const std::string& member, const JsonNode& value) {
    if (member == "row" || member == "sum" || member == "moved") return terms(value, m_check.sum);
    if (member == "is") return terms(value, m_check.is);
    if (member == "when") return conditions(value, m_check.when);
    if (member == "when_has") return conditions(value, m_check.whenHas);
    if (member == "per") return expression(value, m_check.per);
    if (member == "balance") return expression(value, m_check.balance);
    if (member == "opening") return expression(value, m_check.opening);
    if (member == "closing") return expression(value, m_check.closing);
    if (member == "from") return expression(value, m_check.from);
    if (member == "to") return expression(value, m_check.to);
    if (member == "finding") return finding(value);
    if (member == "tolerance") return tolerance(value);
    if (member == "count" && value.text != "rows") {
      return failAt(value, "'count' can only be \"rows\"");
    }
    return {};
  }

  Result<> complete() {
    const auto needs = [&](std::string_view what) {
      return failAt(m_node, fmt::format("check '{}' needs {}", m_check.name, what));
    };
    const bool comparesToOne =
        m_check.kind == CheckSpec::Kind::Row || m_check.kind == CheckSpec::Kind::Count;
    if (comparesToOne && m_check.is.empty()) return needs("'is': what it should come to");
    if (m_check.kind == CheckSpec::Kind::Moved && !m_check.balance &&
        !(m_check.opening && m_check.closing)) {
      return needs("'balance', or both 'opening' and 'closing'");
    }
    if ((m_check.from == nullptr) != (m_check.to == nullptr))
      return needs("both 'from' and 'to': the days it opens and closes on");
    return {};
  }

  Result<> terms(const JsonNode& node, std::vector<CheckTerm>& out) {
    const bool isList = node.type == JsonNode::Type::Array;
    const std::size_t count = isList ? node.items.size() : 1;
    if (count == 0 || count > kMostTerms) {
      return failAt(node, fmt::format("a sum has 1 to {} numbers", kMostTerms));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const JsonNode& item = isList ? node.items[i] : node;
      CheckTerm term;
      JsonNode value = item;
      const auto negate = flag(item, "negate"), absolute = flag(item, "absolute");
      if (!negate) return fail(negate.error());
      if (!absolute) return fail(absolute.error());
      if (*absolute) {
        term.sign = *negate ? TermSign::Negative : TermSign::Positive;
      } else if (*negate) {
        term.sign = TermSign::Opposite;
      }
      std::erase_if(value.members, [](const auto& member) {
        return member.first == "negate" || member.first == "absolute";
      });
      if (auto ok = expression(value, term.value); !ok) return ok;
      out.push_back(std::move(term));
    }
    return {};
  }

  static Result<bool> flag(const JsonNode& node, std::string_view name) {
    const JsonNode* const value = node.find(name);
    if (value == nullptr) return false;
    if (value->type != JsonNode::Type::Boolean)
      return failAt(*value, fmt::format("'{}' is true or false", name));
    return value->text == "true";
  }

  Result<> expression(const JsonNode& node, std::shared_ptr<const FieldExpr>& out) {
    FieldExpr expression;
    expression.where = node.where();
    const bool isList = node.type == JsonNode::Type::Array && !node.items.empty();
    const std::size_t count = isList ? node.items.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (auto ok = alternative(isList ? node.items[i] : node, expression); !ok) return ok;
    }
    out = std::make_shared<const FieldExpr>(std::move(expression));
    return {};
  }

  Result<> alternative(const JsonNode& node, FieldExpr& out) {
    auto parsed = parseExpression(node, kCheckField, m_context);
    if (!parsed) return fail(parsed.error());
    out.ownColumns = parsed->ownColumns;
    for (Leaf& leaf : parsed->leaves) out.leaves.push_back(std::move(leaf));
    return {};
  }

  Result<> conditions(const JsonNode& node, std::vector<Condition>& out) {
    const bool isList = node.type == JsonNode::Type::Array;
    const std::size_t count = isList ? node.items.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      auto condition = parseCondition(isList ? node.items[i] : node, m_context);
      if (!condition) return fail(condition.error());
      out.push_back(std::move(*condition));
    }
    return {};
  }

  Result<> finding(const JsonNode& node) {
    if (std::find(kFindings.begin(), kFindings.end(), node.text) == kFindings.end()) {
      return failAt(node, fmt::format("'{}' is no finding of a check; known are {}", node.text,
                                      fmt::join(kFindings, ", ")));
    }
    m_check.finding = node.text;
    return {};
  }

  Result<> tolerance(const JsonNode& node) {
    const bool isText = node.type == JsonNode::Type::String || node.type == JsonNode::Type::Number;
    const auto value = isText ? parseExact(node.text, DecimalSign::Point) : std::nullopt;
    if (!value || *value < 0)
      return failAt(node, "'tolerance' has to be a number that is not below zero");
    m_check.tolerance = *value;
    return {};
  }

  const JsonNode& m_node;
  const ExpressionContext& m_context;
  CheckSpec m_check;
};

}  // namespace

Result<> parseChecks(const JsonNode& node, const ExpressionContext& context,
                     std::vector<CheckSpec>& checks) {
  if (node.type != JsonNode::Type::Object) {
    return failAt(node, "'checks' has to be an object: a name and what is checked");
  }
  for (const auto& member : node.members) {
    const std::string& name = member.first;
    const JsonNode& value = member.second;
    const auto known = std::find_if(checks.begin(), checks.end(),
                                    [&](const CheckSpec& check) { return check.name == name; });
    if (value.type == JsonNode::Type::Null) {
      if (known == checks.end())
        return failAt(value, fmt::format("there is no check '{}' to leave out", name));
      checks.erase(known);
      continue;
    }
    auto parsed = CheckParser(value, context).parse(name);
    if (!parsed) return fail(parsed.error());
    if (known == checks.end()) {
      checks.push_back(std::move(*parsed));
    } else {
      *known = std::move(*parsed);
    }
  }
  if (checks.size() > kMostChecks)
    return failAt(node, fmt::format("more than {} checks", kMostChecks));
  return {};
}

}  // namespace counterfoil
