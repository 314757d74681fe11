// SPDX-License-Identifier: GPL-3.0-or-later
#include <rapidcheck.h>

#include <QTest>

#include "importers/readers/csv_reader.h"
#include "importers/readers/csv_sniff.h"
#include "row_collector.h"

using namespace counterfoil;
using namespace std::string_literals;

namespace {

/// Reads `text` whose first line is the header, all columns wanted.
struct Parsed {
  RowCollector rows;
  BlockOutcome outcome;
};

Parsed parsed(const std::string& text, std::vector<std::string> wanted = {}, CsvScanFunction scan = nullptr) {
  Layout layout;
  layout.header = Layout::Header::AtLine;
  layout.headerLine = 1;
  const Result<CsvHead> head = sniffCsv(text, layout, {});
  Parsed result;
  if (!head) return result;
  if (wanted.empty()) wanted = head->columns;
  const auto reader = makeCsvReader({head->dialect, head->columns, head->headerLine, wanted, nullptr, {}, scan});
  result.outcome = parseAll(*reader, std::string_view(text).substr(head->dataStart), result.rows);
  return result;
}

/// A plain reader of our own rules, one byte after the other.
std::vector<std::vector<std::string>> byTheBook(const std::string& text, char delimiter, std::size_t columns) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  enum class At { Start, Plain, Quoted, Closed } at = At::Start;
  const auto endRow = [&] {
    const bool blank = std::all_of(row.begin(), row.end(), [](const std::string& field) {
      return std::all_of(field.begin(), field.end(), [](char c) { return c == ' ' || c == '\t'; });
    });
    if (!blank) rows.push_back(row);
    row.assign(1, "");
    at = At::Start;
  };
  for (const char c : text) {
    if (at != At::Quoted && c == '\n') {
      endRow();
      continue;
    }
    if (at != At::Quoted && c == delimiter) {
      row.emplace_back();
      at = At::Start;
    } else if (at == At::Start && c == '"') {
      at = At::Quoted;
    } else if (at == At::Quoted && c == '"') {
      at = At::Closed;
    } else if (at == At::Closed && c == '"') {
      row.back() += '"';
      at = At::Quoted;
    } else {
      if (at == At::Start || at == At::Closed) at = At::Plain;
      row.back() += c;
    }
  }
  if (at != At::Quoted) endRow();
  for (auto& fields : rows) fields.resize(std::max(columns, fields.size()), "-");
  return rows;
}

}  // namespace

