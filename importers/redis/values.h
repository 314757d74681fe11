// SPDX-License-Identifier: GPL-3.0-or-later
// Values of Redis: out of the JSON of a dump, into the JSON of rows. Internal to importers/redis.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "importers/redis/dump_reader.h"

namespace counterfoil::redis {

/// A JSON value as it is written: a string, {"base64": "…"}, or other JSON. Nothing: it is not
/// valid.
[[nodiscard]] std::optional<Value> valueOf(std::string_view written);
/// A member name, in quotes or a bare number.
[[nodiscard]] std::optional<Value> nameValue(std::string_view written);
[[nodiscard]] Value textValue(std::string_view text);
/// Bytes as Redis holds them.
[[nodiscard]] Value bytesOrText(std::string bytes);

/// A score as Redis holds it, exact and without an exponent where that is short: "1795954541004" of
/// 1795954541004.0 or 1.795954541004e12; "inf", "-inf". Nothing: it is none.
[[nodiscard]] std::optional<std::string> plainScore(std::string_view text);
/// Of what plainScore() gives.
[[nodiscard]] bool isLess(std::string_view score, std::string_view other);

/// Whether the text is a JSON object or array that a row can hold.
[[nodiscard]] bool isJsonContainer(std::string_view text);

/// A key as the raw text of what is wrong with it.
[[nodiscard]] std::string rawOf(const Key& key);

void appendQuoted(std::string& out, std::string_view text);  ///< requires valid UTF-8
/// A text that is a JSON object or array as that, another one quoted, bytes as {"base64": "…"}.
void appendEmbedded(std::string& out, const Value& value);
/// JSON that is known to be valid, in one line.
void appendOneLine(std::string& out, std::string_view json);

}  // namespace counterfoil::redis
