// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of configurations and mappings: RE2 (linear time, whatever the text), named groups
// written
// (?<name>…). Immutable after compile, thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace counterfoil {

class Pattern {
 public:
  /// Error (Config): what RE2 has against the pattern, or that its program is too big.
  static Result<Pattern> compile(std::string_view text);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  /// Whether the pattern occurs anywhere in the text (anchor with ^ and $).
  [[nodiscard]] bool matches(std::string_view text) const;
  /// The first group of the first occurrence, or the whole occurrence if there is no group. A view
  /// into `text`; `found` false when it does not occur. A group that took no part is blank.
  [[nodiscard]] std::string_view first(std::string_view text, bool& found) const;
  /// All groups of the first occurrence by number (index 0 is group 1); false when it does not
  /// occur.
  bool groups(std::string_view text, std::vector<std::string_view>& out) const;
  /// Names of the groups by number; "" for a group without a name.
  [[nodiscard]] const std::vector<std::string>& groupNames() const;

 private:
  struct Impl;
  explicit Pattern(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace counterfoil
