// SPDX-License-Identifier: GPL-3.0-or-later
// Time: UTC instants in microseconds. Text without an offset is read in a named zone (IANA), never
// in the process's. Pure and thread-safe; zones come from the system's tz database (read once).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace counterfoil {

using Duration = std::chrono::microseconds;
using Instant = std::chrono::sys_time<Duration>;

/// A half-open stretch of time [from, to). Empty when to <= from.
struct Interval {
  Instant from{};
  Instant to{};
  bool operator==(const Interval&) const = default;
  [[nodiscard]] bool contains(Instant at) const { return from <= at && at < to; }
};

/// "2026-04-08T06:00:00Z"; a fraction is printed with 3 or 6 digits and only when there is one.
[[nodiscard]] std::string formatInstant(Instant at);
/// ISO 8601 with an offset or Z, years 0000 to 9999; a date alone or a time without offset is an
/// error here (Format). Digits beyond microseconds are cut.
[[nodiscard]] Result<Instant> parseInstant(std::string_view text);

/// "30s", "5m", "24h", "7d", "1h30m", "0s", also "250ms" and "50us"; units from large to small,
/// each once, no sign. Error (Format, Overflow) names the text.
[[nodiscard]] Result<Duration> parseDuration(std::string_view text);
/// For people: "26 h", "24 h 10 min", "3 d 4 h", "850 ms". Rounds down to two units; days from 48 h
/// on.
[[nodiscard]] std::string formatDuration(Duration duration);
/// For configurations: the one unit that says it exactly: "26h", "90s", "3d". parseDuration reads
/// it back to the same duration (of negative ones: without the sign).
[[nodiscard]] std::string formatShortDuration(Duration duration);
/// For ages in lists and JSON: rounded down to one unit, of which there are at least two: "26h",
/// "3d", "45m", "90s".
[[nodiscard]] std::string formatAge(Duration duration);

/// A named time zone. Cheap to copy.
class Zone {
 public:
  Zone();  ///< UTC
  /// IANA name, "UTC", a fixed offset "+03:00", or an abbreviation that statements use and the
  /// database lacks ("PDT", "CEST", "BST": the fixed offset). Error (Config) names the unknown
  /// zone.
  static Result<Zone> named(std::string_view name);
  [[nodiscard]] const std::string& name() const;

  /// A wall-clock reading as instants. Not existing (spring gap): both equal the instant the gap
  /// ends and `exists` is false. Twice (autumn): earlier != later.
  struct Local {
    Instant earlier{};
    Instant later{};
    bool exists = true;
    [[nodiscard]] bool ambiguous() const { return exists && earlier != later; }
  };
  [[nodiscard]] Local resolve(std::chrono::local_time<Duration> wall) const;
  /// The wall-clock reading of an instant (for relative cover times such as "-1d@00:00").
  [[nodiscard]] std::chrono::local_time<Duration> wallClock(Instant at) const;

  struct Impl;

 private:
  std::shared_ptr<const Impl> m_impl;
};

enum class DateOrder : std::uint8_t { DayMonth, MonthDay };
/// What one date text such as "03/04/2026" or "25/04/2026" tells about its column.
enum class DateEvidence : std::uint8_t { None = 0, DayMonth = 1, MonthDay = 2, Undecided = 4 };

enum class TimeFault : std::uint8_t {
  Empty,
  NotATime,
  OutOfRange,
  NoSuchDate,
  NonExistent,
  NeedsOrder
};

struct ParsedTime {
  Instant at{};
  /// The later instant of a local time that comes twice; equals at otherwise.
  Instant later{};
  Duration span{0};  ///< 24 h (in the zone) for a date without a clock; 0 otherwise
  DateEvidence evidence = DateEvidence::None;
};

struct TimeOutcome {
  ParsedTime value;
  std::optional<TimeFault> fault;
};

/// A compiled way to read time texts. Immutable after make(): share between threads freely.
class TimeForm {
 public:
  TimeForm();  ///< automatic: ISO 8601 and its usual cousins, epochs by magnitude

  /// form: "" (automatic), "unix", "unix_ms", "unix_us", or a strptime-like pattern of
  /// %Y %m %d %H %M %S (with fraction) %y %b %B (English names) %p %I %z %Z %j %T %F %%. A pattern
  /// has to hold a date; %p and %I go together. Error (Config) names the unknown letter.
  static Result<TimeForm> make(std::string_view form, Zone zone);

  /// Automatic form: "2026-04-07T10:00:00Z", "2026-04-07 10:00:00.123+02", "2026-04-07 10:00",
  /// "20260407T100000Z", "2026-04-07", "07/04/2026 10:00" and "04.07.2026" by `order` (NeedsOrder
  /// when none is given and the text does not decide), epoch numbers: under 1e11 seconds (with
  /// fraction), under 1e14 milliseconds, above microseconds. Also with English month names ("7 Apr
  /// 2026 10:00", "Apr 7, 2026 1:05 PM", "Tue, 07 Apr 2026 10:00:00 GMT"). Eight, twelve or
  /// fourteen digits that are a date ("20260407", "202604071000", "20260407100000") are read as
  /// such. Years 1970 to
  /// 2200 are accepted, others are OutOfRange; so are bare numbers under 1e8, which are spreadsheet
  /// days or years rather than seconds (the form "unix" takes them). A local time that comes twice
  /// gives the earlier instant in `at`, one that does not exist NonExistent. A leap second
  /// (hh:59:60) is the last microsecond of :59; 24:00 is the next day's 00:00.
  [[nodiscard]] TimeOutcome parse(std::string_view text, std::optional<DateOrder> order = {}) const;
  /// The same in a zone that a row names itself.
  [[nodiscard]] TimeOutcome parseInZone(std::string_view text, const Zone& zone,
                                        std::optional<DateOrder> order = {}) const;

  struct Impl;

 private:
  std::shared_ptr<const Impl> m_impl;
};

[[nodiscard]] std::string_view describe(TimeFault fault);

}  // namespace counterfoil
