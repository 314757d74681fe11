// SPDX-License-Identifier: GPL-3.0-or-later
// Units as bytes, for lists that do not fit in memory, and bytes to sort them by. Valid within one run.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/judge/unit.h"

namespace counterfoil {

void encodeUnit(const Unit& unit, std::string& out);
/// Internal error when the bytes are not what encodeUnit() wrote.
[[nodiscard]] Result<Unit> decodeUnit(std::string_view bytes);

/// Compares by bytes as outputBefore() compares units.
[[nodiscard]] std::string sortKeyOf(const Unit& unit);

}  // namespace counterfoil
