// SPDX-License-Identifier: GPL-3.0-or-later
// A source as configured: what the configuration reader (app) hands to FileInput.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "importers/mapping/mapping_spec.h"

namespace counterfoil {

struct SourceSpec {
  std::string name;
  std::string path;                 ///< absolute or relative to the working folder; globs and {date}
  std::string format;               ///< "", or a named format
  std::vector<std::shared_ptr<const MappingSpec>> mappings;  ///< of its own; empty: by format or identified
  std::string provider;
  std::optional<Interval> covers;   ///< declared, relative times already resolved
  std::string zone = "UTC";         ///< for {date} and timestamps without an offset
  std::string jobs = {};            ///< sources that have the same name here count their jobs together; "" = each its own
  std::optional<SourceId> jobSpace = {};   ///< SourceProfile::jobSpace
  bool blind = false;
  bool mayBeEmpty = false;
  /// Where neither a format nor a mapping is given: identification looks only at formats that make one of
  /// these (the command line says `--skips FILE`). Empty: any.
  std::set<RecordKind> expectedKinds = {};
};

}  // namespace counterfoil
