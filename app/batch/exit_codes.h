// SPDX-License-Identifier: GPL-3.0-or-later
// Exit codes (contract.md §1): an interface that scripts rely on.
#pragma once

#include "core/base/result.h"

namespace counterfoil {

enum ExitCode : int {
  kExitReconciled = 0,
  kExitBreaks = 1,
  kExitUsage = 2,
  kExitIncomplete = 3,
  kExitFailed = 4,
  kExitLocked = 75,
  kExitInterrupted = 130,  ///< SIGINT
  kExitTerminated = 143    ///< SIGTERM
};

/// `signalNumber`: of the interrupt, for Cancelled.
[[nodiscard]] int exitCodeFor(ErrorCode code, int signalNumber);

/// The lines of --help.
[[nodiscard]] const char* exitCodeHelp();

}  // namespace counterfoil
