// SPDX-License-Identifier: GPL-3.0-or-later
// BAI2 as rows: funds types, continuations, totals, and what is broken.
#include <QTemporaryDir>
#include <QTest>

#include "importers/bank/bank_format.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/transcoded.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

Transcoded bai2(const std::string& text, std::size_t step = 4096) {
  return transcoded(bank::makeBai2Transcoder(), text, step);
}

std::string account(const std::string& details,
                    const std::string& group = "02,US,BANK,1,260302,2400,EUR,2/") {
  return "01,BANK,US,260303,0600,1,,,2/\n" + group + "\n03,A1,,010,1000,,,015,900,,/\n" + details +
         "49,1900,9/\n98,1900,1,4/\n99,1900,1,6/\n";
}

}  // namespace

class TstBai2 : public QObject {
  Q_OBJECT

 private slots:
  void details_data() {
    QTest::addColumn<QString>("record");
    QTest::addColumn<QString>("expected");  // type direction amount funds valued bank customer text
    QTest::newRow("wire") << "495,00010,,B1,c1,text, with 08/18/26 in it/"
                          << "495|debit|10|||B1|c1|text, with 08/18/26 in it";
    QTest::newRow("value dated") << "195,+5,V,260304,1200,B1,c1,t/"
                                 << "195|credit|5|V|2026-03-04|B1|c1|t";
    QTest::newRow("three availabilities") << "195,5,S,1,2,2,B1,c1,t/"
                                          << "195|credit|5|S||B1|c1|t";
    QTest::newRow("distributed") << "195,5,D,2,0,1,1,4,B1,c1,t/"
                                 << "195|credit|5|D||B1|c1|t";
    QTest::newRow("no text") << "475,5,Z,B1/"
                             << "475|debit|5|Z||B1||";
    QTest::newRow("loan") << "721,5,0,B1/"
                          << "721|unknown|5|0||B1||";
    QTest::newRow("note") << "890,,,,,hello/"
                          << "890|none|0|||||hello";
    QTest::newRow("a bank's own debit") << "960,5,,,,/"
                                        << "960|debit|5|||||";
    QTest::newRow("zeros only") << "475,000,,B1/"
                                << "475|debit|0|||B1||";
  }
  void details() {
    QFETCH(QString, record);
    QFETCH(QString, expected);
    const auto read = bai2(account("16," + record.toStdString() + "\n"));
    QCOMPARE(read.error, ""s);
    std::string found;
    for (const char* const name : {"type", "direction", "amount", "funds_type", "valued",
                                   "bank_reference", "customer_reference", "remittance"}) {
      found += read.rows.at(0).at(name) + "|";
    }
    found.pop_back();
    QCOMPARE(QString::fromStdString(found), expected);
    QCOMPARE(read.rows[0].at("booked"), "2026-03-02"s);
  }

