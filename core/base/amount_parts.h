// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of money: an amount's text taken apart into sign, currency and digits.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/money.h"

namespace counterfoil {

/// The digits of an amount with their signs in plain ASCII: '0' to '9', '.', ',', and for every
/// kind of space ' ', for every apostrophe '\''; perhaps an exponent "e-3".
class AmountDigits {
 public:
  [[nodiscard]] std::string_view view() const { return {m_chars.data(), m_size}; }
  /// False when it is full.
  bool push(char c) {
    if (m_size == m_chars.size()) return false;
    m_chars[m_size++] = c;
    return true;
  }

 private:
  std::array<char, 128> m_chars{};
  std::size_t m_size = 0;
};

struct AmountParts {
  AmountDigits digits;
  bool negative = false;
  Currency currency;
  bool sharedSymbol = false;
  std::optional<AmountFault> fault;
};

[[nodiscard]] AmountParts takeAmountApart(std::string_view text);

/// What the digits say about their decimal sign.
[[nodiscard]] DecimalEvidence evidenceOf(std::string_view digits);

/// Whether `whole` is digits, or digits in groups by one of the signs in `allowed`: thousands, or
/// with a comma also lakhs and crores.
[[nodiscard]] bool isWellGrouped(std::string_view whole, std::string_view allowed);

}  // namespace counterfoil
