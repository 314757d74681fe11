// SPDX-License-Identifier: GPL-3.0-or-later
// Which sheet of a workbook holds the rows, and the sheet as the text that CSV readers take.
// Internal to importers/input.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "importers/input/opened_file.h"

namespace counterfoil {

/// Settles sheet, header and columns of an OpenedFile of kind Xlsx. Error Missing names the sheets
/// there are.
[[nodiscard]] Result<> openSheet(OpenedFile& file, const std::vector<std::string>& known);
/// The sheet of a file that openSheet has settled.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openSheetSource(const OpenedFile& file);

}  // namespace counterfoil
