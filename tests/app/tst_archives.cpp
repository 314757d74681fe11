// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives and workbooks as the commands show them, and in a store.
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "tests/app/test_console.h"
#include "tests/importers/zip_writer.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::string kJobs =
    "job_id,idempotency_key,started_at,finished_at,status,amount,currency\n"
    "j1,k1,2026-04-07T10:00:00Z,2026-04-07T10:00:01Z,success,5.00,USD\n"
    "j2,k2,2026-04-07T10:00:00Z,2026-04-07T10:00:01Z,success,6.00,USD\n";
const std::string kStatement =
    "txn_id,created_at,amount,currency,idempotency_key,description\n"
    "t1,2026-04-07T10:00:00Z,5.00,USD,k1,x\n";

}  // namespace

class TstArchives : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  TestConsole m_console;

  std::string path(const std::string& name) const {
    return m_folder.path().toStdString() + "/" + name;
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  void says(const std::string& text, const std::string& wanted) const {
    QVERIFY2(text.find(wanted) != std::string::npos, text.c_str());
  }

 private slots:
  void init() {
    write("statements.zip",
          zipOf({{"a.csv", kStatement},
                 {"b.xlsx", bookOf(effectBook(effectHeader(1) + effectCells(2, 2, "6.0")))},
                 {"__MACOSX/._a.csv", "x"}}));
    write("jobs.zip", zipOf({{"jobs.csv", kJobs}}));
    write("night.json",
          R"({"as_of": "2026-04-09T00:00:00Z", "store": ")" + path("store.db") + R"(", "sources": [
        {"name": "jobs", "path": ")" +
              path("jobs.zip") + R"(", "format": "generic.attempts"},
        {"name": "statement", "path": ")" +
              path("statements.zip") + R"(", "format": "generic.effects", "provider": "p"}]})");
  }

  void inspectLooksAtEveryMember() {
    QCOMPARE(m_console.run("inspect " + path("statements.zip")), 0);
    says(m_console.out(), "statements.zip/a.csv  generic.effects");
    says(m_console.out(), "statements.zip/b.xlsx  generic.effects");
    says(m_console.out(), "xlsx, sheet \"Data\", header in line 1");
    says(m_console.err(), "left out, as no data: 1 member (__MACOSX/._a.csv)");
    QCOMPARE(m_console.run("inspect " + path("statements.zip/a.csv")), 0);
    QVERIFY(m_console.out().find("b.xlsx") == std::string::npos);
    QCOMPARE(m_console.run("inspect " + path("statements.zip/c.csv")), 3);
    says(m_console.err(), "no member c.csv; it holds a.csv, b.xlsx, __MACOSX/._a.csv");
  }
  void checkNamesEveryMember() {
    QCOMPARE(m_console.run("check " + path("night.json")), 0);
    says(m_console.out(), "b.xlsx");
  }
  void aNightOfArchivesAgreesAndIsKnownTheSecondTime() {
    QCOMPARE(m_console.run("run " + path("night.json")), 0);
    says(m_console.out(), "All 2 operations that could be judged agree.");
    says(m_console.err(), "left out, as no data");
    QCOMPARE(m_console.run("run " + path("night.json")), 0);
    says(m_console.err(), "this night already");
  }
  void aMemberThatCannotBeReadMakesTheNightIncomplete() {
    ZipMemberText secret{"secret.csv", kStatement};
    secret.flags = 1;
    write("statements.zip", zipOf({{"a.csv", kStatement}, secret}));
    QCOMPARE(m_console.run("match --config " + path("night.json")), 3);
    says(m_console.out() + m_console.err(), "it is encrypted");
    QCOMPARE(m_console.run("inspect " + path("statements.zip")), 3);
    says(m_console.err(), "secret.csv: it is encrypted");
    QCOMPARE(m_console.run("check " + path("night.json")), 3);
  }
};

QTEST_APPLESS_MAIN(TstArchives)
#include "tst_archives.moc"
