// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of instant: the pieces that times are written in. No zones here: a civil time is what the
// text says, wallOf() tells whether a calendar and a clock can show it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/instant.h"

namespace counterfoil {

struct CivilTime {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int micro = 0;
  bool hasClock = false;
  std::optional<std::chrono::seconds> offset;  ///< from UTC, where the text says it
};

/// The wall clock's reading; nothing for a date or time of day that does not exist.
[[nodiscard]] std::optional<std::chrono::local_time<Duration>> wallOf(const CivilTime& civil);

/// The whole text in ISO 8601 (extended or basic, "T" or a space, comma or point before the
/// fraction), with its offset if it has one. False: not of that form.
[[nodiscard]] bool readIso(std::string_view text, CivilTime& civil);

/// Reads on from the front of a text; a function that does not find its piece takes nothing.
class TimeCursor {
 public:
  explicit TimeCursor(std::string_view text) : m_rest(text) {}
  [[nodiscard]] std::string_view rest() const { return m_rest; }
  [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
  [[nodiscard]] bool at(char c) const { return !m_rest.empty() && m_rest.front() == c; }

  bool take(char c);
  std::size_t takeSpaces();
  /// A number of at least `least` and at most `most` digits.
  bool takeNumber(std::size_t least, std::size_t most, int& value);
  /// ".123456", ",5": digits beyond microseconds are cut.
  bool takeFraction(int& micro);
  /// "10:00", "9:05:30.25", with " PM" or "am" if it follows.
  bool takeClock(CivilTime& civil);
  /// "AM", "pm".
  bool takeHalf(bool& afternoon);
  /// "Z", "+02", "-03:30", " +0200", " UTC", "PDT" (abbreviations only where told).
  bool takeOffset(CivilTime& civil, bool abbreviations = false);
  /// English, whole or three letters, any case.
  bool takeMonthName(int& month);
  bool takeWeekdayName();

 private:
  [[nodiscard]] std::size_t letters() const;
  std::string_view m_rest;
};

/// 12-hour clock to 24-hour clock; false if the hour is not 1 to 12.
[[nodiscard]] bool applyHalf(bool afternoon, int& hour);

}  // namespace counterfoil
