// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan gives out: slim records for the first pass, full ones for the judge.
#include <algorithm>

#include "core/base/text.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

std::size_t indexOf(Field field) {
  return static_cast<std::size_t>(field);
}

std::string clean(std::string_view text) {
  return isValidUtf8(text) ? std::string(text) : toValidUtf8(text);
}

std::optional<Instant> instantOf(const TypedRow& row, Field field) {
  const TimeValue& value = row.time[indexOf(field)];
  return value.present ? std::optional(value.time.at) : std::nullopt;
}

Attempt makeAttempt(const TypedRow& row) {
  Attempt record;
  record.status = static_cast<AttemptStatus>(row.status);
  record.number = row.integer[indexOf(Field::Attempt)];
  record.start = instantOf(row, Field::Start);
  record.end = instantOf(row, Field::End);
  record.error = clean(row.text[indexOf(Field::Error)]);
  return record;
}

Skip makeSkip(const TypedRow& row) {
  Skip record;
  record.time = row.at;
  record.reason = row.reason;
  record.firstFingerprint = clean(row.text[indexOf(Field::FirstFingerprint)]);
  record.firstOpRef = clean(row.text[indexOf(Field::FirstOpRef)]);
  return record;
}

Effect makeEffect(const TypedRow& row) {
  Effect record;
  record.kind = row.effectKind;
  record.status = static_cast<EffectStatus>(row.status);
  record.parentId = clean(row.text[indexOf(Field::ParentId)]);
  record.replaces = clean(row.text[indexOf(Field::Replaces)]);
  if (row.hasFee) {
    record.fee = row.fee;
    record.feeMilli = row.feeMilli;
  }
  record.created = row.at;
  record.createdSpan = row.time[indexOf(Field::Created)].time.span;
  record.effective = instantOf(row, Field::Effective);
  return record;
}

Claim makeClaim(const TypedRow& row) {
  Claim record;
  record.state = static_cast<ClaimState>(row.status);
  record.claimedAt = instantOf(row, Field::ClaimedAt);
  record.expiresAt = instantOf(row, Field::ExpiresAt);
  return record;
}

Intent makeIntent(const TypedRow& row) {
  Intent record;
  record.id = clean(row.text[indexOf(Field::Id)]);
  record.status = static_cast<IntentStatus>(row.status);
  record.createdAt = row.at;
  record.dueAt = instantOf(row, Field::DueAt);
  return record;
}

OutboxRow makeOutbox(const TypedRow& row) {
  OutboxRow record;
  record.id = clean(row.text[indexOf(Field::Id)]);
  record.topic = clean(row.text[indexOf(Field::Topic)]);
  record.createdAt = row.at;
  record.publishedAt = instantOf(row, Field::PublishedAt);
  const std::int64_t atLeast = record.publishedAt ? 1 : 0;
  record.publishCount = row.integer[indexOf(Field::PublishCount)].value_or(atLeast);
  record.dead = row.flag.value_or(false);
  return record;
}

ProcessedEvent makeProcessed(const TypedRow& row) {
  ProcessedEvent record;
  record.id = clean(row.text[indexOf(Field::Id)]);
  record.processedAt = instantOf(row, Field::ProcessedAt);
  return record;
}

DeadLetter makeDeadLetter(const TypedRow& row) {
  DeadLetter record;
  record.enqueuedAt = instantOf(row, Field::EnqueuedAt);
  record.diedAt = instantOf(row, Field::DiedAt);
  record.receiveCount = row.integer[indexOf(Field::ReceiveCount)];
  record.error = clean(row.text[indexOf(Field::Error)]);
  record.deadline = instantOf(row, Field::Deadline);
  record.sampledAt = instantOf(row, Field::SampledAt);
  return record;
}

QueueDepth makeDepth(const TypedRow& row) {
  QueueDepth record;
  record.queue = clean(row.text[indexOf(Field::Queue)]);
  record.deadLetter = row.flag.value_or(false);
  record.depth = row.integer[indexOf(Field::Depth)];
  record.inFlight = row.integer[indexOf(Field::InFlight)];
  record.oldestAge = row.oldest;
  record.sampledAt = instantOf(row, Field::SampledAt);
  return record;
}

void fillHead(const TypedRow& row, RecordHead& head) {
  const auto text = [&](Field field) { return clean(row.text[indexOf(field)]); };
  head.key = clean(row.key);
  head.keyText = clean(row.keyText);
  head.keyDamaged = row.keyDamaged;
  head.jobId = text(Field::JobId);
  head.messageId = text(Field::MessageId);
  head.opRef = text(Field::OpRef);
  head.effectId = text(Field::EffectId);
  head.account = text(Field::Account);
  head.live = row.live;
  head.operation = row.operation;
  head.task = text(Field::Task);
  head.queue = text(Field::Queue);
  head.worker = text(Field::Worker);
  head.customer = text(Field::Customer);
  head.fingerprint = text(Field::Fingerprint);
  if (row.hasAmount) head.amount = Money{row.amount, row.currency};
}

}  // namespace

