// SPDX-License-Identifier: GPL-3.0-or-later
// What the judge says of one unit (a sub-operation, a "case" on screen): exactly one class, why, flags,
// money at stake, a sentence, and the records it rests on. Codes: classes.md §4; they are stable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/record.h"

namespace counterfoil {

/// In the order of the decision list.
enum class Class : std::uint8_t {
  MatchedManual, Dismissed,
  DuplicateEffect, DuplicateReversed, DuplicateBooking, SplitMismatch, SuppressedWork, LostAfterClaim,
  EffectDespiteFailure, UnacknowledgedEffect, FalseSuccess, UnexplainedReversal, MissingEffect,
  UnrecordedEffect, UnpublishedIntent, StalledAttempt, StalePending, CurrencyMismatch, AmountMismatch,
  FieldMismatch, ProbableDuplicate, InFlight, Expected, OutOfWindow, Unfulfilled, MatchedTolerance,
  MatchedCompensated, MatchedFailure, Matched
};
inline constexpr std::size_t kClassCount = 29;

enum class ClassGroup : std::uint8_t { Break, Open, Closed };
[[nodiscard]] std::string_view codeOf(Class value);           ///< "duplicate_effect"
[[nodiscard]] std::optional<Class> classFromCode(std::string_view code);
[[nodiscard]] ClassGroup groupOf(Class value);
/// "Double charge", "Sent twice" (no amounts), … for people.
[[nodiscard]] std::string_view labelOf(Class value, bool hasMoney);

enum class Severity : std::uint8_t { None, Low, Medium, High, Critical };
[[nodiscard]] std::string_view codeOf(Severity value);        ///< "", "low", …
[[nodiscard]] std::optional<Severity> severityFromCode(std::string_view code);

/// Sub-code of a duplicate or an unexplained reversal; None else.
enum class Why : std::uint8_t {
  None, SameKeyInRetention, SameKeyAfterRetention, KeyPerAttempt, NoKey, OutsideQueue, Refund, Void, Dispute
};
[[nodiscard]] std::string_view codeOf(Why value);             ///< "" for None

/// Mechanism hints and others; kept sorted by code, each once.
enum class Hint : std::uint8_t {
  ClientRetry, CrashWindow, MinorUnitScale, OutboxDoublePublish, Overlap, PeriodicGap, Redrive, RetryBackoff,
  SeveralAccounts
};
[[nodiscard]] std::string_view codeOf(Hint value);

enum class Flag : std::uint8_t {
  AbsorbedDuplicate, AmbiguousMatch, AmountUnverified, Cancelled, DespiteFailure, Disputed, DuplicateReversed,
  NetZero, NoAttemptSeen, Overdue, PendingTwin, Provisional, Reversed, SameReference, SuggestedMatch, WeakEvidence
};
[[nodiscard]] std::string_view codeOf(Flag value);

/// Local summary of a unit (classes.md §3).
enum class LocalSummary : std::uint8_t { Succeeded, Open, Failed, KeptOut, Backlog, Nothing };

enum class SkipVerdict : std::uint8_t { Legit, LegitCarried, Suppressing, Stranded, Unverifiable };
[[nodiscard]] std::string_view codeOf(SkipVerdict value);
enum class RedriveVerdict : std::uint8_t { Obsolete, Unsafe, CheckFirst, Safe };
[[nodiscard]] std::string_view codeOf(RedriveVerdict value);

struct JudgedSkip {
  SkipVerdict verdict = SkipVerdict::Unverifiable;
  std::string reason;                ///< one sentence
  std::optional<Money> saved;        ///< legit: the duplicate's amount
};
struct JudgedDeadLetter {
  RedriveVerdict verdict = RedriveVerdict::CheckFirst;
  std::string reason;
  std::optional<Instant> deadline;   ///< stated, or enqueued_at + the queue's retention
};

/// A stable id: 16 lower-case hex digits of the digest of (scope, operation, key, mark).
using CaseId = std::string;

struct Unit {
  CaseId id;
  std::string key;                   ///< first attempt's (keyText); else the first of `keys`; may be blank
  std::vector<std::string> keys;     ///< all, sorted, as written
  std::string scope;                 ///< "", "account", "account/test"
  OperationId operation;
  std::string operationName;
  std::string opRef;
  std::string mark;                  ///< of the sub-operation within the case; blank when there is one
  Class unitClass = Class::Matched;
  Why why = Why::None;
  std::vector<Hint> hints;
  std::vector<Flag> flags;
  Severity severity = Severity::None;
  std::vector<Money> exposure;       ///< signed; sorted by currency; empty for closed ones
  std::string reason;                ///< plain words with numbers, one or two sentences
  LocalSummary local = LocalSummary::Nothing;
  std::optional<Money> expectedAmount;
  std::optional<Instant> due;        ///< when the counterpart must be there
  std::optional<Instant> firstSeen;  ///< earliest time among the records (age counts from here)
  std::vector<std::string> candidates;  ///< ids a fuzzy link proposes, sorted, bounded
  std::size_t moreCandidates = 0;
  Records records;
  std::vector<JudgedSkip> skipVerdicts;              ///< parallel to records.skips
  std::vector<JudgedDeadLetter> deadLetterVerdicts;  ///< parallel to records.deadLetters

  [[nodiscard]] bool has(Flag flag) const;
  void raise(Flag flag);             ///< keeps the list sorted and unique
  void raise(Hint hint);
};

/// Total order of output: class in decision order, then key, scope, operation, case id.
[[nodiscard]] bool outputBefore(const Unit& a, const Unit& b);

}  // namespace counterfoil
