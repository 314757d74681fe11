// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan gives out: slim records for the first pass, full ones for the judge.
#include <algorithm>

#include "core/base/text.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

std::size_t indexOf(Field field) { return static_cast<std::size_t>(field); }

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (b * 0x9E3779B97F4A7C15ull);
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ (x >> 32);
}

/// 0 means "has none" in a slim record.
std::uint64_t notZero(std::uint64_t hash) { return hash == 0 ? 1 : hash; }

std::uint64_t hashOf(const KeyedHash& hash, std::string_view text, HashSpace space) {
  if (text.empty()) return 0;
  return notZero(hash(text, static_cast<std::uint32_t>(space)).low);
}

std::size_t codePoints(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }));
}

std::string clean(std::string_view text) {
  return isValidUtf8(text) ? std::string(text) : toValidUtf8(text);
}

/// "account", "account/test", or "/test": as scopes are written (contract.md).
std::string_view scopeText(const TypedRow& row, std::string& buffer) {
  const std::string_view account = row.text[indexOf(Field::Account)];
  if (row.live != Live::Test) return account;
  buffer.assign(account);
  buffer += "/test";
  return buffer;
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

}  // namespace

Place PlanImpl::placeOf(const RowView& row, std::uint32_t element) const {
  Place place;
  place.source = m_source;
  place.file = m_file;
  place.offset = row.offset;
  place.part = (m_mappingNumber << 20) | element;
  return place;
}

RowFate PlanImpl::slim(const RowView& row, std::uint32_t element, const KeyedHash& hash, RowScratch& base,
                       SlimRecord& out) const {
  auto& scratch = static_cast<PlanScratch&>(base);
  const RowFate fate = read(row, scratch);
  if (fate != RowFate::Recorded) return fate;
  const TypedRow& typed = scratch.row;
  out = SlimRecord{};
  out.ref = RecordRef{m_file, (m_mappingNumber << 20) | element, row.offset};
  out.kind = typed.kind;
  out.operation = typed.operation.value;
  out.timeMicros = typed.at.time_since_epoch().count();
  out.startMicros = typed.start.time_since_epoch().count();
  out.hasAmount = typed.hasAmount;
  out.amountMinor = typed.hasAmount ? typed.amount : 0;
  out.currency = typed.currency.packed();
  out.effectKind = static_cast<std::uint8_t>(typed.effectKind);
  out.status = typed.kind == RecordKind::Skip ? static_cast<std::uint8_t>(typed.reason) : typed.status;
  out.needsJudge = typed.ambiguousTime || typed.keyDamaged || typed.feeMilli != 0;
  fillLinks(hash, scratch, out);
  const bool isNamed = m_kind == RecordKind::Effect ? out.effectId != 0 : out.jobId != 0 || out.messageId != 0;
  const bool hasKey = out.key != Hash128{};
  if (!isNamed || !hasKey) out.content = contentHash(row, hash, scratch);
  return RowFate::Recorded;
}

