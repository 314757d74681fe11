// SPDX-License-Identifier: GPL-3.0-or-later
// Reading amounts: a fast way for plain digits, and the whole grammar for the rest.
#include <algorithm>
#include <array>
#include <limits>

#include "core/base/amount_parts.h"
#include "core/base/money.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kMinorMax = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kFastDigitsMax = 18;  // 10^18 fits 64 bits
constexpr std::array<std::uint64_t, 6> kPowers = {1, 10, 100, 1'000, 10'000, 100'000};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

char signOf(DecimalSign sign) {
  return sign == DecimalSign::Point ? '.' : ',';
}

int exponentOf(const AmountStyle& style) {
  return style.minorUnits ? 0 : style.exponent;
}

/// Plain digits, one decimal sign between two of them at most, a minus before. False: not so plain,
/// or something is wrong with it; `value` is then unchanged.
bool readPlain(std::string_view text, const AmountStyle& style, ParsedAmount& value) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kFastDigitsMax + 1) return false;
  const char decimal = signOf(style.decimal);
  std::uint64_t number = 0;
  std::size_t place = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = static_cast<unsigned>(text[i] - '0');
    if (digit <= 9) {
      number = number * 10 + digit;
    } else if (text[i] == decimal && place == text.size()) {
      place = i;
    } else {
      return false;
    }
  }
  const bool hasSign = place < text.size();
  if (text.size() - (hasSign ? 1 : 0) > kFastDigitsMax) return false;
  if (place == 0 || place + 1 == text.size()) return false;
  const std::size_t decimals = hasSign ? text.size() - place - 1 : 0;
  int shift = exponentOf(style) - static_cast<int>(decimals);
  for (; shift < 0 && number % 10 == 0; ++shift) number /= 10;
  if (shift < 0 || static_cast<std::size_t>(shift) >= kPowers.size()) return false;
  const std::uint64_t power = kPowers[static_cast<std::size_t>(shift)];
  if (number > kMinorMax / power) return false;
  number *= power;
  value.minor = static_cast<std::int64_t>(number);
  value.negative = negative && number != 0;
  if (hasSign && (decimals != 3 || place > 3 || text.front() == '0')) {
    value.evidence =
        style.decimal == DecimalSign::Point ? DecimalEvidence::Point : DecimalEvidence::Comma;
  }
  return true;
}

/// Digits and the power of ten they are multiplied with; no zeros at either end.
struct Decimal {
  std::array<char, 128> digits{};
  std::size_t size = 0;
  int power = 0;
};

/// digits x 10^power as a whole number of at most `kMinorMax`. Requires power >= 0.
std::optional<std::uint64_t> wholeOf(std::string_view digits, int power) {
  if (digits.empty()) return 0;
  if (digits.size() + static_cast<std::size_t>(power) > 19) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : digits) number = number * 10 + static_cast<unsigned>(c - '0');
  for (int i = 0; i < power; ++i) {
    if (number > kMinorMax / 10) return std::nullopt;
    number *= 10;
  }
  if (number > kMinorMax) return std::nullopt;
  return number;
}

/// Digits of a fee below the minor unit.
constexpr int kFractionDigits = 6;

/// Sets the amount from digits x 10^power minor units.
std::optional<AmountFault> setMinor(const Decimal& decimal, bool allowFraction,
                                    ParsedAmount& value) {
  const std::string_view digits(decimal.digits.data(), decimal.size);
  if (decimal.power >= 0) {
    const auto whole = wholeOf(digits, decimal.size == 0 ? 0 : decimal.power);
    if (!whole) return AmountFault::Overflow;
    value.minor = static_cast<std::int64_t>(*whole);
    return std::nullopt;
  }
  if (!allowFraction || decimal.power < -kFractionDigits) return AmountFault::TooManyDecimals;
  const auto below = static_cast<std::size_t>(-decimal.power);
  const std::size_t split = digits.size() > below ? digits.size() - below : 0;
  const auto whole = wholeOf(digits.substr(0, split), 0);
  if (!whole) return AmountFault::Overflow;
  const auto micro = wholeOf(digits.substr(split), kFractionDigits - static_cast<int>(below));
  value.minor = static_cast<std::int64_t>(*whole);
  value.microMinor = static_cast<std::int32_t>(*micro);
  return std::nullopt;
}

