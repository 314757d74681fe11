// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is taken to be and what it holds, found by reading it once: for `inspect`, `init`, `check`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/run/input.h"

namespace counterfoil {

/// Records of a file that are summed: kind, sub-kind and status as codes, currency none where there is no amount.
struct TallyKey {
  RecordKind record = RecordKind::Attempt;
  std::uint8_t effectKind = 0;   ///< EffectKind, of effects
  std::uint8_t status = 0;       ///< AttemptStatus or EffectStatus; 0 of other records
  std::uint16_t currency = 0;    ///< Currency::packed
  auto operator<=>(const TallyKey&) const = default;
};
struct Tally {
  std::uint64_t count = 0;
  __int128 minor = 0;
};

struct FileInspection {
  FileReport report;
  std::map<TallyKey, Tally> tallies;
  std::uint64_t withKey = 0;                 ///< records that have an idempotency key
  std::uint64_t records = 0;
  std::vector<QuarantinedRow> quarantined;   ///< the first ones, in order of place
  std::vector<AnyRecord> first;              ///< the first records, in order of place
};

struct InspectionBounds {
  std::size_t quarantinedRows = 20;
  std::size_t firstRecords = 3;
};

/// Reads everything `input` names. A file that cannot be opened is in input.problems(), one that is cut
/// off has report.complete == false.
[[nodiscard]] Result<std::vector<FileInspection>> inspect(Input& input, Executor& executor,
                                                          const ScanOptions& options,
                                                          const InspectionBounds& bounds = {});

}  // namespace counterfoil
