// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of instant: offsets written as text.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace counterfoil {

/// "Z", "UTC", "GMT", and abbreviations that payment statements use ("PDT", "CEST", …), in any
/// case. Not those that mean different zones in different places (IST).
[[nodiscard]] std::optional<std::chrono::seconds> offsetOfAbbreviation(std::string_view text);

/// "+03:00", "-0330", "+02"; at most 18 hours.
[[nodiscard]] std::optional<std::chrono::seconds> offsetOfDigits(std::string_view text);

}  // namespace counterfoil
