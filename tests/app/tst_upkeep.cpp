// SPDX-License-Identifier: GPL-3.0-or-later
// Closed periods, retention and the erasing of a customer: by the built program, also killed in the middle.
#include <QtTest>

#include "core/store/sqlite.h"
#include "tests/app/night_program.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr int kKeys = 40;

/// The byte string anywhere in the store's files.
bool holds(const NightProgram& program, const std::string& store, const char* text) {
  for (const char* end : {"", "-wal"}) {
    if (readAll(QString::fromStdString(program.path(store) + end)).contains(text)) return true;
  }
  return false;
}

}  // namespace

class TstUpkeep : public QObject {
  Q_OBJECT

  NightProgram m_program;

  /// A night whose statement has a customer column; `more` are further rows of it.
  void customerNight(int day, const std::string& store, const std::string& more = {}) const {
    const std::string n = std::to_string(day);
    const std::string date = "2026-04-0" + n;
    QByteArray jobs = "job_id,idempotency_key,op_ref,status,started_at,finished_at,amount,currency,error\n";
    QByteArray effects = "id,type,status,amount,currency,created,idempotency_key,order_id,customer,parent_id\n";
    for (int i = 0; i < kKeys; ++i) {
      const std::string id = n + "-" + std::to_string(i);
      const std::string row = date + "T10:00:" + (i < 10 ? "0" : "") + std::to_string(i) + "Z,";
      const std::string who = i % 5 == 0 ? "cus-rosalind" : "cus-" + std::to_string(i);
      jobs += QByteArray::fromStdString("job-" + id + ",charge:" + id + ",order-" + id + ",done," + row + row + "5.00,USD," +
                                        (i % 5 == 0 ? "paid by cus-rosalind" : "") + "\n");
      effects += QByteArray::fromStdString("ch_" + id + ",charge,succeeded,5.00,USD," + row + "charge:" + id + ",order-" + id + "," + who + ",\n");
      if (i == 10) effects += QByteArray::fromStdString("ch_" + id + "b,charge,succeeded,5.00,USD," + row + "charge:" + id + ",order-" + id + "," + who + ",\n");
    }
    writeAll(QString::fromStdString(m_program.path("jobs-" + n + ".csv")), jobs);
    writeAll(QString::fromStdString(m_program.path("statement-" + n + ".csv")), effects + QByteArray::fromStdString(more));
    m_program.writeConfig(day, store);
  }

 private slots:
  void initTestCase() {
    if (!m_program.isBuilt()) QSKIP("the program is not built");
  }
  void init() {
    m_program.removeStore("store");
    m_program.removeStore("trial");
  }

  void whatChangesLaterIsARestatement() {
    m_program.writeDay(1, kKeys, "store");
    QCOMPARE(m_program.run(1).code, 1);
    QCOMPARE(m_program.start({"close", "store", "--through", "2026-04-03"}).code, 2);   // not judged yet
    const Ended closed = m_program.start({"close", "store", "--through", "2026-04-01", "--by", "ann", "--note", "April"});
    QVERIFY2(closed.code == 0, closed.err.c_str());
    QCOMPARE(m_program.start({"close", "store", "--through", "2026-04-01"}).code, 2);
    // A night that finds the first's files again, one late row among them.
    QFile::rename(QString::fromStdString(m_program.path("jobs-1.csv")), QString::fromStdString(m_program.path("jobs-2.csv")));
    QByteArray statement = readAll(QString::fromStdString(m_program.path("statement-1.csv")));
    statement += "ch_1-7,charge,succeeded,12.00,USD,2026-04-01T10:00:07Z,charge:1-7\n";
    writeAll(QString::fromStdString(m_program.path("statement-2.csv")), statement);
    m_program.writeConfig(2, "store");
    QCOMPARE(m_program.run(2).code, 1);
    const Ended list = m_program.start({"close", "store", "--format", "csv"});
    QVERIFY2(list.out.find(",charge:1-7,charge,out_of_window,,matched,") != std::string::npos, list.out.c_str());
    QVERIFY2(list.err.find("closed until 2026-04-02T00:00:00Z by ann: April") != std::string::npos, list.err.c_str());
    const std::string life = m_program.start({"show", "store", "charge:1-7", "--format", "ndjson"}).out;
    QVERIFY2(life.find("\"event\": \"restated\"") != std::string::npos, life.c_str());
    QCOMPARE(m_program.start({"close", "store", "--reopen"}).code, 0);
    QCOMPARE(m_program.start({"close", "store", "--reopen"}).code, 2);
  }

