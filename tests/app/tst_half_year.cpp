// SPDX-License-Identifier: GPL-3.0-or-later
// A store that is run every night for half a year ends with what the nights were made of; the same nights cut weekly
// end each week in the same cases.
#include <QtTest>
#include <cstdlib>
#include <sstream>

#include "core/store/sqlite.h"
#include "core/store/store.h"
#include "tests/app/half_year.h"
#include "tests/app/test_console.h"
#include "tests/golden/golden.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr int kWeek = 7;

int seeds() { return std::max(1, qEnvironmentVariableIntValue("COUNTERFOIL_HALF_YEARS")); }

/// What stands, by key: class and exposure as printed.
using Standing = std::map<std::string, std::pair<std::string, std::string>>;

std::string member(const std::string& line, const std::string& name) {
  const std::string mark = "\"" + name + "\": ";
  const std::size_t at = line.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t from = at + mark.size();
  const bool isText = line[from] == '"';
  const std::size_t end = isText ? line.find('"', from + 1) : line.find(']', from);
  return isText ? line.substr(from + 1, end - from - 1) : line.substr(from, end + 1 - from);
}

std::string money(long cents) { return fmt::format("[{{\"currency\": \"USD\", \"minor\": {}}}]", cents); }

}  // namespace

class TstHalfYear : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  TestConsole m_console;

  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }

  void writeNights(const HalfYear& year) {
    for (int day = 0; day < HalfYear::kNights; ++day) {
      const std::string end = fmt::format("-w{:02}-{:03}.csv", day / kWeek, day);
      writeAll(QString::fromStdString(path("jobs" + end)), QByteArray::fromStdString(year.jobs(day)));
      writeAll(QString::fromStdString(path("statement" + end)), QByteArray::fromStdString(year.statement(day)));
      writeAll(QString::fromStdString(path("skips" + end)), QByteArray::fromStdString(year.skips(day)));
    }
  }

  /// The provider was down: its file of this night comes with the next night's.
  static bool statementIsLate(int day) { return day % 31 == 17 && day % kWeek < kWeek - 1; }

  /// Reads the files whose names end in `end`, which hold `days` days.
  int run(const std::string& store, const std::string& end, int lastDay, int days) {
    const bool isLate = days == 1 && statementIsLate(lastDay);
    const bool comesLate = days == 1 && lastDay > 0 && statementIsLate(lastDay - 1);   // in one file with tonight's
    if (comesLate) {
      const QByteArray before = readAll(QString::fromStdString(path(fmt::format("statement-w{:02}-{:03}.csv", (lastDay - 1) / kWeek, lastDay - 1))));
      const QByteArray own = readAll(QString::fromStdString(path("statement" + end)));
      writeAll(QString::fromStdString(path("statement-both.csv")), before + own.mid(own.indexOf('\n') + 1));
    }
    const auto source = [&](const std::string& name, const std::string& more) {
      const bool isStatement = name == "statement";
      const std::string file = isStatement && isLate ? "-none.csv" : isStatement && comesLate ? "-both.csv" : end;
      const int from = lastDay + 1 - days - (isStatement && comesLate ? 1 : 0);
      return fmt::format(R"({{"name": "{0}", "path": "{0}{1}", "covers": {{"from": "{2}", "to": "{3}"}}{4}}})", name, file,
                         HalfYear::at(from, 0), HalfYear::at(lastDay + 1, 0), more);
    };
    const std::string config =
        fmt::format(R"({{"name": "shop", "store": "{}", "as_of": "{}",
 "operations": [{{"name": "charge", "max_runtime": "5m"}}],
 "providers": [{{"name": "bank", "statement_lag": "1d", "key_retention": "24h"}}],
 "sources": [{}, {}, {}]}})", store, HalfYear::at(lastDay + 1, 360), source("jobs", R"(, "format": "generic.attempts")"),
                    source("statement", R"(, "format": "generic.effects", "provider": "bank")"),
                    source("skips", R"(, "format": "generic.skips")"));
    writeAll(QString::fromStdString(path(store + ".json")), QByteArray::fromStdString(config));
    return m_console.run({"run", path(store + ".json"), "--quiet", "--format", "json"});
  }

  Standing standing(const std::string& store) {
    Standing all;
    if (m_console.run({"cases", path(store), "--format", "ndjson"}) != 0) qFatal("cases: %s", m_console.err().c_str());
    std::istringstream in(m_console.out());
    for (std::string line; std::getline(in, line);) all[member(line, "key")] = {member(line, "class"), member(line, "exposure")};
    return all;
  }

  static void isSame(const Standing& is, const Standing& wanted) {
    for (const auto& [key, what] : wanted) {
      const auto own = is.find(key);
      QVERIFY2(own != is.end(), ("gone: " + key + " " + what.first).c_str());
      QVERIFY2(own->second == what, fmt::format("{}: {} {} instead of {} {}", key, own->second.first, own->second.second, what.first, what.second).c_str());
    }
    for (const auto& [key, what] : is) QVERIFY2(wanted.contains(key), ("too much: " + key + " " + what.first).c_str());
  }

  std::int64_t number(const std::string& sql) const {
    auto database = Database::open(path("nightly"), OpenMode::ReadWrite);
    return database->integer(sql)->value_or(-1);
  }

  /// People dismiss every second double charge they see; those with more evidence later come back.
  void decide(const std::string& store, int day, std::map<std::string, int>& dismissed) {
    if (m_console.run({"cases", path(store), "--class", "duplicate_effect", "--state", "open", "--format", "ndjson"}) != 0) qFatal("cases");
    std::istringstream in(m_console.out());
    int count = 0;
    for (std::string line; std::getline(in, line);) {
      if (++count % 2 == 0) continue;
      const int code = m_console.run({"review", path(store), member(line, "case"), "--state", "dismissed", "--reason", "two orders"});
      QVERIFY2(code == 0, m_console.err().c_str());
      dismissed[member(line, "key")] = day;
    }
  }

  void skipsAndLateRows(const HalfYear& year) const {
    QCOMPARE(number("SELECT sum(count) FROM run_tallies WHERE kind = 'skip' AND code = 'legit_carried'"),
             std::int64_t{year.skipsOfEarlierWork()});
    QCOMPARE(number("SELECT sum(count) FROM run_tallies WHERE kind = 'skip'"), std::int64_t{year.skipsOfEarlierWork()});
    const std::int64_t late = number("SELECT count(*) FROM cases WHERE state = 'auto_cleared' AND cleared_late > 0");
    QVERIFY2(late > 0 && late >= year.lateRows() / 3, std::to_string(late).c_str());
  }

  /// A run judged again, every operation listed, counts what it counted.
  void listsEveryOperation(int run) {
    QCOMPARE(m_console.run({"cases", path("nightly"), "--all", "--run", std::to_string(run), "--format", "ndjson"}), 0);
    std::map<std::string, std::int64_t> classes;
    std::istringstream in(m_console.out());
    for (std::string line; std::getline(in, line);) ++classes[member(line, "class")];
    for (const auto& [code, count] : classes) {
      const std::string sql = fmt::format("SELECT count FROM run_tallies WHERE run = {} AND kind = 'class' AND code = '{}'", run, code);
      QVERIFY2(number(sql) == count, fmt::format("run {}: {} {}", run, count, code).c_str());
    }
    QVERIFY(number(fmt::format("SELECT count(*) FROM run_tallies WHERE run = {} AND kind = 'class'", run)) == static_cast<std::int64_t>(classes.size()));
  }

 private slots:
  void everyNightAndEveryWeek_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= seeds(); ++seed) QTest::newRow(std::to_string(seed).c_str()) << seed;
  }

  void decisionsInBetweenHoldUntilTheRecordsChange() {
    const HalfYear year(7, 8);
    writeNights(year);
    std::map<std::string, int> dismissed;
    for (int day = 0; day < HalfYear::kNights; ++day) {
      const int code = run("decided", fmt::format("-w{:02}-{:03}.csv", day / kWeek, day), day, 1);
      QVERIFY2(code == 0 || code == 1 || code == 3, m_console.err().c_str());
      if (day % 10 == 9) decide("decided", day, dismissed);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY(dismissed.size() > 5);
    Standing truth;
    for (const auto& [key, what] : year.truth()) truth[key] = {what.unitClass, money(what.cents)};
    Standing is = standing("decided");
    std::erase_if(is, [](const auto& each) { return each.second.first == "expected"; });
    for (const auto& [key, day] : dismissed) {
      // What changed after the decision is a case again, if it is still one; the rest is as it was decided.
      const bool changed = year.lastNightOf(key) > day;
      if (!changed) QVERIFY2(!is.contains(key), key.c_str());
      if (changed && truth.contains(key)) QVERIFY2(is.contains(key), key.c_str());
      truth.erase(key);
      is.erase(key);
    }
    isSame(is, truth);
    QCOMPARE(m_console.run({"audit", path("decided")}), 0);
  }

  void everyNightAndEveryWeek() {
    QFETCH(int, seed);
    const HalfYear year(static_cast<unsigned>(seed), 12);
    writeNights(year);
    for (const char* store : {"nightly", "weekly"}) {
      for (const char* more : {"", "-wal", "-shm", ".lock"}) QFile::remove(QString::fromStdString(path(store) + more));
    }
    for (int day = 0; day < HalfYear::kNights; ++day) {
      const int code = run("nightly", fmt::format("-w{:02}-{:03}.csv", day / kWeek, day), day, 1);
      QVERIFY2(statementIsLate(day) ? code == 3 : code == 0 || code == 1, (m_console.out() + m_console.err()).c_str());
      if (day % kWeek != kWeek - 1) continue;
      const int weekly = run("weekly", fmt::format("-w{:02}-*.csv", day / kWeek), day, kWeek);
      QVERIFY2(weekly == code, (m_console.out() + m_console.err()).c_str());
      isSame(standing("nightly"), standing("weekly"));
      if (QTest::currentTestFailed()) qFatal("after night %d", day);
    }
    Standing truth;
    for (const auto& [key, what] : year.truth()) truth[key] = {what.unitClass, money(what.cents)};
    Standing is = standing("nightly");
    std::erase_if(is, [](const auto& each) { return each.second.first == "expected"; });
    isSame(is, truth);
    QVERIFY(truth.size() > 100);
    skipsAndLateRows(year);
    for (const int run : {2, 9, 60, HalfYear::kNights}) listsEveryOperation(run);
    const auto store = Store::openForReading(path("nightly"));
    QVERIFY(store.has_value());
    const auto faults = store->checkIntegrity();
    QVERIFY(faults.has_value());
    QVERIFY2(faults->empty(), faults->empty() ? "" : faults->front().c_str());
  }
};

QTEST_APPLESS_MAIN(TstHalfYear)
#include "tst_half_year.moc"
