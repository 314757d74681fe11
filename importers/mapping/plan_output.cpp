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

/// In place: a record that is filled again and again keeps its memory.
void put(std::string_view text, std::string& out) {
  if (isValidUtf8(text)) {
    out.assign(text);
  } else {
    out = toValidUtf8(text);
  }
}

/// Free text that people or programs wrote: card numbers in it are masked before anything keeps it.
void putProse(std::string_view text, std::string& out) {
  put(text, out);
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr int kFewestCardDigits = 13;
  if (std::count_if(out.begin(), out.end(), isDigit) >= kFewestCardDigits) out = maskCardNumbers(out);
}

std::optional<Instant> instantOf(const TypedRow& row, Field field) {
  const TimeValue& value = row.time[indexOf(field)];
  return value.present ? std::optional(value.time.at) : std::nullopt;
}

// Every member is set: the record may be that of another row.

void fill(const TypedRow& row, Attempt& record) {
  record.status = static_cast<AttemptStatus>(row.status);
  record.number = row.integer[indexOf(Field::Attempt)];
  record.start = instantOf(row, Field::Start);
  record.end = instantOf(row, Field::End);
  putProse(row.text[indexOf(Field::Error)], record.error);
}

void fill(const TypedRow& row, Skip& record) {
  record.time = row.at;
  record.reason = row.reason;
  put(row.text[indexOf(Field::FirstFingerprint)], record.firstFingerprint);
  put(row.text[indexOf(Field::FirstOpRef)], record.firstOpRef);
}

void fillFee(const TypedRow& row, Effect& record) {
  record.fee.reset();
  record.feeMicro = 0;
  record.feeCurrency = Currency();
  if (!row.hasFee) return;
  const bool isReturned = row.feeRule == NegativeRule::Returned ? row.feeNegative
                          : row.feeRule == NegativeRule::Cost   ? !row.feeNegative
                                                                : false;
  record.fee = isReturned ? -row.fee : row.fee;
  record.feeMicro = isReturned ? -row.feeMicro : row.feeMicro;
  if (!row.hasAmount || row.feeCurrency != row.currency) record.feeCurrency = row.feeCurrency;
}

void fill(const TypedRow& row, Effect& record) {
  record.kind = row.effectKind;
  record.status = static_cast<EffectStatus>(row.status);
  put(row.text[indexOf(Field::ParentId)], record.parentId);
  put(row.text[indexOf(Field::Replaces)], record.replaces);
  fillFee(row, record);
  record.created = row.at;
  record.createdSpan = row.time[indexOf(Field::Created)].time.span;
  record.effective = instantOf(row, Field::Effective);
}

void fill(const TypedRow& row, Claim& record) {
  record.state = static_cast<ClaimState>(row.status);
  record.claimedAt = instantOf(row, Field::ClaimedAt);
  record.expiresAt = instantOf(row, Field::ExpiresAt);
}

void fill(const TypedRow& row, Intent& record) {
  put(row.text[indexOf(Field::Id)], record.id);
  record.status = static_cast<IntentStatus>(row.status);
  record.createdAt = row.at;
  record.dueAt = instantOf(row, Field::DueAt);
}

void fill(const TypedRow& row, OutboxRow& record) {
  put(row.text[indexOf(Field::Id)], record.id);
  put(row.text[indexOf(Field::Topic)], record.topic);
  record.createdAt = row.at;
  record.publishedAt = instantOf(row, Field::PublishedAt);
  const std::int64_t atLeast = record.publishedAt ? 1 : 0;
  record.publishCount = row.integer[indexOf(Field::PublishCount)].value_or(atLeast);
  record.dead = row.flag.value_or(false);
}

void fill(const TypedRow& row, ProcessedEvent& record) {
  put(row.text[indexOf(Field::Id)], record.id);
  record.processedAt = instantOf(row, Field::ProcessedAt);
}

void fill(const TypedRow& row, DeadLetter& record) {
  record.enqueuedAt = instantOf(row, Field::EnqueuedAt);
  record.diedAt = instantOf(row, Field::DiedAt);
  record.receiveCount = row.integer[indexOf(Field::ReceiveCount)];
  putProse(row.text[indexOf(Field::Error)], record.error);
  record.deadline = instantOf(row, Field::Deadline);
  record.sampledAt = instantOf(row, Field::SampledAt);
}

