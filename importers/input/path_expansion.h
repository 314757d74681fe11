// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a configured path means: globs (*, ?, […]) and {date}; of a zip archive its members.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/base/result.h"
#include "importers/source/file_place.h"

namespace counterfoil {

struct ExpandedPath {
  std::string path;                  ///< to open; of a member as told: "statements.zip/a.csv"
  std::string shown;                 ///< as configured, with the pattern filled in
  std::optional<Interval> day;       ///< of {date}: that day in the zone
  std::shared_ptr<const ZipMember> member = nullptr;   ///< of a zip archive
  std::optional<Error> problem = std::nullopt;         ///< why it cannot be read, known without reading it
  std::vector<std::string> leftOut = {};   ///< with an archive's first member: those that are no files of data

  [[nodiscard]] FilePlace place() const { return member != nullptr ? FilePlace(member) : FilePlace(path); }
  bool operator==(const ExpandedPath&) const = default;
};

/// Sorted by path, members by name. An archive that cannot be read is given with its problem. "x.zip/a.csv"
/// and "x.zip/*.csv" are members, folders and hidden files of the archive are left out. A path without pattern is given whether it exists or not; a file that has the pattern's
/// very text as its name is that file. {date} is 2026-04-07 or 20260407. Error Missing when a pattern fits
/// no file, Config for an unknown zone.
[[nodiscard]] Result<std::vector<ExpandedPath>> expandPath(const std::string& pattern, const std::string& baseFolder,
                                                           const std::string& zone);

}  // namespace counterfoil
