// SPDX-License-Identifier: GPL-3.0-or-later
// One night: bulk where nobody sees it, then one short transaction.
#include <optional>
#include <utility>

#include "core/base/require.h"
#include "core/judge/reason_age.h"
#include "core/store/borrowed.h"
#include "core/store/carried.h"
#include "core/store/case_identity.h"
#include "core/store/closing.h"
#include "core/store/decided.h"
#include "core/store/failpoint.h"
#include "core/store/history.h"
#include "core/store/ignore_rules.h"
#include "core/store/record_loader.h"
#include "core/store/store_impl.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kWantedBytesMost = 16ull << 20;   ///< more waits in a file without a name

/// The records of a night: what was staged of them, what an earlier run has, and what is carried forward.
struct Bulk {
  RecordLoader::Loaded loaded;
  std::vector<BorrowedFile> borrowed;
  std::unique_ptr<CarriedRecords> carried;
};

/// What stands for a unit instead of what the rules say of it.
struct Standing {
  std::optional<Class> decided;   ///< by a person, or as `dismissed` by a rule
  std::int64_t rule = 0;          ///< that hides it; 0: none
};

}  // namespace

struct NightWriter::Impl {
  Store::Impl* store = nullptr;
  RunNumber number = 0;
  RecordLoader loader;
  std::uint64_t memoryBytes = 0;
  std::optional<CarryRules> rules;
  std::optional<Bulk> staged;
  std::vector<IgnoreRule> ignored;   ///< rules in force, as the commit finds them
  bool isDone = false;

  Result<> stage(const NightFacts& facts, const std::vector<std::string>& sources, const std::vector<FileReport>& reports,
                 Executor& executor);
  Result<Bulk> writeBulk(const NightFacts& facts, const std::vector<std::string>& sources,
                         const std::vector<FileReport>& reports, Executor& executor);
  Result<> carry(const std::vector<FileReport>& reports, Bulk& bulk);
  Result<> writeUnit(StoredRun& run, const NightFacts& facts, const Unit& unit, const Standing& standing,
                     const std::vector<RawText>& raw, CaseBook& cases, UnitRowWriter& rows);
  Result<> writeUnits(StoredRun& run, const NightFacts& facts, const UnitList& units, const RawOf& rawOf, CaseBook& cases,
                      UnitRowWriter& rows);
  static Result<> keepThoseSeen(const Unit& unit, CaseIdentity::Joined& joined, CaseBook& cases);
  Result<Standing> decide(const NightFacts& facts, const Unit& unit, const CaseIdentity::Joined& joined, CaseBook& cases) const;
  Result<> takeIn(const CaseId& engineId, const CaseIdentity::Joined& joined, CaseBook& cases);
  Result<> writeRows(StoredRun& run, const NightFacts& facts, const UnitList& units, const RawOf& rawOf,
                     const Bulk& bulk);
  Result<> commitRows(StoredRun& run, const NightFacts& facts, const UnitList& units, const RawOf& rawOf,
                      const Bulk& bulk);
};

NightWriter Store::beginNight(unsigned workers, std::uint64_t memoryBytes) {
  const auto last = lastRun();
  const RunNumber number = (last && *last ? **last : 0) + 1;
  return NightWriter(std::make_unique<NightWriter::Impl>(NightWriter::Impl{
      m_impl.get(), number, RecordLoader(m_impl->hash, workers, m_impl->folder(), memoryBytes), memoryBytes, {}, {}, {}, false}));
}

NightWriter::NightWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
/// What was staged and not committed is not visible; the next run takes it away if this cannot.
NightWriter::~NightWriter() {
  if (m_impl && m_impl->staged && !m_impl->isDone) (void)dropStagedSegments(m_impl->store->database);
}
NightWriter::NightWriter(NightWriter&&) noexcept = default;

RunNumber NightWriter::number() const {
  return m_impl->number;
}

Result<> NightWriter::addRecord(const AnyRecord& record, unsigned worker) {
  return m_impl->loader.add(record, worker);
}

