// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/json/json_writer.h"

#include <array>
#include <charconv>

#include "core/base/text.h"

namespace counterfoil {

namespace {

bool isPlain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

void appendUnicodeEscape(unsigned value, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(value >> shift) & 0xF];
}

void appendAsciiEscape(unsigned char byte, std::string& out) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      appendUnicodeEscape(byte, out);
  }
}

/// Code points that steer a terminal or change the reading direction are written as escapes: C1
/// controls, bidi marks and overrides, line and paragraph separators, the byte order mark. Their
/// length in UTF-8, or 0.
std::size_t steeringLength(std::string_view text, unsigned& codePoint) {
  const auto at = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  if (at(0) == 0xC2 && at(1) >= 0x80 && at(1) < 0xA0) {
    codePoint = at(1);
    return 2;
  }
  const bool threeBytes = (at(0) & 0xF0) == 0xE0 && text.size() >= 3;
  if (!threeBytes) return 0;
  codePoint = ((at(0) & 0x0F) << 12) | ((at(1) & 0x3F) << 6) | (at(2) & 0x3F);
  const bool steers = (codePoint >= 0x200E && codePoint <= 0x200F) ||
                      (codePoint >= 0x2028 && codePoint <= 0x202E) ||
                      (codePoint >= 0x2066 && codePoint <= 0x2069) || codePoint == 0xFEFF;
  return steers ? 3 : 0;
}

void appendEscaped(std::string_view text, std::string& out) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (isPlain(byte)) {
      ++i;
      continue;
    }
    unsigned codePoint = byte;
    const std::size_t steering = byte < 0x80 ? 1 : steeringLength(text.substr(i), codePoint);
    if (steering == 0) {
      ++i;
      continue;
    }
    out.append(text, begin, i - begin);
    if (byte < 0x80) {
      appendAsciiEscape(byte, out);
    } else {
      appendUnicodeEscape(codePoint, out);
    }
    i += steering;
    begin = i;
  }
  out.append(text, begin, text.size() - begin);
}

}  // namespace

void appendJsonString(std::string_view text, std::string& out) {
  out += '"';
  if (isValidUtf8(text)) {
    appendEscaped(text, out);
  } else {
    appendEscaped(toValidUtf8(text), out);
  }
  out += '"';
}

void JsonWriter::breakLine() {
  m_out += '\n';
  m_out.append(m_hasElements.size() * 2, ' ');
}

void JsonWriter::separate() {
  if (m_afterKey) {
    m_afterKey = false;
    return;
  }
  if (m_hasElements.empty()) return;
  const bool broken = static_cast<int>(m_hasElements.size()) <= m_brokenLevels;
  if (m_hasElements.back()) m_out += broken ? "," : ", ";
  if (broken) breakLine();
  m_hasElements.back() = true;
}

void JsonWriter::open(char bracket) {
  separate();
  m_out += bracket;
  m_hasElements.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool broken =
      static_cast<int>(m_hasElements.size()) <= m_brokenLevels && m_hasElements.back();
  m_hasElements.pop_back();
  if (broken) breakLine();
  m_out += bracket;
}

void JsonWriter::beginObject() {
  open('{');
}
void JsonWriter::endObject() {
  close('}');
}
void JsonWriter::beginArray() {
  open('[');
}
void JsonWriter::endArray() {
  close(']');
}

void JsonWriter::key(std::string_view name) {
  separate();
  appendJsonString(name, m_out);
  m_out += ": ";
  m_afterKey = true;
}

void JsonWriter::string(std::string_view value) {
  separate();
  appendJsonString(value, m_out);
}

void JsonWriter::number(std::int64_t value) {
  separate();
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  m_out.append(digits.data(), end);
}

void JsonWriter::boolean(bool value) {
  separate();
  m_out += value ? "true" : "false";
}

void JsonWriter::null() {
  separate();
  m_out += "null";
}

void JsonWriter::moneyArray(const std::vector<Money>& values) {
  beginArray();
  for (const Money& value : values) {
    beginObject();
    text("currency", value.currency.text());
    integer("minor", value.minor);
    endObject();
  }
  endArray();
}

void JsonWriter::text(std::string_view name, std::string_view value) {
  key(name);
  string(value);
}

void JsonWriter::textOrNull(std::string_view name, const std::optional<std::string>& value) {
  key(name);
  value ? string(*value) : null();
}

void JsonWriter::integer(std::string_view name, std::int64_t value) {
  key(name);
  number(value);
}

void JsonWriter::integerOrNull(std::string_view name, std::optional<std::int64_t> value) {
  key(name);
  value ? number(*value) : null();
}

void JsonWriter::list(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  beginArray();
  for (const std::string& value : values) string(value);
  endArray();
}

void JsonWriter::money(std::string_view name, const std::vector<Money>& values) {
  key(name);
  moneyArray(values);
}

}  // namespace counterfoil
