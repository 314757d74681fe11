// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/text_match.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace counterfoil {

namespace {

class ExactMatch final : public TextMatch {
 public:
  explicit ExactMatch(std::string text) : m_text(std::move(text)) {}
  [[nodiscard]] bool fits(std::string_view line) const override { return line == m_text; }

 private:
  std::string m_text;
};

class PatternMatch final : public TextMatch {
 public:
  PatternMatch(const std::string& pattern, const re2::RE2::Options& options) : m_pattern(pattern, options) {}
  [[nodiscard]] bool fits(std::string_view line) const override {
    return re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), m_pattern);
  }
  [[nodiscard]] const re2::RE2& pattern() const { return m_pattern; }

 private:
  re2::RE2 m_pattern;
};

}  // namespace

Result<std::shared_ptr<const TextMatch>> TextMatch::make(const std::string& expression) {
  if (expression.rfind("re:", 0) != 0) return std::make_shared<const ExactMatch>(expression);
  re2::RE2::Options options;
  options.set_log_errors(false);
  const std::string pattern = expression.substr(3);
  auto match = std::make_shared<const PatternMatch>(pattern, options);
  if (!match->pattern().ok()) {
    return fail(ErrorCode::Config, fmt::format("pattern '{}': {}", pattern, match->pattern().error()));
  }
  return match;
}

}  // namespace counterfoil
