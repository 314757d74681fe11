// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/review_state.h"

#include <algorithm>
#include <array>

namespace counterfoil {
namespace {

constexpr std::array<std::string_view, kReviewStateCount> kCodes = {
    "open", "assigned", "investigating", "awaiting_fix", "resolved", "dismissed", "force_closed", "auto_cleared",
    "reopened"};

}  // namespace

std::string_view codeOf(ReviewState state) {
  return kCodes[static_cast<std::size_t>(state)];
}

std::optional<ReviewState> reviewStateFromCode(std::string_view code) {
  const auto* const at = std::find(kCodes.begin(), kCodes.end(), code);
  if (at == kCodes.end()) return {};
  return static_cast<ReviewState>(at - kCodes.begin());
}

bool isDecided(ReviewState state) {
  return state == ReviewState::Resolved || state == ReviewState::Dismissed || state == ReviewState::ForceClosed;
}

std::optional<Class> classOfDecision(ReviewState state) {
  if (!isDecided(state)) return {};
  return state == ReviewState::Dismissed ? Class::Dismissed : Class::MatchedManual;
}

bool isHideable(ReviewState state) {
  return state == ReviewState::Open || state == ReviewState::Reopened;
}

}  // namespace counterfoil
