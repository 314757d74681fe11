// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at files one by one, for `inspect`, `init` and `check`: what each is, or why it cannot be
// told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/batch/command.h"
#include "importers/input/inspect.h"

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

/// Files of the command line; `format`: blank to find it. Error (Config): no such format.
[[nodiscard]] Result<std::vector<SourceSpec>> specsOf(const std::vector<std::string>& paths,
                                                      const std::string& format);

}  // namespace counterfoil
