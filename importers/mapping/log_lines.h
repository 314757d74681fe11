// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader of logs tells a plan about a line, in two columns of its own: where the mapping's "lines" choose
// the rows, the reader gives every line.
#pragma once

#include <string_view>

namespace counterfoil {

inline constexpr std::string_view kLineFitsColumn = "$fits";     ///< "true" where a pattern fits the line
inline constexpr std::string_view kLineFaultColumn = "$fault";   ///< the rule that keeps it from being a record

inline constexpr std::string_view kInvalidLineRule = "invalid_encoding";
inline constexpr std::string_view kDateRule = "time_without_date";

[[nodiscard]] constexpr std::string_view reasonOfLineFault(std::string_view rule) {
  if (rule == kDateRule) {
    return "the line's time has no date: declare in the layout \"date\": the day of the first line (\"2026-11-29\"), "
           "or \"name\" where the file's name holds it; or let the logger write dates";
  }
  return "the line is not valid in the file's encoding; declare the encoding the file is written in";
}

}  // namespace counterfoil
