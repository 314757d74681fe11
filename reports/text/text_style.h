// SPDX-License-Identifier: GPL-3.0-or-later
// How text for people is laid out: width, colour, columns. Everything that comes from a file has to
// go through forTerminal() (core/base/text.h) before it gets here. Pure, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil {

struct TextStyle {
  std::size_t width = 100;  ///< columns
  bool colour = false;
};

enum class Ink { Plain, Bold, Dim, Red, Yellow, Green, Blue, Heading };

/// `text` in this ink, or as it is where colour is off.
[[nodiscard]] std::string paint(std::string_view text, Ink ink, const TextStyle& style);

/// Columns that valid UTF-8 takes on a terminal: wide characters 2, combining marks 0.
[[nodiscard]] std::size_t displayWidth(std::string_view text);
/// At most `columns` wide, ending in "…" if something was cut.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);
/// Cut in the middle, so that both ends of an id stay readable.
[[nodiscard]] std::string fittedMiddle(std::string_view text, std::size_t columns);
/// Lines of at most `columns`, broken at spaces (inside a word only where it is longer than a
/// line).
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

[[nodiscard]] std::string padRight(std::string_view text, std::size_t columns);
[[nodiscard]] std::string padLeft(std::string_view text, std::size_t columns);

/// "1,234,567".
[[nodiscard]] std::string groupedNumber(std::uint64_t value);
/// "1 case", "2 cases".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace counterfoil
