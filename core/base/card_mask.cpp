// SPDX-License-Identifier: GPL-3.0-or-later
// Finds card numbers in free text (text.h: maskCardNumbers), as it stands and inside of base64 and
// hexadecimal: bodies of messages are stored so.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kDigitsMin = 13;
constexpr std::size_t kDigitsMax = 19;
constexpr std::size_t kSeparatorsMax = 2;  // characters between two groups
constexpr std::size_t kGroupMin = 3;       // of every group but the last: dates are no cards
constexpr int kMostCodings = 2;            // base64 in base64, as Celery sends it through SQS

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

std::string maskPlain(std::string_view text) {
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

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
constexpr std::string_view kHex = "0123456789abcdefABCDEF";
constexpr unsigned kNoValue = 255;

constexpr std::array<std::uint8_t, 256> valuesOf(std::string_view alphabet, unsigned base) {
  std::array<std::uint8_t, 256> values{};
  for (std::uint8_t& value : values) value = kNoValue;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    std::size_t value = i;
    // Behind the alphabet stand its other forms: capital letters of hex, and - _ for + /.
    if (i >= base) value = base == 16 ? i - 6 : i - 2;
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(value);
  }
  return values;
}

/// A way to write bytes as text, `bits` a character.
struct Coding {
  std::string_view alphabet;
  unsigned bits;
  std::size_t shifts;     ///< characters that a run may have before the first whole byte
  std::size_t fewest;     ///< characters that can hold a card number
  std::array<std::uint8_t, 256> values;
  [[nodiscard]] unsigned valueOf(char c) const { return values[static_cast<unsigned char>(c)]; }
};
constexpr Coding kCodings[] = {{kHex, 4, 2, kDigitsMin * 2, valuesOf(kHex, 16)},
                               {kBase64, 6, 4, (kDigitsMin * 8 + 5) / 6, valuesOf(kBase64, 64)}};

/// The bytes of `run`; bits that make no whole byte are left out.
std::string decoded(const Coding& coding, std::string_view run) {
  std::string bytes;
  bytes.reserve(run.size() * coding.bits / 8);
  std::uint32_t held = 0;
  unsigned count = 0;
  for (const char c : run) {
    held = (held << coding.bits | coding.valueOf(c)) & 0xFFFFFF;
    count += coding.bits;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(held >> count & 0xFF);
  }
  return bytes;
}

std::string encoded(const Coding& coding, std::string_view bytes, bool isUrl) {
  std::string text;
  std::uint32_t held = 0;
  unsigned count = 0;
  const auto put = [&](unsigned value) {
    text += coding.alphabet[isUrl && value >= 62 ? value + 2 : value];
  };
  for (const char c : bytes) {
    held = (held << 8 | static_cast<unsigned char>(c)) & 0xFFFFFF;
    for (count += 8; count >= coding.bits;) {
      count -= coding.bits;
      put(held >> count & ((1u << coding.bits) - 1));
    }
  }
  if (count > 0) put(held << (coding.bits - count) & ((1u << coding.bits) - 1));
  return text;
}

std::string maskAt(std::string_view text, int codings);

/// The run with what it stands for masked; nothing if no card number is in it.
std::optional<std::string> maskedRun(const Coding& coding, std::string_view run, bool isPadded,
                                     int codings) {
  const bool isUrl = coding.bits == 6 && run.find_first_of("-_") != std::string_view::npos;
  for (std::size_t shift = 0; shift < coding.shifts; ++shift) {
    const std::string bytes = decoded(coding, run.substr(shift));
    std::string masked = maskAt(bytes, codings - 1);
    if (masked == bytes) continue;
    std::string code = encoded(coding, masked, isUrl);
    if (isPadded) code.append((4 - code.size() % 4) % 4, '=');
    return std::string(run.substr(0, shift)) + code;
  }
  return std::nullopt;
}

std::string maskCoded(const Coding& coding, std::string_view text, int codings) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && coding.valueOf(text[end]) != kNoValue) ++end;
    const std::string_view run = text.substr(at, end - at);
    while (coding.bits == 6 && end < text.size() && text[end] == '=') ++end;
    const bool isPadded = end - at > run.size();
    const auto masked = run.size() < coding.fewest ? std::optional<std::string>()
                                                   : maskedRun(coding, run, isPadded, codings);
    if (masked) {
      out.append(text.substr(copied, at - copied));
      out += *masked;
      copied = end;
    }
    at = std::max(end, at + 1);
  }
  if (copied == 0) return std::string(text);
  out.append(text.substr(copied));
  return out;
}

std::string maskAt(std::string_view text, int codings) {
  std::string masked = maskPlain(text);
  if (codings <= 0) return masked;
  for (const Coding& coding : kCodings) masked = maskCoded(coding, masked, codings);
  return masked;
}

}  // namespace

std::string maskCardNumbers(std::string_view text) {
  return maskAt(text, kMostCodings);
}

}  // namespace counterfoil
