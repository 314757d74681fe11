// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/job_views.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/record/shared_id.h"

namespace counterfoil::judging {

namespace {

/// What one source saw of one job.
struct JobView {
  std::size_t runs = 0;
  std::size_t started = 0;
};

bool isOfOneSource(const std::vector<const Attempt*>& attempts) {
  return std::all_of(attempts.begin(), attempts.end(), [&](const Attempt* attempt) {
    return attempt->place.source == attempts.front()->place.source;
  });
}

bool isEnded(AttemptStatus status) {
  return status == AttemptStatus::Succeeded || status == AttemptStatus::FailedFinal;
}

std::optional<Instant> timeOf(const Attempt& attempt) { return attempt.start ? attempt.start : attempt.end; }

constexpr SourceId kEverySource{0xFFFF};

}  // namespace

SourceId sourceOfId(const RecordHead& head, const Policy& policy) {
  return isSharedId(head.jobId) ? kEverySource : policy.jobSpaceOf(head.place.source);
}

std::vector<const Attempt*> distinctRuns(const std::vector<const Attempt*>& attempts, const Policy& policy) {
  if (attempts.size() < 2 || isOfOneSource(attempts)) return attempts;
  using Job = std::pair<SourceId, std::string_view>;
  const auto jobOf = [&](const Attempt& attempt) { return Job(sourceOfId(attempt, policy), attempt.jobId); };
  std::map<Job, std::map<SourceId, JobView>> jobs;
  for (const Attempt* attempt : attempts) {
    if (!policy.isSharedJob(*attempt)) continue;
    JobView& view = jobs[jobOf(*attempt)][attempt->place.source];
    ++view.runs;
    view.started += attempt->start ? 1 : 0;
  }
  std::map<Job, SourceId> chosen;
  for (const auto& [job, views] : jobs) {
    const auto best = std::max_element(views.begin(), views.end(), [](const auto& a, const auto& b) {
      return std::tie(a.second.runs, a.second.started) < std::tie(b.second.runs, b.second.started);
    });
    chosen[job] = best->first;
  }
  std::vector<const Attempt*> runs;
  std::copy_if(attempts.begin(), attempts.end(), std::back_inserter(runs), [&](const Attempt* attempt) {
    const auto source = chosen.find(jobOf(*attempt));
    return source == chosen.end() || source->second == attempt->place.source;
  });
  return runs;
}

std::size_t successesOf(const std::vector<const Attempt*>& attempts, const Policy& policy) {
  const auto runs = distinctRuns(attempts, policy);
  return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const Attempt* attempt) {
    return attempt->status == AttemptStatus::Succeeded;
  }));
}

bool isEndedElsewhere(const Attempt& open, const std::vector<const Attempt*>& attempts, const Policy& policy) {
  if (attempts.size() < 2 || !policy.isSharedJob(open)) return false;
  return std::any_of(attempts.begin(), attempts.end(), [&](const Attempt* other) {
    const bool isOther = other->place.source != open.place.source && other->jobId == open.jobId &&
                         sourceOfId(*other, policy) == sourceOfId(open, policy);
    if (!isOther || !isEnded(other->status)) return false;
    const std::optional<Instant> began = timeOf(open);
    const std::optional<Instant> ended = other->end ? other->end : other->start;
    return !began || !ended || *ended >= *began;
  });
}

}  // namespace counterfoil::judging
