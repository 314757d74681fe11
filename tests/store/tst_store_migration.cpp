// SPDX-License-Identifier: GPL-3.0-or-later
// A store of the first version becomes one of this: nothing of it is lost, and a new night goes in. The
// fixture is the SQL text of such a store; it is not made anew when the tables change.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/store/schema.h"
#include "tests/store/first_schema.h"
#include "tests/store/store_night.h"

using namespace counterfoil;
using namespace counterfoil::test;

class TstStoreMigration : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string path() const { return m_folder.path().toStdString() + "/store"; }

 private slots:
  void init() {
    for (const char* end : {"", "-wal", "-shm", ".lock"}) QFile::remove(QString::fromStdString(path() + end));
    QVERIFY(makeFirstSchemaStore(path()));
  }

  void aListSaysWhatToDo() {
    const auto store = Store::openForReading(path());
    QCOMPARE(store.error().code, ErrorCode::StoreBroken);
    QVERIFY(store.error().message.find("the next counterfoil run converts it") != std::string::npos);
  }

  void nothingIsLost() {
    {
      auto store = Store::openForRun(path());
      QVERIFY2(store.has_value(), store ? "" : store.error().message.c_str());
      QVERIFY(store->close().has_value());
    }
    const auto store = Store::openForReading(path());
    QFile expected(QStringLiteral(TEST_SOURCE_DIR "/tests/store/fixtures/first-schema.dump"));
    QVERIFY(expected.open(QIODevice::ReadOnly));
    QVERIFY(dumpOf(*store) == expected.readAll().toStdString());
    QVERIFY(store->checkIntegrity()->empty());
    for (const char* id : {"charge:1-5", "job-1-5", "ch_1-5", "order-1-5"}) QVERIFY2(!store->findRecords(id)->empty(), id);
    auto database = Database::open(path(), OpenMode::ReadWrite);
    QCOMPARE(database->integer("PRAGMA user_version")->value(), std::int64_t{storeMigrations().back().to});
  }

  void aNightGoesIn() {
    Executor executor(2);
    auto store = Store::openForRun(path());
    const auto run = commitNight(*store, 10, 50, executor);
    QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
    QCOMPARE(run->number, RunNumber{2});
    QVERIFY(store->checkIntegrity()->empty());
  }

  void aStoreThatIsMadeHasTheSameTables() {
    const auto tables = [](const std::string& file) {
      auto database = Database::open(file, OpenMode::ReadWrite);
      auto statement = database->prepare("SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1");
      QStringList out;
      while (*statement->step()) out += QString::fromUtf8(statement->text(0).data(), static_cast<qsizetype>(statement->text(0).size())).simplified();
      return out;
    };
    QVERIFY(Store::openForRun(path())->close().has_value());
    const std::string fresh = m_folder.path().toStdString() + "/fresh";
    QVERIFY(Store::openForRun(fresh)->close().has_value());
    QCOMPARE(tables(path()), tables(fresh));
  }
};

QTEST_APPLESS_MAIN(TstStoreMigration)
#include "tst_store_migration.moc"
