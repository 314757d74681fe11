// SPDX-License-Identifier: GPL-3.0-or-later
// Values inside values: the named decoders of a mapping's `decode`. All are pure and bounded; text
// that does not fit its form is an Error (Format), never a guess.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/json/json_document.h"

namespace counterfoil {

enum class Decoder : std::uint8_t {
  Json, Base64, PythonRepr, Hex, Url, Upper, Pickle, Zlib, Pairs, Msgpack, Latin1, IntBe
};

[[nodiscard]] std::optional<Decoder> decoderFromName(std::string_view name);
[[nodiscard]] const std::string_view* decoderNames(std::size_t& count);

/// Standard and URL-safe alphabet, padding optional, line breaks ignored.
[[nodiscard]] Result<std::string> decodeBase64(std::string_view text);
/// Pairs of hex digits; a leading "0x" or "\x" is allowed.
[[nodiscard]] Result<std::string> decodeHex(std::string_view text);
/// %XX and + of a form value.
[[nodiscard]] Result<std::string> decodeUrl(std::string_view text);

/// The bytes of a text that has a character for each: code points up to U+00FF.
[[nodiscard]] Result<std::string> decodeLatin1(std::string_view text);
/// One to eight bytes as a signed number, the highest byte first.
[[nodiscard]] Result<std::string> decodeIntBe(std::string_view bytes);

/// A zlib or gzip stream, up to 16 MiB of what it holds.
[[nodiscard]] Result<std::string> decodeZlib(std::string_view bytes);

/// A Python literal as repr() writes it: strings in either quote, bytes, int, float, None, True,
/// False, list, tuple, set, dict, Decimal('…'), UUID('…'), datetime.datetime(…). Nothing is ever
/// evaluated: objects (`<Order: 5>`) and other calls are texts as written. Of a repr that was cut, or
/// where the writer put "..." in place of the rest, lists and dicts keep what stands wholly before
/// that and are marked (isCutOff); a text, a number or a call that was cut is not kept.
[[nodiscard]] Result<JsonNode> parsePythonRepr(std::string_view text);
/// A Python pickle of protocol 0 to 5 as values. Nothing is imported, called or built: dates, Decimal
/// and UUID are known by name, every other object becomes {"__class__": "module.Name", "args": […]}.
/// Error: what it holds that is no plain value, or that it is cut off or too big.
[[nodiscard]] Result<JsonNode> parsePickle(std::string_view bytes);
[[nodiscard]] Result<JsonNode> parseMsgpack(std::string_view bytes);
/// [k, v, k, v] or [[k, v], [k, v]] as an object; of a name that comes twice the last value counts. An
/// object stays as it is.
[[nodiscard]] Result<JsonNode> objectOfPairs(const JsonNode& list);
/// A JSON text of a row, kept as exact text.
[[nodiscard]] Result<JsonNode> parseJsonValue(std::string_view text);

/// Whether a decoded value is known to lack its end: it must not be used.
[[nodiscard]] bool isCutOff(const JsonNode& node);
/// Whether it, or a value inside it, is.
[[nodiscard]] bool hasCut(const JsonNode& node);

/// The value at a JSON pointer ("/0/id"); nullptr if there is none. A step `[Name=Amount]` takes the
/// first element of a list whose member Name is "Amount", or the object itself where it stands in
/// place of a list. Error when the place may lie in a part that was cut off.
[[nodiscard]] Result<const JsonNode*> resolvePointer(const JsonNode& root,
                                                     std::string_view pointer);
/// The value at a dotted path ("0.id", "-1" for the last element); names of members may have dots
/// themselves, the shorter one is tried first. Steps and errors as of pointers.
[[nodiscard]] Result<const JsonNode*> resolvePath(const JsonNode& root, std::string_view path);

}  // namespace counterfoil
