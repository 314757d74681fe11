// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/operation_matcher.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/base/text.h"
#include "importers/mapping/pattern.h"

namespace counterfoil {

namespace {

/// Fields by which an operation can be told: texts every local record may have.
constexpr std::array<std::string_view, 12> kFields = {
    "task",       "queue",  "operation", "worker",  "key",  "job_id",
    "message_id", "op_ref", "customer",  "account", "live", "effect_id"};

struct Test {
  std::size_t field = 0;
  std::string text;
  std::optional<Pattern> pattern;
  [[nodiscard]] bool holds(std::string_view value) const {
    return pattern ? pattern->matches(value) : value == text;
  }
};

struct Compiled {
  std::string operation;
  std::vector<Test> tests;
};

class Matcher final : public OperationMatcher {
 public:
  [[nodiscard]] const std::vector<std::string>& fields() const override { return m_fields; }

  [[nodiscard]] OperationId match(const std::vector<std::string_view>& values) const override {
    const std::string_view named = values.empty() ? std::string_view() : values[0];
    for (std::size_t i = 0; !named.empty() && i < m_rules.size(); ++i) {
      if (m_rules[i].operation == named) return OperationId{static_cast<std::int16_t>(i)};
    }
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
      const auto& tests = m_rules[i].tests;
      const bool fits = std::all_of(tests.begin(), tests.end(), [&](const Test& test) {
        return test.field < values.size() && test.holds(values[test.field]);
      });
      if (fits) return OperationId{static_cast<std::int16_t>(i)};
    }
    return OperationId{};
  }

  Result<> add(Rule rule) {
    Compiled compiled{std::move(rule.operation), {}};
    for (auto& [field, text] : rule.when) {
      auto test = makeTest(compiled.operation, field, std::move(text));
      if (!test) return fail(test.error());
      compiled.tests.push_back(std::move(*test));
    }
    m_rules.push_back(std::move(compiled));
    return {};
  }

 private:
  Result<Test> makeTest(const std::string& operation, const std::string& field, std::string text) {
    if (std::find(kFields.begin(), kFields.end(), field) == kFields.end()) {
      std::string message = "operation '" + operation + "': no record has a field '" + field + "'";
      const std::string near = nearest(field, kFields.data(), kFields.size());
      if (!near.empty()) message += ", did you mean '" + near + "'?";
      return fail(ErrorCode::Config, message);
    }
    Test test;
    const auto at = std::find(m_fields.begin(), m_fields.end(), field);
    test.field = static_cast<std::size_t>(at - m_fields.begin());
    if (at == m_fields.end()) m_fields.push_back(field);
    if (text.rfind("re:", 0) == 0) {
      auto pattern = Pattern::compile(std::string_view(text).substr(3));
      if (!pattern) return fail(pattern.error().within("operation '" + operation + "', " + field));
      test.pattern = std::move(*pattern);
    }
    test.text = std::move(text);
    return test;
  }

  std::vector<std::string> m_fields = {
      "operation"};  // first: a record may name its operation itself
  std::vector<Compiled> m_rules;
};

}  // namespace

Result<std::shared_ptr<const OperationMatcher>> OperationMatcher::make(std::vector<Rule> rules) {
  if (rules.size() > static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max())) {
    return fail(ErrorCode::Config, "too many operations");
  }
  auto matcher = std::make_shared<Matcher>();
  for (Rule& rule : rules) {
    if (auto added = matcher->add(std::move(rule)); !added) return fail(added.error());
  }
  return std::shared_ptr<const OperationMatcher>(std::move(matcher));
}

}  // namespace counterfoil
