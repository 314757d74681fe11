// SPDX-License-Identifier: GPL-3.0-or-later
// Nights in a row in one store: the same again, as of later, with files that are known already, filled in
// afterwards; what counts as new.
#include <QtTest>
#include <map>
#include <set>
#include <sstream>

#include "core/store/sqlite.h"
#include "tests/app/night_program.h"
#include "tests/app/test_console.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr int kKeys = 120;

std::vector<std::string> linesWith(const std::string& text, const std::string& beginning) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(beginning)) lines.push_back(line.substr(beginning.size()));
  }
  return lines;
}

}  // namespace

class TstNights : public QObject {
  Q_OBJECT

  std::unique_ptr<NightProgram> m_nights;   ///< a fresh folder for each test
  TestConsole m_console;

  std::string path(const std::string& name) const { return m_nights->path(name); }
  int run(int day, const std::string& options = {}) {
    return m_console.run("run " + path("night-" + std::to_string(day) + ".json") + " --quiet" +
                         (options.empty() ? "" : " " + options));
  }
  std::int64_t number(const std::string& store, const std::string& sql) const {
    auto database = Database::open(path(store), OpenMode::ReadWrite);
    return database->integer(sql)->value_or(-1);
  }
  std::string casesOf(const std::string& store, const std::string& options = {}) {
    m_console.run("cases " + path(store) + " --format ndjson" + (options.empty() ? "" : " " + options));
    return m_console.out();
  }
  void isWhole(const std::string& store) const {
    const auto opened = Store::openForReading(path(store));
    QVERIFY(opened.has_value());
    const auto faults = opened->checkIntegrity();
    QVERIFY(faults.has_value());
    QVERIFY2(faults->empty(), faults->empty() ? "" : faults->front().c_str());
  }

 private slots:
  void init() { m_nights = std::make_unique<NightProgram>(); }

