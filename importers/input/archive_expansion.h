// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives among the files of a path, as their members. Internal to importers/input.
#pragma once

#include <string>
#include <vector>

#include "importers/input/path_expansion.h"

namespace counterfoil {

/// Every archive of files is replaced by its members (a workbook is a file).
[[nodiscard]] std::vector<ExpandedPath> withMembers(std::vector<ExpandedPath> paths);

/// The members of `archive` that `whole` ("…/x.zip/a.csv" or with a pattern there) means; `shown`:
/// the same as configured. Error Missing if there is none, Format or Limit if the archive cannot be
/// read.
[[nodiscard]] Result<std::vector<ExpandedPath>> expandInto(const std::string& archive,
                                                           const std::string& whole,
                                                           const std::string& shown);

}  // namespace counterfoil
