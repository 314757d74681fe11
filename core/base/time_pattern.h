// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of instant: times by a written pattern ("%d-%m-%Y %H:%M:%S").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/instant.h"
#include "core/base/time_text.h"

namespace counterfoil {

class TimePattern {
 public:
  /// Letters as in TimeForm::make. Error (Config) names what is unknown or missing.
  static Result<TimePattern> make(std::string_view pattern);

  /// The whole of `text`, or a fault. A space in the pattern stands for one or more spaces.
  [[nodiscard]] std::optional<TimeFault> read(std::string_view text, CivilTime& civil) const;

 private:
  std::string m_pattern;  ///< checked, with %T and %F written out
};

}  // namespace counterfoil
