// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/value_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxNumberBytes = 128;

/// Decimal digits of a magnitude, the least byte first. Quadratic: the caller bounds it.
std::string decimalOfMagnitude(std::vector<unsigned> bytes) {
  std::string digits;
  while (!bytes.empty()) {
    unsigned rest = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      const unsigned value = rest * 256 + bytes[i];
      bytes[i] = value / 10;
      rest = value % 10;
    }
    digits += static_cast<char>('0' + rest);
    while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  }
  std::reverse(digits.begin(), digits.end());
  return digits.empty() ? "0" : digits;
}

void negate(std::vector<unsigned>& bytes) {
  unsigned carry = 1;
  for (unsigned& byte : bytes) {
    const unsigned value = (~byte & 0xFFu) + carry;
    byte = value & 0xFFu;
    carry = value >> 8;
  }
}

}  // namespace

JsonNode scalarNode(JsonNode::Type type, std::string text) {
  JsonNode node;
  node.type = type;
  node.text = std::move(text);
  return node;
}

JsonNode bytesNode(std::string_view bytes) {
  if (isValidUtf8(bytes)) return scalarNode(JsonNode::Type::String, std::string(bytes));
  JsonNode node;
  node.type = JsonNode::Type::Object;
  node.members.emplace_back("base64", scalarNode(JsonNode::Type::String, base64Of(bytes)));
  return node;
}

JsonNode floatNode(double value) {
  if (!std::isfinite(value)) return scalarNode(JsonNode::Type::Null, {});
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return scalarNode(JsonNode::Type::Number, std::string(text, end));
}

std::uint64_t leastFirst(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t greatestFirst(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::optional<std::string> decimalOfBytes(std::string_view bytes) {
  if (bytes.size() > kMaxNumberBytes) return std::nullopt;
  std::vector<unsigned> magnitude;
  for (const char byte : bytes) magnitude.push_back(static_cast<unsigned char>(byte));
  const bool isNegative = !magnitude.empty() && (magnitude.back() & 0x80u) != 0;
  if (isNegative) negate(magnitude);
  while (!magnitude.empty() && magnitude.back() == 0) magnitude.pop_back();
  return (isNegative ? "-" : "") + decimalOfMagnitude(std::move(magnitude));
}

std::optional<std::string> uuidOfDecimal(std::string_view digits) {
  constexpr std::size_t kMostDigits = 39;
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  unsigned __int128 value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    unsigned __int128 next = 0;
    if (__builtin_mul_overflow(value, static_cast<unsigned __int128>(10), &next) ||
        __builtin_add_overflow(next, static_cast<unsigned __int128>(digit - '0'), &value))
      return std::nullopt;
  }
  const auto high = static_cast<std::uint64_t>(value >> 64), low = static_cast<std::uint64_t>(value);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFFu,
                     high & 0xFFFFu, low >> 48, low & 0xFFFFFFFFFFFFu);
}

std::string base64Of(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    const std::uint64_t bits = greatestFirst(group) << 8 * (3 - group.size());
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= group.size() ? kDigits[bits >> (18 - 6 * k) & 0x3Fu] : '=';
  }
  return out;
}

}  // namespace counterfoil
