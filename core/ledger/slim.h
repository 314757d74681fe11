// SPDX-License-Identifier: GPL-3.0-or-later
// The first pass over the inputs makes no full records: a SlimRecord holds what grouping, linking and
// the plain case need, and a reference from which the full record can be read again. Most records of a
// night are plain and are never materialised.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/record/record.h"

namespace counterfoil {

/// Name spaces of the keyed hash (the second argument of KeyedHash).
enum class HashSpace : std::uint32_t { Key = 1, JobId, MessageId, OpRef, EffectId, OutboxId, Scope, Content, Queue };

/// Reference to a record: enough for its Input to read it again.
struct RecordRef {
  FileId file;
  std::uint32_t part = 0;
  std::uint64_t offset = 0;
  auto operator<=>(const RecordRef&) const = default;
};

/// Hashes are keyed; 0 in a link means "has none". Texts that are no value (isNoValue) count as none.
struct SlimRecord {
  Hash128 key;                      ///< of the normal form of the key; all zero: no key
  std::uint64_t jobId = 0;          ///< hashed with the source (link 4 is within one; the judge minds the scope)
  std::uint64_t messageId = 0;      ///< the same; of outbox rows, intents, events without one: their own id
  std::uint64_t opRef = 0;          ///< opRefOf(text's hash, operation): hashed with the operation's index
  std::uint64_t effectId = 0;       ///< effect: own id; attempt: recorded id. One name space
  std::uint64_t parentId = 0;       ///< effect: parent id, or `replaces`; same name space as effectId
  std::uint64_t content = 0;        ///< of all fields but the place, for rows without a key
  std::uint64_t scope = 0;          ///< of account + live/test; 0: blank account, live or unstated
  RecordRef ref;
  std::int64_t amountMinor = 0;     ///< valid if hasAmount
  std::int64_t timeMicros = 0;      ///< attempt: end, else start; effect: created; others: their time
  std::int64_t startMicros = 0;     ///< attempt: start, else end; others as timeMicros
  std::uint32_t queue = 0;          ///< low bits of the queue's hash; 0 none
  std::uint16_t currency = 0;       ///< Currency::packed
  std::int16_t operation = -1;
  RecordKind kind = RecordKind::Attempt;
  std::uint8_t status = 0;          ///< AttemptStatus, EffectStatus, ClaimState, …
  std::uint8_t effectKind = 0;      ///< EffectKind
  bool hasAmount = false;
  bool needsJudge = false;          ///< something only the full record tells (damaged key, key of the cut
                                    ///< length, compared text fields, ambiguous time, fee below a minor unit …)
  bool keyDamaged = false;          ///< RecordHead::keyDamaged; `key` is zero then
  bool dayOnly = false;             ///< effect: `created` is a day without a clock
  std::uint16_t keyBytes = 0;       ///< length of the normal form of the key, at most 65535; 0: no key
};

using SlimBatch = std::vector<SlimRecord>;

/// The 64 bits of a text that a link is made of; 0 for a blank text and for words that are no value.
[[nodiscard]] std::uint64_t linkHash(const KeyedHash& hash, std::string_view text, HashSpace space);
/// The same of a job, message or outbox id, which means something within its source only, unless it is a shared id.
[[nodiscard]] std::uint64_t linkHashWithin(SourceId source, const KeyedHash& hash, std::string_view text,
                                           HashSpace space);
/// SlimRecord::scope.
[[nodiscard]] std::uint64_t scopeHash(const KeyedHash& hash, std::string_view account, Live live);
/// SlimRecord::queue.
[[nodiscard]] std::uint32_t queueHash(const KeyedHash& hash, std::string_view queue);

/// The slim form of a full record: what a first pass has to give. `content` is filled for records without
/// a key only. A queue depth has none (an assert of ours).
/// `jobSpace`: Policy::jobSpaceOf its source, where that is another one.
[[nodiscard]] SlimRecord slimOf(const AnyRecord& record, const KeyedHash& hash, std::optional<SourceId> jobSpace = {});

/// The link value of a business reference under an operation. Effects name no operation (none adds
/// nothing), so an effect's value under operation i is opRefOf(its own, i).
[[nodiscard]] constexpr std::uint64_t opRefOf(std::uint64_t textHash, OperationId operation) {
  if (textHash == 0) return 0;
  const auto index = static_cast<std::uint64_t>(operation.value + 1);
  return textHash ^ (index * 0x9E3779B97F4A7C15ull);
}

}  // namespace counterfoil
