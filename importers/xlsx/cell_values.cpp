// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xlsx/cell_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace counterfoil {

namespace {

constexpr std::size_t kKeptDigits = 15;    ///< that a spreadsheet keeps
constexpr std::size_t kDoubleDigits = 17;  ///< that it may write
constexpr int kLongestFraction = 40;
constexpr std::int64_t kDayMillis = 86'400'000;
constexpr std::int64_t kDaysMost = 2'958'465;  ///< 9999-12-31

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// 0.digits times ten to the power; digits without zeros at either end, none for 0.
struct Decimal {
  std::string digits;
  int power = 0;
  bool negative = false;
  bool isPlain = false;  ///< written as a whole number without an exponent
};

/// The exponent behind 'E', or nothing if it is none.
std::optional<int> exponentOf(std::string_view text) {
  if (text.empty()) return 0;
  text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || std::abs(value) > 400)
    return std::nullopt;
  return value;
}

std::optional<Decimal> parseDecimal(std::string_view text) {
  Decimal number;
  text = trim(text);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    number.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const auto exponent = exponentOf(text.substr(mark));
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  if (!exponent || mantissa.size() > 400) return std::nullopt;
  number.digits.assign(mantissa.substr(0, point));
  if (point < mantissa.size()) number.digits += mantissa.substr(point + 1);
  if (number.digits.empty() || !std::all_of(number.digits.begin(), number.digits.end(), isDigit))
    return std::nullopt;
  number.isPlain = mark == text.size() && point == mantissa.size();
  number.power = static_cast<int>(point) + *exponent;
  const std::size_t first = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, first);
  number.power -= static_cast<int>(first);
  while (!number.digits.empty() && number.digits.back() == '0') number.digits.pop_back();
  if (number.digits.empty()) number = {"", 0, false, number.isPlain};
  return number;
}

/// To `count` significant digits, half up.
void roundTo(Decimal& number, std::size_t count) {
  if (number.digits.size() <= count) return;
  bool carry = number.digits[count] >= '5';
  number.digits.resize(count);
  for (std::size_t i = count; carry && i-- > 0;) {
    carry = number.digits[i] == '9';
    number.digits[i] = carry ? '0' : static_cast<char>(number.digits[i] + 1);
  }
  if (carry) {
    number.digits.insert(number.digits.begin(), '1');
    ++number.power;
  }
  while (!number.digits.empty() && number.digits.back() == '0') number.digits.pop_back();
}

/// Whether all digits of a whole number are the ones that were meant, though a spreadsheet keeps
/// only 15: another program wrote it, and not by way of a floating-point number that cannot hold
/// it.
bool isExactWhole(const Decimal& number) {
  if (!number.isPlain) return false;
  if (number.digits.size() > kDoubleDigits) return true;
  constexpr std::string_view largest = "9007199254740992";  // 2^53
  return number.power == 16 && number.digits.size() == 16 && number.digits <= largest;
}

