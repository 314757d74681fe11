// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a run, as plain data (contract.md §2, classes.md §1). Built by the configuration reader;
// the judge sees only this. Defaults named here are the documented ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/instant.h"
#include "core/base/money.h"
#include "core/record/record.h"

namespace counterfoil {

using namespace std::chrono_literals;

enum class Expect : std::uint8_t { ExactlyOne, Split, ZeroOrOne };
enum class Direction : std::uint8_t { Outbound, Inbound };
enum class OperationEffect : std::uint8_t { Forward, Reversal };
enum class OtherPayload : std::uint8_t { Unknown, Error, Replay, NewEffect };
enum class CompareField : std::uint8_t { Amount, Currency, Customer, OpRef };

/// Allowed difference of an amount, in minor units.
struct Tolerance {
  std::int64_t minor = 0;
  std::map<Currency, std::int64_t> minorByCurrency;   ///< wins over `minor`
  std::int64_t percentMillionths = 0;                 ///< 0.5 % = 5000; of the expected amount, rounded down
  [[nodiscard]] std::int64_t allowed(const Money& expected) const;
};

struct Operation {
  std::string name = "effect";
  Expect expect = Expect::ExactlyOne;
  OperationEffect effect = OperationEffect::Forward;
  Direction direction = Direction::Outbound;
  std::string provider;                      ///< blank: any
  Duration maxRuntime = 5min;                ///< ρ
  std::optional<Duration> keyLifetime;       ///< none: for ever
  std::set<CompareField> compare = {CompareField::Amount, CompareField::Currency};
  Tolerance tolerance;
  bool reversalsRecordedLocally = false;
  Duration intentLimit = 15min;
  std::optional<Duration> probableDuplicateWithin;  ///< off unless given
};

struct ProviderProfile {
  std::string name;
  std::optional<Duration> keyRetention;      ///< κ; unknown unless given
  Duration statementLag = 0s;                ///< λ
  Duration pendingLimit = 24h * 7;           ///< π
  OtherPayload otherPayload = OtherPayload::Unknown;
  std::optional<std::size_t> keyLength;      ///< keys are cut there
};

struct QueueProfile {
  std::string name;
  std::optional<Duration> visibilityTimeout;
  std::optional<Duration> retryHorizon;
  std::optional<Duration> dedupeTtl;
  std::optional<Duration> claimTtl;
  std::string deadLetterQueue;
  std::optional<std::int64_t> maxDepth;
  std::optional<std::int64_t> depthCap;      ///< Sidekiq's dead set 10,000 and the like
  std::optional<Duration> deadLetterRetention;
};

/// Bands and limits of findings; every one is documented in resources/docs/findings.md.
struct Thresholds {
  std::int64_t commonLinkValueLimit = 50;    ///< a link value that joins more is no link
  std::int64_t poisonAttempts = 5;
  std::int64_t periodicMinimum = 3;          ///< equal gaps needed before they are called periodic
  std::int64_t periodicPercent = 5;          ///< width of "the same τ"
  std::int64_t keysMeetMinimum = 20;         ///< keys on each side before `keys_do_not_meet` is judged
  std::int64_t keysMeetPercent = 10;
  Duration stuckClaimAfter = 5min;
  Duration dlqExpiringWithin = 24h;
  std::int64_t skipRatePercentMaximum = 50;
  std::int64_t retryStormPercent = 50;
  std::size_t maxExamples = 5;
  std::size_t maxCandidates = 5;
};

/// What a source is, as far as judging needs it.
struct SourceProfile {
  std::string name;
  std::string provider;             ///< of effects; blank for local sources
  bool blind = false;               ///< keeps no successes, or one row per job
  std::set<RecordKind> kinds;       ///< what its mappings make
  bool snapshot = false;            ///< holds only what is open at one moment: it says nothing of any span of time
  std::optional<SourceId> jobSpace = {};   ///< declared: the first source whose ids of jobs and messages mean the same
};

struct Policy {
  std::vector<Operation> operations = {Operation{}};   ///< never empty; first is the default
  std::vector<ProviderProfile> providers;
  std::vector<QueueProfile> queues;
  std::vector<SourceProfile> sources;                  ///< by SourceId
  Duration clockSkew = 5min;                           ///< σ
  Duration openLimit = 24h * 7;
  Thresholds thresholds;

  [[nodiscard]] const Operation& operation(OperationId id) const;   ///< the first for none
  [[nodiscard]] const ProviderProfile* provider(std::string_view name) const;
  /// The source for all whose ids of jobs and messages mean the same: itself, unless the configuration says otherwise.
  [[nodiscard]] SourceId jobSpaceOf(SourceId source) const;
  /// Whether a job's id may name the same job in another source: it is a shared id, or its source counts with others.
  [[nodiscard]] bool isSharedJob(const RecordHead& head) const;
  /// Profile of a queue, also when `name` is some queue's dead-letter queue.
  [[nodiscard]] const QueueProfile* queue(std::string_view name) const;
};

/// What the sources cover, as unions of half-open intervals (classes.md §2). Immutable while judging.
struct Coverage {
  /// By source; a source of several files is the union of its files.
  std::map<SourceId, std::vector<Interval>> bySource;
  /// By file, for repeats of rows without an id. Declared per source: then the same for each file.
  std::map<FileId, std::vector<Interval>> byFile;
  std::set<SourceId> declared;                 ///< sources whose coverage was declared, not observed
};

/// Whether a queue is named like one of dead letters: "payments.dlq", "payments_error", "orders.DLT",
/// "default.XQ", "bull:mail:failed", "DeadLetterQueue", … Asked where nothing else tells.
[[nodiscard]] bool isNamedLikeDeadLetters(std::string_view queue);

}  // namespace counterfoil
