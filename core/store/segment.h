// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk of the store lies in segments: a run's record blocks and id pages ("records"), or a sorted run of
// keys ("history"). A segment is written in bounded transactions while nobody sees it, and becomes visible
// with one flag. What a killed run left is taken away by the next.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/store/sqlite.h"

namespace counterfoil {

using SegmentNumber = std::int64_t;

inline constexpr std::string_view kRecordSegment = "records";
inline constexpr std::string_view kHistorySegment = "history";

/// Writes in transactions of some megabytes. Usable from several threads one after another.
class StagedWrites {
 public:
  explicit StagedWrites(Database& database) : m_database(&database) {}
  /// Call before inserting about `bytes`: begins a transaction, or ends a full one and begins the next.
  Result<> prepare(std::size_t bytes);
  /// Ends the open transaction.
  Result<> finish();
  ~StagedWrites();
  StagedWrites(const StagedWrites&) = delete;
  StagedWrites& operator=(const StagedWrites&) = delete;

 private:
  Database* m_database;
  std::size_t m_bytes = 0;
  bool m_open = false;
};

/// A segment that is not visible yet.
[[nodiscard]] Result<SegmentNumber> stageSegment(Database& database, std::string_view kind, std::int64_t run);
[[nodiscard]] Result<> setSegmentEntries(Database& database, SegmentNumber segment, std::uint64_t entries);
[[nodiscard]] Result<> showSegment(Database& database, SegmentNumber segment);
/// Removes segments that never became visible. Call while holding the store's lock.
[[nodiscard]] Result<> dropStagedSegments(Database& database);
[[nodiscard]] Result<> dropSegment(Database& database, SegmentNumber segment);

}  // namespace counterfoil
