// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a configured path means: globs (*, ?, […]) and {date}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/base/result.h"

namespace counterfoil {

struct ExpandedPath {
  std::string path;                  ///< to open
  std::string shown;                 ///< as configured, with the pattern filled in
  std::optional<Interval> day;       ///< of {date}: that day in the zone
  bool operator==(const ExpandedPath&) const = default;
};

/// Sorted by path. A path without pattern is given whether it exists or not; a file that has the pattern's
/// very text as its name is that file. {date} is 2026-04-07 or 20260407. Error Missing when a pattern fits
/// no file, Config for an unknown zone.
[[nodiscard]] Result<std::vector<ExpandedPath>> expandPath(const std::string& pattern, const std::string& baseFolder,
                                                           const std::string& zone);

}  // namespace counterfoil