void NightWriter::encode(const AnyRecord& record, std::string& out) const {
  m_impl->loader.encode(record, out);
}

Result<> NightWriter::addEncoded(std::string_view& bytes, unsigned worker) {
  return m_impl->loader.addEncoded(bytes, worker);
}

/// A unit stands under the id its case has had from the first night on.
Result<> NightWriter::Impl::writeUnit(StoredRun& run, const NightFacts& facts, const Unit& unit, const Standing& standing,
                                      const std::vector<RawText>& raw, CaseBook& cases, UnitRowWriter& rows) {
  Unit settled = unit;
  if (standing.decided) {
    if (auto ok = settleDecided(run.result, settled, *standing.decided, *facts.policy); !ok) return ok;
  }
  if (const auto since = cases.unchangedSince(unit)) {
    const auto extended = rows.extend(unit, standing.decided, since->run, reasonAsOf(unit, run.identity.asOf, since->asOf));
    if (!extended) return fail(extended.error());
    if (*extended) {
      if (auto ok = cases.again(unit.id); !ok) return ok;
      return cases.hide(unit.id, standing.rule);
    }
  }
  const bool isNew = !facts.baseline && cases.isNewOrWorse(settled);
  if (isNew) ++run.newBreaks[settled.severity];
  if (!facts.baseline && cases.isNewlyOverdue(settled)) ++run.newOverdue;
  if (auto ok = rows.add(unit, standing.decided, isNew, raw); !ok) return ok;
  // What a rule hides is carried on and judged each night: the rule may end.
  if (auto ok = cases.update(store->database, standing.rule == 0 ? settled : unit); !ok) return ok;
  return cases.hide(unit.id, standing.rule);
}

Result<> NightWriter::Impl::writeUnits(StoredRun& run, const NightFacts& facts, const UnitList& units,
                                       const RawOf& rawOf, CaseBook& cases, UnitRowWriter& rows) {
  std::vector<std::string> sources;
  for (const SourceReport& source : run.result.sources) sources.push_back(source.name);
  auto identity = CaseIdentity::load(store->database, sources);
  if (!identity) return fail(identity.error());
  auto walked = units.forEach([&](const Unit& unit) {
    identity->expect(unit.id);
    return true;
  });
  if (!walked) return walked;
  Result<> ok;
  walked = units.forEach([&](const Unit& unit) {
    const auto raw = isPlain(unit) || !rawOf ? Result<std::vector<RawText>>() : rawOf(unit);
    if (!raw) {
      ok = fail(raw.error());
      return false;
    }
    CaseIdentity::Joined joined = identity->join(unit);
    ok = keepThoseSeen(unit, joined, cases);
    if (!ok) return false;
    Unit own = unit;
    own.id = joined.id;
    const auto standing = decide(facts, own, joined, cases);
    ok = standing ? writeUnit(run, facts, own, *standing, *raw, cases, rows) : Result<>(fail(standing.error()));
    if (ok && (joined.id != unit.id || !joined.others.empty())) ok = takeIn(unit.id, joined, cases);
    return ok.has_value();
  });
  return ok ? walked : ok;
}

/// A decision stands as long as the records are those that it was made about.
Result<Standing> NightWriter::Impl::decide(const NightFacts& facts, const Unit& unit, const CaseIdentity::Joined& joined,
                                           CaseBook& cases) const {
  if (!joined.others.empty() || facts.policy == nullptr || groupOf(unit.unitClass) == ClassGroup::Closed) return Standing{};
  const auto decision = cases.decisionOn(unit);
  if (!decision) return fail(decision.error());
  if (decision->decided) return Standing{decision->decided, 0};
  const std::int64_t rule = decision->mayBeHidden ? hidingRule(ignored, unit, facts.identity.asOf) : 0;
  return rule == 0 ? Standing{} : Standing{Class::Dismissed, rule};
}

