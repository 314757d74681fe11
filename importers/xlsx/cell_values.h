// SPDX-License-Identifier: GPL-3.0-or-later
// What the numbers of a workbook's cells mean, as text. No floating point: digits are moved and
// rounded as they are written. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace counterfoil {

/// How a cell's number format shows a number.
struct CellForm {
  enum class Kind : std::uint8_t {
    Number,
    Date,     ///< a day, perhaps with a time
    Time,     ///< a time of day
    Elapsed,  ///< a duration: hours may be more than 24
    Padded    ///< digits with leading zeros
  } kind = Kind::Number;
  bool hasTime = false;     ///< Date: the format shows a time
  std::uint8_t digits = 0;  ///< Padded: at least so many
  bool operator==(const CellForm&) const = default;
};

/// `id`: of the formats that every spreadsheet knows (below 164).
[[nodiscard]] CellForm formOfBuiltin(unsigned id);
/// "dd/mm/yyyy hh:mm", "[$-409]d-mmm-yy;@", "#,##0.00 [$€-407]".
[[nodiscard]] CellForm formOfCode(std::string_view code);

/// The decimal number that was typed: spreadsheets keep 15 digits and write 17 of them
/// (1234.5600000000001, 1.2E+3), so it is rounded to 15 significant ones and written without an
/// exponent. Whole numbers that have lost digits stay as spreadsheets show them
/// ("1.23456789012346E+18"), so that nobody takes one for an id. `decimal` 0: a point, and 1.234
/// as 1.2340, for no text of a number cell leaves open which sign is the decimal one. Nothing if
/// `text` is no number.
[[nodiscard]] std::optional<std::string> numberText(std::string_view text, char decimal);

/// "2026-03-01", "2026-03-01 10:22:33", "10:22:33.250", "00042". Falls back to numberText where the
/// number is no date (negative, beyond the year 9999). Nothing if `text` is no number.
[[nodiscard]] std::optional<std::string> cellText(std::string_view text, const CellForm& form,
                                                  bool is1904, char decimal);

/// Letters of a reference ("C5"): column from 0, row from 1. Nothing for anything else, or a column
/// or row that no sheet has.
struct CellRef {
  std::uint32_t column = 0, row = 0;
};
inline constexpr std::uint32_t kMaxSheetColumns = 16'384, kMaxSheetRows = 1'048'576;
[[nodiscard]] std::optional<CellRef> cellRef(std::string_view text);

/// Appends a text of a workbook: "_x000D_" is a character, line breaks become a space.
void appendCellText(std::string& out, std::string_view text);

}  // namespace counterfoil
