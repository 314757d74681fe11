// SPDX-License-Identifier: GPL-3.0-or-later
// Instants and durations as text.
#include "core/base/instant.h"

#include <array>
#include <limits>

#include "core/base/text.h"
#include "core/base/time_text.h"

namespace counterfoil {

namespace {

void appendPadded(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 64;
  return '"' + forTerminal(text.substr(0, kShown)) + (text.size() > kShown ? "…\"" : "\"");
}

}  // namespace

std::string formatInstant(Instant at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::int64_t micros = (at - day).count();
  const std::int64_t seconds = micros / 1'000'000;
  const std::int64_t fraction = micros % 1'000'000;
  std::string out;
  out.reserve(28);
  const int year = static_cast<int>(date.year());
  if (year < 0) out += '-';
  appendPadded(out, year < 0 ? -year : year, 4);
  out += '-';
  appendPadded(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  appendPadded(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  appendPadded(out, seconds / 3600, 2);
  out += ':';
  appendPadded(out, seconds / 60 % 60, 2);
  out += ':';
  appendPadded(out, seconds % 60, 2);
  if (fraction != 0) {
    out += '.';
    const bool millis = fraction % 1000 == 0;
    appendPadded(out, millis ? fraction / 1000 : fraction, millis ? 3 : 6);
  }
  out += 'Z';
  return out;
}

Result<Instant> parseInstant(std::string_view text) {
  CivilTime civil;
  if (!readIso(trim(text), civil) || !civil.hasClock) {
    return fail(ErrorCode::Format,
                quoted(text) + " is not a time; write it like 2026-04-08T06:00:00Z");
  }
  if (!civil.offset) {
    return fail(ErrorCode::Format,
                quoted(text) + " does not say its time zone; add Z or an offset such as +02:00");
  }
  const auto wall = wallOf(civil);
  if (!wall) return fail(ErrorCode::Format, quoted(text) + " is no date that exists");
  return Instant{wall->time_since_epoch() - *civil.offset};
}

namespace {

struct Unit {
  std::string_view text;
  std::int64_t micros;
};

// From large to small.
constexpr std::array<Unit, 6> kUnits = {{{"d", 86'400'000'000},
                                         {"h", 3'600'000'000},
                                         {"m", 60'000'000},
                                         {"s", 1'000'000},
                                         {"ms", 1'000},
                                         {"us", 1}}};
constexpr std::array<std::string_view, 6> kPeopleUnits = {"d", "h", "min", "s", "ms", "µs"};
constexpr std::size_t kDay = 0;
constexpr std::size_t kMicro = 5;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

Error durationError(std::string_view text) {
  return {ErrorCode::Format,
          quoted(text) + " is not a duration; write it like 30s, 5m, 24h, 7d or 1h30m"};
}

/// Magnitude that does not wrap for the least value.
std::uint64_t magnitudeOf(Duration duration) {
  const std::int64_t count = duration.count();
  return count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
}

std::uint64_t microsOf(std::size_t unit) {
  return static_cast<std::uint64_t>(kUnits[unit].micros);
}

}  // namespace

Result<Duration> parseDuration(std::string_view text) {
  std::string_view rest = trim(text);
  if (rest.empty()) return fail(durationError(text));
  std::int64_t total = 0;
  std::size_t nextUnit = 0;
  while (!rest.empty()) {
    std::size_t digits = 0;
    while (digits < rest.size() && isDigit(rest[digits])) ++digits;
    std::size_t end = digits;
    while (end < rest.size() && !isDigit(rest[end])) ++end;
    const std::string_view name = rest.substr(digits, end - digits);
    std::size_t unit = nextUnit;
    while (unit < kUnits.size() && kUnits[unit].text != name) ++unit;
    if (digits == 0 || unit == kUnits.size()) return fail(durationError(text));
    std::int64_t count = 0;
    bool wraps = false;
    for (const char c : rest.substr(0, digits)) {
      wraps = wraps || __builtin_mul_overflow(count, 10, &count);
      wraps = wraps || __builtin_add_overflow(count, c - '0', &count);
    }
    wraps = wraps || __builtin_mul_overflow(count, kUnits[unit].micros, &count);
    if (wraps || __builtin_add_overflow(total, count, &total)) {
      return fail(ErrorCode::Overflow, quoted(text) + " is too long a duration");
    }
    nextUnit = unit + 1;
    rest.remove_prefix(end);
  }
  return Duration{total};
}

std::string formatDuration(Duration duration) {
  const std::uint64_t micros = magnitudeOf(duration);
  if (micros == 0) return "0 s";
  std::size_t unit = micros >= 2 * microsOf(kDay) ? kDay : kDay + 1;
  while (unit < kMicro && micros < microsOf(unit)) ++unit;
  std::string out = duration.count() < 0 ? "-" : "";
  const auto append = [&out](std::uint64_t count, std::size_t which) {
    out += std::to_string(count);
    out += ' ';
    out += kPeopleUnits[which];
  };
  append(micros / microsOf(unit), unit);
  if (unit == kMicro) return out;
  const std::uint64_t second = micros % microsOf(unit) / microsOf(unit + 1);
  if (second == 0) return out;
  out += ' ';
  append(second, unit + 1);
  return out;
}

std::string formatShortDuration(Duration duration) {
  const std::uint64_t micros = magnitudeOf(duration);
  if (micros == 0) return "0s";
  std::size_t unit = 0;
  while (micros % microsOf(unit) != 0) ++unit;
  return (duration.count() < 0 ? "-" : "") + std::to_string(micros / microsOf(unit)) +
         std::string(kUnits[unit].text);
}

std::string formatAge(Duration duration) {
  const std::uint64_t micros = magnitudeOf(duration);
  if (micros == 0) return "0s";
  std::size_t unit = 0;
  while (unit < kMicro && micros < 2 * microsOf(unit)) ++unit;
  return (duration.count() < 0 ? "-" : "") + std::to_string(micros / microsOf(unit)) +
         std::string(kUnits[unit].text);
}

std::string_view describe(TimeFault fault) {
  switch (fault) {
    case TimeFault::Empty:
      return "the time is blank";
    case TimeFault::NotATime:
      return "not a time";
    case TimeFault::OutOfRange:
      return "outside the years 1970 to 2200";
    case TimeFault::NoSuchDate:
      return "no such date or time of day";
    case TimeFault::NonExistent:
      return "a local time that the change to summer time skips";
    case TimeFault::NeedsOrder:
      return "day and month could be either way round";
  }
  return "";
}

}  // namespace counterfoil
