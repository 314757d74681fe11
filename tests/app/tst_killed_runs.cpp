// SPDX-License-Identifier: GPL-3.0-or-later
// `counterfoil run` killed with SIGKILL at every stage and at any moment: the store is the one before or
// the one after, and running again gives the bytes of a run that nobody disturbed.
#include <QtTest>
#include <random>

#include "core/store/sqlite.h"
#include "tests/app/night_program.h"
#include "tests/store/kill_trials.h"
#include "tests/store/first_schema.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr int kKeys = 300;
constexpr int kTrials = test::kKillTrials;

}  // namespace

class TstKilledRuns : public QObject {
  Q_OBJECT

  NightProgram m_program;
  std::string m_before, m_after;   ///< dumps of one and of both nights

  /// What is right after a kill, whenever it came. `day`'s night is run again.
  void recovers(const std::string& before, const std::string& after, int day) {
    const std::string left = m_program.dump("trial");
    const bool none = before.empty() && left.starts_with("cannot open");
    QVERIFY2(none || left == before || left == after, left.substr(0, 500).c_str());
    const Ended again = m_program.run(day);
    QVERIFY2(again.code == 1, again.err.c_str());
    QVERIFY(m_program.dump("trial") == after);
    QVERIFY(!QFile::exists(QString::fromStdString(m_program.path("trial-wal"))));
    QVERIFY(!QFile::exists(QString::fromStdString(m_program.path("trial.lock"))));
    auto database = Database::open(m_program.path("trial"), OpenMode::ReadWrite);
    QCOMPARE(database->integer("SELECT count(*) FROM segments WHERE committed = 0")->value(), std::int64_t{0});
  }

 private slots:
  void initTestCase() {
    if (!m_program.isBuilt()) QSKIP("the program is not built");
    m_program.writeDay(1, kKeys, "first");
    m_program.writeDay(2, kKeys + 50, "trial");   // larger than the first: its history is merged with it
    QCOMPARE(m_program.run(1).code, 1);
    m_before = m_program.dump("first");
    m_program.copyStore("first", "trial");
    const Ended undisturbed = m_program.run(2);
    QVERIFY2(undisturbed.code == 1, undisturbed.err.c_str());
    m_after = m_program.dump("trial");
    QVERIFY(m_after.size() > m_before.size() * 3 / 2);
  }

  void atAStage_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<int>("passes");   // of an undisturbed run; it dies at one of them, in turn
    QTest::newRow("reading") << "read" << 2 * kKeys;
    QTest::newRow("judging") << "judge" << 1;
    QTest::newRow("writing bulk") << "stage" << 1;
    QTest::newRow("before the commit") << "commit" << 1;
    QTest::newRow("after the commit") << "committed" << 1;
    QTest::newRow("merging the history") << "merge" << 1;
    QTest::newRow("before the checkpoint") << "checkpoint" << 1;
  }
  void atAStage() {
    QFETCH(QString, stage);
    QFETCH(int, passes);
    for (int trial = 0; trial < kTrials; ++trial) {
      m_program.copyStore("first", "trial");
      const Ended killed = m_program.run(2, stage.toStdString() + ":" + std::to_string(1 + trial * 37 % passes));
      QVERIFY2(killed.code == -SIGKILL, (std::to_string(killed.code) + " " + killed.err).c_str());
      recovers(m_before, m_after, 2);
      if (QTest::currentTestFailed()) return;
    }
  }

  void whileSpilling() {
    // Long texts, so that few records are more than the memory bound holds.
    m_program.writeDay(3, 1500, "trial", std::string(4000, 'e'));
    m_program.removeStore("trial");
    QCOMPARE(m_program.run(3).code, 1);
    const std::string after = m_program.dump("trial");
    for (int trial = 0; trial < kTrials; ++trial) {
      m_program.removeStore("trial");
      const Ended killed = m_program.run(3, "spill:" + std::to_string(1 + trial * 7 % 20));
      QVERIFY2(killed.code == -SIGKILL, (std::to_string(killed.code) + " " + killed.err).c_str());
      QVERIFY(m_program.dump("trial").size() < 100);   // no run is in it
      if (trial % 7 != 6) continue;   // the run after it is a large one: some are enough
      QCOMPARE(m_program.run(3).code, 1);
      QVERIFY(m_program.dump("trial") == after);
    }
  }

  void whileTheStoreIsMade() {
    m_program.writeConfig(1, "trial");
    m_program.removeStore("trial");
    QCOMPARE(m_program.run(1).code, 1);
    const std::string made = m_program.dump("trial");
    for (int trial = 0; trial < kTrials; ++trial) {
      m_program.removeStore("trial");
      QCOMPARE(m_program.run(1, "migration").code, -SIGKILL);
      recovers({}, made, 1);
      if (QTest::currentTestFailed()) return;
    }
  }

  void whileAnEarlierStoreIsConverted() {
    m_program.removeStore("trial");
    QVERIFY(test::makeFirstSchemaStore(m_program.path("trial")));
    const QString original = QString::fromStdString(m_program.path("earlier"));
    QVERIFY(QFile::copy(QString::fromStdString(m_program.path("trial")), original));
    QCOMPARE(m_program.run(2).code, 1);
    const std::string after = m_program.dump("trial");
    for (int trial = 0; trial < kTrials; ++trial) {
      m_program.copyStore("earlier", "trial");
      QCOMPARE(m_program.run(2, "migration").code, -SIGKILL);
      const Ended list = m_program.start({"cases", "trial"});
      QVERIFY2(list.code == 4 && list.err.find("earlier version") != std::string::npos, list.err.c_str());
      QCOMPARE(m_program.run(2).code, 1);
      QVERIFY(m_program.dump("trial") == after);
    }
  }

  void atAnyMoment() {
    std::mt19937 random(7);
    int whole = 0;
    for (int trial = 0; trial < kTrials + 10; ++trial) {
      m_program.copyStore("first", "trial");
      const Ended killed = m_program.run(2, {}, static_cast<int>(random() % 150'000));
      QVERIFY(killed.code == -SIGKILL || killed.code == 1);
      whole += killed.code == 1 ? 1 : 0;
      recovers(m_before, m_after, 2);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY(whole < kTrials + 10);
  }
};

QTEST_APPLESS_MAIN(TstKilledRuns)
#include "tst_killed_runs.moc"
