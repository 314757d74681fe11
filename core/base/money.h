// SPDX-License-Identifier: GPL-3.0-or-later
// Money: an integer number of minor units of a currency. Never a floating-point number.
// Exponents are those of ISO 4217 (list one, active and historic codes people still meet).
// All functions are pure, thread-safe and independent of the process locale.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace counterfoil {

/// A three-letter currency code packed into 15 bits (five a letter); 0 is "no currency".
class Currency {
 public:
  constexpr Currency() = default;

  /// Any case, outer spaces allowed; nothing if the code is not one of ISO 4217 we know.
  static std::optional<Currency> parse(std::string_view text);
  /// Inverse of packed(). Requires a value that packed() gave.
  static constexpr Currency fromPacked(std::uint16_t packed) {
    Currency currency;
    currency.m_packed = packed;
    return currency;
  }

  [[nodiscard]] constexpr std::uint16_t packed() const { return m_packed; }
  [[nodiscard]] constexpr bool isNone() const { return m_packed == 0; }
  [[nodiscard]] std::string text() const;  ///< "USD"; "" for none
  [[nodiscard]] int exponent() const;  ///< digits after the point: USD 2, JPY 0, KWD 3; 2 for none

  constexpr auto operator<=>(const Currency&) const = default;

 private:
  std::uint16_t m_packed = 0;
};

struct Money {
  std::int64_t minor = 0;
  Currency currency;

  constexpr auto operator<=>(const Money&) const = default;
};

/// Sums and differences that do not wrap: nothing on overflow.
[[nodiscard]] std::optional<std::int64_t> addChecked(std::int64_t a, std::int64_t b);
[[nodiscard]] std::optional<std::int64_t> subtractChecked(std::int64_t a, std::int64_t b);

/// "1250.00", "-0.05", "1500" (JPY): plain digits, a point, the currency's own decimals. For
/// programs.
[[nodiscard]] std::string formatPlain(const Money& money);
/// The same with millionths of a minor unit behind it ("0.0075"), of the same sign as the minor units.
[[nodiscard]] std::string formatPlain(const Money& money, std::int32_t microMinor);
/// "USD 1,250.00": for people in English text output.
[[nodiscard]] std::string formatForPeople(const Money& money);

/// How a column of a file writes numbers.
enum class DecimalSign : std::uint8_t { Point, Comma };

/// What one amount text tells about its column's decimal sign.
enum class DecimalEvidence : std::uint8_t { None = 0, Point = 1, Comma = 2 };

/// Where the value is to be understood in.
struct AmountStyle {
  DecimalSign decimal = DecimalSign::Point;
  int exponent = 2;  ///< minor units kept: digits after the decimal sign
  bool minorUnits =
      false;  ///< the text already counts minor units: no decimal sign allowed but a zero fraction
};

struct ParsedAmount {
  std::int64_t minor = 0;  ///< without sign
  bool negative = false;   ///< leading, trailing or Unicode minus, or parentheses
  DecimalEvidence evidence = DecimalEvidence::None;
  Currency currency;  ///< of a symbol or code written beside the digits ("1.355,90 €"), else none
  /// The symbol is one that several currencies share ("$", "£", "¥", "Rs", "R", "kr"): `currency`
  /// is only the usual one (none for "kr"), and a currency that the row states wins.
  bool sharedSymbol = false;
  /// Digits beyond the exponent that are not zero, in millionths of a minor unit (fees only); 0
  /// otherwise.
  std::int32_t microMinor = 0;
};

enum class AmountFault : std::uint8_t {
  Empty,
  NotANumber,
  TooManyDecimals,
  BadGrouping,
  Overflow,
  WrongDecimalSign,
  TwoCurrencies
};

struct AmountOutcome {
  ParsedAmount value;
  std::optional<AmountFault> fault;
};

/// Reads "1,250.00", "1.250,00", "1 250,00" (any Unicode space), "1'250.00", "(12.50)", "12.50-",
/// "−12",
/// "$1,250.00", "1e2", "+5". Zero is never negative. Digits of other scripts are NotANumber. Never
/// rounds: a non-zero digit beyond the exponent is TooManyDecimals (unless it is a fee: see
/// microMinor, filled when allowFraction). A grouping sign must stand before groups of three digits
/// (also the Indian 12,34,567).
[[nodiscard]] AmountOutcome parseAmount(std::string_view text, const AmountStyle& style,
                                        bool allowFraction = false);

/// What the text alone says about its decimal sign: "1.234,56" Comma, "12.5" Point, "1.234" None,
/// "0.123", "1234.567" Point, "1.234.567" Comma. What is no amount says nothing.
[[nodiscard]] DecimalEvidence decimalEvidence(std::string_view text);

[[nodiscard]] std::string_view describe(AmountFault fault);

/// Sums by currency that never overflow silently.
class MoneySum {
 public:
  /// Error (Overflow) names the currency.
  Result<> add(const Money& money);
  [[nodiscard]] std::vector<Money> values()
      const;  ///< non-zero sums in order of the currency's code
 private:
  std::vector<Money> m_values;
};

}  // namespace counterfoil
