// SPDX-License-Identifier: GPL-3.0-or-later
// A list of units in outputBefore order: in memory up to a bound, beyond it sorted runs in a spill space
// that are merged when read.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace counterfoil {

class UnitStore : public UnitList {
 public:
  UnitStore(SpillSpace& spill, std::uint64_t memoryBytes);
  ~UnitStore() override;

  /// Thread-safe.
  Result<> add(const Unit& unit);
  /// No add() after it, no forEach() before it.
  void finish();

  [[nodiscard]] std::uint64_t size() const override { return m_size; }
  Result<> forEach(const std::function<bool(const Unit&)>& fn) const override;
  /// The same for a caller that keeps the units.
  Result<> takeEach(const std::function<bool(Unit&&)>& fn) const;

 private:
  struct Entry {
    std::string key;
    std::string bytes;
  };
  struct SortedRun {
    std::uint32_t stream = 0;
    std::uint64_t bytes = 0;
  };
  class RunReader;

  Result<> writeRun();
  Result<> mergeRuns(const std::function<bool(Unit&&)>& fn) const;

  SpillSpace& m_spill;
  std::uint64_t m_memoryBytes;
  std::mutex m_mutex;
  std::vector<Entry> m_entries;
  std::uint64_t m_heldBytes = 0;
  std::uint64_t m_size = 0;
  std::vector<SortedRun> m_runs;
};

}  // namespace counterfoil
