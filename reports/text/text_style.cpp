// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/text_style.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/utf8.h"

namespace counterfoil {

namespace {

using Range = std::pair<char32_t, char32_t>;

template <std::size_t N>
bool isIn(const std::array<Range, N>& ranges, char32_t value) {
  return std::any_of(ranges.begin(), ranges.end(), [value](const Range& range) {
    return range.first <= value && value <= range.second;
  });
}

std::size_t columnsOf(char32_t value) {
  static constexpr std::array<Range, 6> zero = {{{0x300, 0x36F},
                                                 {0x1AB0, 0x1AFF},
                                                 {0x200B, 0x200F},
                                                 {0x20D0, 0x20FF},
                                                 {0xFE00, 0xFE0F},
                                                 {0xFE20, 0xFE2F}}};
  static constexpr std::array<Range, 10> wide = {{{0x1100, 0x115F},
                                                  {0x2E80, 0x303E},
                                                  {0x3041, 0xA4CF},
                                                  {0xAC00, 0xD7A3},
                                                  {0xF900, 0xFAFF},
                                                  {0xFE30, 0xFE6F},
                                                  {0xFF00, 0xFF60},
                                                  {0xFFE0, 0xFFE6},
                                                  {0x1F300, 0x1FAFF},
                                                  {0x20000, 0x3FFFD}}};
  if (value < 0x300) return 1;
  if (isIn(zero, value)) return 0;
  return isIn(wide, value) ? 2 : 1;
}

/// Bytes of the longest prefix that takes at most `columns`.
std::size_t prefixWithin(std::string_view text, std::size_t columns) {
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = codePointAt(text, at);
    used += columnsOf(point.value);
    if (used > columns) break;
    at += point.length;
  }
  return at;
}

std::string_view codeOfInk(Ink ink) {
  switch (ink) {
    case Ink::Plain:
      return "";
    case Ink::Bold:
      return "1";
    case Ink::Dim:
      return "2";
    case Ink::Red:
      return "1;31";
    case Ink::Yellow:
      return "33";
    case Ink::Green:
      return "32";
    case Ink::Blue:
      return "36";
    case Ink::Heading:
      return "1;4";
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, Ink ink, const TextStyle& style) {
  if (!style.colour || ink == Ink::Plain || text.empty()) return std::string(text);
  std::string out = "\x1b[";
  out += codeOfInk(ink);
  out += 'm';
  out += text;
  out += "\x1b[0m";
  return out;
}

std::size_t displayWidth(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    columns += columnsOf(point.value);
    at += point.length;
  }
  return columns;
}

std::string fitted(std::string_view text, std::size_t columns) {
  if (displayWidth(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  return std::string(text.substr(0, prefixWithin(text, columns - 1))) + "…";
}

std::string fittedMiddle(std::string_view text, std::size_t columns) {
  const std::size_t width = displayWidth(text);
  if (width <= columns) return std::string(text);
  if (columns < 5) return fitted(text, columns);
  const std::size_t head = (columns - 1) / 2;
  const std::size_t tail = columns - 1 - head;
  std::size_t skip = prefixWithin(text, width - tail);
  while (displayWidth(text.substr(skip)) > tail) skip += codePointAt(text, skip).length;
  return std::string(text.substr(0, prefixWithin(text, head))) + "…" +
         std::string(text.substr(skip));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 10);
  std::vector<std::string> lines;
  while (displayWidth(text) > columns) {
    const std::size_t fits = prefixWithin(text, columns);
    const bool endsAtSpace = fits < text.size() && text[fits] == ' ';
    const std::size_t space = endsAtSpace ? fits : text.substr(0, fits).rfind(' ');
    const bool breakInWord = space == std::string_view::npos || space == 0;
    const std::size_t end = breakInWord ? std::max<std::size_t>(fits, 1) : space;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(breakInWord ? end : end + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string padRight(std::string_view text, std::size_t columns) {
  std::string out(text);
  const std::size_t width = displayWidth(text);
  if (width < columns) out.append(columns - width, ' ');
  return out;
}

std::string padLeft(std::string_view text, std::size_t columns) {
  const std::size_t width = displayWidth(text);
  std::string out;
  if (width < columns) out.append(columns - width, ' ');
  return out.append(text);
}

std::string groupedNumber(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return groupedNumber(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace counterfoil
