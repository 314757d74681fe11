// SPDX-License-Identifier: GPL-3.0-or-later
// Finds card numbers in free text (text.h: maskCardNumbers).
#include <cstddef>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kDigitsMin = 13;
constexpr std::size_t kDigitsMax = 19;
constexpr std::size_t kSeparatorsMax = 2;  // characters between two groups
constexpr std::size_t kGroupMin = 3;       // of every group but the last: dates are no cards

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isSeparator(char c) {
  return c == ' ' || c == '-';
}

bool passesLuhn(std::string_view digits) {
  unsigned sum = 0;
  bool twice = false;
  for (std::size_t i = digits.size(); i-- > 0; twice = !twice) {
    unsigned value = static_cast<unsigned>(digits[i] - '0');
    if (twice) value = value * 2 > 9 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return sum % 10 == 0;
}

/// The longest card number that begins with the group of digits at `start`: its bytes; 0 if none.
/// Its digits are left in `digits`.
std::size_t cardAt(std::string_view text, std::size_t start, std::string& digits) {
  digits.clear();
  std::size_t bestBytes = 0;
  std::size_t bestDigits = 0;
  std::size_t position = start;
  for (;;) {
    const std::size_t group = position;
    while (position < text.size() && isDigit(text[position])) ++position;
    if (position - group + digits.size() > kDigitsMax) break;
    digits.append(text.substr(group, position - group));
    if (digits.size() >= kDigitsMin && passesLuhn(digits)) {
      bestBytes = position - start;
      bestDigits = digits.size();
    }
    if (position - group < kGroupMin) break;
    std::size_t next = position;
    while (next < text.size() && next - position < kSeparatorsMax && isSeparator(text[next]))
      ++next;
    if (next == position || next >= text.size() || !isDigit(text[next])) break;
    position = next;
  }
  digits.resize(bestDigits);
  return bestBytes;
}

}  // namespace

std::string maskCardNumbers(std::string_view text) {
  std::string out;
  std::string digits;
  std::size_t copied = 0;
  std::size_t position = 0;
  while (position < text.size()) {
    if (!isDigit(text[position])) {
      ++position;
      continue;
    }
    const std::size_t bytes = cardAt(text, position, digits);
    if (bytes > 0) {
      out.append(text.substr(copied, position - copied));
      out += "************";
      out.append(digits, digits.size() - 4, 4);
      position += bytes;
      copied = position;
    } else {
      while (position < text.size() && isDigit(text[position])) ++position;
    }
  }
  out.append(text.substr(copied));
  return out;
}

}  // namespace counterfoil
