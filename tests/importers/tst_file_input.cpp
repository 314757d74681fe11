// SPDX-License-Identifier: GPL-3.0-or-later
#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "core/base/text.h"
#include "importers/input/file_input.h"
#include "tests/importers/packed_bytes.h"
#include "tests/importers/scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

}  // namespace

class TstFileInput : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }

 private slots:
  void aCsvFileIsRead() {
    const std::string path = write("a.csv", kHeader + effectRow(1, "12.50") + effectRow(2, "3"));
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:1250 k2:300"s);
    const FileReport& report = read->reports.at(0);
    QCOMPARE(report.rows, std::uint64_t{2});
    QCOMPARE(report.recorded, std::uint64_t{2});
    QCOMPARE(report.dataRows, std::uint64_t{2});
    QVERIFY(report.complete);
    QCOMPARE(report.format, "generic.effects"s);
    QCOMPARE(report.declaredBasis.size(), std::size_t{1});
    QCOMPARE(formatPlain(report.declaredBasis.at(0)), "15.50"s);
    QCOMPARE(formatInstant(*report.from), "2026-04-07T10:00:00Z"s);
    QVERIFY(report.digest.rfind("sha256:", 0) == 0 && report.digest.size() == 71);
    const RecordRef ref = read->sink.slims.at(0).ref;
    QCOMPARE(read->input->lineOf(ref), std::uint64_t{2});
    QCOMPARE(read->input->rawText(ref), "t1,2026-04-07T10:00:00Z,12.50,USD,k1,"s);
  }

  void everyWayToReadGivesTheSame_data() {
    QTest::addColumn<int>("chunk");
    QTest::addColumn<int>("threads");
    for (const int chunk : {1, 7, 64, 333, 5000, 1 << 20}) {
      for (const int threads : {1, 3}) {
        QTest::addRow("chunks of %d, %d threads", chunk, threads) << chunk << threads;
      }
    }
  }
  void everyWayToReadGivesTheSame() {
    QFETCH(int, chunk);
    QFETCH(int, threads);
    std::string text = kHeader;
    std::string expected, rules;
    std::uint64_t line = 2;
    for (int i = 0; i < 300; ++i) {
      if (i % 50 == 17) {
        text += "t,not a time,1.00,USD,bad\n";
        rules += (rules.empty() ? "" : " ") + std::to_string(line++) + ":not_a_time";
        continue;
      }
      std::string description;
      if (i % 7 == 3)
        description = "\"line\none, \"\"" + effectRow(9999, "9.99").substr(0, 60) + "\"";
      text += effectRow(i, std::to_string(i) + ".25", "2026-04-07T10:00:00Z", description);
      expected += (expected.empty() ? "" : " ") + "k"s + std::to_string(i) + ":" +
                  std::to_string(i * 100 + 25);
      line += i % 7 == 3 ? 3 : 1;
    }
    const std::string path = write("chunks.csv", text);
    FileInputOptions options;
    options.chunkBytes = static_cast<std::size_t>(chunk);
    const auto read = scanned({sourceOf(path)}, options, static_cast<unsigned>(threads));
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), expected);
    QCOMPARE(read->rules(), rules);
    QCOMPARE(read->reports.at(0).rows, std::uint64_t{300});
    for (const SlimRecord& slim : read->sink.slims) {
      const std::string raw = read->input->rawText(slim.ref);
      const std::size_t place = text.find(raw);
      QCOMPARE(read->input->lineOf(slim.ref),
               1 + static_cast<std::uint64_t>(std::count(
                       text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n')));
    }
  }

  void packingAndEncodingDoNotMatter_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"plain", "gzip", "utf-16", "bom", "windows-1252", "late windows-1252",
                             "gzip late windows-1252"}) {
      QTest::newRow(kind) << kind;
    }
  }
  void packingAndEncodingDoNotMatter() {
    QFETCH(QString, kind);
    const bool late = kind.contains("late");
    std::u16string text = u"txn_id;created_at;amount;currency;key\n";
    const int rows = late ? 4000 : 5;
    for (int i = 0; i < rows; ++i) {
      const std::string row = "t" + std::to_string(i) + ";2026-04-07T10:00:00Z;1.50;USD;";
      text += std::u16string(row.begin(), row.end()) + (i == rows - 1 ? u"Schlüssel\n" : u"key\n");
    }
    std::string bytes;
    const auto narrow = [&] {
      std::string out;
      for (const char16_t c : text) out += static_cast<char>(c);
      return out;
    };
    const std::string utf8 = QString::fromStdU16String(text).toStdString();
    if (kind == "utf-16") {
      bytes = "\xFF\xFE";
      for (const char16_t c : text) {
        bytes += static_cast<char>(c & 0xFF);
        bytes += static_cast<char>(c >> 8);
      }
    } else if (kind.contains("windows-1252")) {
      bytes = kind.startsWith("gzip") ? gzipped(narrow()) : narrow();
    } else {
      bytes = kind == "gzip" ? gzipped(utf8) : kind == "bom" ? "\xEF\xBB\xBF" + utf8 : utf8;
    }
    FileInputOptions options;
    options.chunkBytes = 3000;
    options.heldRows = 1000;
    const auto read = scanned({sourceOf(write("enc.csv", bytes))}, options);
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->records.size(), static_cast<std::size_t>(rows));
    QCOMPARE(QString::fromStdString(headOf(read->records.back())->keyText), QString("Schlüssel"));
    std::uint64_t lastLine = 0;
    for (const SlimRecord& slim : read->sink.slims)
      lastLine = std::max(lastLine, read->input->lineOf(slim.ref));
    QCOMPARE(lastLine, static_cast<std::uint64_t>(rows + 1));
  }

  void aFormThatIsOpenIsSettledOverTheWholeFile_data() {
    QTest::addColumn<QStringList>("amounts");
    QTest::addColumn<QStringList>("times");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const QStringList& amounts, const QStringList& times,
                        const char* keys, const char* problem) {
      QTest::newRow(name) << amounts << times << keys << problem;
    };
    const QString iso = "2026-04-07T10:00:00Z";
    row("comma", {"1.000", "12,5"}, {iso, iso}, "k0:100000 k1:1250", "");
    row("comma said first", {"12,5", "1.000"}, {iso, iso}, "k0:1250 k1:100000", "");
    row("point", {"1,000", "12.5"}, {iso, iso}, "k0:100000 k1:1250", "");
    row("only one reading is possible", {"1.234", "5"}, {iso, iso}, "k0:123400 k1:500", "");
    row("nothing decides", {"1.250", "5"}, {iso, iso}, "k1:500",
        "column 'amount': amounts such as");
    row("they contradict", {"12.5", "12,5"}, {iso, iso}, "k0:1250",
        "column 'amount': some amounts are written with a decimal point");
    row("day first", {"1", "2"}, {"03/04/2026", "25/04/2026"}, "k0:100 k1:200", "");
    row("month first", {"1", "2"}, {"03/04/2026", "04/25/2026"}, "k0:100 k1:200", "");
    row("dates contradict", {"1", "2"}, {"25/04/2026", "04/25/2026"}, "k0:100 k1:200",
        "column 'created_at': some dates have the day first");
    row("dates do not decide", {"1", "2"}, {"03/04/2026", "05/06/2026"}, "",
        "column 'created_at': dates such as");
    row("dates that are the same both ways", {"1", "2"}, {"03/03/2026", "05/05/2026"},
        "k0:100 k1:200", "");
  }
  void aFormThatIsOpenIsSettledOverTheWholeFile() {
    QFETCH(QStringList, amounts);
    QFETCH(QStringList, times);
    QFETCH(QString, keys);
    QFETCH(QString, problem);
    std::string text = "txn_id;created_at;amount;currency;key\n";
    for (int i = 0; i < amounts.size(); ++i) {
      text += "t" + std::to_string(i) + ";" + times[i].toStdString() + ";" +
              amounts[i].toStdString() + ";USD;k" + std::to_string(i) + "\n";
    }
    for (const bool packed : {false, true}) {
      for (const std::size_t chunk : {std::size_t{8}, std::size_t{100'000}}) {
        FileInputOptions options;
        options.chunkBytes = chunk;
        options.heldRows = chunk == 8 ? 0 : 1000;
        const auto read =
            scanned({sourceOf(write("open.csv", packed ? gzipped(text) : text))}, options);
        QCOMPARE(read->error, ""s);
        QCOMPARE(QString::fromStdString(read->keys()), keys);
        const FileReport& report = read->reports.at(0);
        QCOMPARE(report.complete, problem.isEmpty());
        if (!QString::fromStdString(report.problem).startsWith(problem))
          QCOMPARE(QString::fromStdString(report.problem), problem);
        QCOMPARE(report.rows, static_cast<std::uint64_t>(amounts.size()));
        QCOMPARE(report.rows, report.recorded + report.quarantined + report.excluded);
        QCOMPARE(report.quarantined, static_cast<std::uint64_t>(read->sink.rows.size()));
      }
    }
  }

  void daysAreReadInTheirOrder() {
    const auto dayOf = [&](const std::string& first, const std::string& second) {
      const auto read = scanned({sourceOf(
          write("days.csv", kHeader + effectRow(1, "1", first) + effectRow(2, "1", second)))});
      return read->records.size() == 2 ? formatInstant(std::get<Effect>(read->records[0]).created)
                                       : read->reports.at(0).problem;
    };
    QCOMPARE(dayOf("03/04/2026", "25/04/2026"), "2026-04-03T00:00:00Z"s);
    QCOMPARE(dayOf("03/04/2026", "04/25/2026"), "2026-03-04T00:00:00Z"s);
  }

  void aCutFileIsIncomplete_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("problem");
    QTest::addColumn<QString>("keys");
    const std::string rows = kHeader + effectRow(1) + effectRow(2);
    const auto bytes = [](const std::string& text) {
      return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    };
    QTest::newRow("unterminated quote") << bytes(rows + "t3,\"2026") << "x.csv"
                                        << "cut off in line 4: a quote that is opened"
                                        << "k1:100 k2:100";
    const std::string packed = gzipped(rows);
    QTest::newRow("gzip without its end")
        << bytes(packed.substr(0, packed.size() - 4)) << "x.csv.gz"
        << "cut off: the gzip data ends"
        << "k1:100 k2:100";
    const std::string one =
        "{\"txn_id\":\"t1\",\"created_at\":\"2026-04-07T10:00:00Z\",\"amount\":1,\"currency\":"
        "\"USD\",\"key\":\"k1\"}";
    QTest::newRow("json") << bytes("[" + one + ",{\"txn") << "x.json"
                          << "cut off: the document ends in the middle"
                          << "k1:100";
    QTest::newRow("ndjson") << bytes(one + "\n{\"txn_id\":\"t2\",\"created") << "x.ndjson"
                            << "cut off in line 2: the file ends"
                            << "k1:100";
  }
  void aCutFileIsIncomplete() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, name);
    QFETCH(QString, problem);
    QFETCH(QString, keys);
    const auto read = scanned({sourceOf(write(name.toStdString(), bytes.toStdString()))});
    QCOMPARE(read->error, ""s);
    QVERIFY(!read->reports.at(0).complete);
    QCOMPARE(QString::fromStdString(read->reports.at(0).problem).left(problem.size()), problem);
    QCOMPARE(QString::fromStdString(read->keys()), keys);
  }

  void allKindsOfFilesGiveTheSameRecords_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("csv") << "k.csv"
                         << QByteArray(
                                "txn_id,created_at,amount,currency,key\nt1,2026-04-07T10:00:00Z,1."
                                "10,USD,k1\nt2,2026-04-07T10:00:00Z,100,USD,k2\n");
    QTest::newRow("tsv") << "k.tsv"
                         << QByteArray(
                                "txn_id\tcreated_at\tamount\tcurrency\tkey\nt1\t2026-04-07T10:00:"
                                "00Z\t1.10\tUSD\tk1\nt2\t2026-04-07T10:00:00Z\t100\tUSD\tk2\n");
    QTest::newRow("json")
        << "k.json"
        << QByteArray(
               "{\"has_more\":false,\"data\":[{\"txn_id\":\"t1\",\"created_at\":\"2026-04-07T10:00:"
               "00Z\",\"amount\":1.10,\"currency\":\"USD\",\"key\":\"k1\"},"
               "{\"txn_id\":\"t2\",\"created_at\":\"2026-04-07T10:00:00Z\",\"amount\":1e2,"
               "\"currency\":\"USD\",\"key\":\"k2\"}]}");
    QTest::newRow("ndjson") << "k.txt"
                            << QByteArray(
                                   "{\"txn_id\":\"t1\",\"created_at\":\"2026-04-07T10:00:00Z\","
                                   "\"amount\":\"1.10\",\"currency\":\"USD\",\"key\":\"k1\"}\n\n"
                                   "{\"txn_id\":\"t2\",\"created_at\":\"2026-04-07T10:00:00Z\","
                                   "\"amount\":100,\"currency\":\"USD\",\"key\":\"k2\"}\n");
  }
  void allKindsOfFilesGiveTheSameRecords() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    const auto read = scanned({sourceOf(write(name.toStdString(), bytes.toStdString()))});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->keys(), "k1:110 k2:10000"s);
  }

  void anSqliteFileIsRead() {
    const std::string path = m_folder.path().toStdString() + "/shop.db";
    sqlite3* db = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    sqlite3_exec(db,
                 "CREATE TABLE other(a,b); CREATE TABLE payments(txn_id TEXT, created_at TEXT, "
                 "amount TEXT, currency TEXT, idempotency_key TEXT);"
                 "INSERT INTO payments "
                 "VALUES('t1','2026-04-07T10:00:00Z','1.10','USD','k1'),('t2','2026-04-07T11:00:"
                 "00Z',100,'USD','k2');",
                 nullptr, nullptr, nullptr);
    sqlite3_close(db);
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->keys(), "k1:110 k2:10000"s);
    const std::string raw = read->input->rawText(read->sink.slims.at(0).ref);
    QCOMPARE(QString::fromStdString(raw),
             QString("{\"txn_id\":\"t1\",\"created_at\":\"2026-04-07T10:00:00Z\",\"amount\":\"1."
                     "10\",\"currency\":\"USD\",\"idempotency_key\":\"k1\"}"));
  }

  void theSameContentTwiceIsARepeat() {
    const std::string text = kHeader + effectRow(1) + effectRow(2) + "t3,never,1,USD,k3,\n";
    write("rep/a.csv", text);
    write("rep/b.csv", text);
    write("rep/c.csv", kHeader + effectRow(1) + effectRow(5) + "t3,never,1,USD,k3,\n");
    const auto read = scanned({sourceOf(m_folder.path().toStdString() + "/rep/*.csv")});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:100 k2:100 k1:100 k5:100"s);
    QCOMPARE(read->reports.at(1).rows, std::uint64_t{3});
    QCOMPARE(read->reports.at(1).repeated, std::uint64_t{3});
    QCOMPARE(read->reports.at(1).recorded, std::uint64_t{0});
    QCOMPARE(read->reports.at(1).quarantined, std::uint64_t{0});
    QCOMPARE(read->reports.at(2).repeated, std::uint64_t{0});
    // Two sources may read one file.
    const std::string path = m_folder.path().toStdString() + "/rep/a.csv";
    const auto both = scanned({sourceOf(path), sourceOf(path)});
    QCOMPARE(both->records.size(), std::size_t{4});
  }

  void datesInPathsAreCoverage() {
    write("days/s-2026-04-07.csv", kHeader + effectRow(1));
    write("days/s-2026-04-08.csv", kHeader + effectRow(2));
    write("days/s-final.csv", kHeader + effectRow(3));
    SourceSpec source = sourceOf("days/s-{date}.csv");
    source.zone = "Africa/Nairobi";
    FileInputOptions options;
    options.baseFolder = m_folder.path().toStdString();
    const auto read = scanned({source}, options);
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:100 k2:100"s);
    QCOMPARE(read->reports.at(0).path, "days/s-2026-04-07.csv"s);
    QCOMPARE(formatInstant(read->reports.at(0).covers->from), "2026-04-06T21:00:00Z"s);
    QCOMPARE(formatInstant(read->reports.at(0).covers->to), "2026-04-07T21:00:00Z"s);
    QCOMPARE(formatInstant(read->reports.at(1).covers->from), "2026-04-07T21:00:00Z"s);
  }

  void whatIsMissingIsSaid() {
    const auto none = scanned({sourceOf(m_folder.path().toStdString() + "/none.csv")});
    QCOMPARE(none->input->problems().size(), std::size_t{1});
    QCOMPARE(none->input->problems().at(0).error.code, ErrorCode::Missing);
    const auto glob = scanned({sourceOf(m_folder.path().toStdString() + "/none-*.csv")});
    QCOMPARE(glob->input->problems().at(0).error.code, ErrorCode::Missing);
    SourceSpec mayBeEmpty = sourceOf(m_folder.path().toStdString() + "/none-*.csv");
    mayBeEmpty.mayBeEmpty = true;
    QVERIFY(scanned({mayBeEmpty})->input->problems().empty());
    const auto folder = scanned({sourceOf(m_folder.path().toStdString())});
    QCOMPARE(folder->input->problems().at(0).error.code, ErrorCode::Io);
    const auto noHeader = scanned({sourceOf(write("no-header.csv", "hello,world\n1,2\n"))});
    QVERIFY(!noHeader->reports.at(0).complete);
    QVERIFY(noHeader->reports.at(0).problem.find("no header line found") != std::string::npos);
    const auto empty = scanned({sourceOf(write("empty.csv", ""))});
    QVERIFY(empty->reports.at(0).complete);
    QCOMPARE(empty->reports.at(0).rows, std::uint64_t{0});
    QVERIFY(scanned({sourceOf("x", "generic.effekts")})->error.find("generic.effects") !=
            std::string::npos);
  }

  void quarantinedRowsNameTheirPlace() {
    const std::string text =
        kHeader + effectRow(1) + "t2,2026-04-07T10:00:00Z,abc,USD,k2,card 4111 1111 1111 1111\n";
    const auto read = scanned({sourceOf(write("bad.csv", text))});
    QCOMPARE(read->sink.rows.size(), std::size_t{1});
    const QuarantinedRow& row = read->sink.rows.at(0);
    QCOMPARE(row.line, std::uint64_t{3});
    QCOMPARE(row.column, "amount"s);
    QCOMPARE(row.value, "abc"s);
    QVERIFY(row.file.size() > 8 && row.file.substr(row.file.size() - 8) == "/bad.csv");
    QCOMPARE(row.raw, "t2,2026-04-07T10:00:00Z,abc,USD,k2,card ************1111"s);
    QCOMPARE(read->reports.at(0).quarantined, std::uint64_t{1});
  }

  void aFileThatChangesIsSaid() {
    const std::string path = write("changing.csv", kHeader + effectRow(1));
    const auto read = scanned({sourceOf(path)});
    std::ofstream(path, std::ios::binary | std::ios::app) << effectRow(2);
    const RecordRef ref = read->sink.slims.at(0).ref;
    const Result<> fetched = read->input->fetch({&ref, 1}, [](std::size_t, AnyRecord&&) {});
    QVERIFY(!fetched.has_value());
    QCOMPARE(fetched.error().code, ErrorCode::Io);
    QCOMPARE(read->input->rawText(ref), ""s);
  }

  void severalMappingsReadEachRow() {
    SourceSpec source = sourceOf(
        write("two.csv",
              "id,charge_key,mail_key,at,amount\n1,c1,m1,2026-04-07T10:00:00Z,5\n2,c2,m2,bad,5\n"),
        "");
    for (const char* const key : {"charge_key", "mail_key"}) {
      source.mappings.push_back(mappingOf(
          "{\"record\":\"attempt\",\"fields\":{\"job_id\":\"id\",\"start\":\"at\",\"key\":\""s +
          key +
          "\",\"amount\":{\"column\":\"amount\",\"unit\":\"minor\"},\"currency\":{\"value\":"
          "\"USD\"}}}"));
      QVERIFY(source.mappings.back() != nullptr);
    }
    const auto read = scanned({source});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "c1:5 m1:5"s);
    QCOMPARE(read->reports.at(0).rows, std::uint64_t{4});
    QCOMPARE(read->reports.at(0).quarantined, std::uint64_t{2});
    QCOMPARE(read->reports.at(0).dataRows, std::uint64_t{2});
    QCOMPARE(read->reports.at(0).format, "mapping"s);
  }

  void linesOfALogAreRead() {
    SourceSpec source =
        sourceOf(write("worker.log",
                       "2026-04-07T10:00:00Z INFO started\n"
                       "2026-04-07T10:00:01Z INFO already processed key=k1 reason=done\n"
                       "2026-04-07T10:00:02Z INFO skip k2\n"),
                 "");
    source.mappings.push_back(
        mappingOf("{\"record\":\"skip\",\"layout\":{\"kind\":\"lines\",\"pattern\":[\"^(?<t>\\\\S+)"
                  " .*already processed key=(?<key>\\\\S+)\",\"^(?<t>\\\\S+) .*skip "
                  "(?<key>\\\\S+)\"]},\"fields\":{\"key\":\"key\",\"time\":\"t\"}}"));
    QVERIFY(source.mappings.back() != nullptr);
    const auto read = scanned({source});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->keys(), "k1:- k2:-"s);
    QCOMPARE(read->reports.at(0).unmatchedLines, std::uint64_t{1});
    QCOMPARE(read->reports.at(0).rows, std::uint64_t{2});
  }

  void payloadsGoToAFileBeyondTheirBound() {
    std::string text = kHeader;
    for (int i = 0; i < 500; ++i) text += effectRow(i);
    FileInputOptions options;
    options.payloadMemoryBytes = 10'000;
    options.batchRows = 16;
    const auto read = scanned({sourceOf(write("log.csv.gz", gzipped(text)))}, options);
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->records.size(), std::size_t{500});
    QCOMPARE(headOf(read->records[499])->keyText, "k499"s);
    QVERIFY(read->sink.largestBatch <= 32);
  }

  void cancellingStopsTheScan() {
    const std::string path = write("cancel.csv", kHeader + effectRow(1));
    Result<std::unique_ptr<Input>> input = makeFileInput({sourceOf(path)}, nullptr);
    CancelToken cancel;
    cancel.cancel();
    ScanOptions options;
    options.cancel = &cancel;
    Executor executor(1);
    CollectingSink sink;
    const auto reports = (*input)->scan(executor, KeyedHash(1), sink, options);
    QVERIFY(!reports.has_value());
    QCOMPARE(reports.error().code, ErrorCode::Cancelled);
    QVERIFY(sink.slims.empty());
  }
};

QTEST_APPLESS_MAIN(TstFileInput)
#include "tst_file_input.moc"
