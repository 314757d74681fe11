// SPDX-License-Identifier: GPL-3.0-or-later
// What bank files say of themselves: control totals of trailers, and balances that go on from
// statement to statement. Each where it holds, where a bank counts in its own way, and broken.
#include <QTemporaryDir>
#include <QTest>

#include "tests/importers/scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// "records 4/1 [8: …]" of the checks that were tried, and "check group: opening > closing, days".
std::string told(const FileReport& report) {
  std::string all;
  for (const StatementCheck& check : report.checks) {
    if (check.tried == 0 && check.breaks == 0) continue;
    all += (all.empty() ? "" : " | ") + check.name + " " + std::to_string(check.tried) + "/" +
           std::to_string(check.breaks);
    for (const StatementExample& example : check.examples)
      all += " [" + std::to_string(example.line) + ": " + example.seen + "]";
  }
  return all;
}

std::string balancesOf(const FileReport& report) {
  std::string all;
  for (const StatementBalance& balance : report.balances) {
    all += (all.empty() ? "" : " | ") + balance.group + ": " + balance.opening + " > " +
           balance.closing + ", " + balance.from + " > " + balance.to;
  }
  return all;
}

/// 010 + 015 + 100 + 400 + the details: 1000 + 880 + 50 + 170 + 120 + 50 + 50 = 2320.
const std::string kAccount =
    "03,A1,EUR,010,1000,,,015,880,,/\n"
    "88,100,50,1,,400,170,2,/\n"
    "16,495,120,,W1,pay-1,Wire/\n"
    "88,EREF: pay-1\n"
    "16,475,50,Z,W2,,Check/\n"
    "16,195,50,,W3,,Wire in/\n"
    "49,2320,7/\n";
const std::string kTotals =
    "03,A2,EUR,010,-30,,,015,-30,,/\n"
    "49,-60,2/\n";

std::string bai2(std::string accounts, const std::string& group = "98,2260,2,11/",
                 const std::string& file = "99,2260,1,13/") {
  return "01,BANK,US,260303,0600,1,,,2/\n02,US,BANK,1,260302,2400,EUR,2/\n" + accounts + group +
         "\n" + file + "\n";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

std::string camt(const std::string& inside, const std::string& day = "2026-03-02") {
  return "<?xml version=\"1.0\"?>\n<Document "
         "xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\">"
         "<BkToCstmrStmt><Stmt><Id>S-" +
         day + "</Id><Acct><Id><IBAN>NL02TEST01</IBAN></Id></Acct>\n" + inside +
         "</Stmt></BkToCstmrStmt></Document>\n";
}

std::string camtBalance(const std::string& code, const std::string& amount,
                        const std::string& day) {
  return "<Bal><Tp><CdOrPrtry><Cd>" + code + "</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">" + amount +
         "</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>" + day + "</Dt></Dt></Bal>\n";
}

std::string camtEntry(const std::string& amount, const std::string& direction,
                      const std::string& day, const std::string& status = "BOOK") {
  return "<Ntry><Amt Ccy=\"EUR\">" + amount + "</Amt><CdtDbtInd>" + direction +
         "</CdtDbtInd><Sts><Cd>" + status + "</Cd></Sts><BookgDt><Dt>" + day +
         "</Dt></BookgDt></Ntry>\n";
}

std::string summary(const std::string& count, const std::string& sum, const std::string& credits,
                    const std::string& debits) {
  return "<TxsSummry><TtlNtries><NbOfNtries>" + count + "</NbOfNtries><Sum>" + sum +
         "</Sum></TtlNtries><TtlCdtNtries><Sum>" + credits +
         "</Sum></TtlCdtNtries><TtlDbtNtries><Sum>" + debits +
         "</Sum></TtlDbtNtries></TxsSummry>\n";
}

std::string mt940(const std::string& opening, const std::string& lines,
                  const std::string& closing) {
  return ":20:S\n:25:NL02TEST01\n:28C:1\n:60F:" + opening + "\n" + lines + ":62F:" + closing + "\n";
}

}  // namespace

