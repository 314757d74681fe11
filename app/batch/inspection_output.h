// SPDX-License-Identifier: GPL-3.0-or-later
// How `inspect` shows a file: for people, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/inspection.h"
#include "reports/text/text_style.h"

namespace counterfoil {

[[nodiscard]] std::string inspectionText(const FileInspection& file, const TextStyle& style);
/// An array with an object a file.
[[nodiscard]] std::string inspectionJson(const std::vector<FileInspection>& files);
/// A file that could not be opened or identified.
[[nodiscard]] std::string problemText(const InputProblem& problem, const TextStyle& style);

}  // namespace counterfoil
