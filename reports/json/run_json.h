// SPDX-License-Identifier: GPL-3.0-or-later
// The object that `run --format json` and `match --format json` print (contract.md §4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/run/run.h"

namespace counterfoil {

/// `runNumber` is null for `match`. One line, so that it stays whole in logs; ends with a line feed.
[[nodiscard]] std::string runJson(const RunResult& result, std::optional<std::int64_t> runNumber);

}  // namespace counterfoil
