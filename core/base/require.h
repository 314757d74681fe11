// SPDX-License-Identifier: GPL-3.0-or-later
// The assertion of the project, on in every build: for our own mistakes, never for input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace counterfoil {

/// Ends the program with `message` on stderr when `condition` does not hold.
inline void require(bool condition, const char* message) {
  if (condition) return;
  std::fputs("counterfoil: internal error: ", stderr);
  std::fputs(message, stderr);
  std::fputs("\n", stderr);
  std::abort();
}

}  // namespace counterfoil
