// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of units from a store, plain ones too. A store keeps plain operations as records only; asked for
// every operation, their night is judged again from its records and its configuration.
#pragma once

#include <functional>

#include "core/store/store.h"

namespace counterfoil {

/// As Store::forEachUnit. With Detail::All (or a class that plain units have) the plain units of the run
/// asked for (else the newest) are among them. Error (StoreBroken, Config): its configuration does not read.
Result<> forEachUnitOf(const Store& store, const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn);

}  // namespace counterfoil
