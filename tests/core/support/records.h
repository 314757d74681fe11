// SPDX-License-Identifier: GPL-3.0-or-later
// Any record of a test in one line: attempt("k").job("j").at(10h).usd(1500), effect("ch_1").key("k")….
// Times are counted from midnight of 2026-04-07 UTC.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "core/record/record.h"

namespace counterfoil::testing {

using namespace std::chrono_literals;

inline Instant atTime(Duration sinceMidnight) {
  return Instant(std::chrono::sys_days(std::chrono::year(2026) / 4 / 7)) + sinceMidnight;
}

inline Money money(std::int64_t minor, std::string_view currency = "USD") {
  return {minor, Currency::parse(currency).value()};
}

inline constexpr SourceId kJobs{0};
inline constexpr SourceId kStatement{1};
inline constexpr SourceId kSkips{2};
inline constexpr SourceId kClaims{3};
inline constexpr SourceId kIntents{4};
inline constexpr SourceId kOutbox{5};
inline constexpr SourceId kDeadLetters{6};
inline constexpr SourceId kSecondStatement{7};

template <class Record>
class Build {
 public:
  explicit Build(SourceId source) {
    static std::uint64_t offset = 0;
    m_record.place = {source, FileId{source.value}, ++offset, 0};
    m_record.operation = OperationId{0};
  }

  Build& key(std::string text) {
    m_record.keyText = text;
    m_record.key = std::move(text);
    return *this;
  }
  Build& damagedKey(std::string text) {
    m_record.keyText = std::move(text);
    m_record.key.clear();
    m_record.keyDamaged = true;
    return *this;
  }
  Build& job(std::string id) { m_record.jobId = std::move(id); return *this; }
  Build& message(std::string id) { m_record.messageId = std::move(id); return *this; }
  Build& order(std::string reference) { m_record.opRef = std::move(reference); return *this; }
  Build& recorded(std::string id) { m_record.effectId = std::move(id); return *this; }
  Build& account(std::string name) { m_record.account = std::move(name); return *this; }
  Build& test() { m_record.live = Live::Test; return *this; }
  Build& op(int index) { m_record.operation.value = static_cast<std::int16_t>(index); return *this; }
  Build& queue(std::string name) { m_record.queue = std::move(name); return *this; }
  Build& task(std::string name) { m_record.task = std::move(name); return *this; }
  Build& worker(std::string name) { m_record.worker = std::move(name); return *this; }
  Build& customer(std::string name) { m_record.customer = std::move(name); return *this; }
  Build& fp(std::string digest) { m_record.fingerprint = std::move(digest); return *this; }
  Build& source(SourceId id) { m_record.place.source = id; m_record.place.file = {id.value}; return *this; }
  Build& file(std::uint32_t id) { m_record.place.file.value = id; return *this; }
  Build& offset(std::uint64_t value) { m_record.place.offset = value; return *this; }
  Build& amount(Money value) { m_record.amount = value; return *this; }
  Build& usd(std::int64_t minor) { return amount(money(minor)); }
  Build& noAmount() { m_record.amount.reset(); return *this; }

  // Attempts
  Build& status(AttemptStatus value) requires std::same_as<Record, Attempt> {
    m_record.status = value;
    return *this;
  }
  Build& failed() requires std::same_as<Record, Attempt> {
    return status(AttemptStatus::FailedFinal);
  }
  Build& running() requires std::same_as<Record, Attempt> {
    m_record.end.reset();
    return status(AttemptStatus::Running);
  }
  Build& number(std::int64_t value) requires std::same_as<Record, Attempt> {
    m_record.number = value;
    return *this;
  }
  /// Starts then, ends a second later.
  Build& at(Duration start) requires std::same_as<Record, Attempt> { return ran(start, start + 1s); }
  Build& ran(Duration start, Duration end) requires std::same_as<Record, Attempt> {
    m_record.start = atTime(start);
    m_record.end = atTime(end);
    return *this;
  }
  Build& noStart() requires std::same_as<Record, Attempt> { m_record.start.reset(); return *this; }
  Build& noEnd() requires std::same_as<Record, Attempt> { m_record.end.reset(); return *this; }
  Build& error(std::string text)
    requires std::same_as<Record, Attempt> || std::same_as<Record, DeadLetter>
  {
    m_record.error = std::move(text);
    return *this;
  }

  // Effects
  Build& at(Duration created) requires std::same_as<Record, Effect> {
    m_record.created = atTime(created);
    return *this;
  }
  Build& day() requires std::same_as<Record, Effect> {
    m_record.createdSpan = 24h;
    return *this;
  }
  Build& effective(Duration at) requires std::same_as<Record, Effect> {
    m_record.effective = atTime(at);
    return *this;
  }
  Build& pending() requires std::same_as<Record, Effect> {
    m_record.status = EffectStatus::Pending;
    return *this;
  }
  Build& failed() requires std::same_as<Record, Effect> {
    m_record.status = EffectStatus::Failed;
    return *this;
  }
  Build& kind(EffectKind value) requires std::same_as<Record, Effect> {
    m_record.kind = value;
    return *this;
  }
  Build& parent(std::string id) requires std::same_as<Record, Effect> {
    m_record.parentId = std::move(id);
    return *this;
  }
  Build& replaces(std::string id) requires std::same_as<Record, Effect> {
    m_record.replaces = std::move(id);
    return *this;
  }

