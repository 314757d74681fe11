// SPDX-License-Identifier: GPL-3.0-or-later
#include <date/tz.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "core/base/instant.h"
#include "core/base/text.h"
#include "core/base/zone_names.h"

namespace counterfoil {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;
using LocalTime = std::chrono::local_time<Duration>;

struct Zone::Impl {
  std::string name;
  const date::time_zone* zone = nullptr;  ///< none: a fixed offset. Lives as long as the program
  seconds fixed{0};
};

namespace {

struct Abbreviation {
  std::string_view text;
  int minutes;
};

constexpr Abbreviation kAbbreviations[] = {
    {"Z", 0},      {"UTC", 0},     {"GMT", 0},     {"WET", 0},    {"WEST", 60},  {"BST", 60},
    {"CET", 60},   {"CEST", 120},  {"EET", 120},   {"EEST", 180}, {"MSK", 180},  {"EST", -300},
    {"EDT", -240}, {"CST", -360},  {"CDT", -300},  {"MST", -420}, {"MDT", -360}, {"PST", -480},
    {"PDT", -420}, {"AKST", -540}, {"AKDT", -480}, {"HST", -600}, {"WAT", 60},   {"CAT", 120},
    {"SAST", 120}, {"EAT", 180},   {"SGT", 480},   {"HKT", 480},  {"JST", 540},  {"AWST", 480},
    {"ACST", 570}, {"ACDT", 630},  {"AEST", 600},  {"AEDT", 660}, {"NZST", 720}, {"NZDT", 780}};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::optional<seconds> offsetOfAbbreviation(std::string_view text) {
  for (const Abbreviation& known : kAbbreviations) {
    if (equalsIgnoreCase(text, known.text)) return std::chrono::minutes{known.minutes};
  }
  return std::nullopt;
}

std::optional<seconds> offsetOfDigits(std::string_view text) {
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  std::string_view digits = text.substr(1);
  const bool colon = digits.size() == 5 && digits[2] == ':';
  const auto number = [digits](std::size_t at) {
    return isDigit(digits[at]) && isDigit(digits[at + 1])
               ? (digits[at] - '0') * 10 + (digits[at + 1] - '0')
               : 99;
  };
  if (digits.size() != 2 && digits.size() != 4 && !colon) return std::nullopt;
  const int hour = number(0);
  const int minute = digits.size() == 2 ? 0 : number(colon ? 3 : 2);
  if (hour > 18 || minute > 59) return std::nullopt;
  const seconds offset = hours{hour} + std::chrono::minutes{minute};
  return text[0] == '-' ? -offset : offset;
}

namespace {

/// The database knows changes one by one up to 2037 and goes on with the last one for ever. Later
/// years take their rules from a year of the same shape: that whose first of March is the same
/// weekday (rules are of the kind "last Sunday of October"; a leap day at a year's end is far from
/// any change). Zones with a longer list of changes use it as far as it goes.
constexpr date::sys_seconds kListsEnd = date::sys_days{date::year{2037} / 3 / 1};
constexpr date::sys_seconds kForEver = date::sys_days{date::year{9000} / 1 / 1};

/// How far to go back from `at` to the like time of a listed year.
days modelShift(date::sys_seconds at) {
  const auto day = date::floor<date::days>(at);
  const date::year_month_day date{day};
  const date::year year = date.month() < date::March ? date.year() - date::years{1} : date.year();
  const date::sys_days start{year / date::March / 1};
  for (int model = 2036; model > 2026; --model) {
    const date::sys_days like{date::year{model} / date::March / 1};
    if (date::weekday{like} == date::weekday{start}) return days{(start - like).count()};
  }
  return days{(start - date::sys_days{date::year{2026} / date::March / 1}).count()};
}

date::local_info localInfo(const date::time_zone& zone, date::local_seconds wall) {
  const date::local_info info = zone.get_info(wall);
  const date::sys_seconds asUtc{wall.time_since_epoch()};
  if (asUtc < kListsEnd || info.first.end < kForEver) return info;
  const days shift = modelShift(asUtc);
  date::local_info like = zone.get_info(wall - shift);
  for (date::sys_info* part : {&like.first, &like.second}) {
    part->begin += shift;
    part->end += shift;
  }
  return like;
}

/// The offset that held for the last question of a thread, and the local or UTC seconds it surely
/// holds for, so that a file in time order asks the database seldom.
struct Remembered {
  const date::time_zone* zone = nullptr;
  seconds from{0};
  seconds to{0};
  seconds offset{0};

