// SPDX-License-Identifier: GPL-3.0-or-later
// What a layout says about whole lines: an exact text, or "re:" and an RE2 pattern to be found in it.
// Immutable, thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace counterfoil {

class TextMatch {
 public:
  /// Error (Config) tells what RE2 refuses.
  static Result<std::shared_ptr<const TextMatch>> make(const std::string& expression);
  virtual ~TextMatch() = default;
  [[nodiscard]] virtual bool fits(std::string_view line) const = 0;
};

}  // namespace counterfoil
