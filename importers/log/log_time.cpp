// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/log/log_time.h"

#include <array>
#include <chrono>
#include <cstring>

#include "core/base/instant.h"
#include "core/base/text.h"

namespace counterfoil::logs {

namespace {

constexpr int kMinute = 60, kDay = 24 * 3600, kHalfDay = kDay / 2;
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// `count` digits at `at`; -1 if they are none.
int numberAt(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!isDigit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

bool charAt(std::string_view text, std::size_t at, char c) { return at < text.size() && text[at] == c; }

/// "12:00:31.644"; the position behind it, 0 if there is no clock.
std::size_t readClock(std::string_view text, std::size_t at, LogTime& time) {
  const int hour = numberAt(text, at, 2), minute = numberAt(text, at + 3, 2), second = numberAt(text, at + 6, 2);
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) return 0;
  if (!charAt(text, at + 2, ':') || !charAt(text, at + 5, ':')) return 0;
  time.second = hour * 3600 + minute * 60 + second;
  std::size_t end = at + 8;
  if (end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && isDigit(text[end + 1])) {
    ++end;
    while (end < text.size() && isDigit(text[end])) ++end;
  }
  return end;
}

/// "Z", "+01:00", "+0100", " +0100", " UTC" behind a clock; the position behind it.
std::size_t behindOffset(std::string_view text, std::size_t at) {
  if (charAt(text, at, 'Z')) return at + 1;
  if (text.substr(at, 4) == " UTC") return at + 4;
  const bool isApart = charAt(text, at, ' ');
  const std::size_t sign = at + (isApart ? 1 : 0);
  if (!charAt(text, sign, '+') && !charAt(text, sign, '-')) return at;
  const bool hasColon = charAt(text, sign + 3, ':');
  const std::size_t minutes = sign + (hasColon ? 4 : 3);
  if (numberAt(text, sign + 1, 2) < 0) return at;
  if (numberAt(text, minutes, 2) >= 0) return minutes + 2;
  return isApart || hasColon ? at : sign + 3;
}

std::size_t readFull(std::string_view text, LogTime& time) {
  const int year = numberAt(text, 0, 4), month = numberAt(text, 5, 2), day = numberAt(text, 8, 2);
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return 0;
  const char sign = text[4];
  if ((sign != '-' && sign != '/') || text[7] != sign || text.size() < 19) return 0;
  if (text[10] != 'T' && text[10] != ' ') return 0;
  std::size_t end = readClock(text, 11, time);
  if (end == 0) return 0;
  time.year = year, time.month = month, time.day = day;
  time.clock = text.substr(11, end - 11);
  end = behindOffset(text, end);
  time.text = text.substr(0, end);
  time.lacks = LogTime::Lacks::Nothing;
  return end;
}

std::size_t readWithoutYear(std::string_view text, LogTime& time) {
  int month = 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (text.substr(0, 3) == kMonths[i]) month = static_cast<int>(i) + 1;
  }
  if (month == 0 || !charAt(text, 3, ' ') || text.size() < 15) return 0;
  const int day = text[4] == ' ' ? numberAt(text, 5, 1) : numberAt(text, 4, 2);
  if (day < 1 || day > 31 || text[6] != ' ') return 0;
  const std::size_t end = readClock(text, 7, time);
  if (end == 0) return 0;
  time.month = month, time.day = day;
  time.clock = text.substr(7, end - 7);
  time.text = text.substr(0, end);
  time.lacks = LogTime::Lacks::Year;
  return end;
}

std::size_t readWithoutDate(std::string_view text, LogTime& time) {
  const std::size_t end = readClock(text, 0, time);
  if (end == 0) return 0;
  time.clock = time.text = text.substr(0, end);
  time.lacks = LogTime::Lacks::Date;
  return end;
}

char* putNumber(char* out, int value, int digits) {
  for (int i = digits - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
  return out + digits;
}

char* putDate(char* out, int year, int month, int day) {
  out = putNumber(out, year, 4);
  *out++ = '-';
  out = putNumber(out, month, 2);
  *out++ = '-';
  out = putNumber(out, day, 2);
  *out++ = 'T';
  return out;
}

std::string_view isoOf(Instant at, Arena& arena) {
  const auto days = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(days);
  const auto micros = static_cast<std::int64_t>((at - days).count());
  const auto seconds = static_cast<int>(micros / 1'000'000);
  constexpr std::size_t kSize = 27;
  char* const start = arena.take(kSize);
  char* out = putDate(start, static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
                      static_cast<int>(static_cast<unsigned>(date.day())));
  out = putNumber(out, seconds / 3600, 2);
  *out++ = ':';
  out = putNumber(out, seconds / 60 % 60, 2);
  *out++ = ':';
  out = putNumber(out, seconds % 60, 2);
  *out++ = '.';
  out = putNumber(out, static_cast<int>(micros % 1'000'000), 6);
  *out++ = 'Z';
  return {start, kSize};
}

}  // namespace

std::size_t readLogTime(std::string_view text, LogTime& time) {
  if (text.size() < 8) return 0;
  time = {};
  if (!isDigit(text.front())) return readWithoutYear(text, time);
  return text[2] == ':' ? readWithoutDate(text, time) : readFull(text, time);
}

std::optional<LogTime> wholeLogTime(std::string_view text) {
  LogTime time;
  text = trim(text);
  if (readLogTime(text, time) != text.size() || text.empty()) return std::nullopt;
  return time;
}

std::string_view isoOfEpoch(std::string_view number, Arena& arena) {
  static const TimeForm kSeconds = *TimeForm::make("unix", Zone()), kMillis = *TimeForm::make("unix_ms", Zone()),
                        kMicros = *TimeForm::make("unix_us", Zone());
  number = trim(number);
  std::size_t whole = 0;
  while (whole < number.size() && isDigit(number[whole])) ++whole;
  if (whole < 9 || whole > 19 || (whole < number.size() && number[whole] != '.')) return {};
  if (whole > 16) number = number.substr(0, whole - 3);   // nanoseconds
  const TimeForm& form = whole < 12 ? kSeconds : whole < 15 ? kMillis : kMicros;
  const TimeOutcome outcome = form.parse(number);
  if (outcome.fault) return {};
  return isoOf(outcome.value.at, arena);
}

LastDate::LastDate(std::string_view isoDate) {
  const int year = numberAt(isoDate, 0, 4), month = numberAt(isoDate, 5, 2), day = numberAt(isoDate, 8, 2);
  if (isoDate.size() != 10 || year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return;
  m_year = year, m_month = month, m_day = day;
}

void LastDate::see(const LogTime& time) {
  if (time.isBlank() || time.lacks != LogTime::Lacks::Nothing || time.year == 0) return;
  m_year = time.year, m_month = time.month, m_day = time.day;
  m_second = time.second;
  m_isSeen = true;
}

void LastDate::moveBy(int days) {
  using namespace std::chrono;
  const year_month_day moved(sys_days(year(m_year) / m_month / m_day) + std::chrono::days(days));
  m_year = static_cast<int>(moved.year());
  m_month = static_cast<int>(static_cast<unsigned>(moved.month()));
  m_day = static_cast<int>(static_cast<unsigned>(moved.day()));
}

void LastDate::takeMonth(LogTime& time) {
  constexpr int kHalfYear = 6;
  if (m_month + kHalfYear < time.month) {   // written late, of the year before
    time.year = m_year - 1;
    return;
  }
  if (time.month + kHalfYear < m_month) ++m_year;
  time.year = m_year;
  m_month = time.month, m_day = time.day, m_second = time.second;
}

void LastDate::takeClock(LogTime& time) {
  LastDate day = *this;
  if (m_second < kMinute && time.second >= kDay - kMinute && m_isSeen) {
    day.moveBy(-1);
  } else {
    if (time.second + kHalfDay < m_second) moveBy(1);
    m_second = time.second;
    m_isSeen = true;
    day = *this;
  }
  time.year = day.m_year, time.month = day.m_month, time.day = day.m_day;
}

bool LastDate::complete(LogTime& time, Arena& arena) {
  if (time.isBlank() || time.lacks == LogTime::Lacks::Nothing) return true;
  if (m_year == 0) return false;
  if (time.lacks == LogTime::Lacks::Year) takeMonth(time);
  else takeClock(time);
  time.lacks = LogTime::Lacks::Nothing;
  constexpr std::size_t kDateBytes = 11;
  char* const start = arena.take(kDateBytes + time.clock.size());
  char* const out = putDate(start, time.year, time.month, time.day);
  std::memcpy(out, time.clock.data(), time.clock.size());
  time.text = {start, kDateBytes + time.clock.size()};
  return true;
}

}  // namespace counterfoil::logs
