// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and texts as written of the records that notable units rest on: read from the files of the night
// in one walk, before the store's commit asks for them unit by unit.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "app/recording_input.h"
#include "core/ledger/spill_space.h"
#include "core/run/run.h"

namespace counterfoil {

class RawTexts {
 public:
  /// Both have to outlive it. Texts beyond some megabytes go to the spill space.
  RawTexts(const RecordingInput& input, SpillSpace& spill);

  /// For every unit that is not plain. Once.
  Result<> read(const UnitList& units, Executor& executor, const CancelToken* cancel);
  /// Those of one unit; at most kOfUnit. Blank texts are no longer there.
  [[nodiscard]] Result<std::vector<RawText>> of(const Unit& unit) const;

  static constexpr std::size_t kOfUnit = 50;   ///< more are read back from the files

 private:
  struct Entry {
    std::uint64_t line = 0, offset = 0;   ///< offset in what was kept
    std::uint32_t bytes = 0;
  };
  Result<> keep(std::size_t from, const std::vector<Entry>& entries, const std::string& texts);

  const RecordingInput& m_input;
  SpillSpace& m_spill;
  std::map<FileId, std::string> m_paths;
  std::vector<Place> m_places;      ///< sorted, each once
  std::vector<Entry> m_entries;     ///< of m_places
  std::mutex m_mutex;
  std::string m_memory;             ///< the first bytes; the rest are in the stream
  std::uint64_t m_kept = 0;
  std::optional<std::uint32_t> m_stream;
};

}  // namespace counterfoil
