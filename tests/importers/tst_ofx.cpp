// SPDX-License-Identifier: GPL-3.0-or-later
// OFX as rows: SGML and XML, times, and what is broken.
#include <QTemporaryDir>
#include <QTest>

#include "importers/bank/bank_format.h"
#include "importers/bank/ofx_values.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/transcoded.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

Transcoded ofx(const std::string& text, std::size_t step = 4096) {
  return transcoded(bank::makeOfxTranscoder(), text, step);
}

std::string statement(const std::string& entries) {
  return "OFXHEADER:100\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR\n<"
         "BANKACCTFROM><BANKID>B<ACCTID>A1</BANKACCTFROM>\n"
         "<BANKTRANLIST>\n" +
         entries +
         "</BANKTRANLIST><LEDGERBAL><BALAMT>-5,5<DTASOF>20260303</LEDGERBAL></STMTRS></STMTTRNRS></"
         "BANKMSGSRSV1></OFX>\n";
}

std::string entry(const std::string& values) {
  return "<STMTTRN>" + values + "</STMTTRN>\n";
}

}  // namespace

class TstOfx : public QObject {
  Q_OBJECT

 private slots:
  void times_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("iso");
    QTest::newRow("day") << "20260302"
                         << "2026-03-02";
    QTest::newRow("time") << "20260302173000"
                          << "2026-03-02T17:30:00Z";
    QTest::newRow("no seconds") << "202603021730"
                                << "2026-03-02T17:30:00Z";
    QTest::newRow("fraction and zone") << "20260302120000.000[-5:EST]"
                                       << "2026-03-02T12:00:00.000-05:00";
    QTest::newRow("half hours as a decimal") << "20260302120000[5.5:IST]"
                                             << "2026-03-02T12:00:00+05:30";
    QTest::newRow("half hours as minutes") << "20260302120000[+5.30:IST]"
                                           << "2026-03-02T12:00:00+05:30";
    QTest::newRow("zone without a name") << "20260302120000[0]"
                                         << "2026-03-02T12:00:00+00:00";
    QTest::newRow("no such day") << "20260230"
                                 << "";
    QTest::newRow("no such hour") << "20260302250000"
                                  << "";
    QTest::newRow("no such offset") << "20260302120000[-5.77:X]"
                                    << "";
    QTest::newRow("short") << "2026030"
                           << "";
    QTest::newRow("other signs") << "2026-03-02"
                                 << "";
  }
  void times() {
    QFETCH(QString, written);
    QFETCH(QString, iso);
    QCOMPARE(QString::fromStdString(bank::isoTime(written.toStdString()).value_or("")), iso);
  }

  void entitiesAreCharacters() {
    QCOMPARE(bank::withoutEntities("a &amp; b &lt;c&gt; &#233;&#x20AC; &unknown; &"),
             "a & b <c> é€ &unknown; &"s);
    QCOMPARE(bank::withoutEntities("&#0;&#xD800;&#99999999;"), "&#0;&#xD800;&#99999999;"s);
  }

  void unclosedAndClosedValuesAreTheSame() {
    const auto open =
        ofx(statement(entry("\n<TRNTYPE>DEBIT\n<DTPOSTED>20260302\n<TRNAMT>-41,50\n<FITID>F1\n<"
                            "NAME>A < B\n<MEMO>m\n")));
    const auto closed = ofx(statement(
        entry("\n<TRNTYPE>DEBIT</TRNTYPE>\n<DTPOSTED>20260302</DTPOSTED>\n<TRNAMT>-41,50</"
              "TRNAMT>\n<FITID>F1</FITID>\n<NAME>A &lt; B</NAME>\n<MEMO>m</MEMO>\n")));
    QCOMPARE(open.error, ""s);
    QCOMPARE(open.text, closed.text);
    QCOMPARE(open.rows.at(0).at("amount"), "41.50"s);
    QCOMPARE(open.rows.at(0).at("direction"), "debit"s);
    QCOMPARE(open.rows.at(0).at("counterparty"), "A < B"s);
    QCOMPARE(open.rows.at(0).at("statement.account"), "A1"s);
    QCOMPARE(open.rows.at(1).at("statement.closing"), "-5.5"s);
    QCOMPARE(open.lines(), "7 15"s);
  }

  void piecesOfAnySizeGiveTheSame() {
    const std::string text =
        statement(entry("<TRNTYPE>DEBIT<DTPOSTED>20260302<TRNAMT>-1<NAME>a<b") +
                  entry("<TRNTYPE>FEE<DTPOSTED>x<TRNAMT>-1"));
    const auto whole = ofx(text, text.size());
    QCOMPARE(whole.error, ""s);
    for (const std::size_t step : {1u, 5u, 33u}) QCOMPARE(ofx(text, step).text, whole.text);
  }

  void cardsCurrenciesAndPendingEntries() {
    const auto read =
        ofx("<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>C1</"
            "CCACCTFROM><BANKTRANLIST>" +
            entry("<TRNTYPE>POS<DTPOSTED>20260302<TRNAMT>-1<FITID>1<CURRENCY><CURRATE>1<CURSYM>EUR<"
                  "/CURRENCY>") +
            entry("<TRNTYPE>POS<DTPOSTED>20260302<TRNAMT>-2<FITID>1<ORIGCURRENCY><CURSYM>GBP</"
                  "ORIGCURRENCY>") +
            "</"
            "BANKTRANLIST><BANKTRANLISTP><DTASOF>20260303<STMTTRNP><TRNTYPE>POS<DTTRAN>20260303<"
            "TRNAMT>-3<NAME>x</STMTTRNP></BANKTRANLISTP>"
            "</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>");
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("currency"), "EUR USD USD "s);
    QCOMPARE(read.all("status"), "BOOK BOOK PDNG "s);
    QCOMPARE(read.all("reference"), "1   "s);
    QCOMPARE(read.all("statement.account"), "C1 C1 C1 C1"s);
  }

  void brokenEntries_data() {
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("column");
    QTest::newRow("no-amount") << "<DTPOSTED>20260302"
                               << "TRNAMT";
    QTest::newRow("thousands-sign") << "<DTPOSTED>20260302<TRNAMT>1,234.50"
                                    << "TRNAMT";
    QTest::newRow("no-date") << "<TRNAMT>1"
                             << "DTPOSTED";
    QTest::newRow("no-such-day") << "<TRNAMT>1<DTPOSTED>20260230"
                                 << "DTPOSTED";
  }
  void brokenEntries() {
    QFETCH(QString, values);
    QFETCH(QString, column);
    const auto read =
        ofx(statement(entry(values.toStdString()) + entry("<DTPOSTED>20260302<TRNAMT>7")));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("amount"), "! 7 "s);
    QCOMPARE(read.rows[0].at("column"), column.toStdString());
  }

  void anInvestmentEntryIsTold() {
    const auto read =
        ofx("<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><INVTRANLIST><INVBANKTRAN>" +
            entry("<DTPOSTED>20260302<TRNAMT>7") +
            "</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>");
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("row"), "!"s);
  }

  void aFileThatIsCutOffIsNeverWhole() {
    const std::string text = statement(entry("<DTPOSTED>20260302<TRNAMT>7"));
    QCOMPARE(ofx(text).error, ""s);
    const std::size_t whole = text.find("</OFX>") + 6;
    for (std::size_t size = 0; size < whole; ++size)
      QVERIFY2(!ofx(text.substr(0, size)).error.empty(), std::to_string(size).c_str());
    QVERIFY(ofx(text.substr(0, text.find("</STMTTRN>")))
                .error.find("cut off: the file ends inside of <STMTTRN>, which begins in line 7") !=
            std::string::npos);
  }

  void whatIsTooLongIsRefused() {
    QVERIFY(ofx("<OFX><" + std::string(5000, 'a')).error.find("a tag of more than 1024 bytes") !=
            std::string::npos);
    QVERIFY(ofx("<OFX><NAME>" + std::string(100000, 'a'))
                .error.find("a value of more than 65536 bytes") != std::string::npos);
  }

  void filesAreFoundByLookingAndTheirCharsetIsRead() {
    QTemporaryDir folder;
    const std::string text =
        statement(entry("<TRNTYPE>DEBIT<DTPOSTED>20260302<TRNAMT>-7<FITID>1<NAME>Caf\xE9 \x80"));
    const auto read =
        scanned({sourceOf(writeFile(folder.path().toStdString(), "x.qfx", text), "")});
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->reports.at(0).format, "bank.ofx"s);
    QCOMPARE(std::get<Effect>(read->records.at(0)).customer, "Café €"s);
  }
};

QTEST_APPLESS_MAIN(TstOfx)
#include "tst_ofx.moc"