  // Skips
  Build& at(Duration time) requires std::same_as<Record, Skip> {
    m_record.time = atTime(time);
    return *this;
  }
  Build& firstOrder(std::string reference) requires std::same_as<Record, Skip> {
    m_record.firstOpRef = std::move(reference);
    return *this;
  }
  Build& firstFp(std::string digest) requires std::same_as<Record, Skip> {
    m_record.firstFingerprint = std::move(digest);
    return *this;
  }

  // Claims
  Build& at(Duration claimed) requires std::same_as<Record, Claim> {
    m_record.claimedAt = atTime(claimed);
    return *this;
  }
  Build& expires(Duration at) requires std::same_as<Record, Claim> {
    m_record.expiresAt = atTime(at);
    return *this;
  }
  Build& state(ClaimState value) requires std::same_as<Record, Claim> {
    m_record.state = value;
    return *this;
  }

  // Intents, outbox rows, processed events
  Build& id(std::string text)
    requires std::same_as<Record, Intent> || std::same_as<Record, OutboxRow> ||
             std::same_as<Record, ProcessedEvent>
  {
    m_record.id = std::move(text);
    return *this;
  }
  Build& at(Duration created) requires std::same_as<Record, Intent> || std::same_as<Record, OutboxRow> {
    m_record.createdAt = atTime(created);
    return *this;
  }
  Build& at(Duration processed) requires std::same_as<Record, ProcessedEvent> {
    m_record.processedAt = atTime(processed);
    return *this;
  }
  Build& due(Duration at) requires std::same_as<Record, Intent> {
    m_record.dueAt = atTime(at);
    return *this;
  }
  Build& status(IntentStatus value) requires std::same_as<Record, Intent> {
    m_record.status = value;
    return *this;
  }
  Build& published(Duration at, std::int64_t times = 1) requires std::same_as<Record, OutboxRow> {
    m_record.publishedAt = atTime(at);
    m_record.publishCount = times;
    return *this;
  }
  Build& dead() requires std::same_as<Record, OutboxRow> { m_record.dead = true; return *this; }

  // Dead letters
  Build& died(Duration at) requires std::same_as<Record, DeadLetter> {
    m_record.diedAt = atTime(at);
    return *this;
  }
  Build& enqueued(Duration at) requires std::same_as<Record, DeadLetter> {
    m_record.enqueuedAt = atTime(at);
    return *this;
  }
  Build& sampled(Duration at) requires std::same_as<Record, DeadLetter> {
    m_record.sampledAt = atTime(at);
    return *this;
  }
  Build& received(std::int64_t times) requires std::same_as<Record, DeadLetter> {
    m_record.receiveCount = times;
    return *this;
  }

  operator Record() const { return m_record; }
  [[nodiscard]] const Record& record() const { return m_record; }

 private:
  Record m_record;
};

/// A success of 15.00 USD at 10:00.
inline Build<Attempt> attempt(std::string key = "") {
  Build<Attempt> build(kJobs);
  build.key(std::move(key)).status(AttemptStatus::Succeeded).usd(1500).at(10h);
  return build;
}
/// A live charge of 15.00 USD at 10:00.
inline Build<Effect> effect(std::string id) {
  Build<Effect> build(kStatement);
  build.recorded(std::move(id)).usd(1500).at(10h).op(-1);
  return build;
}
inline Build<Effect> refund(std::string id) { return effect(std::move(id)).kind(EffectKind::Reversal); }
inline Build<Effect> dispute(std::string id) { return effect(std::move(id)).kind(EffectKind::Dispute); }
inline Build<Skip> skip(std::string key) {
  Build<Skip> build(kSkips);
  build.key(std::move(key)).at(11h);
  return build;
}
inline Build<Claim> claim(std::string key, ClaimState state = ClaimState::Completed) {
  Build<Claim> build(kClaims);
  build.key(std::move(key)).at(10h).state(state);
  return build;
}
inline Build<Intent> intent(std::string id) {
  Build<Intent> build(kIntents);
  build.id(std::move(id)).usd(1500).at(9h);
  return build;
}
inline Build<OutboxRow> outbox(std::string id) {
  Build<OutboxRow> build(kOutbox);
  build.id(std::move(id)).usd(1500).at(9h);
  return build;
}
inline Build<ProcessedEvent> processed(std::string key) {
  Build<ProcessedEvent> build(kClaims);
  build.key(std::move(key)).at(10h);
  return build;
}
inline Build<DeadLetter> deadLetter(std::string message) {
  Build<DeadLetter> build(kDeadLetters);
  build.message(std::move(message)).queue("payments.dlq").enqueued(9h).died(10h);
  return build;
}

}  // namespace counterfoil::testing
