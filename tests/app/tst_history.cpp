// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier nights and a later one say together, told night by night.
#include <QtTest>

#include "core/store/sqlite.h"
#include "tests/app/test_console.h"
#include "tests/golden/golden.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr const char* kJobs = "job_id,idempotency_key,op_ref,task,status,started_at,finished_at,amount,currency\n";
constexpr const char* kStatement = "id,type,status,amount,currency,created,idempotency_key,order_id,parent_id\n";

}  // namespace

class TstHistory : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  TestConsole m_console;
  std::string m_operations, m_sources;

  std::string path(const std::string& name) const { return m_folder->path().toStdString() + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    writeAll(QString::fromStdString(path(name)), QByteArray::fromStdString(text));
  }

  /// A night over 24 hours that ends at midnight before `day`, as of 06:00.
  int night(int day, const std::string& jobs, const std::string& statement, const std::string& options = {}) {
    const std::string date = "2026-05-" + std::string(day < 10 ? "0" : "") + std::to_string(day);
    write("jobs.csv", kJobs + jobs);
    write("statement.csv", kStatement + statement);
    const std::string covers = R"(, "covers": {"from": "-1d@00:00", "to": "0d@00:00"}, "may_be_empty": true})";
    const std::string sources = !m_sources.empty() ? m_sources
        : R"({"name": "jobs", "path": "jobs.csv", "format": "generic.attempts")" + covers +
          R"(, {"name": "statement", "path": "statement.csv", "format": "generic.effects", "provider": "bank")" + covers;
    write("night.json", R"({"name": "shop", "store": "store", "as_of": ")" + date + R"(T06:00:00Z", )" +
                            R"("operations": [)" + (m_operations.empty() ? R"({"name": "charge"})" : m_operations) +
                            R"(], "sources": [)" + sources + "]}");
    std::vector<std::string> words = {"run", path("night.json"), "--quiet", "--format", "json"};
    if (!options.empty()) words.push_back(options);
    const int code = m_console.run(words);
    if (code > 1) qWarning("%s", m_console.err().c_str());
    return code;
  }
  std::string cases(const std::string& option = {}, const std::string& value = {}) {
    std::vector<std::string> words = {"cases", path("store"), "--format", "ndjson"};
    if (!option.empty()) words.push_back(option);
    if (!value.empty()) words.push_back(value);
    m_console.run(words);
    return m_console.out();
  }
  static std::string job(const std::string& key, const std::string& order, int day, const std::string& id = "j1", const std::string& task = "charge") {
    const std::string date = "2026-05-0" + std::to_string(day);
    return id + "," + key + "," + order + "," + task + ",done," + date + "T20:50:00Z," + date + "T20:55:00Z,10.00,USD\n";
  }
  static std::string charge(const std::string& id, const std::string& key, int day, const std::string& order = {}) {
    return id + ",charge,succeeded,10.00,USD,2026-05-0" + std::to_string(day) + "T20:54:00Z," + key + "," + order + ",\n";
  }

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_operations.clear();
    m_sources.clear();
  }

  void aLateRowClearsAndSaysHowLate() {
    QCOMPARE(night(2, job("k1", "o1", 1), ""), 1);
    QVERIFY(cases().find("missing_effect") != std::string::npos);
    QCOMPARE(night(3, "", charge("ch_1", "k1", 1)), 0);
    QVERIFY2(cases().empty(), m_console.out().c_str());
    const std::string cleared = cases("--state", "auto_cleared");
    QVERIFY2(cleared.find("Cleared by run 2, 33h after it was due.") != std::string::npos, cleared.c_str());
  }

  void aSecondChargeWeeksLaterIsADoubleCharge() {
    QCOMPARE(night(2, job("k1", "o1", 1), charge("ch_1", "k1", 1)), 0);
    QCOMPARE(night(9, "", charge("ch_2", "k1", 8)), 1);
    const std::string found = cases();
    QVERIFY2(found.find("duplicate_effect") != std::string::npos && found.find("[\"ch_1\", \"ch_2\"]") != std::string::npos, found.c_str());
    m_console.run({"show", path("store"), "k1", "--format", "ndjson"});
    QVERIFY2(m_console.out().find("ch_2,charge,succeeded") != std::string::npos, m_console.out().c_str());   // its text as written
  }

  void aRefundThatNamesOnlyTheOrderOrTheCharge() {
    const std::string both = charge("ch_1", "k1", 1, "o1") + charge("ch_2", "k1", 1, "o1");
    QCOMPARE(night(2, job("k1", "o1", 1), both), 1);
    QCOMPARE(night(5, "", "re_1,refund,succeeded,10.00,USD,2026-05-04T10:00:00Z,,o1,\n"), 0);
    QVERIFY(cases("--class", "duplicate_reversed").find("ch_2") != std::string::npos);
    QCOMPARE(night(7, "", "re_2,refund,succeeded,10.00,USD,2026-05-06T10:00:00Z,,,ch_1\n"), 0);
    const std::string none = cases("--class", "duplicate_reversed");
    QVERIFY2(none.find("net_zero") != std::string::npos, none.c_str());
  }

  void aJobThatChangesItsKeyTheNextNight() {
    QCOMPARE(night(2, job("k1", "", 1, "j7"), charge("ch_1", "k1", 1)), 0);
    QCOMPARE(night(3, job("k1-again", "", 2, "j7"), charge("ch_2", "k1-again", 2)), 1);
    const std::string found = cases();
    QVERIFY2(found.find("key_per_attempt") != std::string::npos, found.c_str());
  }

  void anEffectOfTheNightBeforeTheJob() {   // the statement came first
    QCOMPARE(night(3, "", charge("ch_1", "k1", 2)), 1);
    QVERIFY(cases().find("unrecorded_effect") != std::string::npos);
    QCOMPARE(night(4, job("k1", "o1", 2), ""), 0);
    QVERIFY2(cases().empty(), m_console.out().c_str());
  }

  void whatStandsIsJudgedAgainEachNight() {
    QCOMPARE(night(2, job("k1", "o1", 1), ""), 1);
    for (int day = 3; day <= 6; ++day) {
      QCOMPARE(night(day, job("k" + std::to_string(day), "o" + std::to_string(day), day - 1, "j" + std::to_string(day)),
                     charge("ch_" + std::to_string(day), "k" + std::to_string(day), day - 1)), 1);
    }
    const std::string found = cases();
    QVERIFY2(found.find("\"first_run\": 1, \"last_run\": 5, \"age\": \"4d\"") != std::string::npos ||
                 found.find("\"first_run\": 1, \"last_run\": 5") != std::string::npos, found.c_str());
    auto database = Database::open(path("store"), OpenMode::ReadWrite);
    QCOMPARE(database->integer("SELECT count(*) FROM units WHERE key = 'k1'")->value(), std::int64_t{1});   // one row says it for all
    for (const char* run : {"1", "3", "5"}) QVERIFY(cases("--run", run).find("\"k1\"") != std::string::npos);
    QCOMPARE(night(7, "", "", "--fail-on-new"), 0);
  }

  void aValueThatManyOrdersShareJoinsNothing() {
    std::string jobs, effects;
    for (int i = 0; i < 60; ++i) {
      const std::string n = std::to_string(i);
      jobs += job("k" + n, "tenant-1", 1, "j" + n);
      effects += charge("ch_" + n, "k" + n, 1, "tenant-1");
    }
    QCOMPARE(night(2, jobs, effects), 0);
    QCOMPARE(night(3, job("x", "tenant-1", 2, "jx"), charge("ch_x", "x", 2, "tenant-1")), 0);
    QVERIFY2(m_console.out().find("\"units\": 1,") != std::string::npos, m_console.out().c_str());
  }

  void aSourceThatIsGoneLeavesItsCasesAsTheyStand() {
    QCOMPARE(night(2, job("k1", "o1", 1), ""), 1);
    m_sources = R"({"name": "work", "path": "jobs.csv", "format": "generic.attempts", "may_be_empty": true},
 {"name": "statement", "path": "statement.csv", "format": "generic.effects", "provider": "bank", "may_be_empty": true})";
    night(3, "", "");
    QVERIFY(cases().find("missing_effect") != std::string::npos);
  }

  void anOperationKeepsItsNameNotItsNumber() {
    m_operations = R"({"name": "charge", "when": {"task": "charge"}})";
    QCOMPARE(night(2, job("k1", "o1", 1), ""), 1);
    m_operations = R"({"name": "mail", "when": {"task": "mail"}}, {"name": "charge", "when": {"task": "charge"}})";
    QCOMPARE(night(3, "", ""), 1);
    QVERIFY2(cases().find("\"operation\": \"charge\"") != std::string::npos, m_console.out().c_str());
    QCOMPARE(night(4, "", charge("ch_1", "k1", 1)), 0);
  }

  void aNightThatIsFilledInIsSeenByTheNextOne() {
    QCOMPARE(night(2, job("k1", "o1", 1), charge("ch_1", "k1", 1)), 0);
    QCOMPARE(night(6, "", ""), 0);
    night(4, "", charge("ch_2", "k1", 3), "--backfill");
    QCOMPARE(night(7, "", ""), 1);
    const std::string found = cases();
    QVERIFY2(found.find("duplicate_effect") != std::string::npos, found.c_str());
  }

  void aSkipOfWorkOfAnEarlierNight() {
    m_sources = R"({"name": "jobs", "path": "jobs.csv", "format": "generic.attempts", "may_be_empty": true},
 {"name": "statement", "path": "statement.csv", "format": "generic.effects", "provider": "bank", "may_be_empty": true},
 {"name": "skips", "path": "skips.csv", "format": "generic.skips"})";
    const std::string head = "idempotency_key,job_id,time,reason,amount,currency\n";
    write("skips.csv", head);
    QCOMPARE(night(2, job("k1", "o1", 1), charge("ch_1", "k1", 1)), 0);
    write("skips.csv", head + "k1,j9,2026-05-02T11:00:00Z,already_done,10.00,USD\n");
    QCOMPARE(night(3, "", ""), 0);
    QVERIFY2(m_console.out().find("\"legit_carried\": 1") != std::string::npos, m_console.out().c_str());
    QVERIFY2(m_console.out().find("\"saved\": [{\"currency\": \"USD\", \"minor\": 1000}]") != std::string::npos, m_console.out().c_str());
    write("skips.csv", head);
    QCOMPARE(night(4, "", ""), 0);
    QVERIFY2(m_console.out().find("\"skips\": {}") != std::string::npos, m_console.out().c_str());   // counted once
  }
};

QTEST_APPLESS_MAIN(TstHistory)
#include "tst_history.moc"
