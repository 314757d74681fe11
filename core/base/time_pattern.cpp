// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time_pattern.h"

#include "core/base/text.h"

namespace counterfoil {

namespace {

/// What a pattern holds, one character a letter.
bool holds(std::string_view letters, std::string_view anyOf) {
  return letters.find_first_of(anyOf) != std::string_view::npos;
}

std::string problemOf(std::string_view letters) {
  const bool monthDay = holds(letters, "mbB") && holds(letters, "d");
  if (!holds(letters, "Yy") || !(monthDay || holds(letters, "j"))) {
    return "it needs a whole date: %Y (or %y) with %m (or %b) and %d, or %j, or %F";
  }
  if (holds(letters, "I") != holds(letters, "p")) return "%I and %p go together";
  if (holds(letters, "H") && holds(letters, "I")) return "%H and %I exclude each other";
  if (holds(letters, "MS") && !holds(letters, "HI")) return "%M and %S need %H or %I";
  return {};
}

/// What the pattern's letters gave that is not yet in the civil time.
struct Pending {
  std::optional<int> dayOfYear;
  std::optional<bool> afternoon;
};

bool takeLetter(char letter, TimeCursor& cursor, CivilTime& civil, Pending& pending) {
  int number = 0;
  bool afternoon = false;
  switch (letter) {
    case 'Y':
      return cursor.takeNumber(4, 4, civil.year);
    case 'y':
      if (!cursor.takeNumber(2, 2, number)) return false;
      civil.year = number + (number < 70 ? 2000 : 1900);
      return true;
    case 'm':
      return cursor.takeNumber(1, 2, civil.month);
    case 'd':
      return cursor.takeNumber(1, 2, civil.day);
    case 'b':
    case 'B':
      return cursor.takeMonthName(civil.month);
    case 'j':
      if (!cursor.takeNumber(1, 3, number)) return false;
      pending.dayOfYear = number;
      return true;
    case 'H':
    case 'I':
      civil.hasClock = true;
      return cursor.takeNumber(1, 2, civil.hour);
    case 'M':
      return cursor.takeNumber(1, 2, civil.minute);
    case 'S':
      if (!cursor.takeNumber(1, 2, civil.second)) return false;
      cursor.takeFraction(civil.micro);
      return true;
    case 'p':
      if (!cursor.takeHalf(afternoon)) return false;
      pending.afternoon = afternoon;
      return true;
    case 'z':
      return cursor.takeOffset(civil);
    case 'Z':
      return cursor.takeOffset(civil, true);
    default:
      return cursor.take(letter);  // %%
  }
}

/// Turns a day of the year into month and day; false if the year has no such day.
bool setDayOfYear(int dayOfYear, CivilTime& civil) {
  const std::chrono::year year{civil.year};
  if (dayOfYear < 1 || dayOfYear > (year.is_leap() ? 366 : 365)) return false;
  const std::chrono::year_month_day date{std::chrono::sys_days{year / 1 / 1} +
                                         std::chrono::days{dayOfYear - 1}};
  civil.month = static_cast<int>(static_cast<unsigned>(date.month()));
  civil.day = static_cast<int>(static_cast<unsigned>(date.day()));
  return true;
}

}  // namespace

Result<TimePattern> TimePattern::make(std::string_view pattern) {
  constexpr std::size_t kLongest = 256;
  const std::string shown = "time form \"" + forTerminal(pattern.substr(0, kLongest)) + "\": ";
  if (pattern.size() > kLongest) return fail(ErrorCode::Config, shown + "it is too long");
  TimePattern made;
  std::string letters;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      made.m_pattern += pattern[i];
      continue;
    }
    const char letter = i + 1 < pattern.size() ? pattern[++i] : '\0';
    if (letter == 'T') {
      made.m_pattern += "%H:%M:%S";
      letters += "HMS";
    } else if (letter == 'F') {
      made.m_pattern += "%Y-%m-%d";
      letters += "Ymd";
    } else if (letter != '\0' &&
               std::string_view("YmdHMSybBpIzZj%").find(letter) != std::string_view::npos) {
      made.m_pattern += '%';
      made.m_pattern += letter;
      letters += letter;
    } else {
      const std::string unknown =
          letter == '\0' ? "a single % at its end" : "unknown letter %" + forTerminal({&letter, 1});
      return fail(
          ErrorCode::Config,
          shown + unknown + "; known are %Y %m %d %H %M %S %y %b %B %p %I %z %Z %j %T %F %%");
    }
  }
  const std::string problem = problemOf(letters);
  if (!problem.empty()) return fail(ErrorCode::Config, shown + problem);
  return made;
}

std::optional<TimeFault> TimePattern::read(std::string_view text, CivilTime& civil) const {
  TimeCursor cursor(text);
  Pending pending;
  for (std::size_t i = 0; i < m_pattern.size(); ++i) {
    const char c = m_pattern[i];
    bool found = false;
    if (c == '%') {
      found = takeLetter(m_pattern[++i], cursor, civil, pending);
    } else {
      found = c == ' ' ? cursor.takeSpaces() > 0 : cursor.take(c);
    }
    if (!found) return TimeFault::NotATime;
  }
  if (!cursor.atEnd()) return TimeFault::NotATime;
  if (pending.afternoon && !applyHalf(*pending.afternoon, civil.hour)) return TimeFault::NoSuchDate;
  if (pending.dayOfYear && !setDayOfYear(*pending.dayOfYear, civil)) return TimeFault::NoSuchDate;
  return std::nullopt;
}

}  // namespace counterfoil
