// SPDX-License-Identifier: GPL-3.0-or-later
// Where the work on a case stands (classes.md §7). Codes are stable.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/judge/unit.h"

namespace counterfoil {

enum class ReviewState : std::uint8_t {
  Open, Assigned, Investigating, AwaitingFix, Resolved, Dismissed, ForceClosed, AutoCleared, Reopened
};
inline constexpr std::size_t kReviewStateCount = 9;
[[nodiscard]] std::string_view codeOf(ReviewState state);
[[nodiscard]] std::optional<ReviewState> reviewStateFromCode(std::string_view code);
/// A person's decision that closes the case.
[[nodiscard]] bool isDecided(ReviewState state);
/// The class that such a decision gives a unit of any other.
[[nodiscard]] std::optional<Class> classOfDecision(ReviewState state);
/// Nobody works on the case: a rule may hide it.
[[nodiscard]] bool isHideable(ReviewState state);

}  // namespace counterfoil
