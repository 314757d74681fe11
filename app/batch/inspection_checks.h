// SPDX-License-Identifier: GPL-3.0-or-later
// What a statement says about itself, as `counterfoil inspect` prints it.
#pragma once

#include <string>
#include <vector>

#include "core/run/statement_check.h"
#include "reports/json/json_writer.h"
#include "reports/text/text_style.h"

namespace counterfoil {

/// "check net: holds (7 rows)", a line each; "" where there are no checks.
[[nodiscard]] std::string checksText(const std::vector<StatementCheck>& checks,
                                     const TextStyle& style);
/// The member "checks"; nothing where there are none.
void writeChecks(const std::vector<StatementCheck>& checks, JsonWriter& json);

}  // namespace counterfoil
