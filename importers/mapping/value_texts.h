// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of binary values: what readers of pickles and of msgpack share. Internal to importers/mapping.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "importers/json/json_document.h"

namespace counterfoil {

[[nodiscard]] JsonNode scalarNode(JsonNode::Type type, std::string text);
/// Text as it is, other bytes as {"base64": "…"}.
[[nodiscard]] JsonNode bytesNode(std::string_view bytes);
/// The shortest text that reads back as the same number; null for those that JSON does not have.
[[nodiscard]] JsonNode floatNode(double value);

/// Unsigned number of `count` (up to 8) bytes, the least or the greatest first.
[[nodiscard]] std::uint64_t leastFirst(std::string_view bytes);
[[nodiscard]] std::uint64_t greatestFirst(std::string_view bytes);
/// Decimal digits of a two's complement number, the least byte first; nothing above 128 bytes.
[[nodiscard]] std::optional<std::string> decimalOfBytes(std::string_view bytes);
/// 32 digits with dashes of a number below 2^128 that is written in decimal digits.
[[nodiscard]] std::optional<std::string> uuidOfDecimal(std::string_view digits);
[[nodiscard]] std::string base64Of(std::string_view bytes);

}  // namespace counterfoil
