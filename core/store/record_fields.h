// SPDX-License-Identifier: GPL-3.0-or-later
// One list of the fields of all record kinds, for writing and reading alike. The numbers stand in store
// files: a field keeps its number for ever, later ones take free numbers of the schema version that adds them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/record/record.h"

namespace counterfoil {

enum class Field : std::uint8_t {
  Source = 1, File, Offset, Part, Live, Operation, AmountMinor, Currency, KeyDamaged,
  Status, Number, Start, End, Time, Reason, State, ClaimedAt, ExpiresAt, ProcessedAt, CreatedAt, DueAt,
  PublishedAt, PublishCount, Dead, EffectKindOf, Fee, FeeMicro, Created, CreatedSpan, Effective, EnqueuedAt,
  DiedAt, ReceiveCount, Deadline, SampledAt, FeeCurrency,
  Key = 64, KeyText, JobId, MessageId, OpRef, EffectIdOf, Account, Task, Queue, Worker, Customer, Fingerprint,
  Error, Id, Topic, ParentId, Replaces, FirstFingerprint, FirstOpRef
};
inline constexpr std::size_t kFieldLimit = 96;
[[nodiscard]] constexpr bool isText(Field field) { return field >= Field::Key; }

// A visitor has: text(field, string&), number(field, integer&), choice(field, enum&, last enumerator),
// instant(field, Instant&), currency(field, Currency&), and maybe(field, optional<integer or Instant>&).

template <class Visitor, class Head>
void visitHead(Visitor& visit, Head& head) {
  visit.key(head.key, head.keyText);
  visit.number(Field::Source, head.place.source.value);
  visit.number(Field::File, head.place.file.value);
  visit.number(Field::Offset, head.place.offset);
  visit.number(Field::Part, head.place.part);
  visit.choice(Field::Live, head.live, Live::Test);
  visit.operation(head.operation);
  visit.amount(head.amount);
  visit.number(Field::KeyDamaged, head.keyDamaged);
  visit.text(Field::JobId, head.jobId);
  visit.text(Field::MessageId, head.messageId);
  visit.text(Field::OpRef, head.opRef);
  visit.text(Field::EffectIdOf, head.effectId);
  visit.text(Field::Account, head.account);
  visit.text(Field::Task, head.task);
  visit.text(Field::Queue, head.queue);
  visit.text(Field::Worker, head.worker);
  visit.text(Field::Customer, head.customer);
  visit.text(Field::Fingerprint, head.fingerprint);
}

template <class Visitor, class Record>
void visitLocal(Visitor& visit, Record& record) {
  using Plain = std::remove_const_t<Record>;
  if constexpr (std::is_same_v<Plain, Attempt>) {
    visit.choice(Field::Status, record.status, AttemptStatus::Unknown);
    visit.maybe(Field::Number, record.number);
    visit.maybe(Field::Start, record.start);
    visit.maybe(Field::End, record.end);
    visit.text(Field::Error, record.error);
  } else if constexpr (std::is_same_v<Plain, Skip>) {
    visit.instant(Field::Time, record.time);
    visit.choice(Field::Reason, record.reason, SkipReason::Unspecified);
    visit.text(Field::FirstFingerprint, record.firstFingerprint);
    visit.text(Field::FirstOpRef, record.firstOpRef);
  } else if constexpr (std::is_same_v<Plain, Claim>) {
    visit.choice(Field::State, record.state, ClaimState::Failed);
    visit.maybe(Field::ClaimedAt, record.claimedAt);
    visit.maybe(Field::ExpiresAt, record.expiresAt);
  } else if constexpr (std::is_same_v<Plain, ProcessedEvent>) {
    visit.text(Field::Id, record.id);
    visit.maybe(Field::ProcessedAt, record.processedAt);
  } else if constexpr (std::is_same_v<Plain, Intent>) {
    visit.text(Field::Id, record.id);
    visit.choice(Field::Status, record.status, IntentStatus::Cancelled);
    visit.instant(Field::CreatedAt, record.createdAt);
    visit.maybe(Field::DueAt, record.dueAt);
  } else {
    static_assert(std::is_same_v<Plain, OutboxRow>);
    visit.text(Field::Id, record.id);
    visit.text(Field::Topic, record.topic);
    visit.instant(Field::CreatedAt, record.createdAt);
    visit.maybe(Field::PublishedAt, record.publishedAt);
    visit.number(Field::PublishCount, record.publishCount);
    visit.number(Field::Dead, record.dead);
  }
}

/// Every field of any record but a queue depth.
template <class Visitor, class Record>
void visitFields(Visitor& visit, Record& record) {
  using Plain = std::remove_const_t<Record>;
  visitHead(visit, record);
  if constexpr (std::is_same_v<Plain, Effect>) {
    visit.choice(Field::EffectKindOf, record.kind, EffectKind::Other);
    visit.choice(Field::Status, record.status, EffectStatus::Failed);
    visit.text(Field::ParentId, record.parentId);
    visit.text(Field::Replaces, record.replaces);
    visit.maybe(Field::Fee, record.fee);
    visit.number(Field::FeeMicro, record.feeMicro);
    visit.currency(Field::FeeCurrency, record.feeCurrency);
    visit.instant(Field::Created, record.created);
    visit.duration(Field::CreatedSpan, record.createdSpan);
    visit.maybe(Field::Effective, record.effective);
  } else if constexpr (std::is_same_v<Plain, DeadLetter>) {
    visit.maybe(Field::EnqueuedAt, record.enqueuedAt);
    visit.maybe(Field::DiedAt, record.diedAt);
    visit.maybe(Field::ReceiveCount, record.receiveCount);
    visit.text(Field::Error, record.error);
    visit.maybe(Field::Deadline, record.deadline);
    visit.maybe(Field::SampledAt, record.sampledAt);
  } else {
    visitLocal(visit, record);
  }
}

}  // namespace counterfoil
