// SPDX-License-Identifier: GPL-3.0-or-later
// Text rules of records: the normal form of keys (classes.md §1), words that are no key, templates of
// keys, masking, and escaping for terminals. Pure, thread-safe; input may be any bytes (invalid UTF-8
// is kept as it is by the key functions).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace counterfoil {

/// Outer white space and zero-width characters off, NFC, UUIDs (dashed, braced, or 32 hex digits) as 32
/// lower-case hex digits. Returns a view into `text` when nothing but trimming was needed (the ASCII
/// fast path), else into `scratch`.
[[nodiscard]] std::string_view normalKey(std::string_view text, std::string& scratch);
[[nodiscard]] std::string normalKey(std::string_view text);

/// Blank, null, undefined, None, NaN (any case): no value for a key or any link. "0" is a value.
[[nodiscard]] bool isNoValue(std::string_view normalised);

/// "4.68769E+18", "03-Apr": what a spreadsheet makes of an id.
[[nodiscard]] bool looksDamagedBySpreadsheet(std::string_view key);

/// Digits and uuids masked: "charge:4471" -> "charge:{n}", "a-8e03978e-…" -> "a-{uuid}".
[[nodiscard]] std::string keyTemplate(std::string_view key);

/// Keys equal but for case and punctuation have equal folds (fuzzy hint only).
[[nodiscard]] std::string keyFold(std::string_view key);

/// Luhn-valid runs of 13 to 19 digits (spaces and dashes between allowed) become "************1234".
[[nodiscard]] std::string maskCardNumbers(std::string_view text);

/// Control, bidi-override and invalid bytes as visible escapes, so that text is harmless on a terminal.
[[nodiscard]] std::string forTerminal(std::string_view text);
/// Replaces invalid UTF-8 by U+FFFD. `valid` tells whether nothing was replaced.
[[nodiscard]] std::string toValidUtf8(std::string_view bytes);
[[nodiscard]] bool isValidUtf8(std::string_view bytes);

[[nodiscard]] std::string_view trim(std::string_view text);          ///< ASCII white space
[[nodiscard]] bool equalsIgnoreCase(std::string_view a, std::string_view b);  ///< ASCII
[[nodiscard]] std::string toLowerAscii(std::string_view text);
/// The nearest of `known` by edit distance, "" if none is near ("did you mean").
[[nodiscard]] std::string nearest(std::string_view word, const std::string_view* known, std::size_t count);

}  // namespace counterfoil
