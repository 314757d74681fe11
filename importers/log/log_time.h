// SPDX-License-Identifier: GPL-3.0-or-later
// Times as log lines begin with them: where they end in the line, and what they leave out.
// Internal to importers/log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "importers/readers/arena.h"

namespace counterfoil::logs {

struct LogTime {
  enum class Lacks : std::uint8_t { Nothing, Date, Year };
  std::string_view text;   ///< as written; blank: there is none
  Lacks lacks = Lacks::Nothing;
  int year = 0, month = 0, day = 0;   ///< as far as it has them
  int second = 0;                     ///< of the day
  std::string_view clock;             ///< of `text`: hours and what follows
  [[nodiscard]] bool isBlank() const { return text.empty(); }
};

/// The time at the front of a text: "2026-11-29T12:00:31.644Z", "2026-11-29 12:00:31,644",
/// "2026/11/29 12:00:31", "12:00:31.644", "Nov 29 12:00:31", with an offset if one follows. Returns its length;
/// 0: there is none.
[[nodiscard]] std::size_t readLogTime(std::string_view text, LogTime& time);
/// The whole text is such a time.
[[nodiscard]] std::optional<LogTime> wholeLogTime(std::string_view text);

/// A number of seconds, milliseconds, microseconds or nanoseconds since 1970, by its size, as ISO in UTC. Blank
/// where it is none.
[[nodiscard]] std::string_view isoOfEpoch(std::string_view number, Arena& arena);

/// The day that lines before have named, for times without one. Lines come in order: a clock that jumps back by
/// more than half a day has passed midnight, months that go back by more than half a year the year's end. A line
/// of the last minute behind one of the first minute was only written late.
class LastDate {
 public:
  LastDate() = default;
  /// From a date as a layout or a file's name has it; nothing is known where it is none.
  explicit LastDate(std::string_view isoDate);
  void see(const LogTime& time);
  /// Gives a time what it lacks. False: no date is known.
  [[nodiscard]] bool complete(LogTime& time, Arena& arena);

 private:
  void moveBy(int days);
  void takeMonth(LogTime& time);
  void takeClock(LogTime& time);
  int m_year = 0, m_month = 0, m_day = 0;   ///< year 0: not known
  int m_second = 0;                         ///< of the line before
  bool m_isSeen = false;                    ///< there was one
};

}  // namespace counterfoil::logs
