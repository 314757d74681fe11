// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger.h"

#include <algorithm>

namespace counterfoil {

namespace {

bool isLocal(const SlimRecord& record) { return record.kind != RecordKind::Effect; }

bool isForward(const SlimRecord& record) {
  return record.effectKind == static_cast<std::uint8_t>(EffectKind::Forward);
}

/// The text's hash alone: an op_ref's operation is a property of the record, not of the value.
std::uint64_t referenceOf(const SlimRecord& record) {
  return opRefOf(record.opRef, OperationId{record.operation});  // the same mixing takes itself off
}

GroupHash groupOfId(std::uint64_t value, std::uint64_t space) {
  return {mixBits(value ^ space * 0xA0761D6478BD642Full),
          static_cast<std::uint32_t>(mixBits(value + space * 0xE7037ED1A0B428DBull))};
}

struct OwnGroup {
  GroupHash group;
  std::uint8_t space = 0;
};

/// The group of a record: its key, else its strongest id. An op_ref comes late: a value that every
/// second record has must not make one group of them.
OwnGroup ownGroupOf(const SlimRecord& record) {
  if (record.key != Hash128{}) return {Ledger::groupOfKey(record.key), 0};
  if (record.effectId != 0) return {groupOfId(record.effectId, 1), 1};
  if (record.jobId != 0) return {groupOfId(record.jobId, 2), 2};
  if (record.messageId != 0) return {groupOfId(record.messageId, 3), 3};
  if (const std::uint64_t reference = referenceOf(record); reference != 0) return {groupOfId(reference, 4), 4};
  return {groupOfId(record.content, 5), 5};
}

LinkCount countOf(const SlimRecord& record) {
  if (!isLocal(record) && !isForward(record)) return LinkCount::Nothing;
  if (record.key != Hash128{}) return LinkCount::Key;
  if (!isLocal(record)) return LinkCount::Effect;
  return record.jobId != 0 ? LinkCount::Job : LinkCount::Nothing;
}

Shape shapeOf(const SlimRecord& record, std::uint8_t space) {
  Shape shape;
  shape.scope = record.scope;
  shape.file = record.ref.file.value;
  shape.queue = record.queue;
  shape.currency = record.hasAmount ? record.currency : std::uint16_t{0};
  shape.operation = record.operation;
  shape.kind = record.kind;
  shape.status = record.status;
  shape.effectKind = record.effectKind;
  shape.hasAmount = record.hasAmount;
  shape.needsJudge = record.needsJudge;
  shape.dayOnly = record.dayOnly;
  shape.space = space;
  return shape;
}

}  // namespace

Ledger::Ledger(const LedgerOptions& options, SpillSpace& spill)
    : m_options(options), m_codec(options.baseMicros), m_pools(options.workers), m_linkPools(options.workers) {
  m_rows = std::make_unique<PartitionedBytes>(m_pools, kPartitions, rowMemoryBytes(), spill);
  m_links = std::make_unique<LinkStore>(m_linkPools, options.memoryBytes / 8, spill);
  m_workers.reserve(options.workers);
  for (unsigned worker = 0; worker < options.workers; ++worker) m_workers.emplace_back(m_shapes);
}

Result<> Ledger::add(const SlimBatch& batch, unsigned worker) {
  Worker& mine = m_workers[worker];
  for (const SlimRecord& record : batch) {
    const OwnGroup own = ownGroupOf(record);
    LedgerRow row;
    row.group = own.group;
    row.shape = mine.shapes.numberOf(shapeOf(record, own.space), record.ref);
    row.part = record.ref.part;
    row.offset = record.ref.offset;
    row.opRef = referenceOf(record);
    row.amount = record.hasAmount ? record.amountMinor : 0;
    row.time = record.timeMicros;
    row.start = record.startMicros;
    const unsigned partition = partitionOf(row.group);
    char* at = m_rows->reserve(worker, partition);
    if (at == nullptr) return fail(*m_rows->errorOf(worker));
    m_rows->commit(worker, partition, m_codec.pack(row, at));
    if (!addLinks(record, row.group, worker)) return fail(*m_links->errorOf(worker));
    noteSpecial(record, row.group, mine);
    mine.count(row);
  }
  return {};
}

bool Ledger::addLinks(const SlimRecord& record, const GroupHash& group, unsigned worker) {
  if ((record.effectId | record.parentId | record.opRef | record.jobId | record.messageId) == 0) return true;
  LinkEntry entry;
  entry.count = countOf(record);
  entry.group = fingerprintOf(group);
  const auto put = [&](LinkSpace space, std::uint64_t value) {
    if (value == 0) return true;
    entry.space = space;
    entry.value = value;
    return m_links->add(entry, worker);
  };
  bool isDone = put(LinkSpace::EffectId, record.effectId) && put(LinkSpace::JobId, record.jobId) &&
                put(LinkSpace::MessageId, record.messageId);
  if (isDone && record.parentId != 0) {
    // What names an effect belongs to it however many do.
    if (!isForward(record)) entry.count = LinkCount::Nothing;
    isDone = put(LinkSpace::EffectId, record.parentId);
    entry.count = countOf(record);
  }
  if (isDone && record.opRef != 0) {
    if (isLocal(record)) entry.operation = OperationId{record.operation};
    isDone = put(LinkSpace::OpRef, referenceOf(record));
  }
  return isDone;
}

void Ledger::noteSpecial(const SlimRecord& record, const GroupHash& group, Worker& mine) const {
  if (record.keyDamaged) {
    const std::uint32_t file = record.ref.file.value;
    if (mine.damagedFiles.empty() || mine.damagedFiles.back() != file) mine.damagedFiles.push_back(file);
  }
  const bool isLongKey = m_options.cutKeyBytes && isLocal(record) && record.keyBytes > *m_options.cutKeyBytes;
  const bool hasTwoParents = record.needsJudge && record.kind == RecordKind::Effect && record.parentId != 0;
  if (isLongKey || hasTwoParents) mine.special.push_back({record.ref, fingerprintOf(group)});
}

void Ledger::Worker::count(const LedgerRow& row) {
  if (row.shape >= sums.size()) sums.resize(row.shape + 1);
  ++sums[row.shape].rows;
  sums[row.shape].minor += row.amount;
}

std::vector<ShapeSum> Ledger::sums() const {
  std::vector<ShapeSum> all(m_shapes.size());
  for (const Worker& worker : m_workers) {
    for (std::size_t shape = 0; shape < worker.sums.size(); ++shape) {
      all[shape].rows += worker.sums[shape].rows;
      all[shape].minor += worker.sums[shape].minor;
    }
  }
  return all;
}

std::vector<SpecialRow> Ledger::specialRows() const {
  std::vector<SpecialRow> all;
  for (const Worker& worker : m_workers) all.insert(all.end(), worker.special.begin(), worker.special.end());
  return all;
}

std::vector<std::uint32_t> Ledger::filesWithDamagedKeys() const {
  std::vector<std::uint32_t> files;
  for (const Worker& worker : m_workers) {
    files.insert(files.end(), worker.damagedFiles.begin(), worker.damagedFiles.end());
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace counterfoil