/// The exponent that begins at `text` ("e-3"), which is cut off. Bounded; nothing if malformed.
std::optional<int> takeExponent(std::string_view& text) {
  constexpr int kMost = 100'000;
  const std::size_t mark = text.find('e');
  if (mark == std::string_view::npos) return 0;
  std::string_view rest = text.substr(mark + 1);
  text = text.substr(0, mark);
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  if (rest.empty() || !std::all_of(rest.begin(), rest.end(), isDigit)) return std::nullopt;
  int power = 0;
  for (const char c : rest) power = std::min(kMost, power * 10 + (c - '0'));
  return negative ? -power : power;
}

/// What is wrong with the shape of digits and signs; none if they are a number in this style.
/// `mark` is the place of the decimal sign, or the end.
std::optional<AmountFault> faultOfShape(std::string_view text, DecimalSign style, bool hasExponent,
                                        std::size_t& mark) {
  const char decimal = signOf(style);
  mark = std::min(text.find(decimal), text.size());
  const std::string_view whole = text.substr(0, mark);
  const std::string_view fraction = text.substr(std::min(mark + 1, text.size()));
  const std::string_view grouping =
      decimal == '.' ? std::string_view(", '") : std::string_view(". '");
  if (std::none_of(text.begin(), text.end(), isDigit)) return AmountFault::NotANumber;
  if (text.find_first_of("+-") != std::string_view::npos) return AmountFault::NotANumber;
  if (!std::all_of(fraction.begin(), fraction.end(), isDigit)) return AmountFault::BadGrouping;
  if (!isWellGrouped(whole, hasExponent ? std::string_view() : grouping))
    return AmountFault::BadGrouping;
  return std::nullopt;
}

Decimal decimalOf(std::string_view text, std::size_t mark, int power) {
  Decimal decimal;
  decimal.power = power;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!isDigit(text[i])) continue;
    if (i > mark) --decimal.power;
    if (decimal.size > 0 || text[i] != '0') decimal.digits[decimal.size++] = text[i];
  }
  while (decimal.size > 0 && decimal.digits[decimal.size - 1] == '0') {
    --decimal.size;
    ++decimal.power;
  }
  if (decimal.size == 0) decimal.power = 0;
  return decimal;
}

}  // namespace

AmountOutcome parseAmount(std::string_view text, const AmountStyle& style, bool allowFraction) {
  AmountOutcome outcome;
  if (readPlain(text, style, outcome.value)) return outcome;
  const AmountParts parts = takeAmountApart(text);
  outcome.fault = parts.fault;
  if (outcome.fault) return outcome;
  ParsedAmount& value = outcome.value;
  value.currency = parts.currency;
  value.sharedSymbol = parts.sharedSymbol;
  value.evidence = evidenceOf(parts.digits.view());
  std::string_view digits = parts.digits.view();
  const auto power = takeExponent(digits);
  const bool hasExponent = digits.size() != parts.digits.view().size();
  std::size_t mark = 0;
  outcome.fault = power ? faultOfShape(digits, style.decimal, hasExponent, mark)
                        : std::optional(AmountFault::NotANumber);
  const auto wrong =
      style.decimal == DecimalSign::Point ? DecimalEvidence::Comma : DecimalEvidence::Point;
  if (outcome.fault != AmountFault::NotANumber && value.evidence == wrong) {
    outcome.fault = AmountFault::WrongDecimalSign;
  }
  if (outcome.fault) return outcome;
  const Decimal decimal = decimalOf(digits, mark, *power + exponentOf(style));
  outcome.fault = setMinor(decimal, allowFraction, value);
  value.negative = parts.negative && (value.minor != 0 || value.microMinor != 0);
  return outcome;
}

}  // namespace counterfoil
