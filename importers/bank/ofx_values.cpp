// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/bank/ofx_values.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "core/base/text.h"
#include "importers/bank/bank_rows.h"

namespace counterfoil::bank {

namespace {

/// "-5", "+5.30", "5.5": hours, and a fraction that programs write as minutes or as a decimal.
std::optional<std::string> isoOffset(std::string_view text) {
  bool isNegative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    isNegative = text[0] == '-';
    text.remove_prefix(1);
  }
  const std::size_t point = text.find('.');
  const std::string_view hours = text.substr(0, point);
  if (!isDigits(hours) || hours.size() > 2) return std::nullopt;
  const int hour = hours.size() == 2 ? (hours[0] - '0') * 10 + (hours[1] - '0') : hours[0] - '0';
  if (hour > 14) return std::nullopt;
  const std::string_view fraction = point == std::string_view::npos ? "0" : text.substr(point + 1);
  constexpr std::array<std::pair<std::string_view, int>, 10> kMinutes = {{{"0", 0},
                                                                          {"00", 0},
                                                                          {"5", 30},
                                                                          {"50", 30},
                                                                          {"30", 30},
                                                                          {"3", 30},
                                                                          {"25", 15},
                                                                          {"15", 15},
                                                                          {"75", 45},
                                                                          {"45", 45}}};
  for (const auto& [written, minutes] : kMinutes) {
    if (written == fraction)
      return fmt::format("{}{:02}:{:02}", isNegative ? '-' : '+', hour, minutes);
  }
  return std::nullopt;
}

bool isBelow(std::string_view two, std::string_view limit) {
  return isDigits(two) && two < limit;
}

void appendUtf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

/// False if `name` (between & and ;) is no character.
bool appendEntity(std::string& out, std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 6> kNamed = {
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"nbsp", ' '}}};
  for (const auto& [known, code] : kNamed) {
    if (known != name) continue;
    appendUtf8(out, code);
    return true;
  }
  if (name.size() < 2 || name[0] != '#') return false;
  const bool isHex = name[1] == 'x' || name[1] == 'X';
  const std::string_view digits = name.substr(isHex ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return false;
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  appendUtf8(out, code);
  return true;
}

}  // namespace

std::optional<std::string> isoTime(std::string_view text) {
  text = trim(text);
  const std::size_t bracket = text.find('[');
  const std::string_view zone =
      bracket == std::string_view::npos ? std::string_view() : text.substr(bracket + 1);
  text = trim(text.substr(0, bracket));
  if (text.size() < 8) return std::nullopt;
  const auto date = isoDate(text.substr(0, 4), text.substr(4, 2), text.substr(6, 2));
  if (!date) return std::nullopt;
  std::string_view time = text.substr(8);
  if (time.empty()) return date;
  if (time.size() == 4) {  // without seconds
    if (!isBelow(time.substr(0, 2), "24") || !isBelow(time.substr(2, 2), "60")) return std::nullopt;
  } else if (time.size() < 6 || !isBelow(time.substr(0, 2), "24") ||
             !isBelow(time.substr(2, 2), "60") || !isBelow(time.substr(4, 2), "61")) {
    return std::nullopt;
  }
  std::string iso = fmt::format("{}T{}:{}:{}", *date, time.substr(0, 2), time.substr(2, 2),
                                time.size() == 4 ? std::string_view("00") : time.substr(4, 2));
  if (time.size() > 6) {
    if (time[6] != '.' || !isDigits(time.substr(7)) || time.size() > 13) return std::nullopt;
    iso += time.substr(6);
  }
  if (zone.empty()) return iso + "Z";
  const auto offset = isoOffset(trim(zone.substr(0, zone.find_first_of(":]"))));
  if (!offset) return std::nullopt;
  return iso + *offset;
}

std::string withoutEntities(std::string_view text) {
  if (text.find('&') == std::string_view::npos) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '&'
                                ? text.substr(0, std::min(text.size(), at + 12)).find(';', at)
                                : std::string_view::npos;
    if (end != std::string_view::npos && appendEntity(out, text.substr(at + 1, end - at - 1))) {
      at = end + 1;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace counterfoil::bank
