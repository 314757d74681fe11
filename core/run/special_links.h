// SPDX-License-Identifier: GPL-3.0-or-later
// Links that only the text of a record tells: keys that a provider cuts, numbers that a spreadsheet made
// equal, an effect that names both a parent and a row it replaces. Few nights have any. Internal to core/run.
#pragma once

#include "core/run/night.h"

namespace counterfoil {

/// Adds the edges to the ledger's links and fills night.knowledge.damagedSources.
Result<> addSpecialLinks(NightState& night);

/// What a spreadsheet leaves of a key that is a number: leading zeros off, digits after the fifteenth 0.
/// Blank for any other key.
[[nodiscard]] std::string damagedNumber(std::string_view key);

}  // namespace counterfoil
