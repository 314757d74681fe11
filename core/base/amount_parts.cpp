// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/amount_parts.h"

#include <utility>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace counterfoil {

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool isBeyondAscii(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

struct Symbol {
  std::string_view text;
  std::string_view code;  ///< blank: no usual currency
  bool shared = false;
};

// A longer symbol stands before the shorter one it begins or ends with. Letters in any case.
constexpr Symbol kSymbols[] = {
    {"US$", "USD"},       {"CA$", "CAD"},      {"AU$", "AUD"},     {"NZ$", "NZD"},
    {"HK$", "HKD"},       {"NT$", "TWD"},      {"MX$", "MXN"},     {"C$", "CAD"},
    {"A$", "AUD"},        {"S$", "SGD"},       {"R$", "BRL"},      {"$", "USD", true},
    {"€", "EUR"},         {"£", "GBP", true},  {"¥", "JPY", true}, {"¥", "JPY", true},
    {"₹", "INR"},         {"₽", "RUB"},      {"₩", "KRW"},       {"₪", "ILS"},
    {"₺", "TRY"},         {"₦", "NGN"},        {"₱", "PHP"},       {"₫", "VND"},
    {"₴", "UAH"},         {"₸", "KZT"},        {"GH₵", "GHS"},     {"₵", "GHS"},
    {"฿", "THB"},         {"₡", "CRC"},        {"₲", "PYG"},       {"₮", "MNT"},
    {"₾", "GEL"},       {"₼", "AZN"},      {"৳", "BDT"},       {"₭", "LAK"},
    {"zł", "PLN"},        {"Kč", "CZK"},       {"руб.", "RUB"},    {"руб", "RUB"},
    {"KSh.", "KES"},      {"KSh", "KES"},      {"TSh", "TZS"},     {"USh", "UGX"},
    {"Rs.", "INR", true}, {"Rs", "INR", true}, {"kr.", "", true},  {"kr", "", true},
    {"RM", "MYR"},        {"Rp.", "IDR"},      {"Rp", "IDR"},      {"Ft", "HUF"},
    {"R", "ZAR", true}};

/// Currencies that are written with a shared symbol, for a code beside it ("$5 CAD").
struct Sharing {
  std::string_view usual;
  std::string_view codes;
};
constexpr Sharing kSharing[] = {
    {"USD",
     "AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD ZWG "
     "ZWL ARS CLP COP CUP DOP MXN UYU CVE NIO BOB"},
    {"GBP", "EGP FKP GIP SHP SSP SDG SYP LBP"},
    {"JPY", "CNY"},
    {"INR", "PKR LKR NPR MUR SCR"},
    {"", "SEK NOK DKK ISK"}};

bool mayShare(Currency usual, Currency stated) {
  for (const Sharing& sharing : kSharing) {
    if (sharing.usual == usual.text()) {
      return sharing.codes.find(stated.text()) != std::string_view::npos;
    }
  }
  return false;
}

/// What is left of an amount while affixes are taken off it.
class Affixes {
 public:
  explicit Affixes(std::string_view text) : m_rest(text) {}

  AmountParts take() {
    while (takeSpaces() || takeFront() || takeBack()) {
    }
    if (m_opened != m_closed) fault(AmountFault::NotANumber);
    m_parts.negative = m_parts.negative || m_opened;
    return std::move(m_parts);
  }
  [[nodiscard]] std::string_view rest() const { return m_rest; }

 private:
  void fault(AmountFault value) {
    if (!m_parts.fault) m_parts.fault = value;
  }
  bool cutFront(std::size_t bytes) {
    m_rest.remove_prefix(bytes);
    return true;
  }
  bool cutBack(std::size_t bytes) {
    m_rest.remove_suffix(bytes);
    return true;
  }
  bool takeSpaces() {
    const auto unseen = [](CodePoint point) {
      return point.valid && (isSpace(point.value) || isZeroWidth(point.value));
    };
    const std::size_t before = m_rest.size();
    while (!m_rest.empty() && unseen(codePointAt(m_rest, 0)))
      cutFront(codePointAt(m_rest, 0).length);
    while (!m_rest.empty() && unseen(codePointBefore(m_rest, m_rest.size()))) {
      cutBack(codePointBefore(m_rest, m_rest.size()).length);
    }
    return m_rest.size() != before;
  }
  /// Hyphen-minus, minus sign, and the en dash that typesetters put for it.
  static bool isMinus(CodePoint point) {
    return point.valid && (point.value == '-' || point.value == 0x2212 || point.value == 0x2013);
  }
  void sign(bool negative) {
    if (m_signed) fault(AmountFault::NotANumber);
    m_signed = true;
    m_parts.negative = negative;
  }
  void bracket(bool& side) {
    if (side) fault(AmountFault::NotANumber);
    side = true;
    if (&side == &m_opened) sign(true);
  }

  bool takeFront() {
    if (m_rest.empty() || isDigit(m_rest.front())) return false;
    const CodePoint first = codePointAt(m_rest, 0);
    if (first.value == '(') {
      bracket(m_opened);
      return cutFront(1);
    }
    if (isMinus(first) || first.value == '+') {
      sign(first.value != '+');
      return cutFront(first.length);
    }
    const std::size_t letters = lettersAtFront();
    if (letters == 3 && takeCode(m_rest.substr(0, 3))) return cutFront(3);
    for (const Symbol& symbol : kSymbols) {
      const std::size_t size = symbol.text.size();
      if (size > m_rest.size() || !equalsIgnoreCase(m_rest.substr(0, size), symbol.text)) continue;
      if (isLetter(symbol.text.back()) && letters > size) continue;
      currency(symbol);
      return cutFront(size);
    }
    return false;
  }

  bool takeBack() {
    if (m_rest.empty() || isDigit(m_rest.back())) return false;
    const CodePoint last = codePointBefore(m_rest, m_rest.size());
    if (last.value == ')') {
      bracket(m_closed);
      return cutBack(1);
    }
    if (isMinus(last)) {
      sign(true);
      return cutBack(last.length);
    }
    const std::size_t letters = lettersAtBack();
    if (letters == 3 && takeCode(m_rest.substr(m_rest.size() - 3))) return cutBack(3);
    for (const Symbol& symbol : kSymbols) {
      const std::size_t size = symbol.text.size();
      if (size > m_rest.size()) continue;
      if (!equalsIgnoreCase(m_rest.substr(m_rest.size() - size), symbol.text)) continue;
      if (isLetter(symbol.text.front()) && letters > size) continue;
      currency(symbol);
      return cutBack(size);
    }
    return false;
  }

  [[nodiscard]] std::size_t lettersAtFront() const {
    std::size_t count = 0;
    while (count < m_rest.size() && (isLetter(m_rest[count]) || isBeyondAscii(m_rest[count]))) {
      if (isBeyondAscii(m_rest[count]) && isSpace(codePointAt(m_rest, count).value)) break;
      ++count;
    }
    return count;
  }
  [[nodiscard]] std::size_t lettersAtBack() const {
    std::size_t count = 0;
    while (count < m_rest.size() && isLetter(m_rest[m_rest.size() - 1 - count])) ++count;
    return count;
  }

  bool takeCode(std::string_view letters) {
    const auto code = Currency::parse(letters);
    if (!code) return false;
    state(*code, false);
    return true;
  }
  void currency(const Symbol& symbol) {
    state(Currency::parse(symbol.code).value_or(Currency()), symbol.shared);
  }
  /// A second mark is fine when it says the same, or says which of those that share the symbol.
  void state(Currency stated, bool shared) {
    if (!m_hasCurrency) {
      m_hasCurrency = true;
      m_parts.currency = stated;
      m_parts.sharedSymbol = shared;
      return;
    }
    const Currency earlier = m_parts.currency;
    if (stated == earlier) {
      m_parts.sharedSymbol = m_parts.sharedSymbol && shared;
    } else if (m_parts.sharedSymbol && !shared && mayShare(earlier, stated)) {
      m_parts.currency = stated;
      m_parts.sharedSymbol = false;
    } else if (!m_parts.sharedSymbol && shared && mayShare(stated, earlier)) {
      return;
    } else {
      fault(AmountFault::TwoCurrencies);
    }
  }

  std::string_view m_rest;
  AmountParts m_parts;
  bool m_signed = false;
  bool m_opened = false;
  bool m_closed = false;
  bool m_hasCurrency = false;
};

/// The plain character that stands for a code point among digits; '\0' if none may.
char plainOf(CodePoint point) {
  if (!point.valid) return '\0';
  if (isSpace(point.value)) return point.value == ' ' || point.value >= 0x80 ? ' ' : '\0';
  if (point.value == 0x2019 || point.value == 0x2BC) return '\'';
  if (point.value >= 0x80) return '\0';
  const char c = static_cast<char>(point.value);
  if (c == 'E') return 'e';
  return isDigit(c) || std::string_view(".,'e+-").find(c) != std::string_view::npos ? c : '\0';
}

}  // namespace

