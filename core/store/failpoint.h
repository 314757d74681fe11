// SPDX-License-Identifier: GPL-3.0-or-later
// Places where tests end the process as a power cut would. Compiled in only with COUNTERFOIL_FAILPOINTS;
// COUNTERFOIL_FAILPOINT="name" kills at the first pass of that place, "name:3" at the third.
#pragma once

#include <string_view>

namespace counterfoil {

#ifdef COUNTERFOIL_FAILPOINTS
void failpoint(std::string_view name);
#else
inline void failpoint(std::string_view) {}
#endif

}  // namespace counterfoil
