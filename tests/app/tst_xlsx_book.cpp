// SPDX-License-Identifier: GPL-3.0-or-later
// Workbooks, read back with the reader that statements go through.
#include <QtTest>

#include "importers/source/byte_stage.h"
#include "importers/xlsx/sheet_stage.h"
#include "reports/xlsx/xlsx_book.h"

using namespace counterfoil;

class TstXlsxBook : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  std::string path(const char* name = "a.xlsx") const { return (m_folder->path() + "/" + name).toStdString(); }

  static std::shared_ptr<const Workbook> opened(const std::string& path) {
    const auto book = openWorkbook(FilePlace(path));
    if (!book) qFatal("%s", book.error().message.c_str());
    return *book;
  }
  static std::string sheet(const std::string& path, std::size_t number) {
    auto stage = makeSheetStage(opened(path), number, 0);
    if (!stage) qFatal("%s", stage.error().message.c_str());
    std::string text;
    for (;;) {
      const auto got = (*stage)->read(text, 1 << 20);
      if (!got) qFatal("%s", got.error().message.c_str());
      if (*got == 0) return text;
    }
  }
  static QByteArray bytes(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read");
    return file.readAll();
  }
  static Money money(std::int64_t minor, const char* code) { return {minor, *Currency::parse(code)}; }
  static Instant day() { return std::chrono::sys_days{std::chrono::year{2026} / 4 / 8} + std::chrono::hours{6} + std::chrono::seconds{7}; }

  std::string oneSheet(const std::vector<std::vector<CellValue>>& rows, std::size_t columns = 4) const {
    auto book = XlsxBook::create(path());
    if (!book) qFatal("%s", book.error().message.c_str());
    book->addSheet("S", std::vector<XlsxColumn>(columns, {"h", 10}));
    for (const auto& row : rows) book->addRow(row);
    if (!book->finish()) qFatal("cannot finish");
    return sheet(path(), 0);
  }

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void numbersDatesAndTextsAreWhatTheyAre() {
    const std::string text = oneSheet({{money(125'000, "USD"), money(-1250, "JPY"), money(1'234'567, "KWD"), std::int64_t{42}},
                                       {day(), std::string("00123"), std::monostate{}, std::string("1e5")}});
    QCOMPARE(text, std::string("h,h,h,h\n1250,-1250,1234.567,42\n2026-04-08 06:00:07,00123,,1e5\n"));
    const QByteArray raw = bytes(path());
    QVERIFY(!raw.isEmpty());
  }

  void anAmountBeyondFifteenDigitsIsAText() {
    const std::string text = oneSheet({{money(999'999'999'999'999, "USD"), money(9'007'199'254'740'993, "USD"), std::int64_t{9'007'199'254'740'993}, {}}});
    QVERIFY2(text.find("9999999999999.99,90071992547409.93,9007199254740993") != std::string::npos, text.c_str());
  }

  void hostileTextsComeOutAsTexts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a formula") << QByteArray("=HYPERLINK(\"http://evil\",\"x\")");
    QTest::newRow("another formula") << QByteArray("+1+1");
    QTest::newRow("a command") << QByteArray("@SUM(A1)");
    QTest::newRow("markup") << QByteArray("</t></is></c><c><f>1</f>&amp;<script>");
    QTest::newRow("a link") << QByteArray("file:///etc/passwd");
    QTest::newRow("Cyrillic") << QByteArray("Списано дважды, 1 000 ₽");
  }
  void hostileTextsComeOutAsTexts() {
    QFETCH(QByteArray, text);
    const std::string sheetText = oneSheet({{text.toStdString()}}, 1);
    std::string wanted = text.toStdString();
    if (wanted.find_first_of(",\"\n") != std::string::npos) {
      for (std::size_t at = 0; (at = wanted.find('"', at)) != std::string::npos; at += 2) wanted.insert(at, 1, '"');
      wanted = '"' + wanted + '"';
    }
    QCOMPARE(sheetText, "h\n" + wanted + "\n");
  }

  void controlCharactersAreMadeVisible() {
    const std::string text = oneSheet({{std::string("a\x1b[31m\x01z\xe2\x80\xae!")}}, 1);
    QVERIFY(text.find('\x1b') == std::string::npos && text.find('\x01') == std::string::npos);
    QVERIFY(text.find("\xe2\x80\xae") == std::string::npos);   // the right-to-left override
  }

  void aTextThatIsTooLongIsCutWithAWord_data() {
    QTest::addColumn<QByteArray>("piece");
    QTest::newRow("one byte a character") << QByteArray("x");
    QTest::newRow("two") << QByteArray("я");
    QTest::newRow("beyond the basic plane: two units") << QByteArray("😀");
  }
  void aTextThatIsTooLongIsCutWithAWord() {
    QFETCH(QByteArray, piece);
    std::string text;
    while (text.size() < (1u << 20)) text += piece.toStdString();
    const std::string cut = xlsxText(text);
    QVERIFY(QString::fromStdString(cut).size() <= static_cast<qsizetype>(kXlsxTextMost));
    QVERIFY(QString::fromStdString(cut).toStdString() == cut);   // whole characters
    QVERIFY(cut.ends_with("a cell holds no more)"));
    QVERIFY(oneSheet({{text}}, 1).find("a cell holds no more)") != std::string::npos);
    QCOMPARE(xlsxText(std::string(kXlsxTextMost, 'x')).size(), kXlsxTextMost);   // just fits
  }

  void aSheetThatIsFullGoesOnInAnother() {
    auto book = XlsxBook::create(path(), 3);
    QVERIFY(book.has_value());
    book->addSheet("Breaks", {{"n", 10}});
    for (std::int64_t i = 1; i <= 5; ++i) book->addRow({i});
    QCOMPARE(book->furtherSheets(), std::size_t{2});
    QVERIFY(book->finish().has_value());
    QCOMPARE(opened(path())->sheets().size(), std::size_t{3});
    QCOMPARE(opened(path())->sheets()[1].name, std::string("Breaks (2)"));
    QCOMPARE(sheet(path(), 0) + sheet(path(), 1) + sheet(path(), 2), std::string("n\n1\n2\nn\n3\n4\nn\n5\n"));
  }

  void equalContentGivesEqualBytes() {
    const auto make = [&](const char* name) {
      auto book = XlsxBook::create(path(name));
      book->addSheet("S", {{"h", 10, {"resolved", "dismissed"}}});
      book->addRow({std::string("x")});
      if (!book->finish()) qFatal("cannot finish");
      return bytes(path(name));
    };
    const QByteArray first = make("a.xlsx");
    QTest::qSleep(1100);   // a second of the clock
    QCOMPARE(make("b.xlsx"), first);
  }

  void aPlaceThatCannotBeWrittenIsTold() {
    auto book = XlsxBook::create(path("none/a.xlsx"));
    Result<> done = book ? book->finish() : Result<>(fail(book.error()));
    QVERIFY(!done.has_value());
    QCOMPARE(done.error().code, ErrorCode::WriteFailed);
  }
};

QTEST_APPLESS_MAIN(TstXlsxBook)
#include "tst_xlsx_book.moc"
