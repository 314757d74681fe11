// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sift.h"

#include "core/ledger/group_table.h"
#include "core/ledger/plain.h"

namespace counterfoil {

namespace {

enum class Stage { Own, Linked };

/// Which sides a group has.
struct Sides {
  std::uint64_t localRows = 0;   ///< of tonight
  bool hasLocal = false, hasEffect = false;
  bool hasTonightsEffect = false;
};

class Sifter {
 public:
  explicit Sifter(NightState& night)
      : m_night(night),
        m_rules(night.policy, night.scan.sourceOfFile),
        m_mayBePlain(night.options.detail != Detail::All),
        m_workers(night.executor.threadCount()) {
    // Rows only move from one store to the other, so the three together hold what the ledger held.
    const std::uint64_t bound = night.ledger.rowMemoryBytes();
    m_linked = std::make_unique<PartitionedBytes>(night.ledger.pools(), Ledger::kPartitions, bound / 2, night.spill);
    m_left = std::make_unique<PartitionedBytes>(night.ledger.pools(), Ledger::kPartitions, bound / 2, night.spill);
  }

  Result<Sifted> run() {
    if (auto done = siftAll(night().ledger.rows(), Stage::Own); !done) return fail(done.error());
    if (!night().components.isEmpty()) {
      if (auto done = siftAll(*m_linked, Stage::Linked); !done) return fail(done.error());
    }
    Sifted result;
    for (const Worker& worker : m_workers) result.tally.merge(worker.tally);
    result.left = std::move(m_left);
    return result;
  }

 private:
  struct alignas(64) Worker {
    SiftTally tally;
    GroupTable groups;
    std::string scratch;
    /// Queues are met again and again: the last one's tally is at hand.
    std::uint32_t lastQueue = 0;
    SlimQueueTally* lastTally = nullptr;
  };

  NightState& night() { return m_night; }

  Result<> siftAll(PartitionedBytes& rows, Stage stage) {
    StageErrors errors(m_night.executor.threadCount());
    std::atomic<std::uint64_t> done{0};
    m_night.executor.forEach(rows.partitionCount(), [&](std::size_t partition, unsigned worker) {
      if (errors.hasFailed()) return;
      if (m_night.isCancelled()) {
        errors.set(worker, Error{ErrorCode::Cancelled, "stopped while matching"});
        return;
      }
      if (auto result = siftPartition(rows, static_cast<unsigned>(partition), stage, worker); !result) {
        errors.set(worker, result.error());
      }
      m_night.progress.tell("matching", ++done, rows.partitionCount());
    });
    return errors.result();
  }

  Result<> siftPartition(PartitionedBytes& rows, unsigned partition, Stage stage, unsigned worker) {
    Worker& mine = m_workers[worker];
    mine.groups.clear();
    auto read = rows.read(partition, mine.scratch,
                          [&](std::string_view bytes) { mine.groups.append(bytes, m_night.ledger.codec()); });
    if (!read) return read;
    rows.release(partition, worker);
    mine.groups.group();
    for (std::size_t group = 0; group < mine.groups.groupCount(); ++group) {
      const auto members = mine.groups.rowsOf(group);
      auto done = stage == Stage::Own ? siftGroup(members, worker) : siftComponent(members, worker);
      if (!done) return done;
    }
    return {};
  }

  Result<> siftGroup(std::span<const LedgerRow* const> rows, unsigned worker) {
    SiftTally& tally = m_workers[worker].tally;
    const ShapeTable& shapes = m_night.ledger.shapes();
    const Sides sides = sidesOf(rows);
    const std::uint8_t space = shapes[rows[0]->shape].space;
    tally.localRows += sides.localRows;
    if (space == 0) {
      tally.localKeys += sides.localRows > 0 ? 1 : 0;
      tally.providerKeys += sides.hasTonightsEffect ? 1 : 0;
      const bool isTonights = sides.localRows > 0 || sides.hasTonightsEffect;
      tally.meetingKeys += isTonights && sides.hasLocal && sides.hasEffect ? 1 : 0;
    }
    if (!m_night.components.isEmpty()) {
      const auto root = m_night.components.rootOf(fingerprintOf(rows[0]->group));
      if (root) return putLinked(rows, groupOfComponent(*root), worker);
    }
    if (space != 0 && sides.hasEffect) tally.joinedLocalRows += sides.localRows;
    if (m_mayBePlain && isPlainPair({rows}, shapes, m_rules)) {
      countPlain(rows, worker);
      return {};
    }
    return putLeft(rows, worker);
  }

