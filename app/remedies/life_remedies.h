// SPDX-License-Identifier: GPL-3.0-or-later
// What was handed out about the cases of a key, on its time line.
#pragma once

#include "app/life_of_key.h"
#include "core/store/remedies.h"

namespace counterfoil {

/// Adds an event (lane "remedy") for each time that a case of the life was handed out to be acted on, and one (lane
/// "case", "restated") for each night that judged it otherwise after its period was closed.
Result<> addRemedies(StoreFile& file, Life& life);

}  // namespace counterfoil
