// SPDX-License-Identifier: GPL-3.0-or-later
// How often the tests that kill do so at each stage.
#pragma once

namespace counterfoil::test {

/// Under a sanitizer every start of a program costs ten times as much, and it looks at memory, not at what
/// a kill leaves behind: `ctest --preset dev` does all of them.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int kKillTrials = 4;
#else
inline constexpr int kKillTrials = 20;
#endif

}  // namespace counterfoil::test
