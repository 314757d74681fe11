// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at files one by one, for `inspect`, `init` and `check`: what each is, or why it cannot be
// told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/batch/command.h"
#include "app/config.h"
#include "importers/input/inspect.h"
#include "importers/input/path_expansion.h"

namespace counterfoil {

/// A file, or a part of it: a table, the lines or keys that one format reads. One of report and error is there.
struct FileLook {
  std::string path;
  std::string table;                     ///< of a file with several; else ""
  std::vector<std::string> openTables;   ///< of the file, that no known format reads; with its first part
  std::optional<InspectReport> report;
  Error error;
};

/// Reads every file whole, once for each of its parts where the source says neither format nor mapping. Error: only
/// Cancelled; what is wrong with a file stands in its look.
[[nodiscard]] Result<std::vector<FileLook>> lookAt(const std::vector<SourceSpec>& files,
                                                   Session& session, std::size_t firstRecords);

/// Files of the command line, of a zip archive its members; `format`: blank to find it. Error (Config): no such format.
[[nodiscard]] Result<std::vector<SourceSpec>> specsOf(const std::vector<std::string>& paths,
                                                      const std::string& format, Log& log);

/// Says what was left out of zip archives: what file managers leave in them is no data, but nothing is
/// dropped in silence.
void tellLeftOut(const std::vector<ExpandedPath>& paths, Log& log);
/// Of all sources.
void tellLeftOut(const Config& config, Log& log);

}  // namespace counterfoil