std::string withExponent(const Decimal& number) {
  std::string text = number.negative ? "-" : "";
  text += number.digits.front();
  if (number.digits.size() > 1) text += "." + number.digits.substr(1);
  const int exponent = number.power - 1;
  return text + fmt::format("E{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string plainText(const Decimal& number, char decimal) {
  std::string text = number.negative ? "-" : "";
  const int size = static_cast<int>(number.digits.size());
  if (number.power <= 0) {
    text += "0";
  } else {
    text.append(number.digits, 0, static_cast<std::size_t>(std::min(number.power, size)));
    if (number.power > size) text.append(static_cast<std::size_t>(number.power - size), '0');
  }
  if (size <= number.power) return text;
  text += decimal == 0 ? '.' : decimal;
  if (number.power < 0) text.append(static_cast<std::size_t>(-number.power), '0');
  text.append(number.digits, static_cast<std::size_t>(std::max(number.power, 0)));
  const bool couldBeGroup = number.power >= 1 && number.power <= 3 && size - number.power == 3;
  if (decimal == 0 && couldBeGroup) text += '0';
  return text;
}

std::string textOf(Decimal number, char decimal) {
  const bool isWhole = number.power >= static_cast<int>(number.digits.size());
  if (number.power > static_cast<int>(kKeptDigits)) {
    if (isWhole && isExactWhole(number)) return plainText(number, decimal);
    roundTo(number, kKeptDigits);
    return withExponent(number);
  }
  roundTo(number, kKeptDigits);
  if (number.power < -kLongestFraction) return withExponent(number);
  return plainText(number, decimal);
}

/// Milliseconds of a number of days, rounded; nothing for negative or absurd ones.
std::optional<std::int64_t> millisOf(const Decimal& days) {
  if (days.negative || days.power > 7) return std::nullopt;
  std::int64_t whole = 0;
  for (int i = 0; i < days.power; ++i) {
    const auto at = static_cast<std::size_t>(i);
    whole = whole * 10 + (at < days.digits.size() ? days.digits[at] - '0' : 0);
  }
  std::string fraction(static_cast<std::size_t>(std::max(0, -days.power)), '0');
  if (days.digits.size() > static_cast<std::size_t>(std::max(0, days.power))) {
    fraction += days.digits.substr(static_cast<std::size_t>(std::max(0, days.power)));
  }
  fraction.resize(10, '0');  // 10 µs: days since 1900 hold no more
  std::int64_t parts = 0;
  for (const char c : fraction) parts = parts * 10 + (c - '0');
  constexpr std::int64_t scale = 10'000'000'000;
  return whole * kDayMillis + (parts * kDayMillis + scale / 2) / scale;
}

std::string clockText(std::int64_t millis) {
  const std::int64_t seconds = millis / 1000;
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (millis % 1000 != 0) text += fmt::format(".{:03}", millis % 1000);
  return text;
}

/// Day 60 of the calendar that begins in 1900 is a 29 February that never was; it is shown, and no
/// reader of times takes it.
std::string dayText(std::int64_t day, bool is1904) {
  if (!is1904 && day == 60) return "1900-02-29";
  if (!is1904 && day == 0) return "1900-01-00";
  using namespace std::chrono;
  const sys_days epoch = is1904 ? sys_days(year{1904} / 1 / 1)
                                : sys_days(year{1899} / 12 / 31) - days{day > 60 ? 1 : 0};
  const year_month_day date{epoch + days{day}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::optional<std::string> dateText(const Decimal& number, const CellForm& form, bool is1904) {
  const auto millis = millisOf(number);
  if (!millis) return std::nullopt;
  const std::int64_t day = *millis / kDayMillis, rest = *millis % kDayMillis;
  if (form.kind == CellForm::Kind::Elapsed) return clockText(*millis);
  if (form.kind == CellForm::Kind::Time && day == 0) return clockText(rest);
  if (day > kDaysMost - (is1904 ? 1462 : 0)) return std::nullopt;
  std::string text = dayText(day, is1904);
  if (form.hasTime || form.kind == CellForm::Kind::Time || rest != 0) text += " " + clockText(rest);
  return text;
}

/// What a format shows, by the letters outside of quotes and brackets in its first section.
struct Letters {
  bool day = false, month = false, hour = false, second = false, elapsed = false, other = false;
  std::size_t zeros = 0;
};

Letters lettersOf(std::string_view code) {
  Letters letters;
  for (std::size_t i = 0; i < code.size() && code[i] != ';'; ++i) {
    const char c = code[i] >= 'A' && code[i] <= 'Z' ? static_cast<char>(code[i] + 32) : code[i];
    if (c == '"') {
      i = std::min(code.find('"', i + 1), code.size());
    } else if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '[') {
      const std::size_t close = std::min(code.find(']', i), code.size());
      const std::string_view inside = code.substr(i + 1, close - i - 1);
      const bool isClock =
          !inside.empty() && inside.find_first_not_of("hHmMsS") == std::string_view::npos;
      letters.elapsed = letters.elapsed || isClock;
      i = close;
    } else {
      letters.day = letters.day || c == 'd' || c == 'y';
      letters.month = letters.month || c == 'm';
      letters.hour = letters.hour || c == 'h';
      letters.second = letters.second || c == 's';
      letters.zeros += c == '0' ? 1 : 0;
      letters.other = letters.other || c != '0';
    }
  }
  return letters;
}

}  // namespace

CellForm formOfBuiltin(unsigned id) {
  using Kind = CellForm::Kind;
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id == 36 || (id >= 50 && id <= 54) ||
      id == 57 || id == 58) {
    return {Kind::Date, false, 0};
  }
  if (id == 22) return {Kind::Date, true, 0};
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id == 45 || id == 47 || id == 55 ||
      id == 56) {
    return {Kind::Time, true, 0};
  }
  if (id == 46) return {Kind::Elapsed, true, 0};
  return {};
}

