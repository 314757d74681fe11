// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/judging.h"

#include <algorithm>

namespace counterfoil {

void GroupBatch::clear() {
  m_refs.clear();
  m_groups = 0;
}

void GroupBatch::add(const LedgerRow& row, const ShapeTable& shapes) {
  if (m_groups == 0 || row.group != m_last) {
    ++m_groups;
    m_last = row.group;
  }
  m_refs.push_back({refOf(row, shapes[row.shape]), static_cast<std::uint32_t>(m_groups - 1)});
}

Result<std::vector<Records>> GroupBatch::fetch(const Input& input) const {
  std::vector<Wanted> wanted = m_refs;
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.ref < b.ref; });
  std::vector<RecordRef> refs;
  refs.reserve(wanted.size());
  for (const Wanted& one : wanted) refs.push_back(one.ref);
  std::vector<Records> groups(m_groups);
  std::size_t count = 0;
  auto done = input.fetch(refs, [&](std::size_t index, AnyRecord&& record) {
    groups[wanted[index].group].add(std::move(record));
    ++count;
  });
  if (!done) return fail(done.error());
  if (count != refs.size()) return fail(ErrorCode::Io, "not every record could be read a second time; run again");
  return groups;
}

Result<> settle(const Unit& unit, const UnitSinks& sinks, unsigned worker) {
  sinks.verdicts[worker].addUnit(unit);
  if (!isListed(unit, sinks.detail)) return {};
  return sinks.listed.add(unit);
}

Result<> judgeBatch(NightState& night, const GroupBatch& batch, Verdicts& verdicts,
                    const std::function<Result<>(Unit&&)>& take) {
  auto groups = batch.fetch(night.input);
  if (!groups) return fail(groups.error());
  for (Records& records : *groups) {
    Judgement judgement = judge(std::move(records), night.context);
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
      : m_night(night), m_left(left), m_tally(tally), m_sinks(sinks), m_workers(night.executor.threadCount()) {}

  Result<> run() {
    // Few rows: several partitions a task, so that a batch is worth its sorting.
    const std::uint64_t tasks = std::clamp<std::uint64_t>(m_tally.leftRows / GroupBatch::kRowsAimed + 1,
                                                          m_workers.size(), m_left.partitionCount());
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
        if (isNextGroup && mine.batch.rowCount() >= GroupBatch::kRowsAimed) outcome = flush(worker);
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
  std::atomic<std::uint64_t> m_done{0};
};

}  // namespace

Result<> judgeLeft(NightState& night, PartitionedBytes& left, const SiftTally& tally, const UnitSinks& sinks) {
  return LeftJudge(night, left, tally, sinks).run();
}

}  // namespace counterfoil