void fill(const TypedRow& row, QueueDepth& record) {
  put(row.text[indexOf(Field::Queue)], record.queue);
  record.kind = static_cast<QueueKind>(row.status);
  if (record.kind == QueueKind::Unstated && row.flag) record.kind = *row.flag ? QueueKind::Dead : QueueKind::Work;
  put(row.text[indexOf(Field::Part)], record.part);
  put(row.text[indexOf(Field::DeadLetterQueue)], record.deadLetterQueue);
  record.depth = row.depth;
  record.inFlight = row.integer[indexOf(Field::InFlight)];
  record.offset = row.integer[indexOf(Field::Offset)];
  record.oldestAge = row.oldest;
  record.sampledAt = instantOf(row, Field::SampledAt);
}

void fillHead(const TypedRow& row, RecordHead& head) {
  const auto text = [&](Field field, std::string& out) { put(row.text[indexOf(field)], out); };
  put(row.key, head.key);
  put(row.keyText, head.keyText);
  head.keyDamaged = row.keyDamaged;
  text(Field::JobId, head.jobId);
  text(Field::MessageId, head.messageId);
  text(Field::OpRef, head.opRef);
  text(Field::EffectId, head.effectId);
  text(Field::Account, head.account);
  head.live = row.live;
  head.operation = row.operation;
  text(Field::Task, head.task);
  text(Field::Queue, head.queue);
  text(Field::Worker, head.worker);
  text(Field::Customer, head.customer);
  text(Field::Fingerprint, head.fingerprint);
  head.amount = row.hasAmount ? std::optional(Money{row.amount, row.currency}) : std::nullopt;
}

template <class Record>
void fillAny(const TypedRow& row, const Place& place, AnyRecord& out) {
  auto* record = std::get_if<Record>(&out);
  if (record == nullptr) record = &out.emplace<Record>();
  record->place = place;
  if constexpr (!std::is_same_v<Record, QueueDepth>) fillHead(row, *record);
  fill(row, *record);
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
  out.needsJudge = typed.ambiguousTime || typed.keyDamaged || typed.feeMicro != 0;
  fillLinks(hash, scratch, out);
  if (!typed.key.empty() || m_kind == RecordKind::QueueDepth) return RowFate::Recorded;
  for (const FieldOp& op : m_extraOps)
    run(op, row, scratch);  // rows without a key are told apart by all fields
  makeRecord(typed, {}, scratch.record);
  out.content = slimOf(scratch.record, hash).content;
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
  out.jobId = linkHashWithin(m_jobSpace, hash, text(Field::JobId), HashSpace::JobId);
  out.messageId = linkHashWithin(m_jobSpace, hash, text(Field::MessageId), HashSpace::MessageId);
  if (out.messageId == 0)
    out.messageId = linkHashWithin(m_jobSpace, hash, text(Field::Id), HashSpace::OutboxId);
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
  makeRecord(scratch.row, placeOf(row, element), out);
  return RowFate::Recorded;
}

void PlanImpl::fullOfLast(const RowView& row, std::uint32_t element, RowScratch& base, AnyRecord& out) const {
  auto& scratch = static_cast<PlanScratch&>(base);
  const bool extrasRan = scratch.row.key.empty() && m_kind != RecordKind::QueueDepth;   // slim() needed them
  for (const FieldOp& op : m_extraOps) {
    if (!extrasRan) run(op, row, scratch);
  }
  makeRecord(scratch.row, placeOf(row, element), out);
}

void PlanImpl::makeRecord(const TypedRow& row, const Place& place, AnyRecord& out) const {
  switch (row.kind) {
    case RecordKind::Attempt: return fillAny<Attempt>(row, place, out);
    case RecordKind::Skip: return fillAny<Skip>(row, place, out);
    case RecordKind::Claim: return fillAny<Claim>(row, place, out);
    case RecordKind::Intent: return fillAny<Intent>(row, place, out);
    case RecordKind::Outbox: return fillAny<OutboxRow>(row, place, out);
    case RecordKind::ProcessedEvent: return fillAny<ProcessedEvent>(row, place, out);
    case RecordKind::Effect: return fillAny<Effect>(row, place, out);
    case RecordKind::DeadLetter: return fillAny<DeadLetter>(row, place, out);
    case RecordKind::QueueDepth: return fillAny<QueueDepth>(row, place, out);
  }
}

}  // namespace counterfoil
