// SPDX-License-Identifier: GPL-3.0-or-later
// The records of classes.md §1: plain values. Amounts are minor units without sign (the kind says the
// direction), times are UTC instants, every record knows where it came from. Texts are valid UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/instant.h"
#include "core/base/money.h"

namespace counterfoil {

enum class RecordKind : std::uint8_t {
  Attempt, Skip, Claim, Intent, Outbox, ProcessedEvent, Effect, DeadLetter, QueueDepth
};
inline constexpr std::size_t kRecordKindCount = 9;
/// "attempt", "skip", …: the words of a mapping's `record` member.
[[nodiscard]] std::string_view codeOf(RecordKind kind);
[[nodiscard]] std::optional<RecordKind> recordKindFromCode(std::string_view code);

/// Index of a source in the run's list (order of the configuration).
struct SourceId {
  std::uint16_t value = 0;
  auto operator<=>(const SourceId&) const = default;
};
/// Index of a file (or table, or API) among all files of the run, in order of source, then path.
struct FileId {
  std::uint32_t value = 0;
  auto operator<=>(const FileId&) const = default;
};
/// Index into Policy::operations; none: not assigned (the record names no operation).
struct OperationId {
  std::int16_t value = -1;
  [[nodiscard]] bool isNone() const { return value < 0; }
  auto operator<=>(const OperationId&) const = default;
};

/// Where a record was read. Total order = file order, then place in the file.
struct Place {
  SourceId source;
  FileId file;
  std::uint64_t offset = 0;  ///< byte offset in the (decoded) file, or row number for tables
  std::uint32_t part = 0;    ///< which record of the row: mapping number and element of layout.each
  auto operator<=>(const Place&) const = default;
};

enum class Live : std::uint8_t { Unstated, Live, Test };

/// What every record but a queue depth has. Blank text = the source does not say.
struct RecordHead {
  Place place;
  std::string key;        ///< normal form; blank if the row has no key (isNoValue words are blank here)
  std::string keyText;    ///< as written, outer white space off; for people
  std::string jobId;
  std::string messageId;
  std::string opRef;      ///< business reference: order, invoice
  std::string effectId;   ///< attempt: as recorded by the job; effect: its own id
  std::string account;
  Live live = Live::Unstated;
  OperationId operation;  ///< by the configuration's `when`
  std::string task;
  std::string queue;
  std::string worker;
  std::string customer;   ///< or destination
  std::string fingerprint;
  std::optional<Money> amount;
  bool keyDamaged = false;  ///< spreadsheet damage: no key, fuzzy only (classes.md §1); keyText holds it
};

enum class AttemptStatus : std::uint8_t { Succeeded, FailedFinal, RetryPending, Running, Lost, Unknown };
struct Attempt : RecordHead {
  AttemptStatus status = AttemptStatus::Unknown;
  std::optional<std::int64_t> number;  ///< attempt no.
  std::optional<Instant> start;
  std::optional<Instant> end;
  std::string error;
};

enum class SkipReason : std::uint8_t { AlreadyDone, InProgress, EnqueueSuppressed, Unspecified };
struct Skip : RecordHead {
  Instant time{};
  SkipReason reason = SkipReason::Unspecified;
  std::string firstFingerprint;  ///< of the original, where the line names it
  std::string firstOpRef;
};

enum class ClaimState : std::uint8_t { InProgress, Completed, Failed };
struct Claim : RecordHead {
  ClaimState state = ClaimState::Completed;
  std::optional<Instant> claimedAt;
  std::optional<Instant> expiresAt;
};

/// A row that the consumer wrote when it finished with an event. Counts as a completed claim.
struct ProcessedEvent : RecordHead {
  std::string id;
  std::optional<Instant> processedAt;
};

enum class IntentStatus : std::uint8_t { Open, Done, Cancelled };
struct Intent : RecordHead {
  std::string id;
  IntentStatus status = IntentStatus::Open;
  Instant createdAt{};
  std::optional<Instant> dueAt;
};

struct OutboxRow : RecordHead {
  std::string id;
  std::string topic;
  Instant createdAt{};
  std::optional<Instant> publishedAt;
  std::int64_t publishCount = 0;
  bool dead = false;
};

enum class EffectKind : std::uint8_t { Forward, Reversal, Dispute, Fee, Other };
enum class EffectStatus : std::uint8_t { Live, Pending, Failed };
struct Effect : RecordHead {
  EffectKind kind = EffectKind::Forward;
  EffectStatus status = EffectStatus::Live;
  std::string parentId;
  std::string replaces;      ///< id of the pending row that this one takes the place of
  std::optional<std::int64_t> fee;   ///< minor units; above zero is cost, below it was given back
  std::int32_t feeMicro = 0;         ///< what the fee has below a minor unit, in millionths, same sign
  Currency feeCurrency;              ///< none: the amount's
  Instant created{};
  Duration createdSpan{0};   ///< a day without a clock is an interval [created, created + span)
  std::optional<Instant> effective;
};

struct DeadLetter : RecordHead {
  std::optional<Instant> enqueuedAt;
  std::optional<Instant> diedAt;
  std::optional<std::int64_t> receiveCount;
  std::string error;
  std::optional<Instant> deadline;
  std::optional<Instant> sampledAt;
};

/// What waits in a queue. Unstated: the row does not say; the configuration, the other queues and its name may.
enum class QueueKind : std::uint8_t { Unstated, Work, Dead, Retry, Delayed, InFlight };
inline constexpr std::size_t kQueueKindCount = 6;
/// "work", "dead", "retry", "delayed", "in_flight"; "" for Unstated.
[[nodiscard]] std::string_view codeOf(QueueKind kind);
[[nodiscard]] QueueKind queueKindFromCode(std::string_view code);   ///< Unstated for any other text

/// One look at a queue, or at a part of it: rows of one look that name parts add up.
struct QueueDepth {
  Place place;
  std::string queue;
  QueueKind kind = QueueKind::Unstated;
  std::string part;                      ///< a partition, a priority; "" = the whole queue
  std::string deadLetterQueue;           ///< where the broker moves this queue's dead letters
  std::optional<std::int64_t> depth;     ///< all messages, those in flight or delayed too; unknown is not 0
  std::optional<std::int64_t> inFlight;
  std::optional<std::int64_t> offset;    ///< of a log: where the part begins, or ends; a part needs two such rows
  std::optional<Duration> oldestAge;
  std::optional<Instant> sampledAt;
};

using AnyRecord =
    std::variant<Attempt, Skip, Claim, Intent, OutboxRow, ProcessedEvent, Effect, DeadLetter, QueueDepth>;
[[nodiscard]] RecordKind kindOf(const AnyRecord& record);
/// The head of any record but a queue depth (nullptr for that).
[[nodiscard]] const RecordHead* headOf(const AnyRecord& record);

/// Some records, by kind. The order within a kind carries no meaning for the judge.
struct Records {
  std::vector<Attempt> attempts;
  std::vector<Skip> skips;
  std::vector<Claim> claims;
  std::vector<Intent> intents;
  std::vector<OutboxRow> outbox;
  std::vector<ProcessedEvent> processedEvents;
  std::vector<Effect> effects;
  std::vector<DeadLetter> deadLetters;

  void add(AnyRecord&& record);  ///< queue depths are not taken (they belong to no group): Internal assert
  [[nodiscard]] std::size_t size() const;
};

/// Compact, self-delimiting bytes of a record, for spill files and record blocks. Stable within a
/// store schema version; decode checks every bound (the bytes may come from a damaged store).
void encodeRecord(const AnyRecord& record, std::string& out);
[[nodiscard]] Result<AnyRecord> decodeRecord(std::string_view& bytes);

}  // namespace counterfoil
