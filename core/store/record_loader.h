// SPDX-License-Identifier: GPL-3.0-or-later
// Takes all records of a night from several workers, then writes them as record blocks, id pages and a
// sorted run of keys: the bulk of a commit, done while nobody sees it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "core/base/executor.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/record/record.h"
#include "core/store/segment.h"
#include "core/store/sqlite.h"
#include "core/store/wanted.h"

namespace counterfoil {

/// Name spaces of ids that lead to records. They stand in store files. Joined holds ids of all kinds; the
/// others are those of segments of the first version (see segments.joined_ids).
enum class IdSpace : std::uint8_t { Joined = 0, EffectId = 1, JobId = 2, MessageId = 3, OpRef = 4, OtherId = 5 };

/// Hash of a text in the store's own keyed hash (normal form for keys, as written for ids).
[[nodiscard]] std::uint64_t keyHashOf(const KeyedHash& hash, std::string_view normalKey);
[[nodiscard]] std::uint64_t idHashOf(const KeyedHash& hash, IdSpace space, std::string_view id);

class RecordLoader {
 public:
  /// `folder`: where bytes beyond the memory bound go (blank: nowhere).
  RecordLoader(const KeyedHash& hash, unsigned workers, std::string folder, std::uint64_t memoryBytes);
  ~RecordLoader();
  RecordLoader(RecordLoader&&) noexcept;

  /// Before the first record: from then on the numbers by which records are linked are collected too.
  void collectWanted(JobSpaces spaces, std::uint64_t memoryBytes);
  /// What was collected; null if nothing was to be. Once, after the last add().
  [[nodiscard]] std::unique_ptr<WantedNight> takeWanted();

  /// Appends the form in which a record waits here. From any thread. Not for queue depths.
  void encode(const AnyRecord& record, std::string& out) const;
  /// Takes one encoded record off the front of `bytes`. Thread-safe for different workers.
  Result<> addEncoded(std::string_view& bytes, unsigned worker);
  /// Both.
  Result<> add(const AnyRecord& record, unsigned worker);

  struct Loaded {
    SegmentNumber records = 0;
    SegmentNumber history = 0;
    std::uint64_t recordCount = 0;   ///< all that were added
    std::uint64_t keyCount = 0;
    std::map<FileId, std::uint64_t> leftOut;
  };
  /// Once, after the last add(): two staged segments, which showSegment() makes visible. Records of the
  /// files in `leaveOut` (an earlier run has them) are only counted.
  Result<Loaded> write(Database& database, std::int64_t run, const std::set<FileId>& leaveOut, Executor& executor);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace counterfoil
