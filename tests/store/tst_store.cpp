// SPDX-License-Identifier: GPL-3.0-or-later
// Nights go into a store and come out again: runs, lists, cases over nights, look-ups, dump, backup.
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/store/schema.h"
#include "core/store/sqlite.h"
#include "tests/store/store_night.h"

using namespace counterfoil;
using namespace counterfoil::test;

namespace {

bool exists(const std::string& path) {
  struct stat facts{};
  return stat(path.c_str(), &facts) == 0;
}

std::vector<StoredUnit> unitsOf(const Store& store, const ListFilter& filter) {
  std::vector<StoredUnit> out;
  const auto ok = store.forEachUnit(filter, [&](const StoredUnit& unit) {
    out.push_back(unit);
    return true;
  });
  if (!ok) qFatal("%s", ok.error().message.c_str());
  return out;
}

/// A night with these attempts and units.
StoredRun commit(Store& store, int day, const std::vector<Attempt>& attempts, std::vector<Unit> listed) {
  Executor executor(1);
  NightWriter writer = store.beginNight(1, 1 << 20);
  for (const Attempt& each : attempts) {
    if (!writer.addRecord(each, 0)) qFatal("a record was refused");
  }
  Units units;
  std::sort(listed.begin(), listed.end(), outputBefore);
  units.units = listed;
  const NightFacts night = facts(day);
  auto run = writer.commit(night, resultOf(night, listed, 0), units, nullptr, executor);
  if (!run) qFatal("%s", run.error().message.c_str());
  return *run;
}

}  // namespace

