// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "importers/formats/identify.h"
#include "importers/input/inspect.h"
#include "importers/input/opened_file.h"
#include "importers/xlsx/sheet_stage.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/zip_writer.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

/// The text of a sheet; the error's message behind " !" if there is one.
std::string sheetText(const std::string& bytes, std::size_t sheet = 0, std::size_t step = 4096,
                      char decimal = 0) {
  const auto book = Workbook::open(std::make_shared<const RawBytes>(bytes));
  if (!book) return "!" + book.error().message;
  const auto stage = makeSheetStage(*book, sheet, decimal);
  if (!stage) return "!" + stage.error().message;
  std::string text;
  while (true) {
    const auto got = (*stage)->read(text, step);
    if (!got) return text + " !" + got.error().message;
    if (*got == 0) return text;
  }
}

std::string rowsText(const std::string& rows) {
  return sheetText(bookOf({{{"S", rows}}}));
}

std::string onePart(const BookText& book, const std::string& name, const std::string& content) {
  std::vector<ZipMemberText> members = bookMembers(book);
  for (ZipMemberText& member : members) {
    if (member.name == name) member.content = content;
  }
  return zipOf(members);
}

std::string withoutPart(const BookText& book, const std::string& name) {
  std::vector<ZipMemberText> kept;
  for (ZipMemberText& member : bookMembers(book)) {
    if (member.name != name) kept.push_back(std::move(member));
  }
  return zipOf(kept);
}

SourceSpec sheetSource(const std::string& path, const std::string& layout) {
  SourceSpec source = sourceOf(path, "");
  source.mappings = {mappingOf(R"({"record": "effect", "layout": )" + layout + R"(, "fields": {
      "effect_id": "txn_id", "key": "idempotency_key", "created": "created_at", "amount": "amount",
      "currency": "currency"}})")};
  return source;
}

}  // namespace

