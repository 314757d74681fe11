// SPDX-License-Identifier: GPL-3.0-or-later
// The part of text.h that is about keys: normal form, fold, template, spreadsheet damage.
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace counterfoil {

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool isLower(char c) {
  return c >= 'a' && c <= 'z';
}
char lowered(char c) {
  return isUpper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// White space and zero-width characters off at both ends.
std::string_view trimUnicode(std::string_view text) {
  while (!text.empty()) {
    const CodePoint first = codePointAt(text, 0);
    if (!first.valid || !(isSpace(first.value) || isZeroWidth(first.value))) break;
    text.remove_prefix(first.length);
  }
  while (!text.empty()) {
    const CodePoint last = codePointBefore(text, text.size());
    if (!last.valid || !(isSpace(last.value) || isZeroWidth(last.value))) break;
    text.remove_suffix(last.length);
  }
  return text;
}

constexpr bool isUuidDash(std::size_t place) {
  return place == 8 || place == 13 || place == 18 || place == 23;
}

/// The lower-case form of each hex digit, 0 for every other byte.
constexpr std::array<char, 256> kHexLowered = [] {
  std::array<char, 256> table{};
  for (int i = 0; i < 10; ++i)
    table[static_cast<std::size_t>('0' + i)] = static_cast<char>('0' + i);
  for (int i = 0; i < 6; ++i) {
    table[static_cast<std::size_t>('a' + i)] = static_cast<char>('a' + i);
    table[static_cast<std::size_t>('A' + i)] = static_cast<char>('a' + i);
  }
  return table;
}();

char hexLowered(char c) {
  return kHexLowered[static_cast<unsigned char>(c)];
}

using UuidDigits = std::array<char, 32>;

/// The digits of a UUID written 8-4-4-4-12 at the beginning of `text`; false if none stands there.
bool readDashedUuid(std::string_view text, UuidDigits& digits) {
  if (text.size() < 36) return false;
  std::size_t used = 0;
  for (std::size_t i = 0; i < 36; ++i) {
    if (isUuidDash(i)) {
      if (text[i] != '-') return false;
      continue;
    }
    const char digit = hexLowered(text[i]);
    if (digit == 0) return false;
    digits[used++] = digit;
  }
  return true;
}

bool readBareUuid(std::string_view text, UuidDigits& digits) {
  if (text.size() != digits.size()) return false;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digits[i] = hexLowered(text[i]);
    if (digits[i] == 0) return false;
  }
  return true;
}

bool readUuid(std::string_view text, UuidDigits& digits) {
  constexpr std::string_view kUrn = "urn:uuid:";
  switch (text.size()) {
    case 32:
      return readBareUuid(text, digits);
    case 36:
      return readDashedUuid(text, digits);
    case 38:
      return text.front() == '{' && text.back() == '}' && readDashedUuid(text.substr(1), digits);
    case 45:
      return equalsIgnoreCase(text.substr(0, kUrn.size()), kUrn) &&
             readDashedUuid(text.substr(kUrn.size()), digits);
    default:
      return false;
  }
}

/// The UUID in its one form, in `text` itself where that already is it. `text` may be in `scratch`.
std::string_view uuidNormalised(std::string_view text, std::string& scratch) {
  UuidDigits digits;
  if (!readUuid(text, digits)) return text;
  const std::string_view lowered(digits.data(), digits.size());
  if (text == lowered) return text;
  scratch.assign(lowered);
  return scratch;
}

struct Free {
  void operator()(utf8proc_uint8_t* memory) const { std::free(memory); }
};

/// The text in a form of utf8proc's; nothing if it cannot be had.
std::optional<std::string> mapped(std::string_view text, int options) {
  utf8proc_uint8_t* raw = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &raw,
                                             static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, Free> owner(raw);
  if (size < 0 || raw == nullptr) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(raw), static_cast<std::size_t>(size));
}

