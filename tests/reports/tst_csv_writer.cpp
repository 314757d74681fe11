// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "reports/csv/csv_writer.h"

using namespace counterfoil;

class TstCsvWriter : public QObject {
  Q_OBJECT
 private slots:
  void makesCellsHarmless_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("cell");
    QTest::newRow("plain") << QByteArray("charge:4471") << QByteArray("charge:4471");
    QTest::newRow("empty") << QByteArray("") << QByteArray("");
    QTest::newRow("comma") << QByteArray("a,b") << QByteArray("\"a,b\"");
    QTest::newRow("quote") << QByteArray("a\"b") << QByteArray("\"a\"\"b\"");
    QTest::newRow("line feed") << QByteArray("a\nb") << QByteArray("\"a\nb\"");
    QTest::newRow("formula") << QByteArray("=cmd|'/c calc'!A1") << QByteArray("'=cmd|'/c calc'!A1");
    QTest::newRow("plus") << QByteArray("+1") << QByteArray("'+1");
    QTest::newRow("minus") << QByteArray("-1+2") << QByteArray("'-1+2");
    QTest::newRow("at") << QByteArray("@SUM(A1)") << QByteArray("'@SUM(A1)");
    QTest::newRow("tab") << QByteArray("\t=1") << QByteArray("\"'\t=1\"");
    QTest::newRow("carriage return") << QByteArray("\r=1") << QByteArray("\"'\r=1\"");
    QTest::newRow("formula with comma") << QByteArray("=A,B") << QByteArray("\"'=A,B\"");
    QTest::newRow("sign inside") << QByteArray("a=b") << QByteArray("a=b");
    QTest::newRow("outer space") << QByteArray(" a") << QByteArray("\" a\"");
    QTest::newRow("NUL") << QByteArray("a\0b", 3)
                         << QByteArray(
                                "\"a\xEF\xBF\xBD"
                                "b\"");
    QTest::newRow("escape sequence")
        << QByteArray("\x1b[31m") << QByteArray("\"\xEF\xBF\xBD[31m\"");
  }
  void makesCellsHarmless() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, cell);
    std::string out;
    appendCsvText({text.data(), static_cast<std::size_t>(text.size())}, out);
    QCOMPARE(QByteArray::fromStdString(out), cell);
  }

  void invalidBytesBecomeReplacementCharacters() {
    std::string out;
    appendCsvText("=\xFF", out);
    QCOMPARE(QByteArray::fromStdString(out), QByteArray("'=\xEF\xBF\xBD"));
  }

  void writesARow() {
    std::string out;
    CsvWriter csv(out);
    csv.text("a", "-x");
    csv.integer("b", -5);
    csv.integerOrNull("c", std::nullopt);
    csv.list("d", {"=1", "two"});
    csv.money("e", {{-1500, *Currency::parse("USD")}, {7, *Currency::parse("JPY")}});
    csv.textOrNull("f", std::nullopt);
    csv.endLine();
    csv.text("a", "second");
    csv.endLine();
    QCOMPARE(QByteArray::fromStdString(out),
             QByteArray("'-x,-5,,'=1 two,USD -1500 JPY 7,\r\nsecond\r\n"));
  }

  void writesAHeader() {
    std::string out;
    CsvHeader header(out);
    header.text("case", "");
    header.money("exposure", {});
    header.endLine();
    QCOMPARE(QByteArray::fromStdString(out), QByteArray("case,exposure\r\n"));
  }
};

QTEST_APPLESS_MAIN(TstCsvWriter)
#include "tst_csv_writer.moc"
