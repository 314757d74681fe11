// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/slim.h"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

#include "core/base/text.h"
#include "core/record/shared_id.h"

namespace counterfoil {

namespace {

std::int64_t microsOf(Instant at) { return at.time_since_epoch().count(); }

/// End and start of what a record stands for, in this order.
struct Span {
  Instant time{};
  Instant start{};
};

Span spanOf(const Attempt& r) {
  const Instant end = r.end ? *r.end : r.start.value_or(Instant{});
  return {end, r.start.value_or(end)};
}
Span spanOf(const Skip& r) { return {r.time, r.time}; }
Span spanOf(const Claim& r) {
  const Instant at = r.claimedAt ? *r.claimedAt : r.expiresAt.value_or(Instant{});
  return {at, at};
}
Span spanOf(const Intent& r) { return {r.createdAt, r.createdAt}; }
Span spanOf(const OutboxRow& r) { return {r.createdAt, r.createdAt}; }
Span spanOf(const ProcessedEvent& r) {
  const Instant at = r.processedAt.value_or(Instant{});
  return {at, at};
}
Span spanOf(const Effect& r) { return {r.created, r.created}; }
Span spanOf(const DeadLetter& r) {
  const Instant at = r.diedAt ? *r.diedAt : r.enqueuedAt ? *r.enqueuedAt : r.sampledAt.value_or(Instant{});
  return {at, at};
}

std::uint8_t statusOf(const Attempt& r) { return static_cast<std::uint8_t>(r.status); }
std::uint8_t statusOf(const Skip& r) { return static_cast<std::uint8_t>(r.reason); }
std::uint8_t statusOf(const Claim& r) { return static_cast<std::uint8_t>(r.state); }
std::uint8_t statusOf(const Intent& r) { return static_cast<std::uint8_t>(r.status); }
std::uint8_t statusOf(const Effect& r) { return static_cast<std::uint8_t>(r.status); }
template <class Record>
std::uint8_t statusOf(const Record&) {
  return 0;
}

template <class Record>
const std::string* ownIdOf(const Record& record) {
  if constexpr (std::is_same_v<Record, Intent> || std::is_same_v<Record, OutboxRow> ||
                std::is_same_v<Record, ProcessedEvent>) {
    return &record.id;
  }
  return nullptr;
}

void fillHead(SlimRecord& slim, const RecordHead& head, const KeyedHash& hash, SourceId source) {
  if (!head.key.empty() && !head.keyDamaged) {
    slim.key = hash(head.key, static_cast<std::uint32_t>(HashSpace::Key));
    slim.keyBytes = static_cast<std::uint16_t>(
        std::min<std::size_t>(head.key.size(), std::numeric_limits<std::uint16_t>::max()));
  }
  slim.jobId = linkHashWithin(source, hash, head.jobId, HashSpace::JobId);
  slim.messageId = linkHashWithin(source, hash, head.messageId, HashSpace::MessageId);
  slim.opRef = opRefOf(linkHash(hash, head.opRef, HashSpace::OpRef), head.operation);
  slim.effectId = linkHash(hash, head.effectId, HashSpace::EffectId);
  slim.scope = scopeHash(hash, head.account, head.live);
  slim.queue = queueHash(hash, head.queue);
  slim.ref = {head.place.file, head.place.part, head.place.offset};
  if (head.amount) {
    slim.hasAmount = true;
    slim.amountMinor = head.amount->minor;
    slim.currency = head.amount->currency.packed();
  }
  slim.operation = head.operation.value;
  slim.keyDamaged = head.keyDamaged;
  slim.needsJudge = head.keyDamaged;
}

/// Where a row was read is no part of its content: the same row of two files has to come together.
std::uint64_t contentHash(AnyRecord record, const KeyedHash& hash) {
  std::visit([](auto& value) { value.place = Place{}; }, record);
  std::string bytes;
  encodeRecord(record, bytes);
  return hash(bytes, static_cast<std::uint32_t>(HashSpace::Content)).low;
}

}  // namespace

std::uint64_t linkHash(const KeyedHash& hash, std::string_view text, HashSpace space) {
  if (isNoValue(text)) return 0;
  return hash(text, static_cast<std::uint32_t>(space)).low;
}

std::uint64_t linkHashWithin(SourceId source, const KeyedHash& hash, std::string_view text, HashSpace space) {
  const std::uint64_t plain = linkHash(hash, text, space);
  if (plain == 0 || isSharedId(text)) return plain;
  const std::uint64_t mixed = plain ^ ((source.value + 1ull) * 0x9E3779B97F4A7C15ull);
  return mixed == 0 ? 1 : mixed;
}

std::uint64_t scopeHash(const KeyedHash& hash, std::string_view account, Live live) {
  if (live != Live::Test) {
    return account.empty() ? 0 : hash(account, static_cast<std::uint32_t>(HashSpace::Scope)).low;
  }
  return hash(std::string(account) + "/test", static_cast<std::uint32_t>(HashSpace::Scope)).low;
}

std::uint32_t queueHash(const KeyedHash& hash, std::string_view queue) {
  if (queue.empty()) return 0;
  const auto low = static_cast<std::uint32_t>(hash(queue, static_cast<std::uint32_t>(HashSpace::Queue)).low);
  return low == 0 ? 1 : low;
}

SlimRecord slimOf(const AnyRecord& record, const KeyedHash& hash, std::optional<SourceId> jobSpace) {
  SlimRecord slim;
  slim.kind = kindOf(record);
  std::visit(
      [&](const auto& value) {
        using Record = std::decay_t<decltype(value)>;
        if constexpr (std::is_base_of_v<RecordHead, Record>) {
          const SourceId space = jobSpace.value_or(value.place.source);
          fillHead(slim, value, hash, space);
          const Span span = spanOf(value);
          slim.timeMicros = microsOf(span.time);
          slim.startMicros = microsOf(span.start);
          slim.status = statusOf(value);
          if (const std::string* id = ownIdOf(value); id != nullptr && slim.messageId == 0) {
            slim.messageId = linkHashWithin(space, hash, *id, HashSpace::OutboxId);
          }
        }
        if constexpr (std::is_same_v<Record, Effect>) {
          slim.effectKind = static_cast<std::uint8_t>(value.kind);
          slim.parentId = linkHash(hash, value.parentId.empty() ? value.replaces : value.parentId,
                                   HashSpace::EffectId);
          slim.dayOnly = value.createdSpan > Duration{0};
          if (value.feeMicro != 0 || (!value.parentId.empty() && !value.replaces.empty())) slim.needsJudge = true;
        }
      },
      record);
  if (slim.key == Hash128{}) slim.content = contentHash(record, hash);
  return slim;
}

}  // namespace counterfoil
