// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "reports/text/text_table.h"

using namespace counterfoil;

class TstTextTable : public QObject {
  Q_OBJECT
 private slots:
  void widthsCountColumns_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("columns");
    QTest::newRow("ascii") << QByteArray("abc") << 3;
    QTest::newRow("two bytes") << QByteArray("über") << 4;
    QTest::newRow("wide") << QByteArray("日本") << 4;
    QTest::newRow("combining") << QByteArray("e\xCC\x81") << 1;
    QTest::newRow("emoji") << QByteArray("\xF0\x9F\x92\xB6") << 2;
  }
  void widthsCountColumns() {
    QFETCH(QByteArray, text);
    QFETCH(int, columns);
    QCOMPARE(static_cast<int>(displayWidth(text.toStdString())), columns);
  }

  void cutsText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QString>("atEnd");
    QTest::addColumn<QString>("inMiddle");
    QTest::newRow("fits") << "abcdef" << 6 << "abcdef"
                          << "abcdef";
    QTest::newRow("cut") << "abcdefghij" << 7 << "abcdef…"
                         << "abc…hij";
    QTest::newRow("wide characters") << "日本日本日本" << 7 << "日本日…"
                                     << "日…本";
  }
  void cutsText() {
    QFETCH(QString, text);
    QFETCH(int, columns);
    QFETCH(QString, atEnd);
    QFETCH(QString, inMiddle);
    const auto width = static_cast<std::size_t>(columns);
    QCOMPARE(QString::fromStdString(fitted(text.toStdString(), width)), atEnd);
    QCOMPARE(QString::fromStdString(fittedMiddle(text.toStdString(), width)), inMiddle);
  }

  void wrapsAtSpaces() {
    const auto lines = wrapped("one two three abcdefghijklmnop", 10);
    QCOMPARE(lines, (std::vector<std::string>{"one two", "three", "abcdefghij", "klmnop"}));
  }

  void alignsAndWrapsWithinTheWidth() {
    TextTable table({{"amount", TextColumn::Align::Right, TextColumn::Fit::Whole},
                     {"key", TextColumn::Align::Left, TextColumn::Fit::Middle, 6},
                     {"reason", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    table.add({{"USD 5.00"}, {"k-1"}, {"short"}});
    table.add(
        {{"USD 1,500.00"}, {"k-2"}, {"a reason that is too long for one line of this table"}});
    std::string out;
    table.print({50, false}, true, out);
    QCOMPARE(QString::fromStdString(out),
             QStringLiteral("        amount  key  reason\n"
                            "      USD 5.00  k-1  short\n"
                            "  USD 1,500.00  k-2  a reason that is too long for\n"
                            "                     one line of this table\n"));
  }

  void leavesOutBlankColumns() {
    TextTable table({{"a"}, {"b"}, {"c"}});
    table.add({{"1"}, {""}, {"3"}});
    std::string out;
    table.print({40, false}, true, out);
    QCOMPARE(QString::fromStdString(out), QStringLiteral("a  c\n1  3\n"));
  }

  void shortensTheWidestIds() {
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Middle, 8},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Whole}});
    table.add({{"0123456789012345678901234567890123456789"}, {"kept whole"}});
    std::string out;
    table.print({30, false}, false, out);
    QCOMPARE(QString::fromStdString(out), QStringLiteral("01234567…123456789  kept whole\n"));
  }

  void coloursOnlyWhenAsked() {
    QCOMPARE(paint("x", Ink::Red, {80, false}), std::string("x"));
    QCOMPARE(paint("x", Ink::Red, {80, true}), std::string("\x1b[1;31mx\x1b[0m"));
    QCOMPARE(paint("", Ink::Red, {80, true}), std::string());
  }

  void groupsNumbers() {
    QCOMPARE(groupedNumber(0), std::string("0"));
    QCOMPARE(groupedNumber(999), std::string("999"));
    QCOMPARE(groupedNumber(1000), std::string("1,000"));
    QCOMPARE(groupedNumber(1234567), std::string("1,234,567"));
    QCOMPARE(counted(1, "case", "cases"), std::string("1 case"));
    QCOMPARE(counted(2000, "case", "cases"), std::string("2,000 cases"));
  }
};

QTEST_APPLESS_MAIN(TstTextTable)
#include "tst_text_table.moc"
