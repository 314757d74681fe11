// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier runs as a night that carries from them sees them: which there are, what their sources are called
// tonight, and where a record that a run judged was first read. Internal to core/store.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/store/carried.h"
#include "core/store/sqlite.h"

namespace counterfoil {

/// A file of a run that read it first.
using Origin = std::pair<RunNumber, FileId>;

class EarlierRuns {
 public:
  /// Runs before `before` whose as-of is not after the rules'.
  static Result<EarlierRuns> load(Database& database, const CarryRules& rules, std::optional<RunNumber> before);

  struct Run {
    Instant asOf{};
    std::vector<std::optional<SourceId>> sources;    ///< tonight's number, by the run's own
    std::optional<std::int64_t> recordSegment;
    bool joinedIds = false;
  };
  [[nodiscard]] const std::map<RunNumber, Run>& all() const { return m_runs; }
  [[nodiscard]] const Run* find(RunNumber run) const;
  /// Tonight's number of a run's source; nothing for one that is no longer read.
  [[nodiscard]] std::optional<SourceId> sourceOf(RunNumber run, SourceId source) const;
  /// Where the file of a run was first read: it may be borrowed, or carried itself.
  Result<Origin> originOf(Database& database, RunNumber run, FileId file);
  /// True if there is a run with a later as-of: tonight is a night in between.
  [[nodiscard]] bool hasLater() const { return m_hasLater; }

 private:
  Result<> loadSources(Database& database, const CarryRules& rules);
  Result<> loadSegments(Database& database);
  std::map<RunNumber, Run> m_runs;
  std::map<RunNumber, std::map<FileId, Origin>> m_origins;   ///< of runs that were asked for
  bool m_hasLater = false;
};

/// What the files of earlier runs cover, for CarriedFile::covers and CarriedForward::coverage.
[[nodiscard]] Result<std::map<SourceId, std::vector<Interval>>> earlierCoverage(Database& database,
                                                                                const EarlierRuns& runs);
[[nodiscard]] Result<std::vector<Interval>> coverageOfFile(Database& database, const Origin& origin);

}  // namespace counterfoil
