// SPDX-License-Identifier: GPL-3.0-or-later
// The second stage of a run: goes through the ledger group by group. What is plain is counted; what is
// linked comes together; everything else is put by for the judge. Internal to core/run.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/ledger/partitioned_bytes.h"
#include "core/run/night.h"
#include "core/run/verdicts.h"

namespace counterfoil {

/// What the sift counted. Sums only: independent of order and threads.
struct SiftTally {
  std::uint64_t plainUnits = 0;
  std::vector<__int128> plainMinor;               ///< by shape of the effect
  std::map<std::uint32_t, SlimQueueTally> queues; ///< by hash; of plain units
  std::uint64_t localKeys = 0;
  std::uint64_t providerKeys = 0;
  std::uint64_t meetingKeys = 0;
  std::uint64_t localRows = 0;
  std::uint64_t joinedLocalRows = 0;              ///< tied to an effect by an id or an order, not by the key
  std::uint64_t leftRows = 0;                     ///< rows put by for the judge
  std::uint64_t leftGroups = 0;
  void merge(const SiftTally& other);
};

/// Rows that are left for the judge: groups lie together, by partition.
struct Sifted {
  SiftTally tally;
  std::unique_ptr<PartitionedBytes> left;
};

/// Consumes the ledger's rows.
Result<Sifted> siftLedger(NightState& night);

}  // namespace counterfoil