  Result<> siftComponent(std::span<const LedgerRow* const> rows, unsigned worker) {
    const Sides sides = sidesOf(rows);
    if (sides.hasEffect) m_workers[worker].tally.joinedLocalRows += sides.localRows;
    return putLeft(rows, worker);
  }

  [[nodiscard]] Sides sidesOf(std::span<const LedgerRow* const> rows) const {
    Sides sides;
    for (const LedgerRow* row : rows) {
      const Shape& shape = m_night.ledger.shapes()[row->shape];
      const bool isTonights = !isCarried(shape);
      if (shape.kind == RecordKind::Effect) {
        sides.hasEffect = true;
        sides.hasTonightsEffect = sides.hasTonightsEffect || isTonights;
      } else {
        sides.hasLocal = true;
        if (isTonights) ++sides.localRows;
      }
    }
    return sides;
  }

  [[nodiscard]] bool isCarried(const Shape& shape) const { return FileId{shape.file} >= m_night.scan.firstCarried; }

  void countPlain(std::span<const LedgerRow* const> rows, unsigned worker) {
    Worker& mine = m_workers[worker];
    ++mine.tally.plainUnits;
    for (const LedgerRow* row : rows) {
      const Shape& shape = m_night.ledger.shapes()[row->shape];
      if (shape.kind == RecordKind::Effect) {
        if (mine.tally.plainMinor.empty()) mine.tally.plainMinor.resize(m_night.ledger.shapes().size());
        mine.tally.plainMinor[row->shape] += row->amount;
      } else if (shape.queue != 0 && !isCarried(shape)) {
        if (mine.lastTally == nullptr || mine.lastQueue != shape.queue) {
          mine.lastQueue = shape.queue;
          mine.lastTally = &mine.tally.queues[shape.queue];
        }
        mine.lastTally->add(row->time - row->start);
      }
    }
  }

  Result<> putLinked(std::span<const LedgerRow* const> rows, const GroupHash& component, unsigned worker) {
    const unsigned partition = Ledger::partitionOf(component);
    for (const LedgerRow* row : rows) {
      LedgerRow moved = *row;
      moved.group = component;
      if (auto done = put(*m_linked, moved, partition, worker); !done) return done;
    }
    return {};
  }

  Result<> putLeft(std::span<const LedgerRow* const> rows, unsigned worker) {
    SiftTally& tally = m_workers[worker].tally;
    ++tally.leftGroups;
    tally.leftRows += rows.size();
    const unsigned partition = Ledger::partitionOf(rows[0]->group);
    for (const LedgerRow* row : rows) {
      if (auto done = put(*m_left, *row, partition, worker); !done) return done;
    }
    return {};
  }

  Result<> put(PartitionedBytes& store, const LedgerRow& row, unsigned partition, unsigned worker) {
    char* at = store.reserve(worker, partition);
    if (at == nullptr) return fail(*store.errorOf(worker));
    store.commit(worker, partition, m_night.ledger.codec().pack(row, at));
    return {};
  }

  NightState& m_night;
  PlainRules m_rules;
  bool m_mayBePlain;
  std::vector<Worker> m_workers;
  std::unique_ptr<PartitionedBytes> m_linked;
  std::unique_ptr<PartitionedBytes> m_left;
};

}  // namespace

void SiftTally::merge(const SiftTally& other) {
  plainUnits += other.plainUnits;
  if (plainMinor.size() < other.plainMinor.size()) plainMinor.resize(other.plainMinor.size());
  for (std::size_t i = 0; i < other.plainMinor.size(); ++i) plainMinor[i] += other.plainMinor[i];
  for (const auto& [queue, tally] : other.queues) queues[queue].merge(tally);
  localKeys += other.localKeys;
  providerKeys += other.providerKeys;
  meetingKeys += other.meetingKeys;
  localRows += other.localRows;
  joinedLocalRows += other.joinedLocalRows;
  leftRows += other.leftRows;
  leftGroups += other.leftGroups;
}

Result<Sifted> siftLedger(NightState& night) { return Sifter(night).run(); }

}  // namespace counterfoil
