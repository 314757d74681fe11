// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/packing.h"

#include <fmt/format.h>

#include <charconv>

namespace counterfoil {
namespace {

void putJsonString(std::string& out, std::string_view text) {
  out += '"';
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      out += '\\';
      out += character;
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += character;
    }
  }
  out += '"';
}

/// What stands after a backslash in putJsonString.
bool takeEscape(std::string_view& rest, std::string& out) {
  if (rest.empty()) return false;
  if (rest[0] == '"' || rest[0] == '\\') {
    out += rest[0];
    rest.remove_prefix(1);
    return true;
  }
  unsigned code = 0;
  if (rest.size() < 5 || rest[0] != 'u') return false;
  const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + 5, code, 16);
  if (error != std::errc() || end != rest.data() + 5 || code >= 0x20) return false;
  out += static_cast<char>(code);
  rest.remove_prefix(5);
  return true;
}

bool takeJsonString(std::string_view& rest, std::string& out) {
  if (rest.empty() || rest[0] != '"') return false;
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const char character = rest[0];
    rest.remove_prefix(1);
    if (character == '"') return true;
    if (character != '\\') {
      out += character;
    } else if (!takeEscape(rest, out)) {
      return false;
    }
  }
  return false;
}

bool takeInteger(std::string_view& rest, std::int64_t& value) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (rest.empty()) return true;
  if (rest[0] != ' ') return false;
  rest.remove_prefix(1);
  return !rest.empty();
}

}  // namespace

std::string packTexts(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    putJsonString(out, text);
  }
  return out += ']';
}

std::optional<std::vector<std::string>> unpackTexts(std::string_view packed) {
  std::vector<std::string> texts;
  if (packed.size() < 2 || packed.front() != '[' || packed.back() != ']') return {};
  packed.remove_prefix(1);
  packed.remove_suffix(1);
  while (!packed.empty()) {
    if (!texts.empty()) {
      if (packed[0] != ',') return {};
      packed.remove_prefix(1);
    }
    if (!takeJsonString(packed, texts.emplace_back())) return {};
  }
  return texts;
}

std::string packMoney(const std::vector<Money>& amounts) {
  std::string out;
  for (const Money& amount : amounts) {
    if (!out.empty()) out += ' ';
    out += fmt::format("{}:{}", amount.currency.text(), amount.minor);
  }
  return out;
}

std::optional<std::vector<Money>> unpackMoney(std::string_view packed) {
  std::vector<Money> amounts;
  while (!packed.empty()) {
    const std::size_t colon = packed.find(':');
    if (colon == std::string_view::npos) return {};
    Money& amount = amounts.emplace_back();
    if (colon > 0) {
      const auto currency = Currency::parse(packed.substr(0, colon));
      if (!currency) return {};
      amount.currency = *currency;
    }
    packed.remove_prefix(colon + 1);
    if (!takeInteger(packed, amount.minor)) return {};
  }
  return amounts;
}

std::string packIntegers(const std::int64_t* values, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += fmt::format("{}{}", i > 0 ? " " : "", values[i]);
  return out;
}

std::optional<std::vector<std::int64_t>> unpackIntegers(std::string_view packed) {
  std::vector<std::int64_t> values;
  while (!packed.empty()) {
    if (!takeInteger(packed, values.emplace_back())) return {};
  }
  return values;
}

}  // namespace counterfoil
