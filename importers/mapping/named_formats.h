// SPDX-License-Identifier: GPL-3.0-or-later
// The formats shipped with the program (resources/formats/*.json, embedded) and those of the user's
// folder: $COUNTERFOIL_FORMATS, else counterfoil/formats below $XDG_CONFIG_HOME (~/.config). A
// shipped name wins. A format file is a mapping, or {"title": …, "about": …, "blind": true,
// "part": true, "mappings": […]}.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/mapping/mapping_spec.h"

namespace counterfoil {

struct NamedFormat {
  std::string name;    ///< "generic.attempts"
  std::string title;   ///< one line for lists
  std::string about;   ///< what it reads, how it is recognised
  bool blind = false;  ///< keeps no successes, or one row per job
  bool snapshot = false;   ///< holds only what is open at the moment of the export (a broker's queues), no span of time
  bool part = false;   ///< reads a part of a file (some lines of a log, some keys of a dump): others may read the rest
  /// Pattern of the names of files and tables that usually hold such rows, "" = none. No name decides alone: it tells
  /// apart formats whose columns fit.
  std::string named;
  bool shipped = true;
  std::vector<std::shared_ptr<const MappingSpec>> mappings;
};

/// Names of all formats, sorted.
[[nodiscard]] std::vector<std::string> formatNames();
/// Error (Config) names the nearest known format, or what is wrong in a file of the user's folder.
[[nodiscard]] Result<NamedFormat> loadFormat(std::string_view name);

}  // namespace counterfoil
