// SPDX-License-Identifier: GPL-3.0-or-later
// The forms that columns of times are read with. Written patterns are in time_pattern.cpp.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/instant.h"
#include "core/base/text.h"
#include "core/base/time_pattern.h"
#include "core/base/time_text.h"

namespace counterfoil {

namespace {

constexpr int kYearFirst = 1970;
constexpr int kYearLast = 2200;
constexpr std::int64_t kMicrosEnd =  // of the last year accepted
    std::chrono::sys_days{std::chrono::year{kYearLast + 1} / 1 / 1}.time_since_epoch().count() *
    86'400'000'000;

enum class Kind : std::uint8_t { Automatic, Seconds, Millis, Micros, Pattern };

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

TimeOutcome faulty(TimeFault fault, DateEvidence evidence = DateEvidence::None) {
  TimeOutcome outcome;
  outcome.value.evidence = evidence;
  outcome.fault = fault;
  return outcome;
}

TimeOutcome outcomeAt(Instant at) {
  TimeOutcome outcome;
  outcome.value.at = at;
  outcome.value.later = at;
  return outcome;
}

/// A day without a clock: from its first instant to that of the next day, which are 23 to 25 hours.
TimeOutcome outcomeOfDay(std::chrono::local_time<Duration> wall, const Zone& zone) {
  TimeOutcome outcome = outcomeAt(zone.resolve(wall).earlier);
  outcome.value.span = zone.resolve(wall + std::chrono::hours{24}).earlier - outcome.value.at;
  return outcome;
}

TimeOutcome outcomeOf(const CivilTime& civil, const Zone& zone) {
  const auto wall = wallOf(civil);
  if (!wall) return faulty(TimeFault::NoSuchDate);
  if (civil.year < kYearFirst || civil.year > kYearLast) return faulty(TimeFault::OutOfRange);
  if (civil.offset) {
    return outcomeAt(Instant{wall->time_since_epoch() - *civil.offset});
  }
  if (!civil.hasClock) return outcomeOfDay(*wall, zone);
  const Zone::Local local = zone.resolve(*wall);
  if (!local.exists) return faulty(TimeFault::NonExistent);
  TimeOutcome outcome = outcomeAt(local.earlier);
  outcome.value.later = local.later;
  return outcome;
}

/// A number of `microsPerUnit`, perhaps with a fraction that is cut to microseconds.
TimeOutcome epochOutcome(std::string_view text, std::int64_t microsPerUnit) {
  if (!text.empty() && text.front() == '-') {
    return faulty(text.size() > 1 && isDigit(text[1]) ? TimeFault::OutOfRange
                                                      : TimeFault::NotATime);
  }
  std::size_t digits = 0;
  std::int64_t micros = 0;
  bool tooLarge = false;
  for (; digits < text.size() && isDigit(text[digits]); ++digits) {
    if (!tooLarge) micros = micros * 10 + (text[digits] - '0');
    tooLarge = tooLarge || micros > kMicrosEnd / microsPerUnit;
  }
  if (digits == 0) return faulty(TimeFault::NotATime);
  if (!tooLarge) micros *= microsPerUnit;
  std::string_view fraction = text.substr(digits);
  if (!fraction.empty()) {
    if (fraction.front() != '.' || fraction.size() < 2) return faulty(TimeFault::NotATime);
    fraction.remove_prefix(1);
    std::int64_t unit = microsPerUnit;
    for (const char c : fraction) {
      if (!isDigit(c)) return faulty(TimeFault::NotATime);
      unit /= 10;
      micros += tooLarge ? 0 : (c - '0') * unit;
    }
  }
  if (tooLarge || micros >= kMicrosEnd) return faulty(TimeFault::OutOfRange);
  return outcomeAt(Instant{Duration{micros}});
}

/// A bare number: a date without signs where it can only be that, else an epoch by its size.
TimeOutcome numberOutcome(std::string_view text, const Zone& zone) {
  const std::size_t whole = std::min(text.find('.'), text.size());
  CivilTime civil;
  if (whole == text.size() && whole == 8 && readIso(text, civil)) {
    const TimeOutcome day = outcomeOf(civil, zone);
    if (!day.fault) return day;
  }
  if (whole == text.size() && (whole == 12 || whole == 14)) {
    std::string parted(text);
    parted.insert(8, 1, 'T');
    const TimeOutcome time =
        readIso(parted, civil) ? outcomeOf(civil, zone) : faulty(TimeFault::NotATime);
    const bool otherwiseOutOfRange = whole == 14;  // as milliseconds
    if (!time.fault ||
        (otherwiseOutOfRange && civil.year >= kYearFirst && civil.year <= kYearLast)) {
      return time;
    }
  }
  std::string_view significant = text.substr(0, whole);
  while (!significant.empty() && significant.front() == '0') significant.remove_prefix(1);
  if (significant.size() < 9) return faulty(TimeFault::OutOfRange);
  if (significant.size() < 12) return epochOutcome(text, 1'000'000);
  return epochOutcome(text, significant.size() < 15 ? 1'000 : 1);
}

/// Text after a date: nothing, or a clock and perhaps an offset.
bool readClockTail(TimeCursor cursor, CivilTime& civil) {
  if (cursor.atEnd()) return true;
  cursor.take(',');
  if (!cursor.take('T') && cursor.takeSpaces() == 0) return false;
  if (!cursor.takeClock(civil)) return false;
  if (cursor.atEnd()) return true;
  return cursor.takeOffset(civil) && cursor.atEnd();
}

int fullYear(int twoDigits) {
  return twoDigits + (twoDigits < 70 ? 2000 : 1900);
}

DateEvidence evidenceOf(int first, int second) {
  if (first > 12) return DateEvidence::DayMonth;
  if (second > 12) return DateEvidence::MonthDay;
  return first == second ? DateEvidence::None : DateEvidence::Undecided;
}

/// "07/04/2026 10:00", "4.7.26", "7-4-2026": two numbers whose order the column tells.
TimeOutcome orderedOutcome(std::string_view text, const Zone& zone,
                           std::optional<DateOrder> order) {
  TimeCursor cursor(text);
  int first = 0;
  int second = 0;
  CivilTime civil;
  if (!cursor.takeNumber(1, 2, first) || cursor.atEnd()) return faulty(TimeFault::NotATime);
  const char sign = cursor.rest().front();
  if (sign != '/' && sign != '.' && sign != '-') return faulty(TimeFault::NotATime);
  cursor.take(sign);
  if (!cursor.takeNumber(1, 2, second) || !cursor.take(sign)) return faulty(TimeFault::NotATime);
  if (!cursor.takeNumber(4, 4, civil.year)) {
    if (!cursor.takeNumber(2, 2, civil.year)) return faulty(TimeFault::NotATime);
    civil.year = fullYear(civil.year);
  }
  if (!readClockTail(cursor, civil)) return faulty(TimeFault::NotATime);
  if ((first > 12 && second > 12) || first == 0 || second == 0)
    return faulty(TimeFault::NoSuchDate);
  const DateEvidence evidence = evidenceOf(first, second);
  if (!order && evidence == DateEvidence::Undecided) return faulty(TimeFault::NeedsOrder, evidence);
  const bool monthFirst =
      order ? *order == DateOrder::MonthDay : evidence == DateEvidence::MonthDay;
  civil.month = monthFirst ? first : second;
  civil.day = monthFirst ? second : first;
  TimeOutcome outcome = outcomeOf(civil, zone);
  outcome.value.evidence = evidence;
  return outcome;
}

/// "2026/04/07 10:00", "2026.4.7".
bool readYearFirst(std::string_view text, CivilTime& civil) {
  TimeCursor cursor(text);
  if (!cursor.takeNumber(4, 4, civil.year) || cursor.atEnd()) return false;
  const char sign = cursor.rest().front();
  if (sign != '/' && sign != '.' && sign != '-') return false;
  cursor.take(sign);
  return cursor.takeNumber(1, 2, civil.month) && cursor.take(sign) &&
         cursor.takeNumber(1, 2, civil.day) && readClockTail(cursor, civil);
}

void takeBetween(TimeCursor& cursor) {
  cursor.take(',');
  if (cursor.takeSpaces() == 0) cursor.take('-');
}

/// Dates with an English month: the day before or behind it, the year behind both or (as in C)
/// last.
bool readNamed(std::string_view text, CivilTime& civil) {
  TimeCursor cursor(text);
  if (cursor.takeWeekdayName()) takeBetween(cursor);
  const bool dayFirst = cursor.takeNumber(1, 2, civil.day);
  if (dayFirst) takeBetween(cursor);
  if (!cursor.takeMonthName(civil.month)) return false;
  cursor.take('.');
  takeBetween(cursor);
  if (!dayFirst) {
    if (!cursor.takeNumber(1, 2, civil.day)) return false;
    takeBetween(cursor);
    if (cursor.takeClock(civil)) {
      return cursor.takeSpaces() > 0 && cursor.takeNumber(4, 4, civil.year) && cursor.atEnd();
    }
  }
  if (!cursor.takeNumber(4, 4, civil.year)) {
    if (!dayFirst || !cursor.takeNumber(2, 2, civil.year)) return false;
    civil.year = fullYear(civil.year);
  }
  return readClockTail(cursor, civil);
}

TimeOutcome automaticOutcome(std::string_view text, const Zone& zone,
                             std::optional<DateOrder> order) {
  CivilTime civil;
  std::size_t digits = 0;
  while (digits < text.size() && isDigit(text[digits])) ++digits;
  if (digits == 4 && text.size() > 4) {
    if (readIso(text, civil)) return outcomeOf(civil, zone);
    civil = CivilTime{};
    if (readYearFirst(text, civil)) return outcomeOf(civil, zone);
  }
  if (digits > 0 && digits == text.size()) return numberOutcome(text, zone);
  if (digits == 0 && text.size() > 1 && text.front() == '-') return epochOutcome(text, 1);
  const bool onePoint = digits > 0 && text[digits] == '.' &&
                        text.find_first_not_of("0123456789", digits + 1) == std::string_view::npos;
  if (onePoint) return numberOutcome(text, zone);
  if (digits == 8 && readIso(text, civil)) return outcomeOf(civil, zone);
  civil = CivilTime{};
  if (readNamed(text, civil)) return outcomeOf(civil, zone);
  if (digits == 1 || digits == 2) return orderedOutcome(text, zone, order);
  return faulty(TimeFault::NotATime);
}

}  // namespace

struct TimeForm::Impl {
  Kind kind = Kind::Automatic;
  TimePattern pattern;
  Zone zone;
};

TimeForm::TimeForm() {
  static const auto kAutomatic = std::make_shared<const Impl>();
  m_impl = kAutomatic;
}

Result<TimeForm> TimeForm::make(std::string_view form, Zone zone) {
  Impl impl;
  impl.zone = std::move(zone);
  if (form.empty()) {
    impl.kind = Kind::Automatic;
  } else if (form == "unix") {
    impl.kind = Kind::Seconds;
  } else if (form == "unix_ms") {
    impl.kind = Kind::Millis;
  } else if (form == "unix_us") {
    impl.kind = Kind::Micros;
  } else {
    auto pattern = TimePattern::make(form);
    if (!pattern) return fail(pattern.error());
    impl.kind = Kind::Pattern;
    impl.pattern = std::move(*pattern);
  }
  TimeForm made;
  made.m_impl = std::make_shared<const Impl>(std::move(impl));
  return made;
}

TimeOutcome TimeForm::parse(std::string_view text, std::optional<DateOrder> order) const {
  return parseInZone(text, m_impl->zone, order);
}

TimeOutcome TimeForm::parseInZone(std::string_view text, const Zone& zone,
                                  std::optional<DateOrder> order) const {
  text = trim(text);
  if (text.empty()) return faulty(TimeFault::Empty);
  switch (m_impl->kind) {
    case Kind::Automatic:
      return automaticOutcome(text, zone, order);
    case Kind::Seconds:
      return epochOutcome(text, 1'000'000);
    case Kind::Millis:
      return epochOutcome(text, 1'000);
    case Kind::Micros:
      return epochOutcome(text, 1);
    case Kind::Pattern:
      break;
  }
  CivilTime civil;
  if (const auto fault = m_impl->pattern.read(text, civil)) return faulty(*fault);
  return outcomeOf(civil, zone);
}

}  // namespace counterfoil