  void theSameNightAgainChangesNothing() {
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1, "--format json"), 1);
    const std::string first = m_console.out(), dump = m_nights->dump("store");
    QCOMPARE(run(1, "--format json"), 1);
    QVERIFY(m_console.out() == first);
    m_nights->writeDay(1, kKeys, "store");   // the same bytes in new files
    QCOMPARE(run(1, "--format json"), 1);
    QVERIFY(m_console.out() == first);
    QVERIFY(m_nights->dump("store") == dump);
  }

  void asOfLaterStoresNoRecordTwice() {
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1), 1);
    const auto blocks = number("store", "SELECT sum(rows) FROM record_blocks");
    QCOMPARE(run(1, "--as-of 2026-04-02T07:00:00Z"), 1);
    QCOMPARE(number("store", "SELECT sum(rows) FROM record_blocks"), blocks);
    QCOMPARE(number("store", "SELECT count(*) FROM runs"), std::int64_t{2});
    const std::string dump = m_nights->dump("store");
    const auto ofFirst = linesWith(dump, "record run=1 ");
    QVERIFY(ofFirst.size() > kKeys);
    QVERIFY(linesWith(dump, "record run=2 ") == ofFirst);
    QCOMPARE(m_console.run("show " + path("store") + " charge:1-5 --format ndjson"), 0);
    QVERIFY2(m_console.out().find("[\"1\", \"2\"]") != std::string::npos, m_console.out().c_str());
    isWhole("store");
  }

  void everyOperationStandsOnceThoughAnEarlierNightSawItOtherwise() {
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1, "--as-of 2026-04-01T10:01:00Z --fail-on never"), 0);   // most are open or provisional yet
    QCOMPARE(run(1, "--as-of 2026-04-02T07:00:00Z"), 1);
    const auto lines = linesWith(casesOf("store", "--all"), "{");
    QCOMPARE(static_cast<std::int64_t>(lines.size()), number("store", "SELECT units FROM runs WHERE run = 2"));
  }

  void aStatementThatStaysInItsFolderIsStoredOnce() {
    m_nights->writeDay(1, kKeys, "store");
    m_nights->writeDay(2, kKeys, "store");
    const auto overAll = [&](int day) {
      const std::string config = readAll(QString::fromStdString(path("night-" + std::to_string(day) + ".json"))).toStdString();
      std::string all = config;
      for (const std::string name : {"jobs-", "statement-"}) {
        const std::size_t at = all.find(name + std::to_string(day) + ".csv");
        all.replace(at, name.size() + 5, name + "*.csv");
      }
      // One configuration for both nights: the instant comes from the command line.
      const std::size_t asOf = all.find(" \"as_of\"");
      all.erase(asOf, all.find(',', asOf) + 1 - asOf);
      return all;
    };
    writeAll(QString::fromStdString(path("night-1.json")), QByteArray::fromStdString(overAll(1)));
    for (const char* name : {"jobs-2.csv", "statement-2.csv"}) {
      QVERIFY(QFile::rename(QString::fromStdString(path(name)), QString::fromStdString(path(name) + ".later")));
    }
    QCOMPARE(run(1, "--as-of 2026-04-02T06:00:00Z"), 1);
    // The new files come first in order of path: the known ones get other numbers.
    QVERIFY(QFile::rename(QString::fromStdString(path("jobs-2.csv.later")), QString::fromStdString(path("jobs-0.csv"))));
    QVERIFY(QFile::rename(QString::fromStdString(path("statement-2.csv.later")), QString::fromStdString(path("statement-0.csv"))));
    QCOMPARE(run(1, "--as-of 2026-04-03T06:00:00Z"), 1);
    const std::string both = m_nights->dump("store");
    QCOMPARE(number("store", "SELECT count(*) FROM borrowed_files"), std::int64_t{2});
    QCOMPARE(number("store", "SELECT sum(rows) FROM record_blocks"), static_cast<std::int64_t>(linesWith(both, "record run=2 ").size()));
    isWhole("store");
    const std::string allCases = casesOf("store", "--all --run 2");
    m_nights->removeStore("store");
    QCOMPARE(run(1, "--as-of 2026-04-03T06:00:00Z"), 1);
    QVERIFY(linesWith(both, "record run=2 ") == linesWith(m_nights->dump("store"), "record run=1 "));
    QCOMPARE(linesWith(allCases, "{").size(), linesWith(casesOf("store", "--all --run 1"), "{").size());
  }

  void filesThatOverlapCountARowOnce() {
    m_nights->writeDay(1, kKeys, "alone");
    QCOMPARE(run(1, "--format json"), 1);
    const std::string alone = m_console.out();
    // The second half of the statement once more, in a file of its own, under the same source.
    const QByteArray statement = readAll(QString::fromStdString(path("statement-1.csv")));
    const qsizetype head = statement.indexOf('\n') + 1, middle = statement.indexOf('\n', statement.size() / 2) + 1;
    writeAll(QString::fromStdString(path("statement-1b.csv")), statement.left(head) + statement.mid(middle));
    std::string config = readAll(QString::fromStdString(path("night-1.json"))).toStdString();
    config.replace(config.find("statement-1.csv"), 15, "statement-1*.csv");
    config.replace(config.find("alone"), 5, "other");
    writeAll(QString::fromStdString(path("night-1.json")), QByteArray::fromStdString(config));
    QCOMPARE(run(1, "--format json"), 1);
    const auto part = [](const std::string& text, const std::string& name) {
      const std::size_t at = text.find("\"" + name + "\": ");
      return text.substr(at, text.find('\n', at) - at);
    };
    for (const char* name : {"units", "breaks", "classes", "exposure", "proof"}) {
      QVERIFY2(part(m_console.out(), name) == part(alone, name), name);
    }
    isWhole("other");
  }

  void aStatementThatLacksOneOfTwoChargesClearsNoDoubleCharge() {
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1), 1);
    const auto doubles = linesWith(casesOf("store", "--class duplicate_effect"), "{");
    QVERIFY(!doubles.empty());
    // The next night reads the same jobs, and a statement that has only one of each pair.
    const auto pathOf = [&](const char* name) { return QString::fromStdString(path(name)); };
    writeAll(pathOf("jobs-2.csv"), readAll(pathOf("jobs-1.csv")));
    QByteArray statement;
    for (const QByteArray& line : readAll(pathOf("statement-1.csv")).split('\n')) {
      if (!line.isEmpty() && !line.contains("b,charge")) statement += line + '\n';
    }
    writeAll(pathOf("statement-2.csv"), statement);
    m_nights->writeConfig(2, "store");
    QCOMPARE(m_console.run("run " + path("night-2.json")), 1);
    const std::string said = std::to_string(doubles.size()) + " double charges";   // the other charge is carried forward
    QVERIFY2(m_console.out().find(said) != std::string::npos, m_console.out().c_str());
    QCOMPARE(number("store", "SELECT count FROM run_tallies WHERE run = 2 AND kind = 'class' AND code = 'duplicate_effect'"),
             static_cast<std::int64_t>(doubles.size()));
    QCOMPARE(linesWith(casesOf("store", "--class duplicate_effect"), "{").size(), doubles.size());
  }

  void aNightInBetweenChangesNotWhatStands() {
    for (int day = 1; day <= 3; ++day) m_nights->writeDay(day, kKeys, "store");
    QCOMPARE(run(1), 1);
    QCOMPARE(run(3), 1);
    const auto before = linesWith(casesOf("store"), "{");
    const std::string dump = m_nights->dump("store");
    QCOMPARE(run(2), 2);
    QVERIFY2(m_console.err().find("--backfill") != std::string::npos, m_console.err().c_str());
    QVERIFY(m_nights->dump("store") == dump);
    QCOMPARE(run(2, "--backfill"), 1);
    const auto after = linesWith(casesOf("store"), "{");
    QVERIFY(after.size() > before.size());
    std::multiset<std::string> all(after.begin(), after.end());
    for (const std::string& line : before) QVERIFY2(all.contains(line), line.c_str());
    QCOMPARE(number("store", "SELECT backfill FROM runs WHERE run = 3"), std::int64_t{1});
    isWhole("store");
  }

  void onlyWhatIsNewFails() {
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1, "--fail-on-new"), 1);
    QCOMPARE(run(1, "--fail-on-new --as-of 2026-04-02T07:00:00Z"), 0);
    QCOMPARE(run(1, "--as-of 2026-04-02T08:00:00Z"), 1);
    m_nights->writeDay(2, kKeys, "store");
    QCOMPARE(run(2, "--fail-on-new"), 1);
    QCOMPARE(run(2, "--fail-on-new --as-of 2026-04-03T07:00:00Z"), 0);
  }

  void oldDataIsABaseline() {
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1, "--baseline"), 0);
    QVERIFY(casesOf("store").find("\"state\": \"open\"") != std::string::npos);   // known, not gone
    QCOMPARE(run(1), 0);   // the same night again: the earlier run's exit code
    QCOMPARE(run(1, "--fail-on-new --as-of 2026-04-02T07:00:00Z"), 0);
    QCOMPARE(run(1, "--as-of 2026-04-02T08:00:00Z"), 1);
    m_nights->writeDay(2, kKeys, "store");
    QCOMPARE(run(2, "--fail-on-new"), 1);
  }

  void equalBytesWhateverTheThreads() {
    std::map<std::string, std::string> dumps;
    for (const std::string options : {"--threads 1", "--threads 2", "--threads 7", "--threads 3 --memory 16M"}) {
      m_nights->writeDay(1, 900, "store");
      m_nights->removeStore("store");
      QCOMPARE(run(1, options), 1);
      dumps[m_nights->dump("store")] = options;
    }
    QCOMPARE(dumps.size(), std::size_t{1});
  }
};

QTEST_APPLESS_MAIN(TstNights)
#include "tst_nights.moc"