  void continuationsAndTheFactsOfTheAccount() {
    const auto read = bai2(
        "01,BANK,US,260303,0600,1,,,2/\n02,US,BANK,1,260302,2400,EUR,2/\n03,A1,,010,1000,,/"
        "\n88,015,900,,,100,5,1,/\n"
        "16,495,100,,B1,c1,first\n88,EREF: e1\n88:CRNM: "
        "Acme\n\n49,1900,6/\n98,1900,1,8/\n99,1900,1,10/\n");
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.lines(), "5 9 10 11"s);
    QCOMPARE(read.rows[0].at("remittance"), "first EREF: e1 CRNM: Acme"s);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"account", "A1"},         {"currency", "EUR"},       {"opening", "1000"},
        {"closing", "900"},        {"declared_credits", "5"}, {"declared_total", "1900"},
        {"declared_records", "6"}, {"check", "agrees"},       {"bank", "BANK"}};
    for (const auto& [name, value] : expected)
      QCOMPARE(read.rows[1].at("statement." + name), value);
    QCOMPARE(read.all("statement.level"), " account group file"s);
  }

  void groupsSayWhatTheirEntriesAreWorth() {
    const auto status = [](const std::string& group) {
      return bai2(account("16,495,1,,,,/\n", "02,US,BANK," + group + "/")).rows.at(0).at("status");
    };
    QCOMPARE(status("1,260302,,EUR,2"), "BOOK"s);
    QCOMPARE(status("1,260302,,EUR,"), "BOOK"s);
    QCOMPARE(status("1,260302,,EUR,3"), "interim"s);
    QCOMPARE(status("2,260302,,EUR,2"), "deletion"s);
    QCOMPARE(status("3,260302,,EUR,2"), "correction"s);
    QCOMPARE(status("4,260302,,EUR,2"), "test"s);
  }

  void piecesOfAnySizeGiveTheSame() {
    const std::string text = account("16,495,1,,B,c,text\n88,more\nno record\n16,4x5,1,,,,/\n");
    const auto whole = bai2(text, text.size());
    QCOMPARE(whole.error, ""s);
    QCOMPARE(whole.all("row"), "entry ! ! statement statement statement"s);
    for (const std::size_t step : {1u, 5u, 33u}) QCOMPARE(bai2(text, step).text, whole.text);
  }

  void aFileThatIsCutOffIsNeverWhole() {
    const std::string text = account("16,495,1,,B,c,text/\n");
    QCOMPARE(bai2(text).error, ""s);
    for (std::size_t size = 0; size < text.find("\n99,") + 3; ++size)
      QVERIFY2(!bai2(text.substr(0, size)).error.empty(), std::to_string(size).c_str());
    QVERIFY(bai2(text.substr(0, text.find("49,")))
                .error.find("cut off: the account that begins in line 3 has no trailer (49)") !=
            std::string::npos);
    QCOMPARE(bai2(text + text).error, ""s);  // two files put together
  }

  void anAccountWithoutItsTrailerIsTold() {
    std::string text = account("16,495,1,,B,c,text/\n");
    text.erase(text.find("49,"), text.find("98,") - text.find("49,"));
    const auto read = bai2(text);
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("row"), "entry ! statement statement statement"s);
  }

  void brokenEntries_data() {
    QTest::addColumn<QString>("record");
    QTest::addColumn<QString>("column");
    QTest::newRow("type-of-two-digits") << "49,5,,/"
                                        << "type";
    QTest::newRow("amount-with-point") << "495,5.00,,/"
                                       << "amount";
    QTest::newRow("no-amount") << "495,,,/"
                               << "amount";
    QTest::newRow("unknown-funds-type") << "495,5,Q,/"
                                        << "funds type";
    QTest::newRow("value-dated-without-date") << "495,5,V,,,/"
                                              << "funds type";
    QTest::newRow("distribution-without-count") << "495,5,D,x,/"
                                                << "funds type";
  }
  void brokenEntries() {
    QFETCH(QString, record);
    QFETCH(QString, column);
    const auto read = bai2(account("16," + record.toStdString() + "\n16,495,7,,,,/\n"));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("amount"), "! 7   "s);
    QCOMPARE(read.rows[0].at("column"), column.toStdString());
  }

  void whatCannotBeReadNamesTheLine() {
    QVERIFY(bai2("01,a/\n02,b,c,1,269999,,/\n03,A/\n")
                .error.find("line 2: '269999' is no as-of date") == 0);
    QVERIFY(
        bai2("01,a/\n16,495,1/\n99,/\n").error.find("line 2: an entry (16) before its account") ==
        0);
    QCOMPARE(bai2("88,a/\n").rows.at(0).at("reason"), "a continuation (88) of no record"s);
    QVERIFY(
        bai2(account("") + "16,495,1/\n").error.find("a record behind the end of the file (99)") !=
        std::string::npos);
  }

  void amountsAreMinorUnitsOfTheCurrency() {
    QTemporaryDir folder;
    const std::string text = account("16,495,1234,,B1,c1,/\n");
    std::string yen = text;
    yen.replace(yen.find("03,A1,,"), 7, "03,A1,JPY,");
    const auto read = scanned({sourceOf(writeFile(folder.path().toStdString(), "x.bai", text), ""),
                               sourceOf(writeFile(folder.path().toStdString(), "y.txt", yen), "")});
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->reports.at(0).format, "bank.bai2"s);
    QCOMPARE(read->keys(), "c1:1234 c1:1234"s);
    QCOMPARE(std::get<Effect>(read->records.at(1)).amount->currency.text(), "JPY"s);
  }
};

QTEST_APPLESS_MAIN(TstBai2)
#include "tst_bai2.moc"
