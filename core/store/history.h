// SPDX-License-Identifier: GPL-3.0-or-later
// The history of keys: which runs had records under a key. A few sorted segments; a night adds one, and
// neighbours are merged so that each is larger than all later ones together (at most kHistorySegmentsMost).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/store/hash_page.h"
#include "core/store/segment.h"
#include "core/store/sqlite.h"

namespace counterfoil {

inline constexpr std::size_t kHistorySegmentsMost = 6;
inline constexpr std::uint8_t kSeenLocally = 1;     ///< flag: the run has a local record under the key
inline constexpr std::uint8_t kSeenAtProvider = 2;  ///< flag: an effect

/// Writes sorted entries as pages of one staged segment.
class HistoryWriter {
 public:
  HistoryWriter(Database& database, StagedWrites& writes, SegmentNumber segment);
  Result<> add(const HashEntry& entry);
  /// The last page, and the number of entries into the segment's row.
  Result<> finish();
  [[nodiscard]] std::uint64_t entryCount() const { return m_total; }

 private:
  Result<> putPage();
  Database& m_database;
  StagedWrites& m_writes;
  SegmentNumber m_segment;
  Statement m_insert;
  std::vector<HashEntry> m_entries;
  std::int64_t m_page = 0;
  std::uint64_t m_total = 0;
};

/// For each of `hashes` (sorted, each once) every entry of every visible segment: fn(index into hashes,
/// entry). In order of segment, then hash.
[[nodiscard]] Result<> lookUpHistory(Database& database, std::span<const StoreHash> hashes,
                                     const std::function<void(std::size_t, const HashEntry&)>& fn);

/// Merges neighbouring segments until sizes fall geometrically. Bounded transactions; entries of runs that
/// are gone are left out. Killed at any moment, nothing is lost.
[[nodiscard]] Result<> consolidateHistory(Database& database);
/// Merges everything into one segment, so that no entry of a run that is gone is left.
[[nodiscard]] Result<> compactHistory(Database& database);

}  // namespace counterfoil
