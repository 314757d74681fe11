// SPDX-License-Identifier: GPL-3.0-or-later
// How `inspect` shows a file: for people, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/batch/read_files.h"
#include "reports/text/text_style.h"

namespace counterfoil {

/// Requires look.report.
[[nodiscard]] std::string inspectionText(const FileLook& look, const TextStyle& style);
/// An array with an object a file; of one that cannot be told, with its path and problem.
[[nodiscard]] std::string inspectionJson(const std::vector<FileLook>& looks);

}  // namespace counterfoil
