// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/exact_number.h"

#include <algorithm>
#include <charconv>

#include "core/base/amount_parts.h"

namespace counterfoil {

namespace {

constexpr int kDecimals = 9;
constexpr int kMostDigits = 18;
constexpr std::string_view kDigits = "0123456789";

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// digits x 10^-decimals, if nine decimals and eighteen digits before them hold it.
std::optional<Nano> nanoOf(std::string digits, int decimals) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  int power = kDecimals - decimals;
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++power;
  }
  if (digits.empty()) return Nano{0};
  if (power < 0 || static_cast<int>(digits.size()) + power > kDecimals + kMostDigits)
    return std::nullopt;
  Nano value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  for (; power > 0; --power) value *= 10;
  return value;
}

std::optional<int> takeExponent(std::string_view& digits) {
  const std::size_t mark = digits.find('e');
  if (mark == std::string_view::npos) return 0;
  std::string_view text = digits.substr(mark + 1);
  digits = digits.substr(0, mark);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int power = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (power < -30 || power > 30) return std::nullopt;
  return power;
}

/// Plain digits with at most one point: most numbers of most files.
std::optional<Nano> parsePlain(std::string_view text, DecimalSign decimal) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  std::int64_t number = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (isDigit(text[i])) {
      number = number * 10 + (text[i] - '0');
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return std::nullopt;
    }
  }
  const std::size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
  if (point == 0 || (point < text.size() && decimals == 0) || decimals > kDecimals)
    return std::nullopt;
  if (decimals == 3 && decimal == DecimalSign::Comma) return std::nullopt;  // perhaps thousands
  Nano value = number;
  for (std::size_t i = decimals; i < kDecimals; ++i) value *= 10;
  return negative ? -value : value;
}

}  // namespace

std::optional<Nano> parseExact(std::string_view text, DecimalSign decimal) {
  if (const auto plain = parsePlain(text, decimal)) return plain;
  const AmountParts parts = takeAmountApart(text);
  if (parts.fault) return std::nullopt;
  std::string_view digits = parts.digits.view();
  const DecimalEvidence evidence = evidenceOf(digits);
  const bool hasExponent = digits.find('e') != std::string_view::npos;
  const auto power = takeExponent(digits);
  if (!power) return std::nullopt;
  if (evidence != DecimalEvidence::None) {
    decimal = evidence == DecimalEvidence::Point ? DecimalSign::Point : DecimalSign::Comma;
  }
  const char sign = decimal == DecimalSign::Point ? '.' : ',';
  const std::string_view grouping = decimal == DecimalSign::Point ? ", '" : ". '";
  const std::size_t mark = std::min(digits.find(sign), digits.size());
  const std::string_view whole = digits.substr(0, mark);
  const std::string_view fraction = digits.substr(std::min(mark + 1, digits.size()));
  if (fraction.find_first_not_of(kDigits) != std::string_view::npos) return std::nullopt;
  if (!isWellGrouped(whole, hasExponent ? std::string_view() : grouping)) return std::nullopt;
  if (digits.find_first_of(kDigits) == std::string_view::npos) return std::nullopt;
  std::string all;
  for (const char c : whole) {
    if (isDigit(c)) all += c;
  }
  all += fraction;
  const auto value = nanoOf(std::move(all), static_cast<int>(fraction.size()) - *power);
  if (!value) return std::nullopt;
  return parts.negative ? -*value : *value;
}

std::string exactText(Nano value) {
  const bool negative = value < 0;
  Nano rest = negative ? -value : value;
  std::string digits;
  while (rest > 0 || digits.size() <= kDecimals) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  }
  std::string whole = digits.substr(0, digits.size() - kDecimals);
  std::string fraction = digits.substr(digits.size() - kDecimals);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (fraction.size() == 1) fraction += '0';
  return (negative ? "-" : "") + whole + (fraction.empty() ? "" : "." + fraction);
}

}  // namespace counterfoil
