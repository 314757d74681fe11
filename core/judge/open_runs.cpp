// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/open_runs.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/judge/clock.h"
#include "core/judge/job_views.h"

namespace counterfoil::judging {

namespace {

/// By job: when something of it was seen last.
using LastSeen = std::map<std::pair<SourceId, std::string_view>, Instant>;

void see(LastSeen& seen, const RecordHead& head, Instant at, const Policy& policy) {
  if (head.jobId.empty()) return;
  const auto [entry, isNew] = seen.try_emplace({sourceOfId(head, policy), head.jobId}, at);
  if (!isNew) entry->second = std::max(entry->second, at);
}

bool isSeenAfter(const LastSeen& seen, const Attempt& attempt, Instant at, const Policy& policy) {
  const auto found = seen.find({sourceOfId(attempt, policy), attempt.jobId});
  return found != seen.end() && found->second > at;
}

}  // namespace

bool isOpenStatus(AttemptStatus status) {
  switch (status) {
    case AttemptStatus::Running:
    case AttemptStatus::Lost:
    case AttemptStatus::Unknown:
    case AttemptStatus::RetryPending: return true;
    case AttemptStatus::Succeeded:
    case AttemptStatus::FailedFinal: return false;
  }
  return false;
}

std::vector<const Attempt*> openRunsOf(const UnitView& view) {
  const Policy& policy = view.context->policy;
  LastSeen starts, skips;
  for (const Attempt* attempt : view.attempts) see(starts, *attempt, startOf(*attempt), policy);
  for (const Skip* skip : view.skips) see(skips, *skip, skip->time, policy);
  std::vector<const Attempt*> open;
  for (const Attempt* attempt : view.attempts) {
    if (!isOpenStatus(attempt->status) || isEndedElsewhere(*attempt, view.attempts, policy)) continue;
    const Instant start = startOf(*attempt);
    const bool isOver = attempt->status == AttemptStatus::RetryPending || attempt->status == AttemptStatus::Lost ||
                        start + view.operation->maxRuntime <= view.context->asOf;
    const bool isClosed = isOver && (isSeenAfter(starts, *attempt, start, policy) || isSeenAfter(skips, *attempt, start, policy));
    if (!isClosed) open.push_back(attempt);
  }
  return open;
}

}  // namespace counterfoil::judging