  void oldRunsGoThoseThatAreNeededStay() {
    // Days 1 to 4; the cases of days 1 and 3 stand, those of the others are in order.
    for (const int day : {1, 2, 3, 4}) {
      m_program.writeDay(day, day % 2 == 1 ? kKeys : 0, "store");
      m_program.writeConfig(day, "store");
    }
    QCOMPARE(m_program.run(1).code, 1);
    QCOMPARE(m_program.run(3).code, 1);
    customerNight(5, "store");
    QCOMPARE(m_program.run(5).code, 1);
    const Ended plan = m_program.start({"prune", "store", "--keep", "1h", "--dry-run", "--format", "csv"});
    QVERIFY2(plan.out.find(",standing case,") != std::string::npos && plan.out.find(",goes,") == std::string::npos, plan.out.c_str());
    const std::string before = m_program.dump("store");
    QCOMPARE(m_program.start({"prune", "store", "--keep", "1h"}).code, 0);
    QVERIFY(m_program.dump("store") == before);   // every run is needed
  }

  void aRunThatNobodyNeedsGoesAndItsKeysWithIt() {
    makeQuietStore("store");
    const Ended held = m_program.start({"prune", "store", "--hold", "1", "--reason", "audit", "--by", "ann"});
    QVERIFY2(held.code == 0, held.err.c_str());
    QVERIFY(m_program.start({"prune", "store", "--keep", "1h", "--dry-run", "--format", "csv"}).out.find(",held,audit") != std::string::npos);
    QCOMPARE(m_program.start({"prune", "store", "--release", "1"}).code, 0);
    QCOMPARE(m_program.start({"prune", "store", "--release", "1"}).code, 2);
    const qint64 size = QFileInfo(QString::fromStdString(m_program.path("store"))).size();
    const Ended done = m_program.start({"prune", "store", "--before", "2026-04-03"});
    QVERIFY2(done.code == 0 && done.err.find("1 run taken away") != std::string::npos, (done.out + done.err).c_str());
    QVERIFY(QFileInfo(QString::fromStdString(m_program.path("store"))).size() < size);
    QVERIFY(m_program.dump("store").find("charge:1-5") == std::string::npos);
    QCOMPARE(m_program.start({"dump", "store", "--check", "--output", "dump.txt"}).code, 0);
    QCOMPARE(m_program.start({"show", "store", "charge:1-5"}).code, 2);
    QCOMPARE(m_program.start({"show", "store", "charge:2-5"}).code, 0);
    const Ended again = m_program.run(2);
    QVERIFY2(again.code == 0, again.err.c_str());   // the same night: nothing is changed
  }