class TstBankTotals : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;
  int m_files = 0;

  std::unique_ptr<Scanned> scan(const std::string& text) {
    const std::string name = "f" + std::to_string(++m_files);
    return scanned({sourceOf(writeFile(m_folder.path().toStdString(), name, text), "")});
  }

 private slots:
  void trailersOfBai2_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& text, const std::string& expected) {
      QTest::newRow(name) << QString::fromStdString(text) << QString::fromStdString(expected);
    };
    const std::string good = "balances 2/0 | control_totals 4/0 | records 4/0 | parts 2/0";
    row("right", bai2(kAccount + kTotals), good);
    row("signs and zeros", bai2(replaced(kAccount, "49,2320", "49,+000002320") + kTotals), good);
    row("details alone",
        bai2(replaced(kAccount, "49,2320", "49,220") + kTotals, "98,160,2,11/", "99,160,1,13/"),
        good);
    row("group without its accounts", bai2(kAccount + kTotals, "98,2260,11,/"),
        "balances 2/0 | control_totals 4/0 | records 4/0 | parts 1/0");
    row("a record is missing", bai2(replaced(kAccount, "16,475,50,Z,W2,,Check/\n", "") + kTotals),
        "balances 2/0 | control_totals 4/1 [8: comes to 2270, the row says 2320] | "
        "records 4/3 [8: comes to 6, the row says 7] [11: comes to 10, the row says 11] "
        "[12: comes to 12, the row says 13] | parts 2/0");
    row("an account is missing", bai2(kAccount),
        "balances 1/0 | control_totals 3/1 [10: comes to 2320, the row says 2260] | "
        "records 3/2 [10: comes to 9, the row says 11] [11: comes to 11, the row says 13] | "
        "parts 2/1 [10: comes to 1, the row says 2]");
    row("an amount was changed", bai2(replaced(kAccount, "16,495,120", "16,495,121") + kTotals),
        "balances 2/0 | control_totals 4/1 [9: comes to 2321, the row says 2320] | records 4/0 | "
        "parts 2/0");
    row("no number", bai2(replaced(kAccount, "49,2320", "49,23x0") + kTotals),
        "balances 2/0 | control_totals 2/1 [9: '23x0' in `statement.declared_total` is no number "
        "that can be read] | "
        "records 4/0 | parts 2/0");
    row("what cannot be read has no total",
        bai2(replaced(kAccount, "16,475,50,", "16,475,5x0,") + kTotals),
        "balances 2/0 | control_totals 1/0 | records 1/0");
    row("a correction is no next day",
        bai2(kAccount + kTotals) +
            replaced(bai2(kAccount + kTotals), "02,US,BANK,1,", "02,US,BANK,3,"),
        "balances 2/0 | control_totals 8/0 | records 8/0 | parts 4/0");
  }
  void trailersOfBai2() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto read = scan(text.toStdString());
    QCOMPARE(QString::fromStdString(read->error), QString());
    QCOMPARE(QString::fromStdString(read->reports.at(0).format), QStringLiteral("bank.bai2"));
    QCOMPARE(QString::fromStdString(told(read->reports.at(0))), expected);
    for (const StatementCheck& check : read->reports.at(0).checks) {
      const bool isBalance = check.name == "balances";
      QCOMPARE(check.finding, isBalance ? "continuity_break"s : "control_total_break"s);
    }
  }

  void summariesOfCamt_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& totals, const std::string& expected) {
      const std::string entries = camtEntry("10.00", "CRDT", "2026-03-02") +
                                  camtEntry("4.50", "DBIT", "2026-03-02") +
                                  camtEntry("7.00", "DBIT", "2026-03-02", "PDNG");
      QTest::newRow(name) << QString::fromStdString(camt(totals + entries))
                          << QString::fromStdString(expected);
    };
    const std::string good = "entries 1/0 | credits 1/0 | debits 1/0 | total 1/0";
    row("with what is pending", summary("3", "21.50", "10", "11.5"), good);
    row("booked alone", summary("2", "14.50", "10.00", "4.50"), good);
    row("one too many", summary("4", "21.50", "10.00", "11.50"),
        "entries 1/1 [7: comes to 3, the row says 4] | credits 1/0 | debits 1/0 | total 1/0");
    row("sums", summary("3", "21.51", "10.01", "11.49"),
        "entries 1/0 | credits 1/1 [7: comes to 10, the row says 10.01] | "
        "debits 1/1 [7: comes to 11.50, the row says 11.49] | total 1/1 [7: comes to 21.50, the "
        "row says 21.51]");
    row("none is told", "", "");
  }
  void summariesOfCamt() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(told(scan(text.toStdString())->reports.at(0))), expected);
  }

  /// A batch is one entry in the bank's own totals, whatever it is split into.
  void aBatchCountsOnce() {
    const std::string part = "<TxDtls><Amt Ccy=\"EUR\">5.00</Amt></TxDtls>";
    const std::string batch = replaced(camtEntry("10.00", "DBIT", "2026-03-02"), "</Ntry>",
                                       "<NtryDtls>" + part + part + "</NtryDtls></Ntry>");
    QCOMPARE(told(scan(camt(summary("1", "10", "0", "10") + batch))->reports.at(0)),
             "entries 1/0 | credits 1/0 | debits 1/0 | total 1/0"s);
  }

  void sumsOfMt942() {
    const std::string lines =
        ":61:260302D15,NTRFa\n:61:260302RC5,NTRFb\n:61:260302ED2,NTRFc\n:61:260302C7,50NTRFd\n";
    const auto sums = [&](const std::string& debits, const std::string& credits) {
      return told(scan(":20:I\n:25:X\n:28C:1\n:34F:EURD0,\n:13D:2603021200+0100\n" + lines +
                       ":90D:2EUR" + debits + "\n:90C:2EUR" + credits + "\n-\n")
                      ->reports.at(0));
    };
    QCOMPARE(sums("20,", "7,50"), "credits 1/0 | debits 1/0"s);   // RC takes money: a debit
    QCOMPARE(sums("22,", "7,50"), "credits 1/0 | debits 1/0"s);   // with what is only expected
    QCOMPARE(sums("17,", "12,50"), "credits 1/0 | debits 1/0"s);  // by the marks
    QCOMPARE(sums("20,01", "7,50"),
             "credits 1/0 | debits 1/1 [12: comes to 22, the row says 20.01]"s);
  }

  void balancesTellTheirDays() {
    const std::string day = camtBalance("OPBD", "100.00", "2026-03-02") +
                            camtBalance("CLBD", "88.00", "2026-03-02") +
                            camtEntry("12.00", "DBIT", "2026-03-02");
    QCOMPARE(balancesOf(scan(camt(day))->reports.at(0)),
             "NL02TEST01 EUR: 100 > 88, 2026-03-02 > 2026-03-02"s);
    const std::string two = mt940("C260301EUR10,", ":61:260302D4,NTRFa\n", "C260302EUR6,") +
                            mt940("C260302EUR6,", "", "C260303EUR6,");
    const auto read = scan(two);
    QCOMPARE(told(read->reports.at(0)), "balances 2/0"s);
    QCOMPARE(balancesOf(read->reports.at(0)), "NL02TEST01 EUR: 10 > 6, 2026-03-01 > 2026-03-03"s);
    QCOMPARE(
        balancesOf(scan(bai2(kAccount + kTotals))->reports.at(0)),
        "A1 EUR: 1000 > 880, 2026-03-02 > 2026-03-02 | A2 EUR: -30 > -30, 2026-03-02 > 2026-03-02"s);
  }

  void aStatementThatIsMissingBetweenTwoIsTold() {
    const std::string two = mt940("C260301EUR10,", ":61:260302D4,NTRFa\n", "C260302EUR6,") +
                            mt940("C260303EUR5,", "", "C260304EUR5,");
    QCOMPARE(told(scan(two)->reports.at(0)),
             "balances 2/1 [11: NL02TEST01 EUR stood at 6, this row begins at 5]"s);
  }

  /// An interim report has no closing balance, and an account without both says nothing.
  void whatHasNotBothBalancesTakesNoPart() {
    const std::string interim =
        camtBalance("OPBD", "100.00", "2026-03-02") + camtEntry("12.00", "DBIT", "2026-03-02");
    QCOMPARE(balancesOf(scan(camt(interim))->reports.at(0)), ""s);
    const std::string account = "03,A1,EUR,040,1000,,,045,880,,/\n49,1880,2/\n";
    const auto read = scan(bai2(account, "98,1880,1,4/", "99,1880,1,6/"));
    QCOMPARE(told(read->reports.at(0)), "control_totals 3/0 | records 3/0 | parts 2/0"s);
  }
};

QTEST_APPLESS_MAIN(TstBankTotals)
#include "tst_bank_totals.moc"
