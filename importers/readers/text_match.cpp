// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/text_match.h"

namespace counterfoil {

Result<std::shared_ptr<const TextMatch>> TextMatch::make(const std::string& expression) {
  auto match = std::make_shared<TextMatch>();
  if (expression.rfind("re:", 0) != 0) {
    match->m_text = expression;
    return match;
  }
  Result<Pattern> pattern = Pattern::compile(std::string_view(expression).substr(3));
  if (!pattern) return fail(pattern.error().within("footer"));
  match->m_pattern = std::move(*pattern);
  return match;
}

}  // namespace counterfoil
