// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time_text.h"

#include <array>

#include "core/base/text.h"
#include "core/base/zone_names.h"

namespace counterfoil {

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

/// 1-based place of a name or its first three letters; 0 if none.
template <std::size_t N>
int placeOfName(const std::array<std::string_view, N>& names, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i) {
    if (equalsIgnoreCase(word, names[i].substr(0, 3)) || equalsIgnoreCase(word, names[i])) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

}  // namespace

std::optional<std::chrono::local_time<Duration>> wallOf(const CivilTime& civil) {
  const std::chrono::year_month_day date{std::chrono::year{civil.year},
                                         std::chrono::month{static_cast<unsigned>(civil.month)},
                                         std::chrono::day{static_cast<unsigned>(civil.day)}};
  if (!date.ok()) return std::nullopt;
  const bool endOfDay =
      civil.hour == 24 && civil.minute == 0 && civil.second == 0 && civil.micro == 0;
  const bool leapSecond = civil.second == 60 && civil.minute == 59;
  if (civil.hour > 23 && !endOfDay) return std::nullopt;
  if (civil.minute > 59 || (civil.second > 59 && !leapSecond)) return std::nullopt;
  const Duration second = leapSecond ? Duration{59'999'999}
                                     : std::chrono::seconds{civil.second} + Duration{civil.micro};
  return std::chrono::local_time<Duration>{std::chrono::local_days{date}.time_since_epoch() +
                                           std::chrono::hours{civil.hour} +
                                           std::chrono::minutes{civil.minute} + second};
}

bool TimeCursor::take(char c) {
  if (!at(c)) return false;
  m_rest.remove_prefix(1);
  return true;
}

std::size_t TimeCursor::takeSpaces() {
  std::size_t count = 0;
  while (take(' ')) ++count;
  return count;
}

bool TimeCursor::takeNumber(std::size_t least, std::size_t most, int& value) {
  std::size_t count = 0;
  int number = 0;
  while (count < most && count < m_rest.size() && isDigit(m_rest[count])) {
    number = number * 10 + (m_rest[count] - '0');
    ++count;
  }
  if (count < least) return false;
  m_rest.remove_prefix(count);
  value = number;
  return true;
}

bool TimeCursor::takeFraction(int& micro) {
  if (m_rest.size() < 2 || (m_rest[0] != '.' && m_rest[0] != ',') || !isDigit(m_rest[1]))
    return false;
  m_rest.remove_prefix(1);
  micro = 0;
  int unit = 100'000;
  while (!m_rest.empty() && isDigit(m_rest.front())) {
    micro += (m_rest.front() - '0') * unit;
    unit /= 10;
    m_rest.remove_prefix(1);
  }
  return true;
}

bool TimeCursor::takeHalf(bool& afternoon) {
  const std::string_view word = m_rest.substr(0, letters());
  if (equalsIgnoreCase(word, "am")) {
    afternoon = false;
  } else if (equalsIgnoreCase(word, "pm")) {
    afternoon = true;
  } else {
    return false;
  }
  m_rest.remove_prefix(2);
  return true;
}

bool applyHalf(bool afternoon, int& hour) {
  if (hour < 1 || hour > 12) return false;
  hour = hour % 12 + (afternoon ? 12 : 0);
  return true;
}

bool TimeCursor::takeClock(CivilTime& civil) {
  TimeCursor next = *this;
  CivilTime read = civil;
  read.second = 0;
  read.micro = 0;
  if (!next.takeNumber(1, 2, read.hour) || !next.take(':') || !next.takeNumber(2, 2, read.minute)) {
    return false;
  }
  if (next.take(':')) {
    if (!next.takeNumber(2, 2, read.second)) return false;
    next.takeFraction(read.micro);
  }
  TimeCursor half = next;
  half.takeSpaces();
  bool afternoon = false;
  if (half.takeHalf(afternoon)) {
    if (!applyHalf(afternoon, read.hour)) return false;
    next = half;
  }
  read.hasClock = true;
  civil = read;
  *this = next;
  return true;
}

std::size_t TimeCursor::letters() const {
  std::size_t count = 0;
  while (count < m_rest.size() && isLetter(m_rest[count])) ++count;
  return count;
}

bool TimeCursor::takeOffset(CivilTime& civil, bool abbreviations) {
  TimeCursor next = *this;
  next.takeSpaces();
  std::string_view word = next.m_rest.substr(0, next.letters());
  std::optional<std::chrono::seconds> offset;
  if (!word.empty()) {
    const bool always = equalsIgnoreCase(word, "z") || equalsIgnoreCase(word, "utc") ||
                        equalsIgnoreCase(word, "gmt");
    if (always || abbreviations) offset = offsetOfAbbreviation(word);
  } else if (next.at('+') || next.at('-')) {
    std::size_t size = 1;
    while (size < next.m_rest.size() && (isDigit(next.m_rest[size]) || next.m_rest[size] == ':'))
      ++size;
    word = next.m_rest.substr(0, size);
    offset = offsetOfDigits(word);
  }
  if (!offset) return false;
  next.m_rest.remove_prefix(word.size());
  civil.offset = offset;
  *this = next;
  return true;
}

bool TimeCursor::takeMonthName(int& month) {
  const std::size_t size = letters();
  const std::string_view word = m_rest.substr(0, size);
  const int found = equalsIgnoreCase(word, "sept") ? 9 : placeOfName(kMonths, word);
  if (found == 0) return false;
  month = found;
  m_rest.remove_prefix(size);
  return true;
}

bool TimeCursor::takeWeekdayName() {
  const std::size_t size = letters();
  if (placeOfName(kWeekdays, m_rest.substr(0, size)) == 0) return false;
  m_rest.remove_prefix(size);
  return true;
}

namespace {

/// The two digits at `place`; beyond 99 if they are none.
int twoDigits(std::string_view text, std::size_t place) {
  const auto high = static_cast<unsigned>(text[place] - '0');
  const auto low = static_cast<unsigned>(text[place + 1] - '0');
  return high <= 9 && low <= 9 ? static_cast<int>(high * 10 + low) : 1000;
}

/// Offset or end of the text.
bool readTail(TimeCursor cursor, CivilTime& civil) {
  if (cursor.atEnd()) return true;
  return cursor.takeOffset(civil) && cursor.atEnd();
}

/// "2026-04-07T10:00:00" at the front of a text that is at least so long: no branch a digit.
bool readFixed(std::string_view text, CivilTime& civil) {
  if (text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' ||
      text[16] != ':') {
    return false;
  }
  civil.year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  civil.month = twoDigits(text, 5);
  civil.day = twoDigits(text, 8);
  civil.hour = twoDigits(text, 11);
  civil.minute = twoDigits(text, 14);
  civil.second = twoDigits(text, 17);
  civil.hasClock = true;
  return civil.year < 10'000 && civil.month < 100 && civil.day < 100 && civil.hour < 100 &&
         civil.minute < 100 && civil.second < 100;
}

/// "20260407" and what follows: "T100000Z", "T1000".
bool readBasic(TimeCursor cursor, CivilTime& civil) {
  if (!cursor.takeNumber(4, 4, civil.year) || !cursor.takeNumber(2, 2, civil.month) ||
      !cursor.takeNumber(2, 2, civil.day)) {
    return false;
  }
  if (cursor.atEnd()) return true;
  if (!cursor.take('T') && cursor.takeSpaces() != 1) return false;
  civil.hasClock = true;
  if (cursor.takeClock(civil)) return readTail(cursor, civil);
  if (!cursor.takeNumber(2, 2, civil.hour) || !cursor.takeNumber(2, 2, civil.minute)) return false;
  if (cursor.takeNumber(2, 2, civil.second)) cursor.takeFraction(civil.micro);
  return readTail(cursor, civil);
}

}  // namespace

bool readIso(std::string_view text, CivilTime& civil) {
  if (text.size() >= 19 && readFixed(text, civil)) {
    if (text.size() == 20 && text[19] == 'Z') {
      civil.offset = std::chrono::seconds{0};
      return true;
    }
    TimeCursor cursor(text.substr(19));
    cursor.takeFraction(civil.micro);
    bool afternoon = false;
    TimeCursor half = cursor;
    half.takeSpaces();
    if (half.takeHalf(afternoon)) {
      if (!applyHalf(afternoon, civil.hour)) return false;
      cursor = half;
    }
    return readTail(cursor, civil);
  }
  civil = CivilTime{};
  TimeCursor cursor(text);
  if (text.size() >= 8 && isDigit(text[4])) return readBasic(cursor, civil);
  if (!cursor.takeNumber(4, 4, civil.year) || !cursor.take('-')) return false;
  if (!cursor.takeNumber(2, 2, civil.month) || !cursor.take('-')) return false;
  if (!cursor.takeNumber(2, 2, civil.day)) return false;
  if (cursor.atEnd()) return true;
  if (!cursor.take('T') && !cursor.take('t') && cursor.takeSpaces() == 0) return false;
  return cursor.takeClock(civil) && readTail(cursor, civil);
}

}  // namespace counterfoil
