// SPDX-License-Identifier: GPL-3.0-or-later
// The night on which no key meets (a mapping names the wrong field, a prefix was added): every record is
// one-sided. Such a night is counted in full from slim rows, but only the first units of each class are
// read and listed, so that it takes little longer than a good one and no more memory. Internal to core/run.
#pragma once

#include <cstdint>

#include "core/run/judging.h"

namespace counterfoil {

/// Units a class that are listed on such a night.
inline constexpr std::size_t kListedOnBadNight = 1000;

/// contract.md §4: enough keys on both sides, few of them meet, and no id or order joins them instead.
[[nodiscard]] bool keysDoNotMeet(const SiftTally& tally, const Thresholds& thresholds);

struct BadNight {
  KeyMeeting keys;             ///< with the field that would fit better
  std::uint64_t unitsNotListed = 0;
};

/// Instead of judgeLeft() and weighWaiting(): counts everything, lists what is bounded.
Result<BadNight> judgeBadNight(NightState& night, PartitionedBytes& left, const UnitSinks& sinks,
                               const KeyMeeting& keys);

}  // namespace counterfoil
