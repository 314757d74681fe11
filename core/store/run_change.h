// SPDX-License-Identifier: GPL-3.0-or-later
// What trends and comparisons need of runs: counts, and what a run changed about cases. Nothing here reads
// a record, so several nights can be looked at at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/store/store.h"

namespace counterfoil {

struct RunMark {
  RunNumber number = 0;
  Instant asOf{};
};
/// All runs, in order of as-of, then number.
[[nodiscard]] Result<std::vector<RunMark>> runMarks(const Store& store);

/// Counts of a run for a trend.
struct RunCounts {
  RunNumber number = 0;
  Instant asOf{};
  bool complete = true;
  std::uint64_t units = 0, breaks = 0, open = 0;
  std::map<Class, std::uint64_t> classes;
  std::vector<Money> exposure;               ///< of breaks, by currency
  std::optional<std::int64_t> deadLetters;   ///< depth of its dead-letter queues; none: not known
};
[[nodiscard]] Result<RunCounts> runCounts(const Store& store, RunNumber number);

/// What became of cases in one run.
struct RunChange {
  std::uint64_t newBreaks = 0;     ///< new, or of a higher severity than before
  std::uint64_t cleared = 0;       ///< stood before, cleared by the records of this run
  std::uint64_t grown = 0;         ///< breaks with more at stake than when they were judged before
  std::map<Class, std::uint64_t> newByClass, clearedByClass;
  void add(const RunChange& other);
};
[[nodiscard]] Result<RunChange> runChange(const Store& store, RunNumber number);

}  // namespace counterfoil
