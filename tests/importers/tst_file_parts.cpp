// SPDX-License-Identifier: GPL-3.0-or-later
// What known formats read in a file of several parts: tables of a database, some lines of a log.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include "importers/formats/identify.h"
#include "tests/importers/scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

class TstFileParts : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string pathOf(const std::string& name) const { return m_folder.filePath(QString::fromStdString(name)).toStdString(); }
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }
  std::string database(const std::string& name, const char* sql) {
    const std::string path = pathOf(name);
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    const int done = sqlite3_exec(db, sql, nullptr, nullptr, nullptr);
    sqlite3_close(db);
    return done == SQLITE_OK ? path : std::string();
  }
  /// "orders=generic.intents …; open: …", or the error.
  static std::string partsIn(const std::string& path) {
    const auto found = partsOf(*resolvePlace(path), "UTC", {});
    if (!found) return found.error().message;
    std::string text;
    for (const FilePart& part : found->parts)
      text += (text.empty() ? "" : " ") + (part.table.empty() ? "" : part.table + "=") + part.format;
    for (const std::string& table : found->openTables) text += " ?" + table;
    return text;
  }

 private slots:
  void eachTableOfADatabaseIsNamed() {
    const std::string path = database(
        "shop.db",
        "CREATE TABLE orders (id TEXT, customer TEXT, amount_cents INTEGER, currency TEXT, created_at TEXT);"
        "INSERT INTO orders VALUES ('o-1', 'c-1', 1500, 'usd', '2026-04-07 10:00:00');"
        "CREATE TABLE processed_jobs (idempotency_key TEXT, processed_at TEXT);"
        "INSERT INTO processed_jobs VALUES ('charge:o-1', '2026-04-07 10:00:01');"
        "CREATE TABLE migrations (id INTEGER, name TEXT, applied TEXT);"
        "INSERT INTO migrations VALUES (1, 'first', '2026-04-01');");
    QCOMPARE(partsIn(path), "orders=generic.intents processed_jobs=generic.processed_events ?migrations"s);
  }

  void aTableOfPaymentsIsNotTakenForTheProvidersRecords() {
    const std::string path = database(
        "own.db",
        "CREATE TABLE payment (payment_id TEXT, customer TEXT, amount REAL, currency TEXT, charge_id TEXT, created_at TEXT);"
        "INSERT INTO payment VALUES ('p-1', 'c-1', 15.5, 'usd', 'ch_1', '2026-04-07 10:00:00');"
        "CREATE TABLE orders (order_id TEXT, amount_cents INTEGER, currency TEXT, created_at TEXT);"
        "INSERT INTO orders VALUES ('o-1', 1500, 'usd', '2026-04-07 10:00:00');");
    QCOMPARE(partsIn(path), "orders=generic.intents ?payment"s);
  }

  void aTableWithoutRowsIsNotGuessed() {
    const std::string path = database("empty.db", "CREATE TABLE work (task_id TEXT, status TEXT, date_done TEXT);");
    const std::string found = partsIn(path);
    QVERIFY2(found.find("no known format fits") != std::string::npos, found.c_str());
  }

  void aNameTellsFormatsApartWhoseColumnsFit() {
    const std::string rows = "id,customer,amount_cents,currency,created_at\no-1,c-1,1500,usd,2026-04-07 10:00:00\n";
    QCOMPARE(partsIn(write("orders.csv", rows)), "generic.intents"s);
    QCOMPARE(partsIn(write("charges.csv", rows)), "generic.effects"s);
  }

  void aNearMissIsToldWithWhatIsLacking() {
    const std::string found = partsIn(write("orders-2026.csv", "order_ref,amount_minor,currency\no-1,1500,usd\n"));
    QVERIFY2(found.find("it may be generic.intents, but a record of kind intent needs the time") != std::string::npos,
             found.c_str());
  }

  void formatsOfPartsReadOneFileTogether() {
    QTemporaryDir formats;
    const auto format = [&](const char* name, const char* pattern) {
      QFile file(formats.filePath(QString::fromLatin1(name) + ".json"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray("{\"part\": true, \"record\": \"skip\", \"layout\": {\"kind\": \"lines\", \"pattern\": \"") + pattern +
                 "\"}, \"fields\": {\"key\": \"key\", \"time\": \"time\"}}");
    };
    format("one.skips", "^(?<time>\\\\S+) skip (?<key>\\\\S+)$");
    format("other.skips", "^(?<time>\\\\S+) twice (?<key>\\\\S+)$");
    format("third.skips", "^(?<time>\\\\S+) never (?<key>\\\\S+)$");
    qputenv("COUNTERFOIL_FORMATS", formats.path().toLocal8Bit());
    std::string log;
    for (int i = 0; i < 5000; ++i) log += "2026-04-07T10:00:00Z nothing to see, the parts lie far behind the head\n";
    log += "2026-04-07T10:00:00Z skip k1\n2026-04-07T10:00:00Z twice k2\n";
    const std::string path = write("worker.log", log);
    const std::string found = partsIn(path);
    const auto single = identifyFormat(*resolvePlace(path), "UTC", {});
    qunsetenv("COUNTERFOIL_FORMATS");
    QCOMPARE(found, "one.skips other.skips"s);
    QVERIFY(!single.has_value());
    QCOMPARE(single.error().code, ErrorCode::Ambiguous);
  }
};

QTEST_APPLESS_MAIN(TstFileParts)
#include "tst_file_parts.moc"
