// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/encoding.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/text.h"

namespace counterfoil {

namespace {

/// Length of the character that starts with `lead`, 0 if none can.
std::size_t sequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

/// The second byte has a narrower range after some leads (overlong forms, surrogates, above U+10FFFF).
bool secondByteFits(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0: return second >= 0xA0 && second <= 0xBF;
    case 0xED: return second >= 0x80 && second <= 0x9F;
    case 0xF0: return second >= 0x90 && second <= 0xBF;
    case 0xF4: return second >= 0x80 && second <= 0x8F;
    default: return second >= 0x80 && second <= 0xBF;
  }
}

std::size_t skipAscii(std::string_view bytes, std::size_t at) {
  while (at + 8 <= bytes.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    if ((word & 0x8080808080808080ull) != 0) break;
    at += 8;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// UTF-16 without a mark shows as text whose every second byte is NUL.
std::optional<std::string> utf16ByNulPattern(std::string_view head) {
  if (head.size() < 4) return std::nullopt;
  std::size_t evenNuls = 0, oddNuls = 0;
  const std::size_t pairs = head.size() / 2;
  for (std::size_t i = 0; i + 1 < head.size(); i += 2) {
    evenNuls += head[i] == '\0' ? 1 : 0;
    oddNuls += head[i + 1] == '\0' ? 1 : 0;
  }
  if (oddNuls * 10 >= pairs * 6 && evenNuls * 20 <= pairs) return "utf-16le";
  if (evenNuls * 10 >= pairs * 6 && oddNuls * 20 <= pairs) return "utf-16be";
  return std::nullopt;
}

}  // namespace

Utf8Check checkUtf8(std::string_view bytes) {
  Utf8Check check;
  std::size_t at = skipAscii(bytes, 0);
  while (at < bytes.size()) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = sequenceLength(lead);
    if (length == 0) {
      check.firstInvalid = at;
      return check;
    }
    for (std::size_t i = 1; i < length; ++i) {
      if (at + i == bytes.size()) {
        check.incompleteTail = i;
        return check;
      }
      const auto next = static_cast<unsigned char>(bytes[at + i]);
      const bool fits = i == 1 ? secondByteFits(lead, next) : (next & 0xC0) == 0x80;
      if (!fits) {
        check.firstInvalid = at;
        return check;
      }
    }
    at += length;
    if (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) at = skipAscii(bytes, at);
  }
  return check;
}

bool isAscii(std::string_view bytes) { return skipAscii(bytes, 0) == bytes.size(); }

EncodingGuess guessEncoding(std::string_view head, bool whole) {
  using namespace std::string_view_literals;
  if (startsWith(head, "\xEF\xBB\xBF"sv)) return {"utf-8", 3};
  if (startsWith(head, "\xFF\xFE\0\0"sv)) return {"utf-32le", 4};
  if (startsWith(head, "\0\0\xFE\xFF"sv)) return {"utf-32be", 4};
  if (startsWith(head, "\xFF\xFE"sv)) return {"utf-16le", 2};
  if (startsWith(head, "\xFE\xFF"sv)) return {"utf-16be", 2};
  if (const auto utf16 = utf16ByNulPattern(head)) return {*utf16, 0};
  const Utf8Check check = checkUtf8(head);
  if (check.firstInvalid == kNoPosition && (check.incompleteTail == 0 || !whole)) return {"utf-8", 0};
  return {"windows-1252", 0};
}

bool isUtf8Name(std::string_view name) {
  const std::string lower = toLowerAscii(name);
  return lower == "utf-8" || lower == "utf8" || lower == "ascii" || lower == "us-ascii" || lower == "utf-8-sig";
}

std::optional<SingleByteTable> SingleByteTable::make(const std::string& encoding) {
  const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  // NOLINTNEXTLINE: iconv's own error value
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  SingleByteTable table;
  bool usable = true;
  for (std::size_t byte = 0; byte < 256 && usable; ++byte) {
    char in = static_cast<char>(byte);
    char out[8] = {};
    char* from = &in;
    char* to = out;
    std::size_t inLeft = 1, outLeft = sizeof out;
    iconv(converter, nullptr, nullptr, nullptr, nullptr);
    const bool converted = iconv(converter, &from, &inLeft, &to, &outLeft) != static_cast<std::size_t>(-1);
    const std::size_t size = sizeof out - outLeft;
    if (byte < 128) {
      usable = converted && size == 1 && out[0] == in;
    } else if (!converted && errno == EINVAL) {
      usable = false;   // the lead byte of a longer character
    } else if (converted && (size == 0 || size > 3)) {
      usable = false;
    }
    if (!converted) continue;
    Entry& entry = table.m_entries[byte];
    entry.size = static_cast<std::uint8_t>(size);
    std::memcpy(entry.text.data(), out, std::min<std::size_t>(size, 3));
  }
  iconv_close(converter);
  if (!usable) return std::nullopt;
  return table;
}

SingleByteTable::Converted SingleByteTable::convert(std::string_view bytes, char* out) const {
  Converted converted;
  for (const char byte : bytes) {
    const Entry& entry = m_entries[static_cast<unsigned char>(byte)];
    const bool known = entry.size != 0;
    std::memcpy(out + converted.size, known ? entry.text.data() : "\xEF\xBF\xBD", 3);
    converted.size += known ? entry.size : 3;
    converted.complete = converted.complete && known;
  }
  return converted;
}

std::string SingleByteTable::toUtf8(std::string_view bytes) const {
  std::string text(bytes.size() * 3, '\0');
  text.resize(convert(bytes, text.data()).size);
  return text;
}

}  // namespace counterfoil
