// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT and SIGTERM: the first asks the work to stop, the second ends the process at once.
#pragma once

#include "app/batch/console.h"

namespace counterfoil {

/// Call once, before threads start. `interrupt` has to live as long as the process. A closed pipe
/// becomes a failing write instead of a signal.
void installSignalHandlers(Interrupt& interrupt);

}  // namespace counterfoil
