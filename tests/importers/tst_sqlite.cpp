// SPDX-License-Identifier: GPL-3.0-or-later
#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <thread>

#include "importers/readers/sqlite_reader.h"
#include "row_collector.h"

using namespace counterfoil;
using namespace std::string_literals;

class TstSqlite : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string made(const std::string& name, const std::string& sql) {
    const std::string path = m_folder.path().toStdString() + "/" + name;
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(db);
    return path;
  }
  static std::unique_ptr<SqliteReader> opened(const std::string& path, const CancelToken* cancel = nullptr) {
    Result<std::unique_ptr<SqliteReader>> reader = SqliteReader::open(path, cancel);
    return reader ? std::move(*reader) : nullptr;
  }

 private slots:
  void tablesAndColumnsAreListed() {
    const auto reader = opened(made("a.db", "CREATE TABLE b(x, \"y z\"); CREATE TABLE a(q); CREATE VIEW v AS SELECT x AS w FROM b;"));
    QVERIFY(reader != nullptr);
    QCOMPARE(*reader->tables(), (std::vector<std::string>{"a", "b", "v"}));
    QCOMPARE(*reader->columns({"b", "", {}}), (std::vector<std::string>{"x", "y z"}));
    QCOMPARE(*reader->columns({"v", "", {}}), (std::vector<std::string>{"w"}));
    QCOMPARE(*reader->columns({"", "SELECT x AS k, 1 AS n FROM b", {}}), (std::vector<std::string>{"k", "n"}));
    QVERIFY(!reader->columns({"none", "", {}}).has_value());
  }

  void valuesKeepTheirTypes() {
    const auto reader = opened(made("t.db",
                                    "CREATE TABLE t(i, r, s, n, b, u); "
                                    "INSERT INTO t VALUES(9007199254740993, 24.0, 'text', NULL, x'6B31', x'FF00');"
                                    "INSERT INTO t(rowid, s) VALUES(77, 'é');"));
    RowCollector rows;
    QVERIFY(reader->read({"t", "", {"i", "R", "s", "n", "b", "u", "none"}}, rows).has_value());
    const std::vector<std::string> values = {"9007199254740993", "24.0", "text", "null", "k1", "\xFF\0"s, "-"};
    QCOMPARE(rows.rows[0].fields, values);
    const std::vector<FieldType> expected = {FieldType::Number, FieldType::Number, FieldType::Text, FieldType::Null,
                                             FieldType::Text, FieldType::Blob, FieldType::Absent};
    QCOMPARE(rows.rows[0].types, expected);
    QCOMPARE(rows.rows[0].offset, std::uint64_t{1});
    QCOMPARE(rows.rows[1].offset, std::uint64_t{77});
    QCOMPARE(rows.rows[1].line, std::uint64_t{2});
    QCOMPARE(QString::fromStdString(rows.rows[1].raw), QString("{\"i\":null,\"r\":null,\"s\":\"é\",\"n\":null,\"b\":null,\"u\":null}"));
  }

  void tablesWithoutRowidAndViewsAreNumbered() {
    const auto reader = opened(made("w.db",
                                    "CREATE TABLE w(k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES('b',2),('a',1);"
                                    "CREATE VIEW v AS SELECT k FROM w;"));
    RowCollector rows;
    QVERIFY(reader->read({"w", "", {"k", "v"}}, rows).has_value());
    QCOMPARE(QString::fromStdString(rows.text()), QString("a|1;b|2"));
    QCOMPARE(rows.rows[1].offset, std::uint64_t{1});
    RowCollector view;
    QVERIFY(reader->read({"v", "", {"k"}}, view).has_value());
    QCOMPARE(view.rows.size(), std::size_t{2});
    QCOMPARE(view.rows[0].offset, std::uint64_t{0});
    RowCollector query;
    QVERIFY(reader->read({"", "SELECT k FROM w WHERE v > 1", {"k"}}, query).has_value());
    QCOMPARE(QString::fromStdString(query.text()), QString("b"));
  }

  void onlyReadingIsAllowed_data() {
    QTest::addColumn<QString>("query");
    QTest::newRow("insert") << "INSERT INTO t VALUES(1)";
    QTest::newRow("delete") << "DELETE FROM t";
    QTest::newRow("attach") << "ATTACH '/tmp/x.db' AS x";
    QTest::newRow("pragma") << "PRAGMA writable_schema=1";
    QTest::newRow("extension") << "SELECT load_extension('x')";
    QTest::newRow("two statements") << "SELECT 1; SELECT 2";
    QTest::newRow("nothing") << " ";
    QTest::newRow("drop") << "DROP TABLE t";
    QTest::newRow("vacuum") << "VACUUM INTO '/tmp/x'";
  }
  void onlyReadingIsAllowed() {
    QFETCH(QString, query);
    const auto reader = opened(made("r.db", "CREATE TABLE t(a); INSERT INTO t VALUES(1);"));
    QVERIFY(!reader->columns({"", query.toStdString(), {}}).has_value());
    RowCollector rows;
    QVERIFY(!reader->read({"", query.toStdString(), {"a"}}, rows).has_value());
    QVERIFY(rows.rows.empty());
  }

  void whatIsNoDatabaseIsAnError() {
    const std::string text = m_folder.path().toStdString() + "/text.db";
    std::ofstream(text) << "hello, this is no database, not even a short one";
    const auto codeOf = [](const std::string& path) {
      const auto reader = SqliteReader::open(path);
      return reader ? ErrorCode::Internal : reader.error().code;
    };
    QCOMPARE(codeOf(text), ErrorCode::Format);
    QCOMPARE(codeOf(m_folder.path().toStdString() + "/none.db"), ErrorCode::Missing);
    QCOMPARE(codeOf("/dev/null"), ErrorCode::Io);
  }

  void aDamagedDatabaseGivesRowsUntilThen() {
    std::string sql = "CREATE TABLE t(a, b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000) "
                      "INSERT INTO t SELECT i, hex(randomblob(100)) FROM n;";
    const std::string path = made("d.db", sql);
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), bytes.end(), '\x5A');
    const auto reader = SqliteReader::openBytes(bytes);
    QVERIFY(reader.has_value());
    RowCollector rows;
    const Result<> read = (*reader)->read({"t", "", {"a"}}, rows);
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().code, ErrorCode::Format);
    QVERIFY(read.error().message.rfind("after " + std::to_string(rows.rows.size()) + " rows", 0) == 0);
    QVERIFY(rows.rows.size() < 2000);
  }

  void anEndlessViewIsStopped() {
    const auto reader = opened(made("e.db", "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) AS c FROM n;"));
    CancelToken cancel;
    const auto cancellable = opened(m_folder.path().toStdString() + "/e.db", &cancel);
    std::thread stopper([&cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      cancel.cancel();
    });
    RowCollector rows;
    const Result<> read = cancellable->read({"v", "", {"c"}}, rows);
    stopper.join();
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().code, ErrorCode::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TstSqlite)
#include "tst_sqlite.moc"
