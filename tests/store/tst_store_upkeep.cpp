// SPDX-License-Identifier: GPL-3.0-or-later
// What people add to a store beside its runs, and what retention may take.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/store/closing.h"
#include "core/store/prune.h"
#include "core/store/remedies.h"
#include "tests/store/store_night.h"

using namespace counterfoil;
using namespace counterfoil::test;

class TstStoreUpkeep : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string path() const { return m_folder.path().toStdString() + "/store"; }

  void nights(int count) const {
    Executor executor(2);
    auto store = Store::openForRun(path());
    for (int day = 0; day < count; ++day) {
      const auto run = commitNight(*store, day, 40, executor, 64u << 20, "night" + std::to_string(day) + ":");
      QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
    }
    QVERIFY(store->close().has_value());
  }

 private slots:
  void init() {
    for (const char* end : {"", "-wal", "-shm", ".lock"}) QFile::remove(QString::fromStdString(path() + end));
  }

  void whatWasHandedOutIsKnown() {
    nights(1);
    auto run = Store::openForRun(path());   // a run that is going on blocks nobody
    QVERIFY(run.has_value());
    auto file = StoreFile::openForChange(path());
    QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
    QVERIFY(recordRemedy(*file, {"refunds", at(100), "ann", "sha256:a", {{"case1", "key1"}, {"case1", "key2"}, {"case1", "key1"}}}));
    QVERIFY(recordRemedy(*file, {"refunds", at(200), "bob", "sha256:b", {{"case1", "key1"}}}));
    QVERIFY(recordRemedy(*file, {"rerun", at(300), "bob", "sha256:c", {{"case2", "key1"}}}));
    const auto before = exportedBefore(*file, "refunds");
    QCOMPARE(before->size(), std::size_t{2});
    const ExportedBefore& twice = before->at({"case1", "key1"});
    QCOMPARE(twice.who, std::string("bob"));
    QVERIFY(twice.at == at(200) && twice.times == 2);
    QCOMPARE(before->at({"case1", "key2"}).who, std::string("ann"));
    QCOMPARE(exportsOfCase(*file, "case1")->size(), std::size_t{3});
  }

  void aPeriodIsClosedOnceAndNotAheadOfTheNights() {
    nights(1);
    auto file = StoreFile::openForChange(path());
    const Instant asOf = facts(0).identity.asOf;
    QCOMPARE(closePeriod(*file, {asOf + std::chrono::seconds(1), at(1), "ann", ""}).error().code, ErrorCode::Usage);
    QVERIFY(closePeriod(*file, {asOf, at(1), "ann", "x"}).has_value());
    QCOMPARE(closePeriod(*file, {asOf, at(2), "ann", ""}).error().code, ErrorCode::Usage);
    QCOMPARE(closedPeriods(*file)->size(), std::size_t{1});
  }

  void whatAnotherNightFindsInItIsRestated() {
    nights(1);
    {
      auto file = StoreFile::openForChange(path());
      QVERIFY(closePeriod(*file, {facts(0).identity.asOf, at(1), "ann", "x"}).has_value());
    }
    Executor executor(1);
    {
      auto store = Store::openForRun(path());
      NightWriter writer = store->beginNight(1, 64u << 20);
      Units units;   // one known with another exposure, one new, one of a later time
      units.units = {unit(0, Class::MissingEffect, Severity::High, "night0:"), unit(77, Class::MissingEffect, Severity::High, "late:"),
                     unit(78, Class::MissingEffect, Severity::High, "after:")};
      units.units[0].exposure = {Money{1, usd()}};
      units.units[2].firstSeen = facts(0).identity.asOf;
      std::sort(units.units.begin(), units.units.end(), outputBefore);
      for (const Unit& each : units.units) QVERIFY(writer.addRecord(each.records.attempts.front(), 0).has_value());
      const NightFacts night = facts(1);
      const auto run = writer.commit(night, resultOf(night, units.units, 0), units, {}, executor);
      QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
      QVERIFY(store->close().has_value());
    }
    auto file = StoreFile::openForReading(path());
    std::vector<Restatement> list;
    QVERIFY(forEachRestatement(*file, {}, [&](const Restatement& each) {
              list.push_back(each);
              return true;
            }).has_value());
    QCOMPARE(list.size(), std::size_t{2});
    const bool firstIsNew = list[0].classBefore.empty();
    const Restatement& known = list[firstIsNew ? 1 : 0];
    const Restatement& found = list[firstIsNew ? 0 : 1];
    QCOMPARE(known.key, std::string("night0:0"));
    QVERIFY(known.exposureBefore == std::vector<Money>({Money{100, usd()}}) && known.exposureNow == std::vector<Money>({Money{1, usd()}}));
    QCOMPARE(found.key, std::string("late:77"));
    QCOMPARE(found.classNow, std::string("missing_effect"));
  }

  void aHeldRunStaysAndNothingUnknownIsHeld() {
    nights(3);
    auto file = StoreFile::openForChange(path());
    QVERIFY(file->database().execute("UPDATE cases SET standing = 0, state = 'auto_cleared'").has_value());
    const auto fates = [&] {
      std::vector<RunFate> out;
      const auto plan = planPrune(*file, at(2'000'000'000));
      for (const RunToPrune& each : *plan) out.push_back(each.fate);
      return out;
    };
    QVERIFY(fates() == std::vector<RunFate>({RunFate::Goes, RunFate::Goes, RunFate::Newest}));
    QCOMPARE(addHold(*file, {"run", "9", at(1), "ann", "x"}).error().code, ErrorCode::Usage);
    QVERIFY(addHold(*file, {"run", "1", at(1), "ann", "audit"}).has_value());
    QVERIFY(fates() == std::vector<RunFate>({RunFate::Held, RunFate::Goes, RunFate::Newest}));
    QVERIFY(releaseHold(*file, "1").has_value());
    QVERIFY(addHold(*file, {"case", sha256Hex("night1:10").substr(0, 16), at(1), "ann", "court"}).has_value());
    QVERIFY(fates() == std::vector<RunFate>({RunFate::Goes, RunFate::CaseHeld, RunFate::Newest}));
    QVERIFY(file->database().run("UPDATE cases SET state = 'dismissed' WHERE case_id = ?", sha256Hex("night0:10").substr(0, 16)).has_value());
    QVERIFY(fates() == std::vector<RunFate>({RunFate::DecidedCase, RunFate::CaseHeld, RunFate::Newest}));
  }

  void aPrunedStoreIsWhole() {
    nights(4);
    {
      auto file = StoreFile::openForUpkeep(path(), {});
      QVERIFY(file->database().execute("UPDATE cases SET standing = 0, state = 'auto_cleared'").has_value());
      const auto done = prune(*file, *planPrune(*file, at(2'000'000'000)), at(5), "ann");
      QVERIFY2(done.has_value(), done ? "" : done.error().message.c_str());
      QCOMPARE(done->runs, std::uint64_t{3});
      QVERIFY(giveSpaceBack(*file).has_value());
      QVERIFY(file->close().has_value());
    }
    const auto store = Store::openForReading(path());
    const auto faults = store->checkIntegrity();
    QVERIFY2(faults->empty(), faults->empty() ? "" : faults->front().c_str());
    const std::vector<std::string> keys = {normalKey("night0:5"), normalKey("night3:5")};
    const auto seen = store->earlierRunsOf(keys);
    QVERIFY(std::all_of(seen->begin(), seen->end(), [](const KeySeen& each) { return each.index == 1 && each.run == 4; }));
    QVERIFY(!seen->empty());
    QVERIFY(store->findRecords("night0:5")->empty());
    QVERIFY(!store->findRecords("night3:5")->empty());
  }

  void upkeepWaitsForNoRun() {
    nights(1);
    auto run = Store::openForRun(path());
    QCOMPARE(StoreFile::openForUpkeep(path(), {}).error().code, ErrorCode::Locked);
    QCOMPARE(StoreFile::openForReading(m_folder.path().toStdString() + "/none").error().code, ErrorCode::Missing);
  }
};

QTEST_APPLESS_MAIN(TstStoreUpkeep)
#include "tst_store_upkeep.moc"
