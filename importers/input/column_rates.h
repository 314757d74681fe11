// SPDX-License-Identifier: GPL-3.0-or-later
// For keys_do_not_meet: which column of a source would fit better. Internal to importers/input.
#pragma once

#include <span>
#include <vector>

#include "importers/input/source_file.h"

namespace counterfoil {

[[nodiscard]] Result<std::vector<Input::ColumnRate>> rateColumns(const SourceFiles& files, SourceId source,
                                                                 const KeyedHash& hash,
                                                                 std::span<const Hash128> keys);

}  // namespace counterfoil
