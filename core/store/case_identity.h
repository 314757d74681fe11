// SPDX-License-Identifier: GPL-3.0-or-later
// A case keeps the id under which it was first seen. When later evidence gives its unit another id (a job
// came whose key stands before the effect's), or joins two cases, the older id stays and the others become
// aliases of it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/store/sqlite.h"
#include "core/store/store.h"

namespace counterfoil {

class CaseIdentity {
 public:
  /// Reads the aliases, and what the cases that stand are known by. `sources`: tonight's, by SourceId.
  static Result<CaseIdentity> load(Database& database, const std::vector<std::string>& sources);

  /// Ids the engine gave tonight, before the first join(): such a case goes on by itself.
  void expect(const CaseId& id) { m_tonight.insert(id); }

  struct Joined {
    CaseId id;                    ///< under which the unit stands
    std::vector<CaseId> others;   ///< older cases that it takes in
  };
  [[nodiscard]] Joined join(const Unit& unit) const;
  /// Writes the aliases that follow from a join.
  static Result<> record(Database& database, const CaseId& engineId, const Joined& joined);

 private:
  struct Known {
    CaseId id;
    RunNumber firstRun = 0;
  };
  Result<> loadAliases(Database& database);
  Result<> loadStanding(Database& database);
  [[nodiscard]] CaseId resolved(const CaseId& id) const;

  std::vector<std::string> m_sources;
  std::map<CaseId, CaseId> m_aliases;
  std::map<CaseId, RunNumber> m_firstRuns;                          ///< of cases that stand
  std::unordered_map<std::string, std::vector<Known>> m_byTrace;
  std::set<CaseId> m_tonight;
};

}  // namespace counterfoil
