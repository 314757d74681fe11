// SPDX-License-Identifier: GPL-3.0-or-later
// The fields a mapping may fill, by record kind (contract.md), and the words that enumerated fields
// know.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/record.h"

namespace counterfoil {

enum class Field : std::uint8_t {
  Key,
  JobId,
  MessageId,
  OpRef,
  EffectId,
  ParentId,
  Replaces,
  Id,
  Account,
  Live,
  Operation,
  Task,
  Queue,
  Worker,
  Customer,
  Topic,
  Error,
  Fingerprint,
  FirstFingerprint,
  FirstOpRef,
  Currency,
  FeeCurrency,
  Amount,
  Fee,
  Kind,
  Status,
  Reason,
  Attempt,
  PublishCount,
  ReceiveCount,
  DeadLetterQueue,
  Part,
  Depth,
  Ready,
  InFlight,
  Delayed,
  From,
  To,
  Offset,
  Dead,
  DeadLetter,
  Oldest,
  Start,
  End,
  Created,
  Effective,
  Time,
  ClaimedAt,
  ExpiresAt,
  CreatedAt,
  DueAt,
  PublishedAt,
  ProcessedAt,
  EnqueuedAt,
  DiedAt,
  Deadline,
  SampledAt
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::SampledAt) + 1;

/// How a field's text is understood.
enum class FieldMeaning : std::uint8_t {
  Text,
  Link,
  Key,
  Fingerprint,
  Currency,
  FeeCurrency,
  Amount,
  Fee,
  Word,
  Integer,
  Flag,
  Live,
  Age,
  Time
};

struct FieldRow {
  std::string_view name;
  Field field;
  FieldMeaning meaning;
  std::uint16_t kinds;  ///< bit per RecordKind
};

/// Nothing if records of the kind have no such field.
[[nodiscard]] const FieldRow* findField(RecordKind kind, std::string_view name);
[[nodiscard]] std::vector<std::string_view> fieldNames(RecordKind kind);
/// The name of a field in a mapping of that kind ("status", of claims "state").
[[nodiscard]] std::string_view nameOf(RecordKind kind, Field field);

/// Status word of an attempts row that makes it a skip.
inline constexpr std::uint8_t kSkippedStatus = 100;

/// Codes of an enumerated field: "live", "pending", "failed", … Empty for fields that are not
/// enumerated.
[[nodiscard]] std::vector<std::string_view> codesOf(RecordKind kind, Field field);
/// The enum value of a code; case, blanks and dashes do not count.
[[nodiscard]] std::optional<std::uint8_t> valueOfCode(RecordKind kind, Field field,
                                                      std::string_view word);
/// The enum value of a usual word for it, codes included.
[[nodiscard]] std::optional<std::uint8_t> valueOfWord(RecordKind kind, Field field,
                                                      std::string_view word);

/// true/false of the usual words (true, yes, 1, t, y, on …).
[[nodiscard]] std::optional<bool> flagOf(std::string_view word);
/// live/test of the usual words, true and false among them.
[[nodiscard]] std::optional<Live> liveOf(std::string_view word);

/// Lower case without blanks, underscores, dashes, dots and brackets: how column names of generic
/// formats are compared ("Idempotency-Key", "idempotencyKey" and "idempotency_key" are one).
[[nodiscard]] std::string foldColumnName(std::string_view name);

}  // namespace counterfoil
