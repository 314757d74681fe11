// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/redis/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "importers/mapping/decoders.h"
#include "importers/readers/json_row.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxScoreBytes = 400;  // the largest double has 309 digits
constexpr int kMaxExponent = 40;

const JsonPaths& noPaths() {
  static const JsonPaths paths(std::vector<std::string>{});
  return paths;
}

bool isValidJson(std::string_view text) {
  Arena arena;
  std::vector<FieldView> fields;
  return !parseJsonRow(text, noPaths(), fields, arena);
}

int depthOf(std::string_view json) {
  int depth = 0, deepest = 0;
  bool inString = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inString) {
      if (c == '\\') ++i;
      inString = c != '"';
      continue;
    }
    inString = c == '"';
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

/// The text in {"base64": "…"}, and nothing beside it.
std::optional<std::string> base64Member(std::string_view json) {
  if (json.find("\"base64\"") == std::string_view::npos) return std::nullopt;
  const std::vector<JsonElement> members = jsonElements(json, 2);
  if (members.size() != 1 || members[0].key != "base64") return std::nullopt;
  Arena arena;
  const FieldView field = jsonField(members[0].value, arena);
  if (field.type != FieldType::Text) return std::nullopt;
  return std::string(field.text);
}

std::optional<Value> bytesValue(std::string_view json) {
  const std::optional<std::string> encoded = base64Member(json);
  if (!encoded) return std::nullopt;
  Result<std::string> bytes = decodeBase64(*encoded);
  if (!bytes) return std::nullopt;
  if (isValidUtf8(*bytes)) return Value{Value::Kind::Text, std::move(*bytes), {}};
  return Value{Value::Kind::Bytes, *encoded, std::move(*bytes)};
}

/// Digits with the point `exponent` places further right.
std::string shifted(std::string_view digits, int exponent) {
  std::string whole(digits.substr(0, digits.find('.')));
  std::string places(digits.size() > whole.size() ? digits.substr(whole.size() + 1) : "");
  for (; exponent > 0; --exponent) {
    whole += places.empty() ? '0' : places.front();
    if (!places.empty()) places.erase(0, 1);
  }
  for (; exponent < 0; ++exponent) {
    places.insert(places.begin(), whole.empty() ? '0' : whole.back());
    if (!whole.empty()) whole.pop_back();
  }
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  while (!places.empty() && places.back() == '0') places.pop_back();
  if (whole.empty()) whole = "0";
  return places.empty() ? whole : whole + '.' + places;
}

std::string base64Of(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    const std::size_t held = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 4; ++k) text += k > held ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

std::optional<double> numberOf(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool isPlainNumber(std::string_view text) {
  return text.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

std::string_view nameOf(KeyType type) {
  switch (type) {
    case KeyType::String:
      return "string";
    case KeyType::List:
      return "list";
    case KeyType::Set:
      return "set";
    case KeyType::Zset:
      return "zset";
    case KeyType::Hash:
      return "hash";
    case KeyType::Stream:
      return "stream";
    case KeyType::None:
      return "none";
    case KeyType::Count:
      return "count";
    case KeyType::Unknown:
    case KeyType::Other:
      return "";
  }
  return "";
}

KeyType keyTypeOf(std::string_view name) {
  if (name.empty()) return KeyType::Unknown;
  for (const KeyType type : {KeyType::String, KeyType::List, KeyType::Set, KeyType::Zset,
                             KeyType::Hash, KeyType::Stream, KeyType::None, KeyType::Count}) {
    if (equalsIgnoreCase(name, nameOf(type))) return type;
  }
  return KeyType::Other;
}

Value textValue(std::string_view text) {
  return {Value::Kind::Text, std::string(text), {}};
}

Value bytesOrText(std::string bytes) {
  if (isValidUtf8(bytes)) return {Value::Kind::Text, std::move(bytes), {}};
  std::string encoded = base64Of(bytes);
  return {Value::Kind::Bytes, std::move(encoded), std::move(bytes)};
}

std::optional<Value> valueOf(std::string_view written) {
  if (!isValidJson(written)) return std::nullopt;
  Arena arena;
  const FieldView field = jsonField(written, arena);
  switch (field.type) {
    case FieldType::Text:
    case FieldType::Number:
    case FieldType::Boolean:
      return textValue(field.text);
    case FieldType::Json: {
      if (auto bytes = bytesValue(field.text)) return bytes;
      if (depthOf(field.text) > kMaxEmbeddedDepth) return textValue(field.text);
      Value value{Value::Kind::Json, {}, {}};
      appendOneLine(value.text, field.text);
      return value;
    }
    default:
      return Value();
  }
}

std::optional<Value> nameValue(std::string_view written) {
  const bool isBare = !written.empty() && (written.front() == '-' ||
                                           (written.front() >= '0' && written.front() <= '9'));
  return isBare ? textValue(trim(written)) : valueOf(written);
}

std::optional<std::string> plainScore(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const bool negative = !text.empty() && text.front() == '-';
  std::string_view number = text.substr(negative ? 1 : 0);
  if (equalsIgnoreCase(number, "inf") || equalsIgnoreCase(number, "infinity"))
    return negative ? "-inf" : "inf";
  if (text.size() > kMaxScoreBytes || !isPlainNumber(text) || !numberOf(text)) return std::nullopt;
  const std::size_t e = number.find_first_of("eE");
  int exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view written = number.substr(e + 1);
    if (!written.empty() && written.front() == '+') written.remove_prefix(1);
    const auto parsed = std::from_chars(written.data(), written.data() + written.size(), exponent);
    if (parsed.ec != std::errc() || exponent > kMaxExponent || exponent < -kMaxExponent)
      return std::string(text);
  }
  std::string plain = shifted(number.substr(0, e), exponent);
  return negative && plain != "0" ? "-" + plain : plain;
}

bool isLess(std::string_view score, std::string_view other) {
  const std::optional<double> a = numberOf(score), b = numberOf(other);
  return a && b && *a < *b;
}

bool isJsonContainer(std::string_view text) {
  text = trim(text);
  if (text.size() < 2 || (text.front() != '{' && text.front() != '[')) return false;
  if (text.back() != '}' && text.back() != ']') return false;
  return isValidJson(text) && depthOf(text) <= kMaxEmbeddedDepth;
}

std::string rawOf(const Key& key) {
  constexpr std::size_t shown = 200;
  std::string raw = "{\"key\":";
  appendQuoted(raw, toValidUtf8(std::string_view(key.name.text).substr(0, shown)));
  return raw + '}';
}

void appendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void appendOneLine(std::string& out, std::string_view json) {
  const std::size_t from = out.size();
  out += trim(json);
  // Line ends are white space there: inside of strings they are escaped.
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(from), out.end(),
      [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

void appendEmbedded(std::string& out, const Value& value) {
  switch (value.kind) {
    case Value::Kind::Null:
      out += "null";
      return;
    case Value::Kind::Json:
      out += value.text;
      return;
    case Value::Kind::Bytes:
      out += "{\"base64\":";
      appendQuoted(out, value.text);
      out += '}';
      return;
    case Value::Kind::Text:
      if (isJsonContainer(value.text)) {
        appendOneLine(out, value.text);
      } else {
        appendQuoted(out, value.text);
      }
  }
}

}  // namespace counterfoil::redis