/// A case of which tonight's unit lacks a record is not taken in: it may be more than the unit shows.
Result<> NightWriter::Impl::keepThoseSeen(const Unit& unit, CaseIdentity::Joined& joined, CaseBook& cases) {
  std::vector<CaseId> seen;
  for (CaseId& other : joined.others) {
    const auto has = cases.hasEvidenceOf(other, unit);
    if (!has) return fail(has.error());
    if (*has) seen.push_back(std::move(other));
  }
  joined.others = std::move(seen);
  return {};
}

Result<> NightWriter::Impl::takeIn(const CaseId& engineId, const CaseIdentity::Joined& joined, CaseBook& cases) {
  bool decided = false;
  for (const CaseId& other : joined.others) {
    const auto was = cases.takeIn(store->database, other);
    if (!was) return fail(was.error());
    decided = decided || *was;
  }
  if (decided) {
    if (auto ok = cases.reopen(store->database, joined.id); !ok) return ok;
  }
  return CaseIdentity::record(store->database, engineId, joined);
}

Result<> NightWriter::Impl::writeRows(StoredRun& run, const NightFacts& facts, const UnitList& units,
                                      const RawOf& rawOf, const Bulk& bulk) {
  Database& database = store->database;
  auto cases = CaseBook::load(database, number, facts.identity.asOf);
  if (!cases) return fail(cases.error());
  if (bulk.carried) cases->setCarried(bulk.carried->list().cases);
  auto inForce = loadIgnoreRules(database, RulesWanted::InForce);
  if (!inForce) return fail(inForce.error());
  ignored = std::move(*inForce);
  auto rows = UnitRowWriter::begin(database, number);
  if (!rows) return fail(rows.error());
  // The run's row is inserted with its tallies, which the units settle; so the units wait for no row of it
  // but reference it: constraints are looked at by the commit.
  if (auto ok = database.execute("PRAGMA defer_foreign_keys=1"); !ok) return ok;
  if (auto ok = writeUnits(run, facts, units, rawOf, *cases, *rows); !ok) return ok;
  if (auto ok = insertRun(database, run, facts); !ok) return ok;
  if (auto ok = insertBorrowed(database, bulk.borrowed); !ok) return ok;
  if (bulk.carried) {
    if (auto ok = insertCarried(database, number, bulk.carried->list()); !ok) return ok;
  }
  // On a night whose keys do not meet not every unit is listed: nothing says what is in order.
  if (!run.result.listsBounded) {
    if (auto ok = cases->clearThoseSeen(*store, bulk.loaded.records, bulk.loaded.history); !ok) return ok;
  }
  if (auto ok = noteRestatements(database, number, facts.identity.asOf); !ok) return ok;
  if (auto ok = showSegment(database, bulk.loaded.records); !ok) return ok;
  return showSegment(database, bulk.loaded.history);
}

