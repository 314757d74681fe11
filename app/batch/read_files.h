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

/// One of report and error is there.
struct FileLook {
  std::string path;
  std::optional<InspectReport> report;
  Error error;
};

/// Reads every file whole. Error: only Cancelled; what is wrong with a file stands in its look.
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
