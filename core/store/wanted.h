// SPDX-License-Identifier: GPL-3.0-or-later
// What leads from a record to others: its key and its ids (links 1 to 4 of classes.md §3), as numbers that the
// history and the id pages of earlier nights are searched for.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/record/record.h"
#include "core/store/hash_page.h"
#include "core/store/record_fields.h"
#include "core/store/row_partitions.h"

namespace counterfoil {

/// Ids of one class can mean the same thing: an effect's own id, the one a job recorded, a parent's.
enum class IdClass : std::uint8_t { Effect = 1, Job = 2, Message = 3, Reference = 4 };

/// A key's number: 64 bits of its hash; the upper 48 are what pages hold.
using WantedKey = std::uint64_t;
/// An id's number: 48 bits of the hash that pages hold, 12 of a hash that knows class and source, the class.
using WantedId = std::uint64_t;
[[nodiscard]] constexpr StoreHash pageHash(std::uint64_t wanted) { return wanted >> 16; }

/// How sources count their jobs (Policy::jobSpaceOf), by SourceId. A source beyond the end counts by itself.
using JobSpaces = std::vector<SourceId>;

struct WantedOf {
  std::vector<WantedKey> keys;
  std::vector<WantedId> ids;
};
/// What the record of `row` (appendRow) is linked by. `source`: whose record it is, where the row's own number
/// is another night's.
void appendWanted(const KeyedHash& hash, std::string_view row, const JobSpaces& spaces, SourceId source, WantedOf& out);
/// The source number that stands in a row.
[[nodiscard]] SourceId sourceOfRow(std::string_view row);
[[nodiscard]] WantedKey wantedKey(const KeyedHash& hash, std::string_view normalKey);
/// Fields that hold ids by which records are linked.
inline constexpr std::array kWantedFields = {Field::EffectIdOf, Field::ParentId, Field::Replaces, Field::JobId,
                                             Field::MessageId, Field::Id, Field::OpRef};
/// Of a text in one of kWantedFields; nothing for words that are no value.
[[nodiscard]] std::optional<WantedId> wantedIdOf(const KeyedHash& hash, Field field, std::string_view text,
                                                 const JobSpaces& spaces, SourceId source);

/// Collects the numbers of a whole night, from several workers, in parts that fit the memory.
class WantedNight {
 public:
  /// `folder`: where bytes beyond the bound go, as RowPartitions.
  WantedNight(unsigned workers, const std::string& folder, std::uint64_t memoryBytes);
  Result<> add(const WantedOf& wanted, unsigned worker);
  [[nodiscard]] static std::size_t partCount();
  /// The numbers of one part, sorted, each once; parts follow each other in order. Each part once.
  Result<WantedOf> take(std::size_t part);

 private:
  static Result<> put(RowPartitions& parts, std::span<const std::uint64_t> numbers, unsigned worker);
  RowPartitions m_keys, m_ids;
};

}  // namespace counterfoil
