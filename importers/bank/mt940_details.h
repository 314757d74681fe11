// SPDX-License-Identifier: GPL-3.0-or-later
// The :86: of an MT940 entry: numbered subfields (?20), code words (/EREF/) or free text. Internal
// to importers/bank.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "importers/bank/bank_rows.h"

namespace counterfoil::bank {

/// Puts what the lines of an :86: say into the members of the row that are still blank.
void readDetails(const std::vector<std::string>& lines, Row& row);

}  // namespace counterfoil::bank
