// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/shared_id.h"

#include <cstdint>

namespace counterfoil {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// "550e8400-e29b-41d4-a716-446655440000"
bool hasUuidDashes(std::string_view id) {
  return id.size() == 36 && id[8] == '-' && id[13] == '-' && id[18] == '-' && id[23] == '-';
}

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Digits that a counter or a clock does not make: six different ones, letters and decimals among them.
bool isRandomHex(std::string_view id, bool mayHaveDashes) {
  std::uint32_t seen = 0;
  for (const char c : id) {
    if (mayHaveDashes && c == '-') continue;
    const int value = hexValue(c);
    if (value < 0) return false;
    seen |= 1u << value;
  }
  const std::uint32_t decimals = seen & 0x3FFu;
  const std::uint32_t letters = seen >> 10;
  return __builtin_popcount(seen) >= 6 && decimals != 0 && letters != 0;
}

/// 26 letters and digits of Crockford's alphabet; the first one is at most 7 (github.com/ulid/spec).
bool isUlid(std::string_view id) {
  if (id.size() != 26 || id[0] < '0' || id[0] > '7') return false;
  int digits = 0, letters = 0;
  for (const char c : id) {
    if (isDigit(c)) {
      ++digits;
      continue;
    }
    const bool isLetter = c >= 'A' && c <= 'Z' && c != 'I' && c != 'L' && c != 'O' && c != 'U';
    if (!isLetter) return false;
    ++letters;
  }
  return digits >= 2 && letters >= 2;
}

}  // namespace

bool isSharedId(std::string_view id) {
  if (id.size() < 20 || id.size() > 64) return false;
  const bool isUuid = hasUuidDashes(id);
  return isRandomHex(id, isUuid) || isUlid(id);
}

}  // namespace counterfoil
