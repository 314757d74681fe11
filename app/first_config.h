// SPDX-License-Identifier: GPL-3.0-or-later
// A first configuration from files that were looked at: it runs as it stands, and says in comments
// what only a person can know. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/record/record.h"

namespace counterfoil {

struct FirstSource {
  std::string path;            ///< as the configuration shall name it
  std::string format;          ///< named format; blank: none fits
  std::set<RecordKind> kinds;  ///< what it makes
  std::uint64_t rows = 0;
  std::optional<Instant> from, to;  ///< of the records
  std::uint64_t records = 0;
  std::uint64_t withKey = 0;   ///< have a key or a business reference
  std::vector<std::string> tasks;  ///< seen among the records, sorted, bounded
  std::vector<std::string> queues;
  std::string table;   ///< of a database with several; else ""
  std::vector<std::string> openTables;   ///< of the same file, that no known format reads
  std::string problem;   ///< why no format fits; a sentence that begins with the path
  bool several = false;  ///< the problem: more than one format fits
};

/// JSON with comments. `name` is that of the workspace; at least one source has no problem.
[[nodiscard]] std::string firstConfig(const std::string& name,
                                      const std::vector<FirstSource>& sources);

}  // namespace counterfoil
