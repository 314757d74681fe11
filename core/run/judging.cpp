// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/judging.h"

#include <algorithm>

namespace counterfoil {

namespace {

constexpr std::size_t kFewestRows = 4096;
constexpr std::size_t kMostRows = 256u << 10;
constexpr std::size_t kBytesOfRow = 256;   ///< reference, packed record and where it lies, roughly
constexpr std::size_t kMemoryShare = 8;    ///< of the run's memory, as for the links, which are gone by now

}  // namespace

std::size_t GroupBatch::rowsAimed(std::uint64_t memoryBytes, std::size_t workers) {
  const std::uint64_t rows = memoryBytes / kMemoryShare / std::max<std::size_t>(workers, 1) / kBytesOfRow;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(rows, kFewestRows, kMostRows));
}

void GroupBatch::clear() {
  m_refs.clear();
  m_packed.clear();
  m_groups = 0;
}

void GroupBatch::add(const LedgerRow& row, const ShapeTable& shapes) {
  if (m_groups == 0 || row.group != m_last) {
    ++m_groups;
    m_last = row.group;
  }
  m_refs.push_back({refOf(row, shapes[row.shape]), static_cast<std::uint32_t>(m_groups - 1)});
}

Result<> GroupBatch::fetch(const Input& input) {
  std::sort(m_refs.begin(), m_refs.end(), [](const Wanted& a, const Wanted& b) { return a.ref < b.ref; });
  std::vector<RecordRef> refs;
  refs.reserve(m_refs.size());
  for (const Wanted& one : m_refs) refs.push_back(one.ref);
  m_packed.clear();
  std::vector<std::size_t> starts(refs.size());   // of each of m_refs in m_packed
  std::size_t count = 0;
  auto done = input.fetch(refs, [&](std::size_t index, AnyRecord&& record) {
    starts[index] = m_packed.size();
    encodeRecord(record, m_packed);
    ++count;
  });
  if (!done) return done;
  if (count != refs.size()) return fail(ErrorCode::Io, "not every record could be read a second time; run again");
  placeByGroup(starts);
  return {};
}

/// Counts, then places: the records of a group keep the order of their places.
void GroupBatch::placeByGroup(const std::vector<std::size_t>& starts) {
  m_firstOfGroup.assign(m_groups + 1, 0);
  for (const Wanted& one : m_refs) ++m_firstOfGroup[one.group + 1];
  for (std::size_t group = 0; group < m_groups; ++group) m_firstOfGroup[group + 1] += m_firstOfGroup[group];
  std::vector<std::uint32_t> next(m_firstOfGroup.begin(), m_firstOfGroup.end() - 1);
  m_startOfRecord.resize(m_refs.size());
  for (std::size_t i = 0; i < m_refs.size(); ++i) {
    m_startOfRecord[next[m_refs[i].group]++] = starts[i];
  }
}

Result<Records> GroupBatch::recordsOf(std::size_t group) const {
  Records records;
  for (std::uint32_t i = m_firstOfGroup[group]; i < m_firstOfGroup[group + 1]; ++i) {
    std::string_view bytes = std::string_view(m_packed).substr(m_startOfRecord[i]);
    auto record = decodeRecord(bytes);
    if (!record) return fail(record.error());
    records.add(std::move(*record));
  }
  return records;
}

Result<> settle(const Unit& unit, const UnitSinks& sinks, unsigned worker) {
  sinks.verdicts[worker].addUnit(unit);
  if (!isListed(unit, sinks.detail)) return {};
  return sinks.listed.add(unit);
}

Result<> judgeBatch(NightState& night, GroupBatch& batch, Verdicts& verdicts,
                    const std::function<Result<>(Unit&&)>& take) {
  if (auto done = batch.fetch(night.input); !done) return done;
  for (std::size_t group = 0; group < batch.groupCount(); ++group) {
    auto records = batch.recordsOf(group);
    if (!records) return fail(records.error());
    Judgement judgement = judge(std::move(*records), night.context);
    verdicts.addJudgement(judgement);
    for (Unit& unit : judgement.units) {
      if (auto done = take(std::move(unit)); !done) return done;
    }
  }
  return {};
}

namespace {

class LeftJudge {
 public:
  LeftJudge(NightState& night, PartitionedBytes& left, const SiftTally& tally, const UnitSinks& sinks)
      : m_night(night), m_left(left), m_tally(tally), m_sinks(sinks), m_workers(night.executor.threadCount()),
        m_rowsAimed(GroupBatch::rowsAimed(night.options.memoryBytes, m_workers.size())) {}

  Result<> run() {
    // Several partitions a task, so that a batch is worth its sorting; two tasks a worker, so that none idles long.
    const std::uint64_t tasks = std::clamp<std::uint64_t>(m_tally.leftRows / m_rowsAimed + 1, m_workers.size() * 2,
                                                          m_left.partitionCount());
    const auto step = static_cast<unsigned>((m_left.partitionCount() + tasks - 1) / tasks);
    StageErrors errors(m_night.executor.threadCount());
    m_night.executor.forEach((m_left.partitionCount() + step - 1) / step, [&](std::size_t task, unsigned worker) {
      const auto first = static_cast<unsigned>(task) * step;
      const unsigned last = std::min(first + step, m_left.partitionCount());
      for (unsigned partition = first; partition < last && !errors.hasFailed(); ++partition) {
        if (auto done = collect(partition, worker); !done) errors.set(worker, done.error());
      }
      if (errors.hasFailed()) return;
      if (auto done = flush(worker); !done) errors.set(worker, done.error());
    });
    return errors.result();
  }

 private:
  struct alignas(64) Worker {
    GroupBatch batch;
    std::string scratch;
    GroupHash last;
  };

  Result<> collect(unsigned partition, unsigned worker) {
    Worker& mine = m_workers[worker];
    Result<> outcome;
    auto read = m_left.read(partition, mine.scratch, [&](std::string_view bytes) {
      const char* at = bytes.data();
      const char* const end = at + bytes.size();
      LedgerRow row;
      while (at < end && outcome) {
        at = m_night.ledger.codec().unpack(at, end, row);
        const bool isNextGroup = mine.batch.rowCount() > 0 && row.group != mine.last;
        if (isNextGroup && mine.batch.rowCount() >= m_rowsAimed) outcome = flush(worker);
        mine.batch.add(row, m_night.ledger.shapes());
        mine.last = row.group;
      }
    });
    m_left.release(partition, worker);
    return read ? outcome : read;
  }

  Result<> flush(unsigned worker) {
    Worker& mine = m_workers[worker];
    if (mine.batch.rowCount() == 0) return {};
    if (m_night.isCancelled()) return fail(ErrorCode::Cancelled, "stopped while judging");
    auto done = judgeBatch(m_night, mine.batch, m_sinks.verdicts[worker], [&](Unit&& unit) -> Result<> {
      if (wantsSuggestions(unit, m_night.policy)) return m_sinks.waiting.add(unit);
      return settle(unit, m_sinks, worker);
    });
    m_night.progress.tell("judging", m_done += mine.batch.rowCount(), m_tally.leftRows);
    mine.batch.clear();
    return done;
  }

  NightState& m_night;
  PartitionedBytes& m_left;
  const SiftTally& m_tally;
  const UnitSinks& m_sinks;
  std::vector<Worker> m_workers;
  std::size_t m_rowsAimed;
  std::atomic<std::uint64_t> m_done{0};
};

}  // namespace

Result<> judgeLeft(NightState& night, PartitionedBytes& left, const SiftTally& tally, const UnitSinks& sinks) {
  return LeftJudge(night, left, tally, sinks).run();
}

}  // namespace counterfoil
