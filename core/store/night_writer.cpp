// SPDX-License-Identifier: GPL-3.0-or-later
// One night: bulk where nobody sees it, then one short transaction.
#include <optional>
#include <utility>

#include "core/store/failpoint.h"
#include "core/store/history.h"
#include "core/store/record_loader.h"
#include "core/store/store_impl.h"

namespace counterfoil {

struct NightWriter::Impl {
  Store::Impl* store = nullptr;
  RunNumber number = 0;
  RecordLoader loader;

  Result<> writeRows(StoredRun& run, const NightFacts& facts, const UnitList& units, const RawOf& rawOf,
                     const RecordLoader::Loaded& loaded);
  Result<> commitRows(StoredRun& run, const NightFacts& facts, const UnitList& units, const RawOf& rawOf,
                      const RecordLoader::Loaded& loaded);
};

NightWriter Store::beginNight(unsigned workers, std::uint64_t memoryBytes) {
  const auto last = lastRun();
  const RunNumber number = (last && *last ? **last : 0) + 1;
  return NightWriter(std::make_unique<NightWriter::Impl>(NightWriter::Impl{
      m_impl.get(), number, RecordLoader(m_impl->hash, workers, m_impl->folder(), memoryBytes)}));
}

NightWriter::NightWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
NightWriter::~NightWriter() = default;
NightWriter::NightWriter(NightWriter&&) noexcept = default;

RunNumber NightWriter::number() const {
  return m_impl->number;
}

Result<> NightWriter::addRecord(const AnyRecord& record, unsigned worker) {
  return m_impl->loader.add(record, worker);
}

Result<> NightWriter::Impl::writeRows(StoredRun& run, const NightFacts& facts, const UnitList& units,
                                      const RawOf& rawOf, const RecordLoader::Loaded& loaded) {
  Database& database = store->database;
  auto cases = CaseBook::load(database, number, facts.identity.asOf);
  if (!cases) return fail(cases.error());
  auto rows = UnitRowWriter::begin(database, number);
  if (!rows) return fail(rows.error());
  // The run's row is inserted with its tallies, which the units settle; so the units wait for no row of it
  // but reference it: constraints are looked at by the commit.
  if (auto ok = database.execute("PRAGMA defer_foreign_keys=1"); !ok) return ok;
  std::optional<Error> error;
  auto walked = units.forEach([&](const Unit& unit) {
    const bool isNew = !facts.baseline && cases->isNewOrWorse(unit);
    if (isNew) ++run.newBreaks[unit.severity];
    const bool plain = isPlain(unit);
    Result<> ok = rows->add(unit, isNew, plain || !rawOf ? std::vector<RawText>() : rawOf(unit));
    if (ok) ok = cases->update(database, unit);
    if (!ok) error = ok.error();
    return !error;
  });
  if (error) return fail(*error);
  if (!walked) return walked;
  if (auto ok = insertRun(database, run, facts); !ok) return ok;
  if (auto ok = cases->clearThoseSeen(database, store->hash, loaded.records, loaded.history); !ok) return ok;
  if (auto ok = showSegment(database, loaded.records); !ok) return ok;
  return showSegment(database, loaded.history);
}

Result<> NightWriter::Impl::commitRows(StoredRun& run, const NightFacts& facts, const UnitList& units,
                                       const RawOf& rawOf, const RecordLoader::Loaded& loaded) {
  // The bulk before was synced by checkpoints only; this commit makes everything durable.
  if (auto ok = store->database.execute("PRAGMA synchronous=FULL"); !ok) return ok;
  auto transaction = Transaction::begin(store->database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  if (auto ok = writeRows(run, facts, units, rawOf, loaded); !ok) return ok;
  failpoint("commit");
  if (auto ok = transaction->commit(); !ok) return ok;
  failpoint("committed");
  return store->database.execute("PRAGMA synchronous=NORMAL");
}

Result<StoredRun> NightWriter::commit(const NightFacts& facts, const RunResult& result, const UnitList& units,
                                      const RawOf& rawOf, Executor& executor) {
  failpoint("judge");
  const auto loaded = m_impl->loader.write(m_impl->store->database, m_impl->number, executor);
  if (!loaded) {
    // What was staged is not visible; the next run takes it away if this cannot.
    (void)dropStagedSegments(m_impl->store->database);
    return fail(loaded.error());
  }
  StoredRun run;
  run.number = m_impl->number;
  run.identity = facts.identity;
  run.config = facts.config;
  run.program = facts.program;
  run.backfill = facts.backfill;
  run.baseline = facts.baseline;
  run.records = loaded->recordCount;
  run.result = result;
  if (auto ok = m_impl->commitRows(run, facts, units, rawOf, *loaded); !ok) {
    (void)dropStagedSegments(m_impl->store->database);
    return fail(ok.error());
  }
  // The night is durable. Merging the history only makes look-ups cheaper: a disk that is too full for it
  // leaves more segments, and a later night tries again. Damage is said.
  const auto merged = consolidateHistory(m_impl->store->database);
  if (!merged && merged.error().code == ErrorCode::StoreBroken) return fail(merged.error());
  return run;
}

}  // namespace counterfoil
