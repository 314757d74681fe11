// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of files that hold several.
#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>

#include "importers/input/tables_of.h"
#include "packed_bytes.h"
#include "scanned_files.h"
#include "table_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstTables : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string written(const std::string& name, const std::string& text) {
    return writeFile(m_folder.path().toStdString(), name, text);
  }
  std::string database(const std::string& sql) {
    const std::string path = m_folder.path().toStdString() + "/a.db";
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(db);
    return path;
  }
  /// "orders(id total) skips(key)"
  static std::string shown(const Result<std::vector<TableSeen>>& tables) {
    if (!tables) return "error: " + tables.error().message;
    std::string all;
    for (const TableSeen& table : *tables) {
      all += (all.empty() ? "" : " ") + table.name + "(";
      for (std::size_t i = 0; i < table.columns.size(); ++i) all += (i > 0 ? " " : "") + table.columns[i];
      all += ")";
    }
    return all;
  }

 private slots:
  void anSqliteDatabaseTellsItsTables() {
    const std::string path = database(
        "CREATE TABLE skips(key TEXT); CREATE TABLE orders(id, \"the total\"); CREATE VIEW due AS SELECT id FROM orders;"
        "CREATE VIEW broken AS SELECT nothing FROM orders;");
    QCOMPARE(shown(tablesOf(path)), std::string("due(id) orders(id the total) skips(key)"));
  }

  void aDumpTellsItsTables() {
    const std::string dump = "COPY public.orders (id, total) FROM stdin;\n1\t5\n\\.\nCOPY audit.skips (key) FROM stdin;\n\\.\n";
    QCOMPARE(shown(tablesOf(written("a.sql", dump))), std::string("orders(id total) skips(key)"));
    QCOMPARE(shown(tablesOf(written("a.sql.gz", gzipped(dump)))), std::string("orders(id total) skips(key)"));
    QCOMPARE(shown(tablesOf(written("latin.sql", "SET client_encoding = 'LATIN1';\nCOPY t (n\xE9) FROM stdin;\n\\.\n"))),
             std::string("t(n\xC3\xA9)"));
    QCOMPARE(shown(tablesOf(written("a.json", "[{\"model\":\"shop.order\",\"pk\":1,\"fields\":{\"total\":5}}]"))),
             std::string("shop.order(pk total)"));
    const auto archive = tablesOf(written("a.dump", "PGDMP\x01\x0E"));
    QVERIFY(!archive);
    QVERIFY(archive.error().message.find("pg_restore") != std::string::npos);
  }

  void aTableOfADumpIsReadByAMapping_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("table");
    const QString copy =
        "COPY shop.claims (key, state, payload) FROM stdin;\nk1\tdone\t{\"order\":\"o1\"}\nk2\tprocessing\t\\N\n\\.\n"
        "COPY shop.events (id, key) FROM stdin;\n1\tk9\n\\.\n";
    QTest::newRow("copy") << "c.sql" << copy << "claims";
    QTest::newRow("found by its columns") << "c2.sql" << copy << "";
    QTest::newRow("with its schema") << "c3.sql" << copy << "shop.claims";
    QTest::newRow("inserts") << "i.sql"
                             << "INSERT INTO `claims` (`key`,`state`,`payload`) VALUES ('k1','done','{\\\"order\\\":\\\"o1\\\"}'),('k2','processing',NULL);\n"
                             << "claims";
    QTest::newRow("dumpdata") << "d.json"
                              << "[{\"model\":\"shop.claims\",\"pk\":1,\"fields\":{\"key\":\"k1\",\"state\":\"done\",\"payload\":{\"order\":\"o1\"}}},"
                                 "{\"model\":\"shop.claims\",\"pk\":2,\"fields\":{\"key\":\"k2\",\"state\":\"processing\",\"payload\":null}},"
                                 "{\"model\":\"shop.event\",\"pk\":2,\"fields\":{\"key\":\"k9\"}}]"
                              << "shop_claims";
    QTest::newRow("psql") << "p.txt"
                          << " key |   state    |    payload     \n-----+------------+----------------\n k1  | done       | {\"order\":\"o1\"}\n"
                             " k2  | processing | \n(2 rows)\n"
                          << "";
    QTest::newRow("unaligned psql") << "u.tsv" << "key\tstate\tpayload\nk1\tdone\t{\"order\":\"o1\"}\nk2\tprocessing\t\n(2 rows)\n" << "";
    QTest::newRow("mysql batch") << "b.tsv" << "key\tstate\tpayload\nk1\tdone\t{\"order\":\"o1\"}\nk2\tprocessing\tNULL\n" << "";
  }
  void aTableOfADumpIsReadByAMapping() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, table);
    const std::string layout = table.isEmpty() ? "" : "\"layout\": {\"table\": \"" + table.toStdString() + "\"}, ";
    SourceSpec source = sourceOf(written(name.toStdString(), text.toStdString()), "");
    source.mappings = {mappingOf("{\"record\": \"claim\", " + layout +
                                 "\"fields\": {\"key\": \"key\", \"state\": \"state\", \"op_ref\": \"payload.order\"}}")};
    QVERIFY(source.mappings.front() != nullptr);
    const auto night = scanned({source});
    QCOMPARE(night->error, std::string());
    QCOMPARE(night->reports.front().problem, std::string());
    QCOMPARE(night->keys(), std::string("k1:- k2:-"));
    QCOMPARE(night->rules(), std::string());
    QCOMPARE(std::get<Claim>(night->records[0]).opRef, std::string("o1"));
    QCOMPARE(std::get<Claim>(night->records[1]).opRef, std::string());
    QVERIFY(std::get<Claim>(night->records[1]).state == ClaimState::InProgress);
  }

  void whichTableIsMeantHasToBeClear() {
    const auto problemOf = [&](const std::string& name, const std::string& text, const std::string& layout) {
      SourceSpec source = sourceOf(written(name, text), "");
      source.mappings = {mappingOf("{\"record\": \"claim\", \"layout\": " + layout + ", \"fields\": {\"key\": \"key\", \"state\": \"state\"}}")};
      return scanned({source})->reports.front().problem;
    };
    const std::string twins = "COPY a (key, state) FROM stdin;\n\\.\nCOPY b (key, state) FROM stdin;\n\\.\n";
    QVERIFY(problemOf("t.sql", twins, "{}").find("several tables could hold the rows: a, b") != std::string::npos);
    QVERIFY(problemOf("t.sql", twins, "{\"table\": \"c\"}").find("no table c (tables: a, b)") != std::string::npos);
    QVERIFY(problemOf("t.csv", "key,state\nk,done\n", "{\"table\": \"a\"}").find("the file is none of them") != std::string::npos);
    QVERIFY(problemOf("t2.csv", "key,state\nk,done\n", "{\"kind\": \"sql\"}").find("no SQL dump") != std::string::npos);
    QVERIFY(problemOf("cut.sql", "COPY a (key, state) FROM stdin;\nk\tdone\n", "{}").find("cut off") != std::string::npos);
  }

  void aFileOfOneTableHasNone() {
    QCOMPARE(shown(tablesOf(written("a.csv", "key,amount\nk1,5\n"))), std::string());
    QCOMPARE(shown(tablesOf(written("empty.csv", ""))), std::string());
  }

  void whatIsNotThereIsAnError() {
    const auto tables = tablesOf(m_folder.path().toStdString() + "/none.db");
    QVERIFY(!tables);
    QCOMPARE(tables.error().code, ErrorCode::Missing);
  }
};

QTEST_GUILESS_MAIN(TstTables)
#include "tst_tables.moc"
