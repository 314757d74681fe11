// SPDX-License-Identifier: GPL-3.0-or-later
// One job as several sources tell of it (a result table, its log, an event stream): each is a view of the same runs.
// A job is known across sources by its shared id (core/record/shared_id.h), or where the configuration says that
// sources count their jobs together. Pure functions.
#pragma once

#include <vector>

#include "core/policy/policy.h"
#include "core/record/record.h"

namespace counterfoil::judging {

/// Within which a job id means something: its source, or all of them (the same value for each).
[[nodiscard]] SourceId sourceOfId(const RecordHead& head, const Policy& policy);

/// The runs that happened: of a job that several sources tell of, those of the source that saw most of them (of
/// several, the one with starting times, then the first). In the order given.
[[nodiscard]] std::vector<const Attempt*> distinctRuns(const std::vector<const Attempt*>& attempts, const Policy& policy);
/// How many of the distinct runs succeeded.
[[nodiscard]] std::size_t successesOf(const std::vector<const Attempt*>& attempts, const Policy& policy);
/// Whether another source saw the end of this job after the attempt began: then an attempt that is still open here is
/// one whose end this source never learned of.
[[nodiscard]] bool isEndedElsewhere(const Attempt& open, const std::vector<const Attempt*>& attempts,
                                    const Policy& policy);

}  // namespace counterfoil::judging