Result<> NightWriter::Impl::commitRows(StoredRun& run, const NightFacts& facts, const UnitList& units,
                                       const RawOf& rawOf, const Bulk& bulk) {
  // The bulk before was synced by checkpoints only; this commit makes everything durable.
  if (auto ok = store->database.execute("PRAGMA synchronous=FULL"); !ok) return ok;
  auto transaction = Transaction::begin(store->database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  if (auto ok = writeRows(run, facts, units, rawOf, bulk); !ok) return ok;
  failpoint("commit");
  if (auto ok = transaction->commit(); !ok) return ok;
  failpoint("committed");
  return store->database.execute("PRAGMA synchronous=NORMAL");
}

Result<Bulk> NightWriter::Impl::writeBulk(const NightFacts& facts, const std::vector<std::string>& sources,
                                          const std::vector<FileReport>& reports, Executor& executor) {
  auto borrowed = findStoredFiles(store->database, number, facts, sources, reports);
  if (!borrowed) return fail(borrowed.error());
  std::set<FileId> leaveOut;
  for (const BorrowedFile& file : *borrowed) leaveOut.insert(file.file);
  const auto loaded = loader.write(store->database, number, leaveOut, executor);
  if (!loaded) return fail(loaded.error());
  for (BorrowedFile& file : *borrowed) {
    const auto count = loaded->leftOut.find(file.file);
    if (count != loaded->leftOut.end()) file.records = count->second;
  }
  return Bulk{*loaded, std::move(*borrowed), {}};
}

Result<> NightWriter::Impl::carry(const std::vector<FileReport>& reports, Bulk& into) {
  const auto wanted = loader.takeWanted();
  if (!wanted) return {};
  FileId firstFile;
  for (const FileReport& report : reports) firstFile.value = std::max(firstFile.value, report.file.value + 1);
  std::set<std::pair<RunNumber, FileId>> borrowed;
  for (const BorrowedFile& file : into.borrowed) borrowed.emplace(file.fromRun, file.fromFile);
  auto found = findCarried(*store, *rules, firstFile, borrowed, *wanted);
  if (!found) return fail(found.error());
  auto records = CarriedRecords::open(*store, std::move(*found), *rules);
  if (!records) return fail(records.error());
  into.carried = std::move(*records);
  return {};
}

Result<> NightWriter::carryFrom(CarryRules rules) {
  const auto any = hasEarlierNights(*m_impl->store);
  if (!any) return fail(any.error());
  m_impl->rules = std::move(rules);
  if (*any) m_impl->loader.collectWanted(m_impl->rules->jobSpaces, std::min(m_impl->memoryBytes / 4, kWantedBytesMost));
  return {};
}

Result<const CarriedRecords*> NightWriter::stage(const NightFacts& facts, const std::vector<FileReport>& reports,
                                                 Executor& executor) {
  require(m_impl->rules.has_value(), "how earlier nights are read is said before they are searched");
  if (auto ok = m_impl->stage(facts, m_impl->rules->sources, reports, executor); !ok) return fail(ok.error());
  return static_cast<const CarriedRecords*>(m_impl->staged->carried.get());
}

Result<> NightWriter::Impl::stage(const NightFacts& facts, const std::vector<std::string>& sources,
                                  const std::vector<FileReport>& reports, Executor& executor) {
  require(!staged, "the records of a night are staged once");
  auto written = writeBulk(facts, sources, reports, executor);
  if (written) {
    if (auto ok = carry(reports, *written); !ok) written = fail(ok.error());
  }
  if (!written) {
    (void)dropStagedSegments(store->database);
    return fail(written.error());
  }
  staged = std::move(*written);
  return {};
}

Result<StoredRun> NightWriter::commit(const NightFacts& facts, const RunResult& result, const UnitList& units,
                                      const RawOf& rawOf, Executor& executor) {
  failpoint("judge");
  if (!m_impl->staged) {
    std::vector<std::string> sources;
    std::vector<FileReport> reports;
    for (const SourceReport& source : result.sources) {
      sources.push_back(source.name);
      reports.insert(reports.end(), source.files.begin(), source.files.end());
    }
    if (auto ok = m_impl->stage(facts, sources, reports, executor); !ok) return fail(ok.error());
  }
  const Bulk& bulk = *m_impl->staged;
  StoredRun run;
  run.number = m_impl->number;
  run.identity = facts.identity;
  run.config = facts.config;
  run.program = facts.program;
  run.backfill = facts.backfill;
  run.baseline = facts.baseline;
  run.records = bulk.loaded.recordCount;
  run.result = result;
  if (auto ok = m_impl->commitRows(run, facts, units, rawOf, bulk); !ok) return fail(ok.error());
  m_impl->isDone = true;
  // The night is durable. Merging the history only makes look-ups cheaper: a disk that is too full for it
  // leaves more segments, and a later night tries again. Damage is said.
  const auto merged = consolidateHistory(m_impl->store->database);
  if (!merged && merged.error().code == ErrorCode::StoreBroken) return fail(merged.error());
  return run;
}

}  // namespace counterfoil