void PlanImpl::fillLinks(const KeyedHash& hash, PlanScratch& scratch, SlimRecord& out) const {
  const TypedRow& row = scratch.row;
  if (!row.key.empty()) out.key = hash(row.key, static_cast<std::uint32_t>(HashSpace::Key));
  out.scope = hashOf(hash, scopeText(row, scratch.hashBuffer), HashSpace::Scope);
  const std::uint64_t here = mixed(out.scope, std::uint64_t{m_source.value} + 1);
  const auto local = [&](Field field, HashSpace space) -> std::uint64_t {
    const std::uint64_t value = hashOf(hash, row.text[indexOf(field)], space);
    return value == 0 ? 0 : notZero(mixed(value, here));
  };
  out.opRef = opRefOf(hashOf(hash, row.text[indexOf(Field::OpRef)], HashSpace::OpRef), row.operation);
  out.effectId = hashOf(hash, row.text[indexOf(Field::EffectId)], HashSpace::EffectId);
  if (m_kind == RecordKind::Effect) {
    const std::string_view parent = row.text[indexOf(Field::ParentId)];
    const std::string_view replaces = row.text[indexOf(Field::Replaces)];
    out.parentId = hashOf(hash, parent.empty() ? replaces : parent, HashSpace::EffectId);
    const bool mayBeCut = m_keyLength && (row.keyText.size() == *m_keyLength || codePoints(row.keyText) == *m_keyLength);
    out.needsJudge = out.needsJudge || (!parent.empty() && !replaces.empty()) || mayBeCut ||
                     row.time[indexOf(Field::Created)].time.span != Duration(0);
    return;
  }
  out.jobId = local(Field::JobId, HashSpace::JobId);
  out.messageId = local(Field::MessageId, HashSpace::MessageId);
  if (out.messageId == 0) out.messageId = local(Field::Id, HashSpace::OutboxId);
  const std::string_view queue = row.text[indexOf(Field::Queue)];
  if (!queue.empty()) {
    const auto low = static_cast<std::uint32_t>(hash(queue, static_cast<std::uint32_t>(HashSpace::Queue)).low);
    out.queue = low == 0 ? 1 : low;
  }
}

/// Of the texts of all mapped fields, in the order of Field, whatever the order of the file's columns.
std::uint64_t PlanImpl::contentHash(const RowView& row, const KeyedHash& hash, PlanScratch& scratch) const {
  std::string& all = scratch.contentBuffer;
  all.clear();
  const auto append = [&](const FieldOp& op) {
    Picked picked;
    if (!pick(*op.value, row, scratch, true, picked)) return;   // cannot be: the row was read
    const auto length = static_cast<std::uint32_t>(picked.text.size());
    for (unsigned shift = 0; shift < 32; shift += 8) all += static_cast<char>((length >> shift) & 0xFFu);
    all += picked.text;
  };
  if (m_kindOp) append(*m_kindOp);
  for (const auto* ops : {&m_matchOps, &m_ops, &m_extraOps}) {
    for (const FieldOp& op : *ops) append(op);
  }
  return notZero(hash(all, static_cast<std::uint32_t>(HashSpace::Content)).low);
}

RowFate PlanImpl::full(const RowView& row, std::uint32_t element, RowScratch& base, AnyRecord& out) const {
  auto& scratch = static_cast<PlanScratch&>(base);
  const RowFate fate = read(row, scratch);
  if (fate != RowFate::Recorded) return fate;
  for (const FieldOp& op : m_extraOps) {
    if (!run(op, row, scratch)) return RowFate::Quarantined;   // cannot be: extra operations cannot fail
  }
  out = makeRecord(scratch);
  std::visit([&](auto& record) { record.place = placeOf(row, element); }, out);
  return RowFate::Recorded;
}

AnyRecord PlanImpl::makeRecord(PlanScratch& scratch) const {
  const auto withHead = [&](auto record) -> AnyRecord {
    fillHead(scratch, record);
    return record;
  };
  const TypedRow& row = scratch.row;
  switch (row.kind) {
    case RecordKind::Attempt: return withHead(makeAttempt(row));
    case RecordKind::Skip: return withHead(makeSkip(row));
    case RecordKind::Claim: return withHead(makeClaim(row));
    case RecordKind::Intent: return withHead(makeIntent(row));
    case RecordKind::Outbox: return withHead(makeOutbox(row));
    case RecordKind::ProcessedEvent: return withHead(makeProcessed(row));
    case RecordKind::Effect: return withHead(makeEffect(row));
    case RecordKind::DeadLetter: return withHead(makeDeadLetter(row));
    case RecordKind::QueueDepth: break;
  }
  return makeDepth(row);
}

void PlanImpl::fillHead(PlanScratch& scratch, RecordHead& head) const {
  const TypedRow& row = scratch.row;
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

}  // namespace counterfoil
