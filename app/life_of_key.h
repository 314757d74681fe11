// SPDX-License-Identifier: GPL-3.0-or-later
// The life of one key (or of what carries an id) on one time line: what the jobs did, what was skipped,
// claimed, published, dead-lettered, what the provider did, what the runs said, what people decided.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/instant.h"
#include "core/base/money.h"
#include "core/store/store.h"
#include "reports/list/record_fields.h"

namespace counterfoil {

struct LifeEvent {
  std::optional<Instant> time;      ///< none: the record does not say; such events come first
  std::string lane;                 ///< "attempt", "skip", …, "effect", "case", "decision", "remedy"
  std::string event;                ///< "started", "succeeded", "live", the class, the state
  std::string id;                   ///< of the job, message, effect, case
  std::string key;
  std::optional<Money> amount;
  std::string detail;               ///< queue, worker, error, reason
  std::string source;               ///< name of the source; blank for cases and decisions
  std::string place;                ///< "jobs.csv:17" where it is known
  std::vector<RunNumber> runs;      ///< that read the record, or judged the case
  std::optional<std::size_t> record;  ///< number of the record; the start and the end of a job have one
  RecordFields fields;              ///< of the record
  std::string raw;                  ///< its text as written, where it is kept (cases)
};

struct Life {
  std::vector<StoredUnit> units;    ///< newest of each case, in output order
  std::vector<LifeEvent> events;    ///< in order of time, lane, event, id
};

/// The lanes in the order in which work passes through them.
[[nodiscard]] std::span<const std::string_view> lifeLanes();

/// Missing: nothing carries this text. At most 10,000 events (Limit otherwise).
[[nodiscard]] Result<Life> lifeOf(const Store& store, const std::string& keyOrId);

}  // namespace counterfoil