AmountParts takeAmountApart(std::string_view text) {
  Affixes affixes(text);
  AmountParts parts = affixes.take();
  const std::string_view core = affixes.rest();
  if (trim(text).empty() || (core.empty() && !parts.fault && parts.currency.isNone() &&
                             !parts.negative && asciiPrefix(text) < text.size())) {
    parts.fault = AmountFault::Empty;
    return parts;
  }
  std::size_t position = 0;
  bool numeric = !core.empty();
  while (numeric && position < core.size()) {
    const CodePoint point = codePointAt(core, position);
    const char plain = plainOf(point);
    numeric = plain != '\0' && parts.digits.push(plain);
    position += point.length;
  }
  if (!numeric) parts.fault = AmountFault::NotANumber;
  return parts;
}

bool isWellGrouped(std::string_view whole, std::string_view allowed) {
  const std::size_t first = whole.find_first_not_of("0123456789");
  if (first == std::string_view::npos) return true;
  const char sign = whole[first];
  if (allowed.find(sign) == std::string_view::npos || first == 0 || first > 3) return false;
  const std::size_t last = whole.rfind(sign);
  if (whole.size() - last != 4) return false;
  bool thousands = true;
  bool lakhs = sign == ',' && first <= 2;
  std::size_t group = 0;
  for (std::size_t i = first + 1; i < whole.size(); ++i) {
    if (isDigit(whole[i])) {
      ++group;
      continue;
    }
    if (whole[i] != sign) return false;
    thousands = thousands && group == 3;
    lakhs = lakhs && group == 2;
    group = 0;
  }
  return thousands || lakhs;
}

