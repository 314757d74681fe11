// SPDX-License-Identifier: GPL-3.0-or-later
// A sheet as CSV text: commas, quotes where needed, '\n'. Line n is row n of the sheet, so rows
// that the sheet leaves out are blank lines, and a line break inside of a cell becomes a space.
#pragma once

#include <cstddef>
#include <memory>

#include "importers/xlsx/workbook.h"

namespace counterfoil {

/// `decimal`: the sign that number cells are written with, where the layout declares one; else 0.
/// The stage's Errors name the sheet, and the row behind which they were met.
[[nodiscard]] Result<std::unique_ptr<ByteStage>> makeSheetStage(
    std::shared_ptr<const Workbook> book, std::size_t sheet, char decimal);

}  // namespace counterfoil