  void theNextNightIsJudgedWithWhatIsLeft() {
    makeQuietStore("store");
    QCOMPARE(m_program.start({"prune", "store", "--before", "2026-04-03"}).code, 0);
    writeAll(QString::fromStdString(m_program.path("jobs-3.csv")),
             "job_id,idempotency_key,op_ref,status,started_at,finished_at,amount,currency\n"
             "job-3,charge:3,order-3,done,2026-04-03T10:00:00Z,2026-04-03T10:00:05Z,5.00,USD\n");
    writeAll(QString::fromStdString(m_program.path("statement-3.csv")),
             "id,type,status,amount,currency,created,idempotency_key\n"
             "ch_3,charge,succeeded,5.00,USD,2026-04-03T10:00:01Z,charge:3\n"
             "ch_x,charge,succeeded,5.00,USD,2026-04-03T10:00:02Z,charge:1-5\n"
             "ch_y,charge,succeeded,5.00,USD,2026-04-03T10:00:03Z,charge:2-5\n");
    m_program.writeConfig(3, "store");
    const Ended night = m_program.run(3);
    QVERIFY2(night.code == 1, night.err.c_str());
    const std::string cases = m_program.start({"cases", "store", "--format", "csv"}).out;
    QVERIFY2(cases.find("charge:2-5,,charge,duplicate_effect") != std::string::npos, cases.c_str());
    QVERIFY(cases.find("charge:1-5,,charge,duplicate_effect") == std::string::npos);   // its first night is gone
    QVERIFY2(cases.find("charge:1-5,,charge,") != std::string::npos, cases.c_str());   // but the charge is told
    // Run 2 lends the first charge: it stays as long as the case stands.
    const Ended plan = m_program.start({"prune", "store", "--keep", "1h", "--dry-run", "--format", "csv"});
    QVERIFY2(plan.out.find("2,2026-04-03T06:00:00Z,4000,lends records,") != std::string::npos, plan.out.c_str());
    QCOMPARE(m_program.start({"cases", "store", "--all", "--limit", "1"}).code, 0);
    QCOMPARE(m_program.start({"dump", "store", "--check", "--output", "dump.txt"}).code, 0);
  }

  void killedWhilePruning() {
    makeQuietStore("original");
    m_program.copyStore("original", "trial");
    const std::string before = m_program.dump("trial");
    QCOMPARE(m_program.start({"prune", "trial", "--before", "2026-04-03"}).code, 0);
    const std::string after = m_program.dump("trial");
    for (const char* stage : {"prune", "merge", "rewrite", "checkpoint"}) {
      m_program.copyStore("original", "trial");
      QCOMPARE(m_program.start({"prune", "trial", "--before", "2026-04-03"}, stage).code, -SIGKILL);
      const std::string left = m_program.dump("trial");
      QVERIFY2(left == before || left == after, stage);
      QCOMPARE(m_program.start({"prune", "trial", "--before", "2026-04-03"}).code, 0);
      QVERIFY(m_program.dump("trial") == after);
      QCOMPARE(m_program.start({"dump", "trial", "--check", "--output", "dump.txt"}).code, 0);
    }
  }

  void aCustomerIsGoneTheSumsStay() {
    customerNight(1, "store");
    QCOMPARE(m_program.run(1).code, 1);
    const std::string proof = m_program.start({"proof", "store", "--format", "csv"}).out;
    const std::string all = m_program.start({"cases", "store", "--all", "--format", "csv"}).out;
    QVERIFY(holds(m_program, "store", "cus-rosalind") && holds(m_program, "store", "charge:1-10"));
    const Ended count = m_program.start({"erase", "store", "--customer", "cus-rosalind", "--dry-run", "--format", "csv"});
    QVERIFY2(count.out.find("\n17,1,") != std::string::npos, count.out.c_str());   // 8 jobs, 9 effects
    QVERIFY(holds(m_program, "store", "cus-rosalind"));
    const Ended done = m_program.start({"erase", "store", "--customer", "cus-rosalind", "--format", "csv"});
    QVERIFY2(done.code == 0 && done.out == count.out, (done.out + done.err).c_str());
    for (const char* text : {"cus-rosalind", "charge:1-10", "order-1-10"}) QVERIFY2(!holds(m_program, "store", text), text);
    QVERIFY(holds(m_program, "store", "ch_1-10"));   // the provider's id: what is left to ask it by
    QCOMPARE(m_program.start({"proof", "store", "--format", "csv"}).out, proof);
    const std::string now = m_program.start({"cases", "store", "--all", "--format", "csv"}).out;
    QCOMPARE(std::count(now.begin(), now.end(), '\n'), std::count(all.begin(), all.end(), '\n'));
    QVERIFY(now.find("duplicate_effect") != std::string::npos);
    QCOMPARE(m_program.start({"dump", "store", "--check", "--output", "dump.txt"}).code, 0);
    const Ended again = m_program.start({"erase", "store", "--customer", "cus-rosalind"});
    QVERIFY2(again.code == 0 && again.err.find("no record has this customer") != std::string::npos, again.err.c_str());
  }

