// SPDX-License-Identifier: GPL-3.0-or-later
// Takes all records of a night from several workers, then writes them as record blocks, id pages and a
// sorted run of keys: the bulk of a commit, done while nobody sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/executor.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/record/record.h"
#include "core/store/segment.h"
#include "core/store/sqlite.h"

namespace counterfoil {

/// Name spaces of ids that lead to records. They stand in store files.
enum class IdSpace : std::uint8_t { EffectId = 1, JobId = 2, MessageId = 3, OpRef = 4, OtherId = 5 };
inline constexpr std::size_t kIdSpaceLimit = 6;

/// Hash of a text in the store's own keyed hash (normal form for keys, as written for ids).
[[nodiscard]] std::uint64_t keyHashOf(const KeyedHash& hash, std::string_view normalKey);
[[nodiscard]] std::uint64_t idHashOf(const KeyedHash& hash, IdSpace space, std::string_view id);

class RecordLoader {
 public:
  /// `folder`: where bytes beyond the memory bound go (blank: nowhere).
  RecordLoader(const KeyedHash& hash, unsigned workers, std::string folder, std::uint64_t memoryBytes);
  ~RecordLoader();
  RecordLoader(RecordLoader&&) noexcept;

  /// Thread-safe for different workers. Not for queue depths.
  Result<> add(const AnyRecord& record, unsigned worker);

  struct Loaded {
    SegmentNumber records = 0;
    SegmentNumber history = 0;
    std::uint64_t recordCount = 0;
    std::uint64_t keyCount = 0;
  };
  /// Once, after the last add(): two staged segments, which showSegment() makes visible.
  Result<Loaded> write(Database& database, std::int64_t run, Executor& executor);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace counterfoil
