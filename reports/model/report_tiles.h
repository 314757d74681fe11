// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a report's facts that are computed from the numbers of a run. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/report_model.h"

namespace counterfoil {

[[nodiscard]] std::string titleOf(const ReportFacts& facts, const Words& words);
[[nodiscard]] std::vector<ReportTile> tilesOf(const ReportFacts& facts, const Words& words);
[[nodiscard]] std::vector<ClassRow> classRowsOf(const RunResult& result, const std::map<Class, Severity>& worst,
                                                const Words& words);
/// Fills what each class came to before; classes that are gone get a row of 0.
void fillBefore(const RunCounts& before, std::vector<ClassRow>& rows, const Words& words);
[[nodiscard]] std::vector<CoverageRow> coverageRowsOf(const Coverage& coverage, const std::vector<std::string>& sources);

/// Counts of a list that no run has counted.
struct ListingCounts {
  std::uint64_t units = 0, breaks = 0, open = 0, overdue = 0;
  MoneySum exposure;   ///< of breaks
  /// Error (Overflow): the sum of a currency is out of range.
  Result<> add(const ReportCase& line);
  [[nodiscard]] std::vector<ClassRow> rows(const Words& words) const;

 private:
  struct OfClass {
    std::uint64_t count = 0;
    Severity worst = Severity::None;
    MoneySum exposure;
  };
  std::map<Class, OfClass> m_classes;
};

}  // namespace counterfoil