  [[nodiscard]] bool fits(const date::time_zone* asked, seconds at) const {
    return asked == zone && from <= at && at < to;
  }
  /// `margin` keeps away from the ends, where local times come twice or not at all.
  void keep(const date::time_zone* asked, const date::sys_info& info, seconds margin) {
    const seconds first = -kForEver.time_since_epoch();
    const seconds begin = std::max(first, info.begin.time_since_epoch());
    // What seems to hold for ever may be where the database's list ends.
    const seconds end = (info.end >= kForEver ? kListsEnd : info.end).time_since_epoch();
    *this = {asked, begin + margin, end - margin, info.offset};
  }
};

}  // namespace

Zone::Zone() {
  static const auto kUtc = std::make_shared<const Impl>(Impl{"UTC", nullptr, seconds{0}});
  m_impl = kUtc;
}

const std::string& Zone::name() const {
  return m_impl->name;
}

namespace {

std::string unknownZone(std::string_view name, const date::tzdb& database) {
  std::vector<std::string_view> names;
  for (const date::time_zone& zone : database.zones) names.push_back(zone.name());
  const std::string near = nearest(name, names.data(), names.size());
  std::string message = "unknown time zone \"" + forTerminal(name.substr(0, 64)) + "\"";
  message += near.empty() ? "; give an IANA name such as \"Europe/Berlin\", \"UTC\" or \"+03:00\""
                          : "; did you mean \"" + near + "\"?";
  return message;
}

}  // namespace

Result<Zone> Zone::named(std::string_view name) {
  name = trim(name);
  if (name == "UTC" || name == "Z" || name == "GMT" || name == "Etc/UTC") return Zone();
  Zone zone;
  if (const auto offset = offsetOfDigits(name)) {
    zone.m_impl = std::make_shared<const Impl>(Impl{std::string(name), nullptr, *offset});
    return zone;
  }
  try {
    const date::tzdb& database = date::get_tzdb();
    const auto found = std::find_if(database.zones.begin(), database.zones.end(),
                                    [name](const date::time_zone& z) { return z.name() == name; });
    if (found != database.zones.end()) {
      static_cast<void>(found->get_info(date::sys_seconds{}));  // reads the zone's file
      zone.m_impl = std::make_shared<const Impl>(Impl{std::string(name), &*found, seconds{0}});
      return zone;
    }
    if (const auto offset = offsetOfAbbreviation(name)) {
      zone.m_impl = std::make_shared<const Impl>(Impl{std::string(name), nullptr, *offset});
      return zone;
    }
    return fail(ErrorCode::Config, unknownZone(name, database));
  } catch (const std::exception& error) {
    return fail(ErrorCode::Missing,
                std::string("the system's time zone database cannot be read: ") + error.what());
  }
}

Zone::Local Zone::resolve(LocalTime wall) const {
  thread_local Remembered remembered;
  const Duration sinceEpoch = wall.time_since_epoch();
  const auto at = [sinceEpoch](seconds offset) { return Instant{sinceEpoch - offset}; };
  const date::time_zone* zone = m_impl->zone;
  if (zone == nullptr) return {at(m_impl->fixed), at(m_impl->fixed), true};
  const auto second = std::chrono::floor<seconds>(sinceEpoch);
  if (remembered.fits(zone, second)) return {at(remembered.offset), at(remembered.offset), true};
  const date::local_info info = localInfo(*zone, date::local_seconds{second});
  if (info.result == date::local_info::nonexistent) {
    const Instant end{info.first.end.time_since_epoch()};
    return {end, end, false};
  }
  if (info.result == date::local_info::ambiguous) {
    return {at(info.first.offset), at(info.second.offset), true};
  }
  // A zone's wall clock has never jumped by more than a day.
  if (second < kListsEnd.time_since_epoch()) {
    remembered.keep(zone, info.first, hours{48} + std::chrono::abs(info.first.offset));
  }
  return {at(info.first.offset), at(info.first.offset), true};
}

LocalTime Zone::wallClock(Instant at) const {
  thread_local Remembered remembered;
  const date::time_zone* zone = m_impl->zone;
  if (zone == nullptr) return LocalTime{at.time_since_epoch() + m_impl->fixed};
  const auto second = std::chrono::floor<seconds>(at.time_since_epoch());
  if (remembered.fits(zone, second)) {
    return LocalTime{at.time_since_epoch() + remembered.offset};
  }
  const date::sys_seconds asked{second};
  date::sys_info info = zone->get_info(asked);
  if (asked >= kListsEnd && info.end >= kForEver) {
    info = zone->get_info(asked - modelShift(asked));
  } else {
    remembered.keep(zone, info, seconds{0});
  }
  return LocalTime{at.time_since_epoch() + info.offset};
}

}  // namespace counterfoil
