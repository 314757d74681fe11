// SPDX-License-Identifier: GPL-3.0-or-later
// How often the tests that kill do so at each stage.
#pragma once

namespace counterfoil::test {

/// Under a sanitizer every start of a program costs ten times as much, and it looks at memory, not at what
/// a kill leaves behind: `ctest --preset dev` does all of them.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTERFOIL_KILLS_FEWER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(COUNTERFOIL_KILLS_FEWER)
inline constexpr int kKillTrials = 4;
#else
inline constexpr int kKillTrials = 20;
#endif

}  // namespace counterfoil::test
