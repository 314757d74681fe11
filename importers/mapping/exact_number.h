// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as a statement writes them, exact to nine decimals: what its own sums are checked with.
// No currency and no unit: a check only compares numbers of one file that are written alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/money.h"

namespace counterfoil {

/// Thousand millionths of one. Values that were read are below 10^27, so that no sum over the rows
/// of a file can overflow.
using Nano = __int128;

/// What parseAmount() takes, with up to 18 digits before the decimal sign and 9 behind it. Where
/// the text itself tells its decimal sign ("1.234,56"), that counts; `decimal` is for the others
/// ("1.234").
[[nodiscard]] std::optional<Nano> parseExact(std::string_view text, DecimalSign decimal);

/// "-1234.50", "179.473813", "24": no zeros at the end, but never a single decimal.
[[nodiscard]] std::string exactText(Nano value);

}  // namespace counterfoil