namespace {

DecimalEvidence evidenceFor(char sign) {
  return sign == '.' ? DecimalEvidence::Point : DecimalEvidence::Comma;
}

bool isAllDigits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// One sign that stands once: decimal unless it could as well stand before a group of three.
DecimalEvidence evidenceOfOne(std::string_view digits, std::size_t place) {
  const char sign = digits[place];
  const std::string_view whole = digits.substr(0, place);
  const std::string_view after = digits.substr(place + 1);
  if (!isAllDigits(after) || !isWellGrouped(whole, " '")) return DecimalEvidence::None;
  if (whole.empty() && after.empty()) return DecimalEvidence::None;
  const bool couldGroup =
      after.size() == 3 && !whole.empty() && whole.size() <= 3 && whole.front() != '0';
  return couldGroup ? DecimalEvidence::None : evidenceFor(sign);
}

}  // namespace

DecimalEvidence evidenceOf(std::string_view digits) {
  digits = digits.substr(0, digits.find('e'));
  const std::size_t last = digits.find_last_of(".,");
  if (last == std::string_view::npos) return DecimalEvidence::None;
  const char sign = digits[last];
  const char other = sign == '.' ? ',' : '.';
  const std::size_t first = digits.find(sign);
  if (digits.find(other) == std::string_view::npos) {
    if (first == last) return evidenceOfOne(digits, last);
    return isWellGrouped(digits, std::string_view(&sign, 1)) ? evidenceFor(other)
                                                             : DecimalEvidence::None;
  }
  const bool fits = first == last &&
                    isWellGrouped(digits.substr(0, last), std::string_view(&other, 1)) &&
                    isAllDigits(digits.substr(last + 1));
  return fits ? evidenceFor(sign) : DecimalEvidence::None;
}

DecimalEvidence decimalEvidence(std::string_view text) {
  const AmountParts parts = takeAmountApart(text);
  return parts.fault ? DecimalEvidence::None : evidenceOf(parts.digits.view());
}

}  // namespace counterfoil
