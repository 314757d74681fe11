// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store_lists.h"

namespace counterfoil {

static std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return {};
  return formatInstant(*at);
}

Result<StoredRun> runOf(const Store& store, std::optional<RunNumber> wanted) {
  if (!wanted) {
    const auto last = store.lastRun();
    if (!last) return fail(last.error());
    wanted = *last;
  }
  if (!wanted) return fail(ErrorCode::Usage, "the store has no run yet");
  auto run = store.run(*wanted);
  if (!run && run.error().code == ErrorCode::Missing) return fail(ErrorCode::Usage, run.error().message);
  return run;
}

std::string clearedWords(const StoredUnit& stored) {
  if (stored.clearedRun == 0) return {};
  std::string words = "Cleared by run " + std::to_string(stored.clearedRun);
  if (stored.clearedLate && *stored.clearedLate >= std::chrono::minutes(1)) {
    using namespace std::chrono;
    const auto rounded = *stored.clearedLate < hours(1) ? floor<minutes>(*stored.clearedLate)
                         : *stored.clearedLate < hours(72) ? floor<hours>(*stored.clearedLate) : floor<days>(*stored.clearedLate);
    words += ", " + formatShortDuration(Duration(rounded)) + " after it was due";
  }
  return words + ".";
}

void fillCaseLine(const StoredUnit& stored, CaseLine& line) {
  fillCaseLine(stored.unit, stored.asOf, line);
  const bool closed = groupOf(stored.unit.unitClass) == ClassGroup::Closed;
  if (!closed || stored.state != ReviewState::Open) line.state = codeOf(stored.state);
  line.firstRun = stored.firstRun;
  line.lastRun = stored.lastRun;
  if (const std::string cleared = clearedWords(stored); !cleared.empty()) line.reason += " " + cleared;
}

SkipLine skipLineOf(const SkipRow& row) {
  SkipLine line{row.key, formatInstant(row.time), row.worker, std::string(codeOf(row.verdict)), row.reason, {}, row.caseId};
  if (row.saved) line.saved = {*row.saved};
  return line;
}

MessageLine messageLineOf(const DeadLetterRow& row) {
  return {row.queue, row.messageId, row.key, row.error, row.receiveCount, instantText(row.diedAt),
          instantText(row.deadline), std::string(codeOf(row.verdict)), row.reason, row.caseId};
}

std::vector<QueueLine> queueLinesOf(const StoredRun& run) {
  std::vector<QueueLine> lines;
  for (const auto& queue : run.result.queues) lines.push_back(queueLineOf(queue));
  return lines;
}

}  // namespace counterfoil