/// Valid UTF-8 without the zero-width characters; nothing if `text` is not valid or has so many
/// combining marks in a row that sorting them (quadratic) would be an attack.
std::optional<std::string> withoutZeroWidth(std::string_view text) {
  constexpr int kMarksMax = 32;
  std::string kept;
  kept.reserve(text.size());
  int marks = 0;
  std::size_t position = 0;
  while (position < text.size()) {
    const CodePoint point = codePointAt(text, position);
    if (!point.valid) return std::nullopt;
    if (!isZeroWidth(point.value)) {
      const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(point.value));
      marks = property->combining_class == 0 ? 0 : marks + 1;
      if (marks > kMarksMax) return std::nullopt;
      kept.append(text.substr(position, point.length));
    }
    position += point.length;
  }
  return kept;
}

}  // namespace

std::string_view normalKey(std::string_view text, std::string& scratch) {
  text = trim(text);
  if (asciiPrefix(text) == text.size()) return uuidNormalised(text, scratch);
  text = trimUnicode(text);
  const auto kept = withoutZeroWidth(text);
  if (!kept) return text;
  // Taking a zero-width character away can bring a space to the end.
  auto composed = mapped(trimUnicode(*kept), UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (!composed) return text;
  scratch = std::move(*composed);
  return uuidNormalised(scratch, scratch);
}

std::string normalKey(std::string_view text) {
  std::string scratch;
  return std::string(normalKey(text, scratch));
}

namespace {

/// What a spreadsheet leaves in a cell whose look-up found nothing: every such row has it.
bool isSpreadsheetError(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kErrors = {"#n/a",    "#ref!", "#value!", "#name?",
                                                              "#div/0!", "#num!", "#null!"};
  return std::any_of(kErrors.begin(), kErrors.end(),
                     [&](std::string_view error) { return equalsIgnoreCase(text, error); });
}

}  // namespace

bool isNoValue(std::string_view normalised) {
  // Asked of every link of every row: what begins with another letter or digit is a value.
  if (normalised.empty()) return true;
  const char first = lowered(normalised.front());
  if (first > ' ' && first < '\x7f' && first != 'n' && first != 'u' && first != '#') return false;
  const std::string_view text = trimUnicode(normalised);
  if (!text.empty() && text.front() == '#') return isSpreadsheetError(text);
  switch (text.size()) {
    case 0:
      return true;
    case 3:
      return equalsIgnoreCase(text, "nan");
    case 4:
      return equalsIgnoreCase(text, "null") || equalsIgnoreCase(text, "none");
    case 9:
      return equalsIgnoreCase(text, "undefined");
    default:
      return false;
  }
}

namespace {

/// Digits at the front of `text`, taken off; their number.
std::size_t takeDigits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && isDigit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

bool takeOneOf(std::string_view& text, std::string_view signs) {
  if (text.empty() || signs.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool takeMonth(std::string_view& text) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (text.size() < 3) return false;
  for (std::size_t i = 0; i < kMonths.size(); i += 3) {
    if (equalsIgnoreCase(text.substr(0, 3), kMonths.substr(i, 3))) {
      text.remove_prefix(3);
      return true;
    }
  }
  return false;
}

/// "4.68769E+18", "1E+05", "1.00E-05".
bool isSpreadsheetNumber(std::string_view text) {
  takeOneOf(text, "+-");
  if (takeDigits(text) != 1) return false;
  bool fraction = false;
  if (takeOneOf(text, ".,")) {
    fraction = true;
    if (takeDigits(text) == 0) return false;
  }
  if (!takeOneOf(text, "E") || text.empty()) return false;
  if (text.front() == '-' && !fraction) return false;
  if (!takeOneOf(text, "+-")) return false;
  const std::size_t digits = takeDigits(text);
  return text.empty() && (digits == 2 || digits == 3);
}

bool isShort(std::size_t digits) {
  return digits == 1 || digits == 2;
}

/// "03-Apr", "3-Apr-26", "03-Apr-2026", "Apr-03", "3/4/2026".
bool isSpreadsheetDate(std::string_view text) {
  if (takeMonth(text)) return takeOneOf(text, "-") && isShort(takeDigits(text)) && text.empty();
  if (!isShort(takeDigits(text))) return false;
  if (takeOneOf(text, "/")) {
    return isShort(takeDigits(text)) && takeOneOf(text, "/") && takeDigits(text) == 4 &&
           text.empty();
  }
  if (!takeOneOf(text, "-") || !takeMonth(text)) return false;
  if (text.empty()) return true;
  if (!takeOneOf(text, "-")) return false;
  const std::size_t year = takeDigits(text);
  return text.empty() && (year == 2 || year == 4);
}

}  // namespace

SpreadsheetDamage spreadsheetDamage(std::string_view key) {
  constexpr std::size_t kLongest = 32;
  if (key.size() < 5 || key.size() > kLongest) return SpreadsheetDamage::None;
  if (isSpreadsheetNumber(key)) return SpreadsheetDamage::Number;
  return isSpreadsheetDate(key) ? SpreadsheetDamage::Date : SpreadsheetDamage::None;
}

bool looksDamagedBySpreadsheet(std::string_view key) {
  return spreadsheetDamage(key) != SpreadsheetDamage::None;
}

namespace {

/// A run of hex digits as it stands in a template: letters before digits ("ce20260401" of an
/// "invoice20260401") are a word and a number, a letter after a digit makes it an id.
void appendHexRun(std::string& out, std::string_view run) {
  std::size_t word = 0;
  while (word < run.size() && !isDigit(run[word])) ++word;
  std::size_t number = word;
  while (number < run.size() && isDigit(run[number])) ++number;
  if (number < run.size() && run.size() >= 8) {
    out += run.size() == 32 ? "{uuid}" : "{hex}";
    return;
  }
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (!isDigit(run[i])) {
      out.push_back(run[i]);
    } else if (i == 0 || !isDigit(run[i - 1])) {
      out += "{n}";
    }
  }
}

}  // namespace

std::string keyTemplate(std::string_view key) {
  std::string out;
  UuidDigits uuid;
  std::size_t position = 0;
  while (position < key.size()) {
    const std::string_view rest = key.substr(position);
    std::size_t run = 0;
    while (run < rest.size() && hexLowered(rest[run]) != 0) ++run;
    if (run == 0) {
      out.push_back(rest.front());
      ++position;
    } else if (run == 8 && readDashedUuid(rest, uuid) &&
               (rest.size() == 36 || hexLowered(rest[36]) == 0)) {
      out += "{uuid}";
      position += 36;
    } else {
      appendHexRun(out, rest.substr(0, run));
      position += run;
    }
  }
  return out;
}

namespace {

bool countsInFold(char32_t value) {
  if (value < 0x80) {
    const char c = static_cast<char>(value);
    return isDigit(c) || isLower(c) || isUpper(c);
  }
  if (isZeroWidth(value)) return false;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
      return false;
    default:
      return true;
  }
}

/// Letters and digits of ASCII in lower case, and every byte beyond ASCII as it is.
std::string foldBytes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const bool beyond = static_cast<unsigned char>(c) >= 0x80;
    if (beyond || countsInFold(static_cast<unsigned char>(c))) out.push_back(lowered(c));
  }
  return out;
}

}  // namespace

std::string keyFold(std::string_view key) {
  if (asciiPrefix(key) == key.size()) return foldBytes(key);
  const auto kept = withoutZeroWidth(key);
  const auto folded =
      kept ? mapped(*kept, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD) : std::nullopt;
  if (!folded) return foldBytes(key);
  std::string out;
  std::size_t position = 0;
  while (position < folded->size()) {
    const CodePoint point = codePointAt(*folded, position);
    if (countsInFold(point.value)) out.append(*folded, position, point.length);
    position += point.length;
  }
  return out;
}

}  // namespace counterfoil
