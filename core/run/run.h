// SPDX-License-Identifier: GPL-3.0-or-later
// One night: scan, group, judge, prove. The engine is used by `match` and `run` alike; it knows nothing
// of files, configurations, stores or screens.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/judge/findings.h"
#include "core/judge/judge.h"
#include "core/judge/proof.h"
#include "core/ledger/spill_space.h"
#include "core/run/input.h"

namespace counterfoil {

/// What of the units a caller wants to see. Breaks and open ones always; closed plain ones are only
/// counted unless All is asked for.
enum class Detail : std::uint8_t { BreaksAndOpen, Notable, All };

struct RunOptions {
  Instant asOf{};
  Detail detail = Detail::BreaksAndOpen;
  std::uint64_t memoryBytes = 1ull << 30;
  std::uint64_t maxQuarantined = 0;            ///< by configuration; more makes the run incomplete
  bool wantDigests = true;
  const CancelToken* cancel = nullptr;
  /// stage: "reading", "matching", "judging", "sorting". From any thread, at most some times a second.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress;
  std::vector<std::string> acceptFindings;
  std::vector<std::string> mayBeEmpty;         ///< names of sources
  struct Declared {                            ///< control totals of a source
    SourceId source;
    std::optional<std::uint64_t> count;
    std::vector<Money> totals;
  };
  std::vector<Declared> declared;
  struct MustReach {
    SourceId source;
    Instant at{};
  };
  std::vector<MustReach> mustReach;
  std::map<SourceId, std::vector<Interval>> declaredCoverage;
  const EarlierKnowledge* earlier = nullptr;   ///< of earlier nights; must outlive the run
  const KeyedHash* hash = nullptr;             ///< instead of a fresh one; no output depends on it
};

struct SourceReport {
  std::string name;
  std::string format;
  std::string digest;        ///< of one file; of several: digest over theirs in order
  std::uint64_t rows = 0, recorded = 0, quarantined = 0, excluded = 0, repeated = 0;
  std::optional<Instant> from, to;
  std::vector<FileReport> files;
};

/// How many keys meet (contract.md §4).
struct KeyMeeting {
  std::uint64_t localKeys = 0;
  std::uint64_t providerKeys = 0;
  std::uint64_t meeting = 0;
  std::string betterColumn;          ///< the field that would fit better, "" if none
  std::uint64_t betterMatches = 0;
  std::uint64_t betterOf = 0;        ///< of so many keys that were tried
};

struct RunResult {
  Instant asOf{};
  bool complete = true;
  std::vector<std::string> incompleteBecause;   ///< sentences, in source order
  std::vector<SourceReport> sources;
  std::uint64_t units = 0;
  std::uint64_t breaks = 0;
  std::uint64_t open = 0;
  std::uint64_t overdue = 0;
  std::uint64_t unjudged = 0;
  std::map<Class, std::uint64_t> classes;
  std::map<Class, std::map<Currency, std::int64_t>> exposureByClass;
  std::vector<Money> exposure;                  ///< of breaks
  std::map<Severity, std::uint64_t> breaksBySeverity;
  std::map<SkipVerdict, std::uint64_t> skips;
  std::vector<Money> saved;                     ///< duplicates prevented
  std::map<RedriveVerdict, std::uint64_t> deadLetters;
  std::vector<Finding> findings;
  std::vector<FindingsCollector::QueueState> queues;
  std::vector<ProofLine> proof;
  KeyMeeting keys;
  std::vector<QuarantinedRow> quarantined;      ///< bounded to 1000, in order of place
  bool listsBounded = false;                    ///< keys do not meet: only the first units are listed
  std::uint64_t unitsNotListed = 0;
};

/// Units in outputBefore order, readable more than once. Lives as long as its SpillSpace.
class UnitList {
 public:
  virtual ~UnitList() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Stops early when fn returns false.
  virtual Result<> forEach(const std::function<bool(const Unit&)>& fn) const = 0;
};

struct RunOutcome {
  RunResult result;
  std::unique_ptr<UnitList> units;
};

/// Same inputs, policy and as-of: same outcome, whatever threads, memory bound and order of rows.
[[nodiscard]] Result<RunOutcome> runEngine(Input& input, const Policy& policy, const RunOptions& options,
                                           Executor& executor, SpillSpace& spill);

/// 0, 1, 3 or 4 by contract.md §1, for `failOn` (None = any break counts; findings that make a run
/// incomplete are already in `complete`).
[[nodiscard]] int exitCodeOf(const RunResult& result, Severity failOn, bool neverFail);

}  // namespace counterfoil
