// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/path_expansion.h"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <string_view>

#include "importers/input/archive_expansion.h"

namespace counterfoil {

namespace {

constexpr std::string_view kDate = "{date}";
// Written in pieces: two question marks and a dash would be a trigraph.
constexpr std::string_view kDashedDate = "???" "?-?" "?-?" "?";
constexpr std::string_view kPlainDate = "????????";
constexpr std::size_t kMaxFiles = 100'000;

bool exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

bool hasPattern(std::string_view path) {
  return path.find_first_of("*?[") != std::string_view::npos || path.find(kDate) != std::string_view::npos;
}

std::string joined(const std::string& folder, const std::string& path) {
  if (folder.empty() || (!path.empty() && path.front() == '/')) return path;
  return folder.back() == '/' ? folder + path : folder + '/' + path;
}

/// {date} as shell pattern.
std::string withDates(const std::string& pattern, std::string_view digits) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t found = pattern.find(kDate, at);
    result.append(pattern, at, found == std::string::npos ? std::string::npos : found - at);
    if (found == std::string::npos) return result;
    result += digits;
    at = found + kDate.size();
  }
}

/// Characters that mean something to glob(3), of a folder that is no pattern.
std::string globQuoted(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

Result<std::set<std::string>> globbed(const std::string& pattern) {
  glob_t found{};
  const int code = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::set<std::string> paths;
  for (std::size_t i = 0; code == 0 && i < found.gl_pathc && paths.size() <= kMaxFiles; ++i) {
    paths.insert(found.gl_pathv[i]);
  }
  ::globfree(&found);
  if (code != 0 && code != GLOB_NOMATCH) return fail(ErrorCode::Io, fmt::format("{}: cannot be searched", pattern));
  if (paths.size() > kMaxFiles) return fail(ErrorCode::Limit, fmt::format("{}: more than {} files", pattern, kMaxFiles));
  return paths;
}

std::optional<std::chrono::year_month_day> dateFrom(std::string_view digits) {
  const auto number = [](std::string_view text) {
    int value = -1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    return end == text.data() + text.size() ? value : -1;
  };
  const bool dashed = digits.size() == 10;
  if (dashed && (digits[4] != '-' || digits[7] != '-')) return std::nullopt;
  const int year = number(digits.substr(0, 4));
  const int month = number(digits.substr(dashed ? 5 : 4, 2));
  const int day = number(digits.substr(dashed ? 8 : 6, 2));
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return date;
}

/// Matches a path against a pattern of literals, ?, *, […] and {date}; tells the date. Backtracks over one
/// star at a time, so it is quadratic at worst.
class DateMatch {
 public:
  DateMatch(std::string_view pattern, std::string_view path) : m_pattern(pattern), m_path(path) {}
  std::optional<std::chrono::year_month_day> date() {
    if (!match(0, 0)) return std::nullopt;
    return m_date;
  }

 private:
  bool match(std::size_t p, std::size_t t) {
    if (++m_steps > 100'000) return false;
    if (p == m_pattern.size()) return t == m_path.size();
    if (m_pattern.substr(p, kDate.size()) == kDate) return matchDate(p, t, 10) || matchDate(p, t, 8);
    switch (m_pattern[p]) {
      case '*':
        for (std::size_t end = t;; ++end) {
          if (match(p + 1, end)) return true;
          if (end == m_path.size() || m_path[end] == '/') return false;
        }
      case '?': return t < m_path.size() && m_path[t] != '/' && match(p + 1, t + 1);
      case '[': {
        const std::size_t close = m_pattern.find(']', p + 2);
        // glob(3) has judged the set already.
        if (close != std::string_view::npos) return t < m_path.size() && match(close + 1, t + 1);
        break;
      }
      case '\\':
        if (p + 1 < m_pattern.size()) ++p;
        break;
      default: break;
    }
    return t < m_path.size() && m_path[t] == m_pattern[p] && match(p + 1, t + 1);
  }
  bool matchDate(std::size_t p, std::size_t t, std::size_t size) {
    if (m_path.size() - t < size) return false;
    const auto date = dateFrom(m_path.substr(t, size));
    if (!date || !match(p + kDate.size(), t + size)) return false;
    m_date = date;   // of several the first one: the recursion comes back to it last
    return true;
  }

  std::string_view m_pattern, m_path;
  std::optional<std::chrono::year_month_day> m_date;
  int m_steps = 0;
};

Interval dayIn(const Zone& zone, std::chrono::year_month_day date) {
  const auto midnight = [&](std::chrono::local_days day) { return zone.resolve(std::chrono::local_time<Duration>(day)).earlier; };
  const std::chrono::local_days day{date};
  return {midnight(day), midnight(day + std::chrono::days(1))};
}

}  // namespace

Result<std::vector<ExpandedPath>> expandPath(const std::string& pattern, const std::string& baseFolder,
                                             const std::string& zone) {
  const std::string whole = joined(baseFolder, pattern);
  const bool isThere = exists(whole);
  if (!isThere) {
    if (const std::string archive = archiveOf(whole); !archive.empty()) return expandInto(archive, whole, pattern);
  }
  if (!hasPattern(pattern) || isThere) return withMembers({{whole, pattern, std::nullopt}});

  const bool isDated = pattern.find(kDate) != std::string::npos;
  const std::string quotedFolder = globQuoted(baseFolder);
  std::set<std::string> paths;
  for (const std::string_view digits : {kDashedDate, kPlainDate}) {
    const Result<std::set<std::string>> found = globbed(joined(quotedFolder, withDates(pattern, digits)));
    if (!found) return fail(found.error());
    paths.insert(found->begin(), found->end());
    if (!isDated) break;
  }
  const Result<Zone> named = Zone::named(zone);
  if (!named) return fail(named.error());
  const std::size_t shownFrom = whole.size() - pattern.size();
  std::vector<ExpandedPath> expanded;
  for (const std::string& path : paths) {
    ExpandedPath one{path, path.substr(shownFrom), std::nullopt};
    if (isDated) {
      const auto date = DateMatch(pattern, one.shown).date();
      if (!date) continue;
      one.day = dayIn(*named, *date);
    }
    expanded.push_back(std::move(one));
  }
  if (expanded.empty()) return fail(ErrorCode::Missing, fmt::format("{}: no file fits this pattern", pattern));
  return withMembers(std::move(expanded));
}

}  // namespace counterfoil