Place PlanImpl::placeOf(const RowView& row, std::uint32_t element) const {
  Place place;
  place.source = m_source;
  place.file = m_file;
  place.offset = row.offset;
  place.part = (m_mappingNumber << 20) | element;
  return place;
}

RowFate PlanImpl::slim(const RowView& row, std::uint32_t element, const KeyedHash& hash,
                       RowScratch& base, SlimRecord& out) const {
  auto& scratch = static_cast<PlanScratch&>(base);
  const RowFate fate = read(row, scratch);
  if (fate != RowFate::Recorded) return fate;
  const TypedRow& typed = scratch.row;
  static const SlimRecord kBlank;  // copying it is faster than clearing
  out = kBlank;
  out.ref = RecordRef{m_file, (m_mappingNumber << 20) | element, row.offset};
  out.kind = typed.kind;
  out.operation = typed.operation.value;
  out.timeMicros = typed.at.time_since_epoch().count();
  out.startMicros = typed.start.time_since_epoch().count();
  out.hasAmount = typed.hasAmount;
  out.amountMinor = typed.hasAmount ? typed.amount : 0;
  out.currency = typed.hasAmount ? typed.currency.packed() : std::uint16_t{0};
  out.effectKind = static_cast<std::uint8_t>(typed.effectKind);
  out.status =
      typed.kind == RecordKind::Skip ? static_cast<std::uint8_t>(typed.reason) : typed.status;
  out.keyDamaged = typed.keyDamaged;
  out.needsJudge = typed.ambiguousTime || typed.keyDamaged || typed.feeMilli != 0;
  fillLinks(hash, scratch, out);
  if (!typed.key.empty() || m_kind == RecordKind::QueueDepth) return RowFate::Recorded;
  for (const FieldOp& op : m_extraOps)
    run(op, row, scratch);  // rows without a key are told apart by all fields
  out.content = slimOf(makeRecord(typed), hash).content;
  return RowFate::Recorded;
}

void PlanImpl::fillLinks(const KeyedHash& hash, const PlanScratch& scratch, SlimRecord& out) const {
  const TypedRow& row = scratch.row;
  const auto text = [&](Field field) { return row.text[indexOf(field)]; };
  if (!row.key.empty()) {
    out.key = hash(row.key, static_cast<std::uint32_t>(HashSpace::Key));
    out.keyBytes = static_cast<std::uint16_t>(std::min<std::size_t>(row.key.size(), 0xFFFF));
  }
  out.scope = scopeHash(hash, text(Field::Account), row.live);
  out.opRef = opRefOf(linkHash(hash, text(Field::OpRef), HashSpace::OpRef), row.operation);
  out.effectId = linkHash(hash, text(Field::EffectId), HashSpace::EffectId);
  out.queue = queueHash(hash, text(Field::Queue));
  if (m_kind == RecordKind::Effect) {
    const bool both = !text(Field::ParentId).empty() && !text(Field::Replaces).empty();
    const Field parent = text(Field::ParentId).empty() ? Field::Replaces : Field::ParentId;
    out.parentId = linkHash(hash, text(parent), HashSpace::EffectId);
    out.dayOnly = row.time[indexOf(Field::Created)].time.span > Duration(0);
    out.needsJudge = out.needsJudge || both;
    return;
  }
  out.jobId = linkHashWithin(m_source, hash, text(Field::JobId), HashSpace::JobId);
  out.messageId = linkHashWithin(m_source, hash, text(Field::MessageId), HashSpace::MessageId);
  if (out.messageId == 0)
    out.messageId = linkHashWithin(m_source, hash, text(Field::Id), HashSpace::OutboxId);
}

RowFate PlanImpl::full(const RowView& row, std::uint32_t element, RowScratch& base,
                       AnyRecord& out) const {
  auto& scratch = static_cast<PlanScratch&>(base);
  const RowFate fate = read(row, scratch);
  if (fate != RowFate::Recorded) return fate;
  for (const FieldOp& op : m_extraOps) {
    if (!run(op, row, scratch))
      return RowFate::Quarantined;  // cannot be: extra operations cannot fail
  }
  out = makeRecord(scratch.row);
  std::visit([&](auto& record) { record.place = placeOf(row, element); }, out);
  return RowFate::Recorded;
}

AnyRecord PlanImpl::makeRecord(const TypedRow& row) const {
  const auto withHead = [&](auto record) -> AnyRecord {
    fillHead(row, record);
    return record;
  };
  switch (row.kind) {
    case RecordKind::Attempt:
      return withHead(makeAttempt(row));
    case RecordKind::Skip:
      return withHead(makeSkip(row));
    case RecordKind::Claim:
      return withHead(makeClaim(row));
    case RecordKind::Intent:
      return withHead(makeIntent(row));
    case RecordKind::Outbox:
      return withHead(makeOutbox(row));
    case RecordKind::ProcessedEvent:
      return withHead(makeProcessed(row));
    case RecordKind::Effect:
      return withHead(makeEffect(row));
    case RecordKind::DeadLetter:
      return withHead(makeDeadLetter(row));
    case RecordKind::QueueDepth:
      break;
  }
  return makeDepth(row);
}

}  // namespace counterfoil