  void killedWhileErasing() {
    customerNight(1, "original");
    m_program.removeStore("original");
    QCOMPARE(m_program.run(1).code, 1);
    m_program.copyStore("original", "trial");
    const std::string before = m_program.dump("trial");
    QCOMPARE(m_program.start({"erase", "trial", "--customer", "cus-rosalind"}).code, 0);
    const std::string after = m_program.dump("trial");
    QVERIFY(before != after);
    for (const char* stage : {"erase", "erased", "rewrite", "checkpoint"}) {
      m_program.copyStore("original", "trial");
      QCOMPARE(m_program.start({"erase", "trial", "--customer", "cus-rosalind"}, stage).code, -SIGKILL);
      const std::string left = m_program.dump("trial");
      QVERIFY2(left == before || left == after, stage);
      QCOMPARE(m_program.start({"erase", "trial", "--customer", "cus-rosalind"}).code, 0);
      QVERIFY(m_program.dump("trial") == after);
      QVERIFY2(!holds(m_program, "trial", "cus-rosalind"), stage);
    }
  }

  void killedWhileClosing() {
    customerNight(1, "original");
    m_program.removeStore("original");
    QCOMPARE(m_program.run(1).code, 1);
    m_program.copyStore("original", "trial");
    QCOMPARE(m_program.start({"close", "trial", "--through", "2026-04-01"}, "close").code, -SIGKILL);
    QVERIFY(m_program.start({"close", "trial"}).err.empty());
    QCOMPARE(m_program.start({"close", "trial", "--through", "2026-04-01"}).code, 0);
    QVERIFY(m_program.start({"close", "trial"}).err.find("closed until") != std::string::npos);
  }

  void aStoreOfALaterVersionSaysWhatToDo() {
    customerNight(1, "store");
    QCOMPARE(m_program.run(1).code, 1);
    {
      auto database = Database::open(m_program.path("store"), OpenMode::ReadWrite);
      QVERIFY(database->execute("PRAGMA user_version=9999").has_value());
    }
    for (const auto& words : std::vector<std::vector<std::string>>{{"cases", "store"}, {"remedy", "store", "refunds"}, {"prune", "store", "--keep", "1d"}}) {
      const Ended ended = m_program.start(words);
      QVERIFY2(ended.code == 4 && ended.err.find("written by a later version") != std::string::npos, ended.err.c_str());
    }
  }

 private:
  /// Two nights in which everything agrees: nothing of the first is needed.
  void makeQuietStore(const std::string& store) const {
    m_program.removeStore(store);
    for (const int day : {1, 2}) {
      const std::string n = std::to_string(day);
      const std::string date = "2026-04-0" + n;
      QByteArray jobs = "job_id,idempotency_key,op_ref,status,started_at,finished_at,amount,currency\n";
      QByteArray effects = "id,type,status,amount,currency,created,idempotency_key\n";
      for (int i = 0; i < 2000; ++i) {
        const std::string id = n + "-" + std::to_string(i);
        const std::string at = date + "T1" + std::to_string(i % 10) + ":00:00Z,";
        jobs += QByteArray::fromStdString("job-" + id + ",charge:" + id + ",order-" + id + ",done," + at + at + "5.00,USD\n");
        effects += QByteArray::fromStdString("ch_" + id + ",charge,succeeded,5.00,USD," + at + "charge:" + id + "\n");
      }
      writeAll(QString::fromStdString(m_program.path("jobs-" + n + ".csv")), jobs);
      writeAll(QString::fromStdString(m_program.path("statement-" + n + ".csv")), effects);
      m_program.writeConfig(day, store);
      const Ended ended = m_program.run(day);
      if (ended.code != 0) qWarning("%d %s", ended.code, ended.err.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TstUpkeep)
#include "tst_upkeep.moc"
