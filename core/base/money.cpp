// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/money.h"

#include <algorithm>

namespace counterfoil {

std::optional<std::int64_t> addChecked(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<std::int64_t> subtractChecked(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}

namespace {

/// The digits of an amount around the point, `grouping` between thousands ('\0': none).
std::string digitsOf(const Money& money, char grouping) {
  const std::uint64_t magnitude = money.minor < 0 ? 0 - static_cast<std::uint64_t>(money.minor)
                                                  : static_cast<std::uint64_t>(money.minor);
  std::string digits = std::to_string(magnitude);
  const auto decimals = static_cast<std::size_t>(money.currency.exponent());
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  const std::size_t whole = digits.size() - decimals;
  if (decimals > 0) digits.insert(whole, 1, '.');
  if (grouping != '\0') {
    for (std::size_t place = whole; place > 3;) digits.insert(place -= 3, 1, grouping);
  }
  if (money.minor < 0) digits.insert(0, 1, '-');
  return digits;
}

}  // namespace

std::string formatPlain(const Money& money) {
  return digitsOf(money, '\0');
}

std::string formatPlain(const Money& money, std::int32_t microMinor) {
  if (microMinor == 0) return formatPlain(money);
  const bool isNegative = money.minor < 0 || microMinor < 0;
  std::string text = formatPlain({isNegative ? -money.minor : money.minor, money.currency});
  std::string below = std::to_string(std::abs(microMinor));
  below.insert(0, 6 - below.size(), '0');
  below.erase(below.find_last_not_of('0') + 1);
  if (money.currency.exponent() == 0) text += '.';
  return (isNegative ? "-" : "") + text + below;
}

std::string formatForPeople(const Money& money) {
  const std::string code = money.currency.text();
  return code.empty() ? digitsOf(money, ',') : code + ' ' + digitsOf(money, ',');
}

std::string_view describe(AmountFault fault) {
  switch (fault) {
    case AmountFault::Empty:
      return "the amount is blank";
    case AmountFault::NotANumber:
      return "not a number";
    case AmountFault::TooManyDecimals:
      return "more decimals than the currency has";
    case AmountFault::BadGrouping:
      return "grouping signs that do not stand before three digits";
    case AmountFault::Overflow:
      return "larger than an amount can be";
    case AmountFault::WrongDecimalSign:
      return "its decimal sign is not the column's";
    case AmountFault::TwoCurrencies:
      return "two different currencies in one amount";
  }
  return "";
}

Result<> MoneySum::add(const Money& money) {
  const auto place = std::lower_bound(
      m_values.begin(), m_values.end(), money.currency,
      [](const Money& value, Currency currency) { return value.currency < currency; });
  if (place == m_values.end() || place->currency != money.currency) {
    m_values.insert(place, money);
    return {};
  }
  const auto sum = addChecked(place->minor, money.minor);
  if (!sum) {
    const std::string name = money.currency.isNone() ? "no currency" : money.currency.text();
    return fail(ErrorCode::Overflow, "the sum of amounts in " + name + " is too large");
  }
  place->minor = *sum;
  return {};
}

std::vector<Money> MoneySum::values() const {
  std::vector<Money> kept;
  for (const Money& value : m_values) {
    if (value.minor != 0) kept.push_back(value);
  }
  return kept;
}

}  // namespace counterfoil
