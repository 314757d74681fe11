// SPDX-License-Identifier: GPL-3.0-or-later
// The third stage of a run: reads the records of what the sift left over, judges them group by group, and
// hands each unit on. Internal to core/run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/run/night.h"
#include "core/run/sift.h"
#include "core/run/unit_store.h"
#include "core/run/verdicts.h"

namespace counterfoil {

/// Groups of rows whose records are read in one go: the more at once, the closer they lie in their files.
class GroupBatch {
 public:
  /// How many rows a worker should gather, given the run's memory and how many workers share it.
  [[nodiscard]] static std::size_t rowsAimed(std::uint64_t memoryBytes, std::size_t workers);

  void clear();
  /// Adds a row to the group that was added to last, or begins one.
  void add(const LedgerRow& row, const ShapeTable& shapes);
  [[nodiscard]] std::size_t rowCount() const { return m_refs.size(); }
  [[nodiscard]] std::size_t groupCount() const { return m_groups; }

  /// Reads everything, in order of place, and keeps it packed: a record in full is several times as long.
  Result<> fetch(const Input& input);
  /// Of a group by number, after fetch().
  [[nodiscard]] Result<Records> recordsOf(std::size_t group) const;

 private:
  struct Wanted {
    RecordRef ref;
    std::uint32_t group = 0;
  };

  void placeByGroup(const std::vector<std::size_t>& starts);

  std::vector<Wanted> m_refs;                ///< after fetch() in order of place
  std::size_t m_groups = 0;
  GroupHash m_last;
  std::string m_packed;                      ///< encodeRecord() of each of m_refs
  std::vector<std::size_t> m_startOfRecord;  ///< by group, one record behind the other
  std::vector<std::uint32_t> m_firstOfGroup; ///< into m_startOfRecord; one more than there are groups
};

/// Where judged units go: counted at once, or kept until suggestions were looked for.
struct UnitSinks {
  std::vector<Verdicts>& verdicts;      ///< by worker
  UnitStore& listed;
  UnitStore& waiting;                   ///< one-sided ones
  Detail detail = Detail::BreaksAndOpen;
};

/// Counts a unit that is decided, and lists it if the detail asks for it.
Result<> settle(const Unit& unit, const UnitSinks& sinks, unsigned worker);

/// Judges everything in `left`, on all cores.
Result<> judgeLeft(NightState& night, PartitionedBytes& left, const SiftTally& tally, const UnitSinks& sinks);

/// Judges one batch; the units of each group go to `take`.
Result<> judgeBatch(NightState& night, GroupBatch& batch, Verdicts& verdicts,
                    const std::function<Result<>(Unit&&)>& take);

}  // namespace counterfoil
