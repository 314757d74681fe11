// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the lists `cases`, `skips`, `dlq`, `dlq --messages`, `findings` and `proof`: plain
// values and their description for the writers. `match` fills them from units, the store's lists
// from rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/findings.h"
#include "core/judge/proof.h"
#include "core/judge/unit.h"
#include "reports/list/line.h"

namespace counterfoil {

struct CaseLine {
  std::string caseId, key, scope, operation, unitClass, why;
  std::vector<std::string> hints, flags;
  std::string severity, state;
  std::vector<Money> exposure;
  std::vector<std::string> attempts;  ///< job ids (message ids where a job has none), sorted
  std::vector<std::string>
      effects;  ///< ids of the operation's own effects in order of time, then id
  std::int64_t skips = 0;
  std::vector<std::string> deadLetters;  ///< message ids, sorted
  std::vector<std::string> keys;
  std::string opRef;
  std::vector<std::string> candidates;
  std::optional<std::int64_t> firstRun, lastRun;  ///< null without a store
  std::string age;                                ///< "26h"; blank if no record has a time
  std::string reason;
};

struct SkipLine {
  std::string key;
  std::optional<std::string> time;
  std::string worker, verdict, reason;
  std::vector<Money> saved;
  std::string caseId;   ///< of its unit
};

struct QueueLine {
  std::string queue, kind;            ///< "work", "dead", "retry", "delayed", "in_flight"; "" = not known
  std::optional<std::int64_t> depth, inFlight;
  std::optional<std::string> oldest;  ///< "26h"
  std::optional<std::int64_t> maxDepth;
  std::optional<std::string> sampledAt;
  std::int64_t samples = 0;           ///< looks at different times; with more than one, the first of them
  std::optional<std::int64_t> firstDepth;
  std::optional<std::string> firstAt;
};

struct MessageLine {
  std::string queue, messageId, key, error;
  std::optional<std::int64_t> receiveCount;
  std::optional<std::string> diedAt, deadline;
  std::string verdict, reason;
  std::string caseId;   ///< of its unit
};

void describe(const CaseLine& line, LineVisitor& visitor);
void describe(const SkipLine& line, LineVisitor& visitor);
void describe(const QueueLine& line, LineVisitor& visitor);
void describe(const MessageLine& line, LineVisitor& visitor);
void describe(const Finding& line, LineVisitor& visitor);
void describe(const ProofLine& line, LineVisitor& visitor);

/// Fills `line` (its strings are used again) from a unit without a review history: `state` is
/// "open" for breaks and open units, "closed" else; runs are null.
void fillCaseLine(const Unit& unit, Instant asOf, CaseLine& line);
/// One line a skip (a dead letter) of the unit.
[[nodiscard]] std::vector<SkipLine> skipLinesOf(const Unit& unit);
[[nodiscard]] std::vector<MessageLine> messageLinesOf(const Unit& unit);
[[nodiscard]] QueueLine queueLineOf(const FindingsCollector::QueueState& state);

}  // namespace counterfoil
