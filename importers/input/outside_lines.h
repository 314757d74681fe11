// SPDX-License-Identifier: GPL-3.0-or-later
// Values that stand in the lines around the rows of a text file: an opening balance above the
// header, a count in the last line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "importers/input/opened_file.h"

namespace counterfoil {

/// For each place ("line:" and a pattern) the first group in the first line before the rows that
/// has it, else in the last line that has it among the last 64 KiB of the file. Places that no line
/// has are left out. Requires a text kind.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> lineValues(
    const OpenedFile& file, const std::vector<std::string>& places);

}  // namespace counterfoil
