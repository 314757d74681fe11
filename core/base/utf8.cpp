// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <cstdint>
#include <cstring>

namespace counterfoil {

namespace {

std::uint8_t byteAt(std::string_view bytes, std::size_t position) {
  return static_cast<std::uint8_t>(bytes[position]);
}

/// What a lead byte says: how many bytes follow, and the bounds of the first of them (which exclude
/// overlong forms, surrogates and values that are too large).
struct Lead {
  std::size_t following = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
  char32_t bits = 0;
};

Lead leadOf(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF, byte & 0x1Fu};
  if (byte == 0xE0) return {2, 0xA0, 0xBF, 0};
  if (byte == 0xED) return {2, 0x80, 0x9F, 0xD};
  if (byte >= 0xE1 && byte <= 0xEF) return {2, 0x80, 0xBF, byte & 0x0Fu};
  if (byte == 0xF0) return {3, 0x90, 0xBF, 0};
  if (byte >= 0xF1 && byte <= 0xF3) return {3, 0x80, 0xBF, byte & 0x07u};
  if (byte == 0xF4) return {3, 0x80, 0x8F, 4};
  return {};
}

}  // namespace

CodePoint codePointAt(std::string_view bytes, std::size_t position) {
  const std::uint8_t first = byteAt(bytes, position);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = leadOf(first);
  if (lead.following == 0) return {0xFFFD, 1, false};
  char32_t value = lead.bits;
  std::uint8_t low = lead.low;
  std::uint8_t high = lead.high;
  for (std::size_t i = 1; i <= lead.following; ++i) {
    if (position + i >= bytes.size()) return {0xFFFD, i, false};
    const std::uint8_t next = byteAt(bytes, position + i);
    if (next < low || next > high) return {0xFFFD, i, false};
    value = (value << 6) | (next & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {value, lead.following + 1, true};
}

CodePoint codePointBefore(std::string_view bytes, std::size_t end) {
  std::size_t start = end - 1;
  while (start > 0 && end - start < 4 && (byteAt(bytes, start) & 0xC0) == 0x80) --start;
  const CodePoint found = codePointAt(bytes.substr(0, end), start);
  if (found.valid && start + found.length == end) return found;
  return {0xFFFD, 1, false};
}

void appendUtf8(std::string& out, char32_t value) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | (value >> 6));
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | (value >> 12));
    put(0x80 | ((value >> 6) & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | (value >> 18));
    put(0x80 | ((value >> 12) & 0x3F));
    put(0x80 | ((value >> 6) & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

std::size_t asciiPrefix(std::string_view bytes) {
  std::size_t position = 0;
  while (position + 8 <= bytes.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + position, 8);
    if ((word & 0x8080808080808080u) != 0) break;
    position += 8;
  }
  while (position < bytes.size() && byteAt(bytes, position) < 0x80) ++position;
  return position;
}

bool isSpace(char32_t value) {
  if (value < 0x80) return value == ' ' || (value >= '\t' && value <= '\r');
  return value == 0x85 || value == 0xA0 || value == 0x1680 ||
         (value >= 0x2000 && value <= 0x200A) || value == 0x2028 || value == 0x2029 ||
         value == 0x202F || value == 0x205F || value == 0x3000;
}

bool isZeroWidth(char32_t value) {
  return (value >= 0x200B && value <= 0x200F) || value == 0x2060 || value == 0xFEFF;
}

}  // namespace counterfoil