class TstCsv : public QObject {
  Q_OBJECT
 private slots:
  void rowsAreTakenApart_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("rows");
    const auto row = [](const char* name, const char* text, const char* rows) {
      QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(rows);
    };
    row("plain", "a,b\n1,2\n3,4\n", "1|2;3|4");
    row("no last line end", "a,b\n1,2", "1|2");
    row("crlf", "a,b\r\n1,2\r\n3,4\r\n", "1|2;3|4");
    row("cr only", "a,b\r1,2\r3,4\r", "1|2;3|4");
    row("quoted", "a,b\n\"1\",\"2\"\n", "1|2");
    row("quoted crlf", "a,b\r\n\"1\",\"2\"\r\n", "1|2");
    row("quoted delimiter", "a,b\n\"1,5\",2\n", "1,5|2");
    row("quoted line end", "a,b\n\"x\ny\",2\n", "x\ny|2");
    row("doubled quote", "a,b\n\"say \"\"hi\"\"\",2\n", "say \"hi\"|2");
    row("only doubled quotes", "a,b\n\"\"\"\",\"\"\n", "\"|");
    row("lone quote in a field", "a,b\n3.5\" disk,2\n", "3.5\" disk|2");
    row("quotes inside fields", "a,b,c\nx\"y,z\"w,2\n", "x\"y|z\"w|2");
    row("text behind a closing quote", "a,b\n\"x\"y,2\n", "xy|2");
    row("blank before a quote", "a,b\n \"x\",2\n", " \"x\"|2");
    row("missing fields", "a,b,c\n1\n", "1|-|-");
    row("trailing delimiter", "a,b\n1,2,\n", "1|2");
    row("blank lines", "a,b\n\n1,2\n\n\n3,4\n\n", "1|2;3|4");
    row("rows of nothing", "a,b\n,\n\"\",\"\"\n1,2\n , \n", "1|2");
    row("repeated header", "a,b\n1,2\na,b\n3,4\n", "1|2;3|4");
    row("semicolons", "a;b\n1,5;2\n", "1,5|2");
    row("tabs", "a\tb\n1\t2\n", "1|2");
    row("bars", "a|b\n1,0|x\n", "1,0|x");
    row("spreadsheet guard", "a,b\n=\"0012\",2\n", "0012|2");
    row("quoted spreadsheet guard", "a,b\n\"=\"\"0012\"\"\",2\n", "0012|2");
    row("empty quoted field", "a,b\n\"\",2\n", "|2");
    row("header only", "a,b\n", "");
    row("letters", "a,b\nü,€\n", "ü|€");
  }
  void rowsAreTakenApart() {
    QFETCH(QString, text);
    QFETCH(QString, rows);
    for (const CsvScanFunction scan : {scanCsvPortable, bestCsvScan()}) {
      const Parsed result = parsed(text.toStdString(), {}, scan);
      QCOMPARE(QString::fromStdString(result.rows.text()), rows);
      QCOMPARE(result.rows.defects.size(), std::size_t{0});
      QVERIFY(!result.outcome.cutOff);
      QVERIFY(!result.outcome.needMore);
    }
  }

  void brokenRowsAreNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QString>("rows");
    QTest::newRow("extra fields") << QByteArray("a,b\n1,2,3\n4,5\n") << "extra_fields" << "4|5";
    QTest::newRow("unterminated quote") << QByteArray("a,b\n1,2\n\"3,4\n5,6\n") << "unterminated_quote" << "1|2";
    QTest::newRow("nul byte") << QByteArray("a,b\n1,\0x\n3,4\n", 13) << "nul_byte" << "3|4";
    QTest::newRow("invalid utf-8") << QByteArray("a,b\n1,\xFFx\n3,4\n") << "invalid_encoding" << "3|4";
    QTest::newRow("quoted delimiter not quoted") << QByteArray("a,b\nx,1,250.00\n") << "extra_fields" << "";
  }
  void brokenRowsAreNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QString, rules);
    QFETCH(QString, rows);
    for (const CsvScanFunction scan : {scanCsvPortable, bestCsvScan()}) {
      const Parsed result = parsed(text.toStdString(), {}, scan);
      QCOMPARE(QString::fromStdString(result.rows.rules()), rules);
      QCOMPARE(QString::fromStdString(result.rows.text()), rows);
      QCOMPARE(result.outcome.cutOff, rules == "unterminated_quote");
    }
  }

  void manyColumnsAndLongRows() {
    std::string header = "c0", row = "0";
    for (int i = 1; i < 3000; ++i) {
      header += ",c" + std::to_string(i);
      row += "," + std::to_string(i);
    }
    const std::string text = header + "\n" + row + "\n";
    const Parsed result = parsed(text, {"c2999", "c0", "none"});
    QCOMPARE(QString::fromStdString(result.rows.text()), QString("2999|0|-"));
    const Parsed tooMany = parsed("a,b\n1,2\n" + std::string(200'000, ',') + "x\n3,4\n");
    QCOMPARE(QString::fromStdString(tooMany.rows.rules()), QString("too_many_fields"));
    QCOMPARE(QString::fromStdString(tooMany.rows.text()), QString("1|2;3|4"));
  }

  void wantedColumnsAreFoundByName() {
    const Parsed result = parsed("Key , amount,Key\nk1,5,x\n,6,k2\n", {"key", "AMOUNT", "missing"});
    QCOMPARE(QString::fromStdString(result.rows.text()), QString("k1|5|-;k2|6|-"));
  }

  void footersAreNoRecords() {
    const auto footer = TextMatch::make("re:^\"?Total");
    QVERIFY(footer.has_value());
    RowCollector rows;
    const auto reader = makeCsvReader({{';', '\n'}, {"a", "b"}, "a;b", {"a", "b"}, *footer, {}, nullptr});
    parseAll(*reader, "1;2\n\"Total\";9\nTotal;8\n3;Total\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("1|2;3|Total"));
    QVERIFY(!TextMatch::make("re:(").has_value());
  }

  void aSingleByteEncodingIsConvertedByField() {
    RowCollector rows;
    const auto reader = makeCsvReader(
        {{';', '\n'}, {"a", "b"}, "a;b", {"b", "a"}, nullptr, SingleByteTable::make("windows-1252"), nullptr});
    parseAll(*reader, "\"M\xF6" "bel \"\"Gro\xDF\"\"\";1,5 \x80\nx;\x81\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString::fromUtf8("1,5 €|Möbel \"Groß\""));
    QCOMPARE(QString::fromStdString(rows.rules()), QString("invalid_encoding"));
    QCOMPARE(QString::fromStdString(rows.defects[0].column), QString("b"));
  }

  void placesAreExact() {
    const Parsed result = parsed("a,b\n1,2\r\n\"x\ny\",3\n4,5");
    QCOMPARE(result.rows.rows.size(), std::size_t{3});
    QCOMPARE(result.rows.rows[0].offset, std::uint64_t{0});
    QCOMPARE(result.rows.rows[0].length, std::uint64_t{5});
    QCOMPARE(QString::fromStdString(result.rows.rows[0].raw), QString("1,2"));
    QCOMPARE(result.rows.rows[1].offset, std::uint64_t{5});
    QCOMPARE(QString::fromStdString(result.rows.rows[1].raw), QString("\"x\ny\",3"));
    QCOMPARE(result.rows.rows[2].offset, std::uint64_t{13});
    QCOMPARE(result.rows.rows[2].length, std::uint64_t{3});
  }

  void aBlockEndsWhereItsRowsEnd() {
    const auto reader = makeCsvReader({{',', '\n'}, {"a", "b"}, "", {"a", "b"}, nullptr, {}, nullptr});
    const auto scratch = reader->makeScratch();
    const std::string text = "1,2\n\"3\n\",4\n5,6\n7";
    for (std::size_t limit = 1; limit <= text.size(); ++limit) {
      RowCollector rows;
      const BlockOutcome outcome = reader->parse({text, 100, limit, false}, rows, *scratch);
      const std::size_t expected = limit <= 4 ? 1 : limit <= 11 ? 2 : 3;
      QCOMPARE(rows.rows.size(), expected);
      QCOMPARE(outcome.consumed, expected == 1 ? 4u : expected == 2 ? 11u : 15u);
      QCOMPARE(outcome.needMore, limit > 15);
      QCOMPARE(rows.rows[0].offset, std::uint64_t{100});
    }
  }

  void headersAreFound_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("known");
    QTest::addColumn<int>("line");
    QTest::addColumn<char>("delimiter");
    QTest::newRow("first line") << QByteArray("id,amount\n1,2\n") << QStringList{"id", "amount", "currency"} << 1 << ',';
    QTest::newRow("after a preamble")
        << QByteArray("\"Merchant statement\";\"Example\"\n\"Period:\";\"May\"\n\"\"\n\"Our reference\";\"Amount\";\"Id\"\n\"k\";\"1\";\"2\"\n")
        << QStringList{"Id", "Amount", "Our reference"} << 4 << ';';
    QTest::newRow("preamble with commas, table with tabs")
        << QByteArray("Report, of May, all\nid\tamount\n1\t2\n") << QStringList{"id", "amount"} << 2 << '\t';
    QTest::newRow("spelled otherwise") << QByteArray("x,y\nIdempotency-Key,Amount \n") << QStringList{"idempotency_key", "amount"} << 2 << ',';
    QTest::newRow("one known column") << QByteArray("key\nk1\n") << QStringList{"key"} << 1 << ',';
    QTest::newRow("quoted line end in the preamble") << QByteArray("\"a\nb\",x\nid,amount\n") << QStringList{"id", "amount"} << 3 << ',';
  }
  void headersAreFound() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, known);
    QFETCH(int, line);
    QFETCH(char, delimiter);
    std::vector<std::string> names;
    for (const QString& name : known) names.push_back(name.toStdString());
    const Result<CsvHead> head = sniffCsv(text.toStdString(), Layout{}, names);
    QVERIFY(head.has_value());
    QCOMPARE(head->headerLineNumber, static_cast<std::uint64_t>(line));
    QCOMPARE(head->dialect.delimiter, delimiter);
  }

  void aHeaderThatIsNotThereIsAnError() {
    const Result<CsvHead> head = sniffCsv("a,b\n1,2\n", Layout{}, {"id", "amount"});
    QVERIFY(!head.has_value());
    QCOMPARE(head.error().code, ErrorCode::Format);
    QVERIFY(head.error().message.find("id, amount") != std::string::npos);
    Layout layout;
    layout.header = Layout::Header::AtLine;
    layout.headerLine = 2;
    const Result<CsvHead> second = sniffCsv("junk\na,b\n1,2\n", layout, {});
    QVERIFY(second.has_value());
    QCOMPARE(second->dataLine, std::uint64_t{3});
    layout.headerLine = 9;
    QVERIFY(!sniffCsv("junk\na,b\n1,2\n", layout, {}).has_value());
    layout.header = Layout::Header::None;
    layout.columns = {"a", "b"};
    const Result<CsvHead> none = sniffCsv("1;2\n3;4\n", layout, {});
    QVERIFY(none.has_value());
    QCOMPARE(none->dialect.delimiter, ';');
    QCOMPARE(none->dataStart, std::size_t{0});
  }

  void bothScansAndTheBookAgree() {
    const bool agreed = rc::check("the scans read what the rules say", [] {
      const auto alphabet = rc::gen::elementOf("aab,,\"\"\"\n\n x"s);
      const std::string body = *rc::gen::container<std::string>(alphabet);
      const std::string padding = *rc::gen::container<std::string>(rc::gen::elementOf("ab,\n"s));
      const std::string text = padding + body + padding;
      std::vector<std::string> header;
      for (int i = 0; i < 400; ++i) header.push_back("c" + std::to_string(i));
      const auto expected = byTheBook(text, ',', 400);
      for (const CsvScanFunction scan : {scanCsvPortable, bestCsvScan()}) {
        RowCollector rows;
        const auto reader = makeCsvReader({{',', '\n'}, header, "", header, nullptr, {}, scan});
        parseAll(*reader, text, rows);
        std::vector<std::vector<std::string>> found;
        for (const auto& row : rows.rows) found.push_back(row.fields);
        RC_ASSERT(found == expected);
      }
    });
    QVERIFY(agreed);
  }

  void lineEndsAreCounted() {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += i % 3 == 0 ? '\n' : 'x';
    QCOMPARE(countByte(text, '\n'), std::uint64_t{1667});
    QCOMPARE(countByte("", '\n'), std::uint64_t{0});
    QCOMPARE(countByte(std::string(100'000, '\n'), '\n'), std::uint64_t{100'000});
  }
};

QTEST_APPLESS_MAIN(TstCsv)
#include "tst_csv.moc"
