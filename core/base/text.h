// SPDX-License-Identifier: GPL-3.0-or-later
// Text rules of records: the normal form of keys (classes.md §1), words that are no key, templates
// of keys, masking, and escaping for terminals. Pure, thread-safe; input may be any bytes (invalid
// UTF-8 is kept as it is by the key functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace counterfoil {

/// Outer white space (Unicode's too) off, zero-width characters off everywhere, NFC, UUIDs
/// (8-4-4-4-12, the same in braces or after "urn:uuid:", or 32 hex digits) as 32 lower-case hex
/// digits. Returns a view into `text` when nothing but trimming was needed (the ASCII fast path),
/// else into `scratch`. Invalid UTF-8, and more than 32 combining marks in a row, are only trimmed.
/// Idempotent.
[[nodiscard]] std::string_view normalKey(std::string_view text, std::string& scratch);
[[nodiscard]] std::string normalKey(std::string_view text);

/// Blank, null, undefined, None, NaN, a spreadsheet's #N/A and the like (any case): no value for a key or
/// any link. "0" is a value.
[[nodiscard]] bool isNoValue(std::string_view normalised);

/// What a spreadsheet makes of an id. Number: one digit, perhaps decimals, and an exponent as
/// spreadsheets print it: "4.68769E+18", "4,68E+18", "1E+05" (not "1e3", "73928e05"). Date: English
/// month forms "03-Apr", "Apr-03", "3-Apr-26", "03-Apr-2026", and "3/4/2026", "03/04/2026".
enum class SpreadsheetDamage : std::uint8_t { None, Number, Date };
[[nodiscard]] SpreadsheetDamage spreadsheetDamage(std::string_view key);
/// Any of them. (A Date is damage only in a source that also has a Number: classes.md §1.)
[[nodiscard]] bool looksDamagedBySpreadsheet(std::string_view key);

/// Digits and uuids masked: "charge:4471" -> "charge:{n}", "a-8e03978e-…" -> "a-{uuid}". Runs of 8
/// and more hex digits in which a digit comes before a letter are {hex}, 32 of them {uuid}.
[[nodiscard]] std::string keyTemplate(std::string_view key);

/// Keys equal but for case, punctuation, white space and zero-width characters have equal folds
/// (fuzzy hint only). Blank when nothing else is in the key: a blank fold is equal to none.
[[nodiscard]] std::string keyFold(std::string_view key);

/// Luhn-valid runs of 13 to 19 digits become "************1234". Between groups of at least three
/// digits (the last may be shorter) one or two spaces or dashes may stand. Inside of base64 and hex
/// too, and of base64 in base64: what holds one is written again with its number masked.
[[nodiscard]] std::string maskCardNumbers(std::string_view text);

/// Control characters (line feed and tab too), bidi controls, line separators and invalid bytes as
/// visible escapes \xNN and \u{NNNN}, so that text is harmless on a terminal.
[[nodiscard]] std::string forTerminal(std::string_view text);
/// Replaces each invalid sequence of UTF-8 (its longest valid beginning) by one U+FFFD.
[[nodiscard]] std::string toValidUtf8(std::string_view bytes);
[[nodiscard]] bool isValidUtf8(std::string_view bytes);

[[nodiscard]] std::string_view trim(std::string_view text);                   ///< ASCII white space
[[nodiscard]] bool equalsIgnoreCase(std::string_view a, std::string_view b);  ///< ASCII
[[nodiscard]] std::string toLowerAscii(std::string_view text);
/// The nearest of `known` by edit distance (case apart, a swap of neighbours counts one), the first
/// of equally near ones; "" if none is near ("did you mean").
[[nodiscard]] std::string nearest(std::string_view word, const std::string_view* known,
                                  std::size_t count);

}  // namespace counterfoil
