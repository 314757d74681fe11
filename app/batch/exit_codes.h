// SPDX-License-Identifier: GPL-3.0-or-later
// Exit codes (contract.md §1): an interface that scripts rely on.
#pragma once

#include "core/base/result.h"

namespace counterfoil {

inline constexpr int kExitReconciled = 0;
inline constexpr int kExitBreaks = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitIncomplete = 3;
inline constexpr int kExitFailed = 4;
inline constexpr int kExitLocked = 75;
inline constexpr int kExitInterrupted = 130;  ///< SIGINT
inline constexpr int kExitTerminated = 143;   ///< SIGTERM

/// `signalNumber`: of the interrupt, for Cancelled.
[[nodiscard]] int exitCodeFor(ErrorCode code, int signalNumber);

/// The lines of --help.
[[nodiscard]] const char* exitCodeHelp();

}  // namespace counterfoil