class TstStore : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

 private slots:
  void aNightComesBackAsTheEngineGaveIt() {
    Executor executor(2);
    auto store = Store::openForRun(path("whole"));
    QVERIFY(store.has_value());
    const auto committed = commitNight(*store, 0, 500, executor);
    QVERIFY2(committed.has_value(), committed ? "" : committed.error().message.c_str());
    QCOMPARE(committed->number, 1u);
    const auto run = store->run(1);
    QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
    QCOMPARE(run->records, std::uint64_t{500 + 400});
    QVERIFY(run->identity == facts(0).identity);
    QVERIFY(run->result.classes == committed->result.classes);
    QVERIFY(run->result.findings == committed->result.findings);
    QVERIFY(run->result.proof == committed->result.proof);
    QVERIFY(run->result.queues == committed->result.queues);
    QVERIFY(run->result.exposure == committed->result.exposure);
    QCOMPARE(run->result.breaks, std::uint64_t{50});
    QCOMPARE(run->newBreaks.at(Severity::High), std::uint64_t{50});
    QCOMPARE(run->result.sources.front().files.front().path, std::string("jobs.csv"));
    QVERIFY(run->result.sources.front().files.front().covers.has_value());
    QCOMPARE(store->coverageOf(1)->bySource.at(SourceId{0}).front().to, at(1'775'600'000));
    QVERIFY(store->checkIntegrity()->empty());
  }

  void closingLeavesOneFile() {
    Executor executor(1);
    auto store = Store::openForRun(path("one"));
    QVERIFY(commitNight(*store, 0, 50, executor).has_value());
    QVERIFY(exists(path("one.lock")));
    QVERIFY(store->close().has_value());
    QVERIFY(exists(path("one")));
    for (const char* name : {"one-wal", "one-shm", "one.lock", "one-journal"}) QVERIFY2(!exists(path(name)), name);
    {
      auto reading = Store::openForReading(path("one"));
      QCOMPARE(unitsOf(*reading, {}).size(), std::size_t{10});
    }
    QVERIFY(!exists(path("one-wal")));
  }

  void theSameNightIsFoundAgain() {
    Executor executor(1);
    auto store = Store::openForRun(path("again"));
    QVERIFY(commitNight(*store, 0, 20, executor).has_value());
    QVERIFY(*store->findNight(facts(0).identity) == std::optional<RunNumber>(1));
    QVERIFY(!store->findNight(facts(1).identity)->has_value());
    NightIdentity other = facts(0).identity;
    other.configDigest = "sha256:other";
    QVERIFY(!store->findNight(other)->has_value());
    QVERIFY(*store->latestAsOf() == std::optional(facts(0).identity.asOf));
  }

  void filtersChooseUnits_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("count");
    QTest::newRow("breaks and open ones") << 0 << 20;
    QTest::newRow("a class") << 1 << 10;
    QTest::newRow("a severity") << 2 << 10;
    QTest::newRow("a key") << 3 << 1;
    QTest::newRow("a key with white space") << 4 << 1;
    QTest::newRow("an operation nobody has") << 5 << 0;
    QTest::newRow("since") << 6 << 2;
    QTest::newRow("of a run") << 7 << 20;
    QTest::newRow("of a run that is not there") << 8 << 0;
    QTest::newRow("a limit") << 9 << 3;
    QTest::newRow("a state nobody is in") << 10 << 0;
  }
  void filtersChooseUnits() {
    Executor executor(1);
    auto store = Store::openForRun(":memory:");
    QVERIFY(commitNight(*store, 0, 100, executor).has_value());
    QFETCH(int, which);
    QFETCH(int, count);
    ListFilter filter;
    if (which == 1) filter.classes = {Class::MissingEffect};
    if (which == 2) filter.severities = {Severity::High};
    if (which == 3) filter.key = "charge:10";
    if (which == 4) filter.key = " charge:10 ";
    if (which == 5) filter.operation = "refund";
    if (which == 6) filter.since = at(1'775'000'090);
    if (which == 7) filter.run = 1;
    if (which == 8) filter.run = 2;
    if (which == 9) filter.limit = 3;
    if (which == 10) filter.states = {ReviewState::Dismissed};
    QCOMPARE(static_cast<int>(unitsOf(*store, filter).size()), count);
  }

  void unitsComeInOutputOrderUnlessSorted() {
    Executor executor(1);
    auto store = Store::openForRun(":memory:");
    QVERIFY(commitNight(*store, 0, 100, executor).has_value());
    const auto units = unitsOf(*store, {});
    for (std::size_t i = 1; i < units.size(); ++i) QVERIFY(outputBefore(units[i - 1].unit, units[i].unit));
    ListFilter oldest;
    oldest.sort = SortBy::Age;
    oldest.descending = true;
    QCOMPARE(unitsOf(*store, oldest).front().unit.key, std::string("charge:0"));
    QCOMPARE(unitsOf(*store, oldest).back().unit.key, std::string("charge:91"));
  }

  void aUnitComesBackWhole() {
    Unit unit = test::unit(3, Class::DuplicateEffect, Severity::Critical);
    unit.why = Why::SameKeyAfterRetention;
    unit.hints = {Hint::PeriodicGap, Hint::Redrive};
    unit.flags = {Flag::DespiteFailure, Flag::Provisional};
    unit.candidates = {"ch_9", "with \"quotes\""};
    unit.moreCandidates = 4;
    unit.mark = "order-1";
    unit.scope = "acct/test";
    unit.local = LocalSummary::Failed;
    Skip skip;
    skip.key = skip.keyText = unit.key;
    skip.time = at(77);
    skip.worker = "w1";
    unit.records.skips = {skip};
    unit.skipVerdicts = {{SkipVerdict::Legit, "the effect is there", Money{500, usd()}}};
    DeadLetter letter;
    letter.queue = "payments.dlq";
    letter.messageId = "m1";
    letter.key = letter.keyText = unit.key;
    unit.records.deadLetters = {letter};
    unit.deadLetterVerdicts = {{RedriveVerdict::Unsafe, "it would charge twice", at(99)}};
    auto store = Store::openForRun(":memory:");
    commit(*store, 0, {attempt(3)}, {unit});
    const auto units = unitsOf(*store, {});
    QCOMPARE(units.size(), std::size_t{1});
    const Unit& back = units.front().unit;
    QCOMPARE(back.id, unit.id);
    QVERIFY(back.why == unit.why && back.hints == unit.hints && back.flags == unit.flags);
    QVERIFY(back.candidates == unit.candidates && back.moreCandidates == 4);
    QVERIFY(back.exposure == unit.exposure && back.expectedAmount == unit.expectedAmount);
    QVERIFY(back.due == unit.due && back.firstSeen == unit.firstSeen && back.local == unit.local);
    QCOMPARE(back.mark, unit.mark);
    QCOMPARE(back.scope, unit.scope);
    QCOMPARE(back.records.attempts.front().jobId, std::string("job-3"));
    QVERIFY(back.skipVerdicts.front().saved == unit.skipVerdicts.front().saved);
    QVERIFY(back.deadLetterVerdicts.front().deadline == std::optional(at(99)));
    std::vector<SkipRow> skips;
    QVERIFY(store->forEachSkip({}, [&](const SkipRow& row) { skips.push_back(row); return true; }).has_value());
    QCOMPARE(skips.size(), std::size_t{1});
    QVERIFY(skips.front().verdict == SkipVerdict::Legit && skips.front().time == at(77));
    std::vector<DeadLetterRow> letters;
    QVERIFY(store->forEachDeadLetter({}, [&](const DeadLetterRow& row) { letters.push_back(row); return true; }).has_value());
    QVERIFY(letters.front().messageId == "m1" && letters.front().verdict == RedriveVerdict::Unsafe);
  }

  void aCaseStandsOverNightsAndIsCleared() {
    auto store = Store::openForRun(":memory:");
    commit(*store, 0, {attempt(1), attempt(2)},
           {unit(1, Class::MissingEffect, Severity::High), unit(2, Class::Expected, Severity::None)});
    // The second night judges 1 again; 2 came again and is plain, so it is not listed.
    commit(*store, 1, {attempt(1), attempt(2)}, {unit(1, Class::MissingEffect, Severity::High)});
    const auto standing = unitsOf(*store, {});
    QCOMPARE(standing.size(), std::size_t{1});
    QCOMPARE(standing.front().firstRun, 1u);
    QCOMPARE(standing.front().lastRun, 2u);
    QVERIFY(!standing.front().isNew);
    ListFilter cleared;
    cleared.states = {ReviewState::AutoCleared};
    QCOMPARE(unitsOf(*store, cleared).front().unit.key, std::string("charge:2"));
    // The third night does not see 1 at all: it stands as it was judged last.
    commit(*store, 2, {attempt(9)}, {});
    QCOMPARE(unitsOf(*store, {}).size(), std::size_t{1});
    // The fourth finds it again as a break of 2: reopened.
    commit(*store, 3, {attempt(2)}, {unit(2, Class::MissingEffect, Severity::High)});
    ListFilter reopened;
    reopened.states = {ReviewState::Reopened};
    QCOMPARE(unitsOf(*store, reopened).size(), std::size_t{1});
    QCOMPARE(unitsOf(*store, {}).size(), std::size_t{2});
  }

  void newAndWorseBreaksAreCounted() {
    auto store = Store::openForRun(":memory:");
    QCOMPARE(commit(*store, 0, {attempt(1)}, {unit(1, Class::AmountMismatch, Severity::Medium)}).newBreaks.size(), std::size_t{1});
    QVERIFY(commit(*store, 1, {attempt(1)}, {unit(1, Class::AmountMismatch, Severity::Medium)}).newBreaks.empty());
    const auto worse = commit(*store, 2, {attempt(1)}, {unit(1, Class::DuplicateEffect, Severity::Critical)}).newBreaks;
    QCOMPARE(worse.at(Severity::Critical), std::uint64_t{1});
  }

  void aBackfilledNightChangesNothingThatStands() {
    auto store = Store::openForRun(":memory:");
    commit(*store, 5, {attempt(1)}, {unit(1, Class::MissingEffect, Severity::High)});
    commit(*store, 2, {attempt(1)}, {unit(1, Class::Expected, Severity::None)});
    const auto standing = unitsOf(*store, {});
    QCOMPARE(standing.size(), std::size_t{1});
    QVERIFY(standing.front().unit.unitClass == Class::MissingEffect);
  }

  void recordsOfEveryNightAreFound_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("count");
    QTest::newRow("by key") << "charge:17" << 4;
    QTest::newRow("by key with white space") << " charge:17\t" << 4;
    QTest::newRow("by effect id") << "ch_17" << 2;
    QTest::newRow("by job id") << "job-17" << 2;
    QTest::newRow("by order") << "order-8" << 4;
    QTest::newRow("by nothing known") << "charge:99999" << 0;
    QTest::newRow("by a word that is no key") << "null" << 0;
    QTest::newRow("by nothing") << "" << 0;
  }
  void recordsOfEveryNightAreFound() {
    Executor executor(2);
    auto store = Store::openForRun(":memory:");
    QVERIFY(commitNight(*store, 0, 3000, executor).has_value());
    QVERIFY(commitNight(*store, 1, 3000, executor).has_value());
    QFETCH(QString, text);
    QFETCH(int, count);
    const auto found = store->findRecords(text.toStdString());
    QVERIFY(found.has_value());
    QCOMPARE(static_cast<int>(found->size()), count);
  }

  void manyNightsKeepFewHistorySegments() {
    Executor executor(1);
    auto store = Store::openForRun(path("nights"));
    for (int day = 0; day < 20; ++day) {
      QVERIFY(commitNight(*store, day, 40, executor, 1 << 20, "day" + std::to_string(day % 10) + ":").has_value());
    }
    const std::vector<std::string> keys = {"day3:7", "day9:39", "day3:99"};
    const auto seen = store->earlierRunsOf(keys);
    QVERIFY(seen.has_value());
    QCOMPARE(seen->size(), std::size_t{4});
    QCOMPARE((*seen)[0].run, 4u);
    QCOMPARE((*seen)[1].run, 14u);
    QVERIFY((*seen)[0].locally && (*seen)[0].atProvider);
    QVERIFY(store->close().has_value());
    auto database = Database::open(path("nights"), OpenMode::ReadOnly);
    const auto segments = database->integer("SELECT count(*) FROM segments WHERE kind = 'history'");
    QVERIFY(segments->value() <= 6);
  }

  void theDumpFollowsFromContentAlone() {
    Executor one(1), two(2);
    StoreOptions first, second;
    first.secret = 1;
    second.secret = 2;
    auto a = Store::openForRun(path("dump-a"), first);
    auto b = Store::openForRun(path("dump-b"), second);
    QVERIFY(commitNight(*a, 0, 2000, one).has_value());
    QVERIFY(commitNight(*b, 0, 2000, two, 300'000).has_value());  // so little memory that it spills
    const std::string text = dumpOf(*a);
    QVERIFY(text.size() > 100'000);
    QVERIFY(text == dumpOf(*b));
  }

  void aBackupIsTheSameStore() {
    Executor executor(1);
    auto store = Store::openForRun(path("original"));
    QVERIFY(commitNight(*store, 0, 200, executor).has_value());
    QVERIFY(store->backup(path("copy")).has_value());
    QCOMPARE(store->backup(path("copy")).error().code, ErrorCode::WriteFailed);
    auto copy = Store::openForReading(path("copy"));
    QVERIFY(copy.has_value());
    QVERIFY(dumpOf(*copy) == dumpOf(*store));
  }

  void aSecondRunIsToldWhoHoldsTheStore() {
    auto store = Store::openForRun(path("held"));
    QVERIFY(store.has_value());
    const auto second = Store::openForRun(path("held"));
    QCOMPARE(second.error().code, ErrorCode::Locked);
    QVERIFY(second.error().message.find("process " + std::to_string(getpid())) != std::string::npos);
    QVERIFY(store->close().has_value());
    QVERIFY(Store::openForRun(path("held")).has_value());
  }

  void whatIsNoStoreIsRefused_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<int>("code");
    QTest::newRow("from the future") << "PRAGMA user_version=99" << static_cast<int>(ErrorCode::StoreTooNew);
    QTest::newRow("of another program") << "PRAGMA application_id=1" << static_cast<int>(ErrorCode::StoreBroken);
    QTest::newRow("with a trigger") << "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM cases; END"
                                    << static_cast<int>(ErrorCode::StoreBroken);
    QTest::newRow("with a view") << "CREATE VIEW v AS SELECT 1" << static_cast<int>(ErrorCode::StoreBroken);
  }
  void whatIsNoStoreIsRefused() {
    QFETCH(QString, sql);
    QFETCH(int, code);
    const std::string file = path(QTest::currentDataTag());
    QVERIFY(Store::openForRun(file)->close().has_value());
    {
      auto database = Database::open(file, OpenMode::ReadWrite);
      QVERIFY(database->execute(sql.toStdString()).has_value());
    }
    QCOMPARE(static_cast<int>(Store::openForReading(file).error().code), code);
    QCOMPARE(static_cast<int>(Store::openForRun(file).error().code), code);
  }

  void otherFilesAreLeftAlone() {
    QCOMPARE(Store::openForReading(path("nothing")).error().code, ErrorCode::Missing);
    QVERIFY(!exists(path("nothing")));
    QCOMPARE(Store::openForReading(m_folder.path().toStdString()).error().code, ErrorCode::StoreBroken);
    FILE* file = fopen(path("text").c_str(), "w");
    fputs("key,amount\nthis is a CSV file and longer than a header of SQLite would be, so it is read as one would be", file);
    fclose(file);
    QCOMPARE(Store::openForRun(path("text")).error().code, ErrorCode::StoreBroken);
    QCOMPARE(Store::openForReading(path("text")).error().code, ErrorCode::StoreBroken);
  }

  void theClassesOfTheSchemaAreThoseOfTheJudge() {
    auto database = Database::open(":memory:", OpenMode::Create);
    QVERIFY(migrate(*database, storeMigrations()).has_value());
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const auto value = static_cast<Class>(i);
      const auto position = database->integer("SELECT position FROM classes WHERE class = ?", codeOf(value));
      QVERIFY2(position->has_value(), std::string(codeOf(value)).c_str());
      QCOMPARE(position->value(), static_cast<std::int64_t>(i));
      const char* kind = groupOf(value) == ClassGroup::Break ? "break" : groupOf(value) == ClassGroup::Open ? "open" : "closed";
      const auto same = database->integer("SELECT kind = ? FROM classes WHERE class = ?", kind, codeOf(value));
      QCOMPARE(same->value(), std::int64_t{1});
    }
  }
};

QTEST_APPLESS_MAIN(TstStore)
#include "tst_store.moc"
