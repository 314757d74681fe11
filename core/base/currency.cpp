// SPDX-License-Identifier: GPL-3.0-or-later
// The currencies of ISO 4217: list one, and those of list three that old records still carry. Not
// here: metals, units of account of institutions, test and "no currency" codes.
#include <array>
#include <cstdint>

#include "core/base/money.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

// One string for each exponent; codes are separated by a space.
constexpr std::string_view kExponent2 =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN "
    "BZD "
    "CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL "
    "GHS "
    "GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD "
    "LSL "
    "MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN "
    "PGK "
    "PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB "
    "TJS "
    "TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG "
    // historic
    "AFA ALK AON AOR ATS AZM BGL CSD CSK CUC CYP DDM DEM EEK FIM FRF GHC HRK IEP LTL LVL MRO MTL "
    "MXP "
    "MZM NLG PLZ ROL RUR SDD SDP SIT SKK SLL SRG STD SUR TMM UAK USS VEB VEF XEU YUM ZMK ZWD ZWL "
    "ZWN ZWR";
constexpr std::string_view kExponent0 =
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
    // historic
    "ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL";
constexpr std::string_view kExponent3 = "BHD IQD JOD KWD LYD OMR TND";
constexpr std::string_view kExponent4 = "CLF UYW";

constexpr std::int8_t kUnknown = -1;

constexpr unsigned letterNumber(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A' + 1);
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a' + 1);
  return 0;
}

/// 0 if one of the three is no letter of ASCII.
constexpr std::uint16_t pack(char a, char b, char c) {
  const unsigned x = letterNumber(a);
  const unsigned y = letterNumber(b);
  const unsigned z = letterNumber(c);
  if (x == 0 || y == 0 || z == 0) return 0;
  return static_cast<std::uint16_t>((x << 10) | (y << 5) | z);
}

using Table = std::array<std::int8_t, 1u << 15>;

constexpr void enter(Table& table, std::string_view codes, std::int8_t exponent) {
  for (std::size_t i = 0; i + 3 <= codes.size(); i += 4) {
    table[pack(codes[i], codes[i + 1], codes[i + 2])] = exponent;
  }
}

constexpr Table makeTable() {
  Table table{};
  for (std::int8_t& entry : table) entry = kUnknown;
  enter(table, kExponent2, 2);
  enter(table, kExponent0, 0);
  enter(table, kExponent3, 3);
  enter(table, kExponent4, 4);
  return table;
}

/// Exponent by packed code: 32 KiB, of which few lines are ever touched.
constexpr Table kTable = makeTable();

}  // namespace

std::optional<Currency> Currency::parse(std::string_view text) {
  if (text.size() != 3) text = trim(text);
  if (text.size() != 3) return std::nullopt;
  const std::uint16_t packed = pack(text[0], text[1], text[2]);
  if (kTable[packed] == kUnknown) return std::nullopt;
  return fromPacked(packed);
}

std::string Currency::text() const {
  if (isNone()) return {};
  const auto letter = [this](unsigned shift) {
    return static_cast<char>('A' - 1 + ((m_packed >> shift) & 31));
  };
  return {letter(10), letter(5), letter(0)};
}

int Currency::exponent() const {
  if (m_packed >= kTable.size() || kTable[m_packed] == kUnknown) return 2;
  return kTable[m_packed];
}

}  // namespace counterfoil