class TstXlsx : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }
  std::string problemOf(const std::string& name, const std::string& bytes) {
    const auto read = scanned({sourceOf(write(name, bytes))});
    if (!read->error.empty()) return read->error;
    return read->reports.empty() ? "no report" : read->reports.front().problem;
  }

 private slots:
  void numbersAreWrittenAsTheyWereTyped_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("text");
    QTest::newRow("two decimals") << "1234.5600000000001"
                                  << "1234.56";
    QTest::newRow("a sum of tenths") << "0.30000000000000004"
                                     << "0.3";
    QTest::newRow("below") << "1.0049999999999999"
                           << "1.005" + QString("0");
    QTest::newRow("nines carry") << "99.999999999999997"
                                 << "100";
    QTest::newRow("exponent") << "1.2E+3"
                              << "1200";
    QTest::newRow("small") << "1E-7"
                           << "0.0000001";
    QTest::newRow("negative") << "-12.5"
                              << "-12.5";
    QTest::newRow("zero") << "0"
                          << "0";
    QTest::newRow("minus zero") << "-0.0"
                                << "0";
    QTest::newRow("zeros behind") << "10.50"
                                  << "10.5";
    QTest::newRow("thousand") << "1234"
                              << "1234";
    QTest::newRow("three decimals leave no doubt") << "1.234"
                                                   << "1.2340";
    QTest::newRow("three decimals of thousands") << "1234.567"
                                                 << "1234.567";
    QTest::newRow("fifteen digits") << "123456789012345"
                                    << "123456789012345";
    QTest::newRow("an id that lost digits") << "1.2345678901234567E+18"
                                            << "1.23456789012346E+18";
    QTest::newRow("an id of sixteen digits that lost one") << "1234567890123450"
                                                           << "1.23456789012345E+15";
    QTest::newRow("of a program by floating point") << "1234567890123456800"
                                                    << "1.23456789012346E+18";
    QTest::newRow("of a program by whole numbers") << "1234567890123456789"
                                                   << "1234567890123456789";
    QTest::newRow("within 2^53") << "9007199254740991"
                                 << "9007199254740991";
    QTest::newRow("beyond 2^53") << "9007199254740993"
                                 << "9.00719925474099E+15";
  }
  void numbersAreWrittenAsTheyWereTyped() {
    QFETCH(QString, written);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(numberText(written.toStdString(), 0).value_or("nothing")),
             text);
  }
  void aDeclaredSignIsUsedForNumbers() {
    QCOMPARE(numberText("1234.5", ',').value_or(""), "1234,5"s);
    QCOMPARE(numberText("1.234", '.').value_or(""), "1.234"s);
  }
  void whatIsNoNumberIsNone() {
    for (const std::string text : {"", "x", "1.2.3", "1E", "1E+999", "--1", "0x10", "INF", "1 2"}) {
      QVERIFY2(!numberText(text, 0), text.c_str());
    }
  }

  void formatsTellDates_data() {
    using Kind = CellForm::Kind;
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("kind");
    QTest::newRow("general") << "General" << int(Kind::Number);
    QTest::newRow("amount") << "#,##0.00\\ [$€-407];[Red]-#,##0.00\\ [$€-407]" << int(Kind::Number);
    QTest::newRow("scientific") << "0.00E+00" << int(Kind::Number);
    QTest::newRow("words in quotes") << "0.00\" days\"" << int(Kind::Number);
    QTest::newRow("day") << "dd/mm/yyyy" << int(Kind::Date);
    QTest::newRow("of a locale") << "[$-409]d\\-mmm\\-yy;@" << int(Kind::Date);
    QTest::newRow("month") << "mmm" << int(Kind::Date);
    QTest::newRow("Japanese") << "yyyy\"年\"m\"月\"d\"日\"" << int(Kind::Date);
    QTest::newRow("clock") << "hh:mm:ss AM/PM" << int(Kind::Time);
    QTest::newRow("duration") << "[h]:mm:ss" << int(Kind::Elapsed);
    QTest::newRow("zeros") << "00000" << int(Kind::Padded);
  }
  void formatsTellDates() {
    QFETCH(QString, code);
    QFETCH(int, kind);
    QCOMPARE(int(formOfCode(code.toStdString()).kind), kind);
  }

  void datesAreIsoText_data() {
    QTest::addColumn<QString>("number");
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("is1904");
    QTest::addColumn<QString>("text");
    QTest::newRow("day") << "46082"
                         << "dd/mm/yyyy" << false << "2026-03-01";
    QTest::newRow("time") << "46082.43232638889"
                          << "dd/mm/yyyy hh:mm" << false << "2026-03-01 10:22:33";
    QTest::newRow("midnight with a time") << "46082"
                                          << "dd/mm/yyyy hh:mm" << false << "2026-03-01 00:00:00";
    QTest::newRow("a time that the format hides") << "46082.5"
                                                  << "dd/mm/yyyy" << false << "2026-03-01 12:00:00";
    QTest::newRow("fraction of a second")
        << "46082.432327245369"
        << "dd/mm/yyyy hh:mm" << false << "2026-03-01 10:22:33.074";
    QTest::newRow("rounds up to the next day")
        << "46081.999999999993"
        << "dd/mm/yyyy hh:mm" << false << "2026-03-01 00:00:00";
    QTest::newRow("epoch of 1904") << "44620"
                                   << "dd/mm/yyyy" << true << "2026-03-01";
    QTest::newRow("before the day that never was") << "59"
                                                   << "dd/mm/yyyy" << false << "1900-02-28";
    QTest::newRow("the day that never was") << "60"
                                            << "dd/mm/yyyy" << false << "1900-02-29";
    QTest::newRow("after it") << "61"
                              << "dd/mm/yyyy" << false << "1900-03-01";
    QTest::newRow("last day") << "2958465"
                              << "dd/mm/yyyy" << false << "9999-12-31";
    QTest::newRow("too late") << "2958466"
                              << "dd/mm/yyyy" << false << "2958466";
    QTest::newRow("negative") << "-5"
                              << "dd/mm/yyyy" << false << "-5";
    QTest::newRow("clock") << "0.25"
                           << "hh:mm" << false << "06:00:00";
    QTest::newRow("duration") << "1.25"
                              << "[h]:mm" << false << "30:00:00";
    QTest::newRow("leading zeros") << "42"
                                   << "00000" << false << "00042";
  }
  void datesAreIsoText() {
    QFETCH(QString, number);
    QFETCH(QString, code);
    QFETCH(bool, is1904);
    QFETCH(QString, text);
    const auto got = cellText(number.toStdString(), formOfCode(code.toStdString()), is1904, 0);
    QCOMPARE(QString::fromStdString(got.value_or("nothing")), text);
  }

  void everyKindOfCellIsRead() {
    BookText book{
        {{"S", sheetRow(1,
                        "<c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"C1\" t=\"s\"><v>1</v></c>"
                        "<c r=\"D1\" t=\"b\"><v>1</v></c><c r=\"E1\" t=\"e\"><v>#N/A</v></c>"
                        "<c r=\"F1\" t=\"str\"><f>A1</f><v>a,b</v></c><c r=\"G1\" "
                        "t=\"d\"><v>2026-03-01T10:00:00</v></c>"
                        "<c r=\"H1\"><f>1+1</f><v>2</v></c><c r=\"I1\"><f>B2*3</f></c>")}},
        {"<t>plain</t>",
         "<r><t>ri</t></r><r><t>ch \"x\"</t></r><rPh sb=\"0\" eb=\"1\"><t>aloud</t></rPh>"}};
    QCOMPARE(sheetText(bookOf(book)),
             "plain,,\"rich \"\"x\"\"\",TRUE,#N/A,\"a,b\",2026-03-01T10:00:00,2,=B2*3\n"s);
  }
  void linesAreRows() {
    QCOMPARE(rowsText(sheetRow(2, textCell("B2", "x")) +
                      sheetRow(5, textCell("A5", "two&#10;lines_x000D_\nhere"))),
             "\n,x\n\n\ntwo lines here\n"s);
    QCOMPARE(
        rowsText(
            "<row><c "
            "t=\"inlineStr\"><is><t>a</t></is></c><c><v>1</v></c></row><row><c><v>2</v></c></row>"),
        "a,1\n2\n"s);
    QCOMPARE(rowsText(sheetRow(1048576, numberCell("XFD1048576", "1"))).size(),
             std::size_t{1048575 + 16383 + 2});
  }
  void theStepDoesNotMatter() {
    std::string rows = effectHeader(1);
    for (int i = 2; i < 400; ++i) rows += effectCells(i, i, "1.5");
    const std::string bytes = bookOf(effectBook(rows));
    QCOMPARE(sheetText(bytes, 0, 7), sheetText(bytes, 0, 1u << 20));
  }
  void prefixesAndOtherNamesOfPartsAreUnderstood() {
    const std::string rels =
        "<p:Relationships xmlns:p=\"p\"><p:Relationship Id=\"r1\" "
        "Type=\"http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet\" "
        "Target=\"../XL/worksheets/./Sheet1.xml\"/></p:Relationships>";
    std::vector<ZipMemberText> members = bookMembers({{{"S", ""}}});
    for (ZipMemberText& member : members) {
      if (member.name == "xl/_rels/workbook.xml.rels") member.content = rels;
      if (member.name == "xl/worksheets/sheet1.xml") {
        member.content =
            "<x:worksheet xmlns:x=\"m\"><x:sheetData><x:row r=\"1\"><x:c "
            "r=\"A1\"><x:v>7</x:v></x:c></x:row>"
            "</x:sheetData></x:worksheet>";
      }
      if (member.name == "xl/worksheets/sheet1.xml") member.name = "xl/worksheets/sheet1.XML";
    }
    std::string text = sheetText(zipOf(members));
    QVERIFY2(text.find("missing") != std::string::npos,
             text.c_str());  // "./" in the middle is nobody's name
    for (ZipMemberText& member : members) {
      if (member.name == "xl/_rels/workbook.xml.rels")
        member.content.replace(rels.find("./Sheet1"), 2, "");
    }
    QCOMPARE(sheetText(zipOf(members)), "7\n"s);
  }

  void aStatementIsReadLikeCsv() {
    const std::string rows = sheetRow(1, textCell("A1", "Statement")) + effectHeader(6) +
                             effectCells(7, 1, "12.5") + effectCells(9, 2, "1.2E+3", "46119");
    const std::string path = write("effects.xlsx", bookOf(effectBook(rows)));
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:1250 k2:120000"s);
    QVERIFY(read->reports.at(0).complete);
    QCOMPARE(read->reports.at(0).digest.substr(0, 7), "sha256:"s);
    const RecordRef ref{FileId{0}, read->sink.slims.at(0).ref.part,
                        read->sink.slims.at(0).ref.offset};
    QCOMPARE(read->input->lineOf(ref), std::uint64_t{7});
    QCOMPARE(read->input->rawText(ref), "t1,2026-04-07 10:00:00,12.5,USD,k1"s);
    QCOMPARE(formatInstant(*read->reports.at(0).from), "2026-04-07T00:00:00Z"s);
  }
  void aRowThatCannotBeReadIsInQuarantineWithItsLine() {
    const std::string path = write(
        "bad-amount.xlsx",
        bookOf(effectBook(effectHeader(1) + effectCells(2, 1, "1") + effectCells(4, 2, "#REF!"))));
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->keys(), "k1:100"s);
    QCOMPARE(read->rules(), "4:not_an_amount"s);
  }
  void anIdThatLostDigitsIsNoKey() {
    const std::string cells = textCell("A2", "t1") + numberCell("B2", "46119", 1) +
                              numberCell("C2", "5") + textCell("D2", "USD") +
                              numberCell("E2", "1.2345678901234567E+18");
    const auto read = scanned({sourceOf(
        write("damaged-key.xlsx", bookOf(effectBook(effectHeader(1) + sheetRow(2, cells)))))});
    QCOMPARE(read->records.size(), std::size_t{1});
    QVERIFY(headOf(read->records[0])->keyDamaged);
  }
  void amountsOfThreeDecimalsAskNobody() {
    const auto read = scanned({sourceOf(
        write("three.xlsx", bookOf(effectBook(effectHeader(1) + effectCells(2, 1, "1.234")))))});
    QCOMPARE(read->rules(),
             "2:too_many_decimals"s);  // dollars have no third decimal; it is no thousand and more
  }
  void aMappingForGermanCsvReadsTheWorkbookToo() {
    const std::string path =
        write("german.xlsx", bookOf(effectBook(effectHeader(1) + effectCells(2, 1, "1234.5"))));
    const auto read = scanned({sheetSource(
        path, R"({"kind": "csv", "delimiter": ";", "decimal": ",", "grouping": "."})")});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:123450"s);
  }

  void aFormOfTheMappingIsForCellsOfText() {
    const std::string cells = textCell("A3", "t2") + textCell("B3", "07-04-2026 10:00") +
                              numberCell("C3", "6") + textCell("D3", "USD") + textCell("E3", "k2");
    SourceSpec source = sourceOf(
        write("form.xlsx",
              bookOf(effectBook(effectHeader(1) + effectCells(2, 1, "5") + sheetRow(3, cells)))),
        "");
    source.mappings = {mappingOf(
        R"({"record": "effect", "fields": {"effect_id": "txn_id", "key": "idempotency_key",
        "created": {"column": "created_at", "form": "%d-%m-%Y %H:%M", "zone": "Africa/Nairobi"},
        "amount": "amount", "currency": "currency"}})")};
    const auto read = scanned({source});
    QCOMPARE(read->rules(), ""s);
    QCOMPARE(read->keys(), "k1:500 k2:600"s);
    QCOMPARE(formatInstant(*read->reports.at(0).from), "2026-04-07T07:00:00Z"s);
    QCOMPARE(formatInstant(*read->reports.at(0).to), "2026-04-07T07:00:00Z"s);
    // Of a file of text the form is the only one.
    source.path = write("form.csv", kHeader + effectRow(1, "5", "2026-04-07 10:00:00"));
    QCOMPARE(scanned({source})->rules(), "2:not_a_time"s);
  }

  void theSheetWithTheColumnsIsTaken() {
    BookText book = effectBook(effectHeader(1) + effectCells(2, 1, "5"), "Data");
    book.sheets.insert(book.sheets.begin(), {"Summary", sheetRow(1, textCell("A1", "Total") +
                                                                        textCell("B1", "amount"))});
    book.sheets.insert(book.sheets.begin(),
                       {"Old", effectHeader(1) + effectCells(2, 9, "9"), "hidden"});
    const std::string path = write("several-sheets.xlsx", bookOf(book));
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->keys(), "k1:500"s);
    Executor executor(1);
    const auto report = inspectFile(sourceOf(path, ""), executor);
    QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
    QCOMPARE(report->layout, "xlsx, sheet \"Data\", header in line 1"s);
    QCOMPARE(report->format, "generic.effects"s);
    // By name a hidden one too.
    QCOMPARE(scanned({sheetSource(path, R"({"sheet": "old"})")})->keys(), "k9:900"s);
    QCOMPARE(scanned({sheetSource(path, R"({"sheet": 3})")})->keys(), "k1:500"s);
    const auto missing = scanned({sheetSource(path, R"({"sheet": "March"})")});
    QVERIFY(missing->reports.at(0).problem.find(
                "no sheet March; the workbook has Old (hidden), Summary, Data") !=
            std::string::npos);
  }
  void twoSheetsThatCouldBothBeMeantAreAnError() {
    BookText book = effectBook(effectHeader(1) + effectCells(2, 1, "5"), "January");
    book.sheets.push_back({"February", effectHeader(1) + effectCells(2, 2, "6")});
    const std::string path = write("two-months.xlsx", bookOf(book));
    const auto read = scanned({sourceOf(path)});
    QVERIFY(!read->reports.at(0).complete);
    QVERIFY(read->reports.at(0).problem.find(
                "several sheets could hold the rows: January, February") != std::string::npos);
    const auto both = scanned({sheetSource(path, R"({"sheet": "January"})"),
                               sheetSource(path, R"({"sheet": "February"})")});
    QCOMPARE(both->keys(), "k1:500 k2:600"s);
  }
  void aSheetWithNearlyAllColumnsIsNotPassedOver() {
    BookText book = effectBook(effectHeader(1) + effectCells(2, 1, "5"), "Payments");
    std::string header = effectHeader(1);
    header.replace(header.find("description"), 11, "why");
    book.sheets.push_back({"Refunds", header + effectCells(2, 2, "6")});
    const std::string problem = problemOf("refunds-apart.xlsx", bookOf(book));
    QVERIFY(problem.find("several sheets could hold the rows: Payments, Refunds") !=
            std::string::npos);
  }
  void sheetsThatAreAllHiddenAreNotRead() {
    BookText book = effectBook(effectHeader(1) + effectCells(2, 1, "5"));
    book.sheets[0].state = "veryHidden";
    QVERIFY(
        problemOf("all-hidden.xlsx", bookOf(book)).find("all sheets are hidden: Data (hidden)") !=
        std::string::npos);
  }

  void brokenWorkbooksAreTold_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("told");
    const auto add = [](const char* name, const std::string& bytes, const char* told) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << told;
    };
    const BookText good = effectBook(effectHeader(1) + effectCells(2, 1, "5"));
    const std::string bytes = bookOf(good);
    const auto rows = [&](const std::string& text) {
      return bookOf(effectBook(effectHeader(1) + effectCells(2, 1, "5") + text));
    };
    add("cut-off.xlsx", bytes.substr(0, bytes.size() - 30),
        "cut off: the directory at its end is missing");
    add("encrypted.xlsx",
        std::string("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") + std::string(22, '\0') + "\x09" +
            std::string(600, '\0') +
            std::string("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0", 32),
        "with a password");
    add("old.xls", std::string("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") + std::string(2000, '\0'),
        "an old Excel file (.xls)");
    add("missing-sheet-part.xlsx", withoutPart(good, "xl/worksheets/sheet1.xml"),
        "its part xl/worksheets/sheet1.xml is missing");
    add("no-sheet.xlsx", bookOf({}), "a workbook without a sheet");
    add("entity.xlsx",
        onePart(good, "xl/sharedStrings.xml",
                "<!DOCTYPE sst [<!ENTITY a \"aaaa\">]><sst><si><t>&a;</t></si></sst>"),
        "document type declaration");
    add("deep.xlsx",
        onePart(good, "xl/workbook.xml",
                [] {
                  std::string text;
                  for (int i = 0; i < 70; ++i) text += "<a>";
                  return text;
                }()),
        "elements more than 64 deep");
    add("not-xml.xlsx", onePart(good, "xl/workbook.xml", "<workbook><sheets></workbook>"),
        "not well-formed XML in line 1");
    add("no-worksheet.xlsx", onePart(good, "xl/worksheets/sheet1.xml", "<chart/>"),
        "it is no worksheet");
    add("rows-back.xlsx", rows(effectCells(2, 2, "5")), "behind row 2: row 2 stands behind row 2");
    add("row-zero.xlsx", rows(sheetRow(0, "")), "a row numbered '0'");
    add("row-beyond.xlsx", rows(sheetRow(1048577, "")), "rows go from 1 to 1048576");
    add("column-beyond.xlsx", rows(sheetRow(3, numberCell("XFE3", "1"))),
        "a cell named 'XFE3' in row 3");
    add("cell-of-another-row.xlsx", rows(sheetRow(3, numberCell("A4", "1"))),
        "a cell named 'A4' in row 3");
    add("cells-back.xlsx", rows(sheetRow(3, numberCell("B3", "1") + numberCell("A3", "1"))),
        "the cells of row 3 are not in order");
    add("cell-without-row.xlsx", rows("<c><v>1</v></c>"), "a cell that is not in a row");
    add("unknown-text.xlsx", rows(sheetRow(3, "<c r=\"A3\" t=\"s\"><v>0</v></c>")),
        "names text '0'; the workbook has 0");
    add("sheet-cut-off.xlsx",
        onePart(good, "xl/worksheets/sheet1.xml",
                "<worksheet><sheetData>" + effectHeader(1) + effectCells(2, 1, "5")),
        "cut off or not well-formed XML");
    std::vector<ZipMemberText> wrong = bookMembers(good);
    wrong.front().wrongChecksum = 1;
    add("wrong-checksum.xlsx", zipOf(wrong), "its checksum is wrong");
    add("binary.xlsb", zipOf({{"[Content_Types].xml", "<x/>"}, {"xl/workbook.bin", "x"}}),
        "a document of kind xlsb");
    add("sheet.ods", zipOf({{"META-INF/manifest.xml", "<x/>"}, {"content.xml", "x"}}),
        "a document of kind ods");
  }
  void brokenWorkbooksAreTold() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, told);
    const std::string name = QTest::currentDataTag();
    const std::string path = write(name, bytes.toStdString());
    const auto read = scanned({sourceOf(path)});
    const std::string problem = !read->error.empty() ? read->error : read->reports.at(0).problem;
    QVERIFY2(problem.find(told.toStdString()) != std::string::npos, problem.c_str());
    QVERIFY(!read->reports.at(0).complete);
    Executor executor(1);
    const auto looked =
        inspectFile(sourceOf(path, ""), executor);  // and identification says the same
    if (looked) QVERIFY(!looked->file.complete);
  }
  void rowsBeforeADefectAreRead() {
    const auto read = scanned(
        {sourceOf(write("half.xlsx", onePart(effectBook(""), "xl/worksheets/sheet1.xml",
                                             "<worksheet><sheetData>" + effectHeader(1) +
                                                 effectCells(2, 1, "5") + "<row r=\"1\"/>")))});
    QCOMPARE(read->keys(), "k1:500"s);
    QVERIFY(!read->reports.at(0).complete);
  }

  void aBombOfRepeatedTextsIsStopped() {
    std::string rows;
    for (int r = 1; r <= 2000; ++r) {
      std::string cells;
      for (int c = 0; c < 26; ++c) cells += "<c t=\"s\"><v>0</v></c>";
      rows += sheetRow(r, cells);
    }
    const std::string bytes = bookOf({{{"S", rows}}, {"<t>" + std::string(30000, 'x') + "</t>"}});
    const auto book = Workbook::open(std::make_shared<const RawBytes>(bytes));
    QVERIFY(book.has_value());
    const auto stage = makeSheetStage(*book, 0, 0);
    std::string text;
    std::uint64_t all = 0;
    while (true) {
      text.clear();
      const auto got = (*stage)->read(text, 1u << 20);
      if (!got) {
        QVERIFY(got.error().message.find("times the size of the workbook") != std::string::npos);
        QCOMPARE(got.error().code, ErrorCode::Limit);
        break;
      }
      all += *got;
      QVERIFY2(*got > 0 && all < (1ull << 30), "not stopped");
    }
  }
  void aTagWithoutAnEndIsStopped() {
    const std::string rows = "<row r=\"" + std::string(3u << 20, '1');
    QVERIFY(rowsText(rows).find("a tag of more than") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TstXlsx)
#include "tst_xlsx.moc"
