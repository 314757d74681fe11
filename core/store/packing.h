// SPDX-License-Identifier: GPL-3.0-or-later
// How small lists stand in columns of the store: JSON arrays of strings, amounts as "USD:1500 EUR:-300",
// codes joined by spaces; and varints of the binary columns. Reading checks everything (the file may be
// damaged): nothing for what does not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/money.h"

namespace counterfoil {

[[nodiscard]] std::string packTexts(const std::vector<std::string>& texts);
[[nodiscard]] std::optional<std::vector<std::string>> unpackTexts(std::string_view packed);
[[nodiscard]] std::string packMoney(const std::vector<Money>& amounts);
[[nodiscard]] std::optional<std::vector<Money>> unpackMoney(std::string_view packed);
[[nodiscard]] std::string packIntegers(const std::int64_t* values, std::size_t count);
[[nodiscard]] std::optional<std::vector<std::int64_t>> unpackIntegers(std::string_view packed);

inline void putVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}
inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}
/// Takes a varint off the front.
inline std::optional<std::uint64_t> takeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return {};
}
/// Length, then bytes.
inline void putText(std::string& out, std::string_view text) {
  putVarint(out, text.size());
  out.append(text);
}
inline std::optional<std::string_view> takeText(std::string_view& bytes) {
  const auto length = takeVarint(bytes);
  if (!length || *length > bytes.size()) return {};
  const std::string_view text = bytes.substr(0, *length);
  bytes.remove_prefix(*length);
  return text;
}

}  // namespace counterfoil