CellForm formOfCode(std::string_view code) {
  using Kind = CellForm::Kind;
  if (code.size() >= 7 && equalsIgnoreCase(code.substr(0, 7), "General")) return {};
  const Letters letters = lettersOf(code);
  if (letters.elapsed) return {Kind::Elapsed, true, 0};
  const bool hasTime = letters.hour || letters.second;
  if (letters.day || (letters.month && !hasTime)) return {Kind::Date, hasTime, 0};
  if (hasTime) return {Kind::Time, true, 0};
  if (!letters.other && letters.zeros >= 2 && letters.zeros <= 30) {
    return {Kind::Padded, false, static_cast<std::uint8_t>(letters.zeros)};
  }
  return {};
}

std::optional<std::string> numberText(std::string_view text, char decimal) {
  auto number = parseDecimal(text);
  if (!number) return std::nullopt;
  return textOf(std::move(*number), decimal);
}

std::optional<std::string> cellText(std::string_view text, const CellForm& form, bool is1904,
                                    char decimal) {
  auto number = parseDecimal(text);
  if (!number) return std::nullopt;
  switch (form.kind) {
    case CellForm::Kind::Number:
      break;
    case CellForm::Kind::Date:
    case CellForm::Kind::Time:
    case CellForm::Kind::Elapsed:
      if (auto date = dateText(*number, form, is1904)) return date;
      break;
    case CellForm::Kind::Padded: {
      std::string plain = textOf(std::move(*number), decimal);
      if (!std::all_of(plain.begin(), plain.end(), isDigit) || plain.size() >= form.digits)
        return plain;
      return std::string(form.digits - plain.size(), '0') + plain;
    }
  }
  return textOf(std::move(*number), decimal);
}

std::optional<CellRef> cellRef(std::string_view text) {
  CellRef ref;
  std::size_t at = 0;
  while (at < text.size() && at < 4 && text[at] >= 'A' && text[at] <= 'Z') {
    ref.column = ref.column * 26 + static_cast<std::uint32_t>(text[at] - 'A' + 1);
    ++at;
  }
  if (at == 0 || ref.column > kMaxSheetColumns) return std::nullopt;
  --ref.column;
  const auto parsed = std::from_chars(text.data() + at, text.data() + text.size(), ref.row);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  if (ref.row == 0 || ref.row > kMaxSheetRows) return std::nullopt;
  return ref;
}

namespace {

/// "_x000D_" at the front of `text` as its code unit.
std::optional<std::uint32_t> escapedUnit(std::string_view text) {
  if (text.size() < 7 || text[1] != 'x' || text[6] != '_') return std::nullopt;
  std::uint32_t unit = 0;
  const auto parsed = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  const bool isUnit = parsed.ec == std::errc() && parsed.ptr == text.data() + 6;
  // Halves of a pair and NUL are no characters: they stay as they are written.
  if (!isUnit || unit == 0 || (unit >= 0xD800 && unit <= 0xDFFF)) return std::nullopt;
  return unit;
}

}  // namespace

void appendCellText(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('_'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto unit = escapedUnit(text);
    if (unit) {
      appendUtf8(out, *unit);
      text.remove_prefix(7);
    } else {
      out += '_';
      text.remove_prefix(1);
    }
  }
  // "\r\n" is one break.
  std::size_t to = start;
  for (std::size_t from = start; from < out.size(); ++from) {
    if (out[from] == '\r' && from + 1 < out.size() && out[from + 1] == '\n') continue;
    out[to++] = out[from] == '\r' || out[from] == '\n' ? ' ' : out[from];
  }
  out.resize(to);
}

}  // namespace counterfoil
