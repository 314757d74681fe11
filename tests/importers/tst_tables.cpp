// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of files that hold several.
#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>

#include "importers/input/tables_of.h"
#include "scanned_files.h"

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
