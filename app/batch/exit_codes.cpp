// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/exit_codes.h"

#include <csignal>

namespace counterfoil {

int exitCodeFor(ErrorCode code, int signalNumber) {
  switch (code) {
    case ErrorCode::Usage:
    case ErrorCode::Config:
    case ErrorCode::Ambiguous:
      return kExitUsage;
    case ErrorCode::Missing:
    case ErrorCode::Io:
    case ErrorCode::Format:
    case ErrorCode::Encoding:
    case ErrorCode::Limit:
    case ErrorCode::Overflow:
      return kExitIncomplete;
    case ErrorCode::WriteFailed:
    case ErrorCode::StoreTooNew:
    case ErrorCode::StoreBroken:
    case ErrorCode::Internal:
      return kExitFailed;
    case ErrorCode::Locked:
      return kExitLocked;
    case ErrorCode::Cancelled:
      return signalNumber == SIGTERM ? kExitTerminated : kExitInterrupted;
  }
  return kExitFailed;
}

const char* exitCodeHelp() {
  return "Exit codes:\n"
         "  0    reconciled: no open break at or above --fail-on\n"
         "  1    breaks found\n"
         "  2    usage or configuration error; nothing was changed\n"
         "  3    the result is incomplete and says so (an input missing, cut off or not readable)\n"
         "  4    an output or the store could not be written, or an internal error\n"
         "  75   another run holds the store\n"
         "  130, 143   interrupted; nothing half-written is left\n"
         "The highest applies in the order 4, 3, 1, 0.\n";
}

}  // namespace counterfoil
