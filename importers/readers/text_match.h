// SPDX-License-Identifier: GPL-3.0-or-later
// What a layout says about whole lines: an exact text, or "re:" and a pattern to be found in it.
// Immutable, thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/mapping/pattern.h"

namespace counterfoil {

class TextMatch {
 public:
  /// Error (Config) tells what is wrong with the pattern.
  static Result<std::shared_ptr<const TextMatch>> make(const std::string& expression);
  [[nodiscard]] bool fits(std::string_view line) const {
    return m_pattern ? m_pattern->matches(line) : line == m_text;
  }

 private:
  std::string m_text;
  std::optional<Pattern> m_pattern;
};

}  // namespace counterfoil
