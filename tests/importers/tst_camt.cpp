// SPDX-License-Identifier: GPL-3.0-or-later
// CAMT statements as rows: members, batches, lines, and what is broken.
#include <zlib.h>

#include <QTemporaryDir>
#include <QTest>

#include "importers/bank/bank_format.h"
#include "importers/input/inspect.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/transcoded.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

Transcoded camt(const std::string& text, std::size_t step = 4096) {
  return transcoded(bank::makeCamtTranscoder(), text, step);
}

std::string document(const std::string& statement, const std::string& version = "camt.053.001.08") {
  return "<?xml version=\"1.0\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:" + version +
         "\"><BkToCstmrStmt><Stmt><Id>S</Id><Acct><Id><IBAN>NL02TEST01</IBAN></Id></Acct>\n" +
         statement + "</Stmt></BkToCstmrStmt></Document>\n";
}

std::string entry(const std::string& amount, const std::string& rest,
                  const std::string& direction = "DBIT") {
  return "<Ntry><Amt Ccy=\"EUR\">" + amount + "</Amt><CdtDbtInd>" + direction +
         "</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>" + rest +
         "</Ntry>\n";
}

std::string balance(const std::string& code, const std::string& amount,
                    const std::string& indicator = "CRDT") {
  return "<Bal><Tp><CdOrPrtry><Cd>" + code + "</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">" + amount +
         "</Amt><CdtDbtInd>" + indicator + "</CdtDbtInd><Dt><Dt>2026-03-01</Dt></Dt></Bal>";
}

std::string transaction(const std::string& id, const std::string& amount,
                        const std::string& rest = "") {
  return "<TxDtls><Refs><EndToEndId>" + id + "</EndToEndId></Refs>" +
         (amount.empty() ? "" : "<Amt Ccy=\"EUR\">" + amount + "</Amt>") + rest + "</TxDtls>";
}

}  // namespace

class TstCamt : public QObject {
  Q_OBJECT

 private slots:
  void anEntryHasWhatItSays() {
    const auto read = camt(document(
        entry("54.50",
              "<RvslInd>false</RvslInd><ValDt><DtTm>2026-03-02T10:00:00+01:00</DtTm></"
              "ValDt><AcctSvcrRef>B-1</AcctSvcrRef>"
              "<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></"
              "Domn><Prtry><Cd>N1</Cd></Prtry></BkTxCd>"
              "<NtryDtls><TxDtls><Refs><InstrId>i1</InstrId><EndToEndId>e1</EndToEndId><TxId>t1</"
              "TxId><MndtId>m1</MndtId>"
              "<ClrSysRef>c1</ClrSysRef></Refs><AmtDtls><InstdAmt><Amt "
              "Ccy=\"USD\">60</Amt></InstdAmt></AmtDtls>"
              "<RltdPties><Dbtr><Nm>Us</Nm></Dbtr><Cdtr><Pty><Nm>A &amp; "
              "\"B\"</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>DE02</IBAN></Id></CdtrAcct></RltdPties>"
              "<RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd><Strd><CdtrRefInf><Ref>RF1</Ref></"
              "CdtrRefInf></Strd></RmtInf>"
              "</TxDtls></NtryDtls><AddtlNtryInf>info</AddtlNtryInf>")));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("row"), "entry statement"s);
    const TranscodedRow& row = read.rows[0];
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"amount", "54.50"},
        {"currency", "EUR"},
        {"direction", "debit"},
        {"reversal", "false"},
        {"status", "BOOK"},
        {"booked", "2026-03-02"},
        {"valued", "2026-03-02T10:00:00+01:00"},
        {"reference", "B-1"},
        {"type", "PMNT/ICDT/ESCT"},
        {"type_proprietary", "N1"},
        {"instruction_id", "i1"},
        {"end_to_end_id", "e1"},
        {"transaction_id", "t1"},
        {"mandate_id", "m1"},
        {"clearing_reference", "c1"},
        {"instructed_amount", "60"},
        {"instructed_currency", "USD"},
        {"counterparty", "A & \"B\""},
        {"counterparty_account", "DE02"},
        {"remittance", "one two"},
        {"remittance_reference", "RF1"},
        {"info", "info"},
        {"statement.account", "NL02TEST01"},
        {"statement.format", "camt.053.001.08"},
        {"statement.id", "S"}};
    for (const auto& [name, value] : expected)
      QVERIFY2(row.at(name) == value, (name + " is " + row.at(name)).c_str());
  }

  void whatComesBackNamesTheOtherSide() {
    const std::string parties =
        "<RltdPties><Dbtr><Nm>Us</Nm></Dbtr><Cdtr><Nm>Them</Nm></Cdtr></RltdPties>";
    const auto read = camt(document(
        entry("1", "<NtryDtls><TxDtls>" + parties + "</TxDtls></NtryDtls>") +
        entry("1", "<NtryDtls><TxDtls>" + parties + "<RtrInf/></TxDtls></NtryDtls>", "CRDT") +
        entry("1", "<RvslInd>true</RvslInd><NtryDtls><TxDtls>" + parties + "</TxDtls></NtryDtls>",
              "CRDT")));
    QCOMPARE(read.all("counterparty"), "Them Them Them "s);
    QCOMPARE(read.all("reversal"), "false false true "s);
    QCOMPARE(read.rows[1].at("return_reason"), "returned"s);
  }

  void aBatchWithAmountsIsARowEachAndWhatIsLeft() {
    const auto read = camt(document(
        balance("OPBD", "100.00") + balance("CLBD", "40.00") +
        entry("60.00", "<AcctSvcrRef>B</AcctSvcrRef><NtryDtls><Btch><NbOfTxs>3</NbOfTxs></Btch>" +
                           transaction("w1", "10.00") + transaction("w2", "20.00") +
                           transaction("w3", "29.00") + "</NtryDtls>")));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("row"), "entry entry entry remainder statement"s);
    QCOMPARE(read.all("amount"), "10.00 20.00 29.00 1 "s);
    QCOMPARE(read.all("end_to_end_id"), "w1 w2 w3  "s);
    QCOMPARE(read.all("batch_number"), "1 2 3  "s);
    QCOMPARE(read.all("entry_reference"), "B B B B "s);
    QCOMPARE(read.all("reference"), "    "s);
    QCOMPARE(read.rows[4].at("statement.check"), "agrees"s);
  }

  void aBatchWithoutAmountsIsOneRow() {
    const auto read = camt(
        document(entry("60.00", "<AcctSvcrRef>B</AcctSvcrRef><NtryDtls>" + transaction("w1", "") +
                                    transaction("w2", "") + "</NtryDtls>") +
                 entry("7.00", "<NtryDtls>" + transaction("w3", "8.00") + "</NtryDtls>")));
    QCOMPARE(read.all("amount"),
             "60.00 7.00 "s);  // a single transaction is booked with the entry's amount
    QCOMPARE(read.all("end_to_end_id"), " w3 "s);
    QCOMPARE(read.all("batch_count"), "2  "s);
    QCOMPARE(read.rows[0].at("reference"), "B"s);
  }

  void aBatchThatIsMixedIsNotSilent() {
    const auto read = camt(document(entry("60.00", "<NtryDtls>" + transaction("w1", "10.00") +
                                                       transaction("w2", "") + "</NtryDtls>")));
    QCOMPARE(read.all("amount"), "10.00 ! 50 "s);
    QCOMPARE(read.all("row"), "entry ! remainder statement"s);
  }

  void aReferenceThatRepeatsIsNoReference() {
    const auto read = camt(document(entry("1", "<AcctSvcrRef>X</AcctSvcrRef>") +
                                    entry("2", "<AcctSvcrRef>X</AcctSvcrRef>") +
                                    entry("2", "<AcctSvcrRef>X</AcctSvcrRef>", "CRDT")));
    QCOMPARE(read.all("reference"), "X  X "s);
    QCOMPARE(read.all("bank_reference"), "X X X "s);
  }

  void balancesAreHeldAgainstTheEntries() {
    const auto check = [](const std::string& opening, const std::string& closing) {
      return camt(document(balance("OPBD", opening) + balance("CLBD", closing, "DBIT") +
                           entry("54.5", "")))
          .rows.back()
          .at("statement.check");
    };
    QCOMPARE(check("10.00", "44.50"), "agrees"s);
    QCOMPARE(check("10.00", "44.00"), "opening and entries make -44.5, closing is -44"s);
    QCOMPARE(check("10.00", "much"), ""s);
    const auto read = camt(document(balance("OPBD", "10") + balance("CLBD", "1") + entry("5", "")));
    QCOMPARE(read.all("row"), "entry ! statement"s);  // an entry is missing: never silently
    QCOMPARE(read.rows[1].at("value"), "opening and entries make 5, closing is 1"s);
  }

  void linesAreThoseOfTheFile() {
    QCOMPARE(camt(document("\n\n" + entry("1", "") + "\n" + entry("2", "\n\n"))).lines(),
             "5 7 10"s);
    QCOMPARE(camt(document("<Ntry/><Ntry/>")).lines(), "3 4 5"s);
  }

  void prefixesVersionsAndStatusForms() {
    const auto read = camt(
        "<n:Document "
        "xmlns:n=\"urn:iso:std:iso:20022:tech:xsd:camt.054.001.04\"><n:BkToCstmrDbtCdtNtfctn><n:"
        "Ntfctn><n:Ntry>"
        "<n:Amt "
        "Ccy=\"EUR\">1</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:Sts>PDNG</n:Sts></n:Ntry></"
        "n:Ntfctn></n:BkToCstmrDbtCdtNtfctn></n:Document>");
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.rows[0].at("status"), "PDNG"s);
    QCOMPARE(read.rows[0].at("statement.format"), "camt.054.001.04"s);
  }

  void piecesOfAnySizeGiveTheSame() {
    const std::string text = document(
        entry("1", "<NtryDtls>" + transaction("ä1", "1") + transaction("w2", "2") + "</NtryDtls>") +
        "<Ntry/>");
    const auto whole = camt(text, text.size());
    for (const std::size_t step : {1u, 7u, 64u}) QCOMPARE(camt(text, step).text, whole.text);
  }

  void aFileThatIsCutOffIsNeverWhole() {
    const std::string text =
        document(entry("1", "<NtryDtls>" + transaction("w1", "") + "</NtryDtls>") + entry("2", ""));
    QCOMPARE(camt(text).error, ""s);
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
      QVERIFY2(!camt(text.substr(0, size)).error.empty(), std::to_string(size).c_str());
    }
    QVERIFY(
        camt(text.substr(0, text.size() - 50)).error.find("cut off: the file ends inside of <") !=
        std::string::npos);
  }

  void brokenEntries_data() {
    QTest::addColumn<QString>("entryText");
    QTest::addColumn<QString>("column");
    QTest::newRow("no-amount") << "<Ntry><CdtDbtInd>DBIT</CdtDbtInd></Ntry>"
                               << "Amt";
    QTest::newRow("amount-with-sign") << QString::fromStdString(entry("-5", "")) << "Amt";
    QTest::newRow("amount-with-comma") << QString::fromStdString(entry("5,00", "")) << "Amt";
    QTest::newRow("no-currency") << "<Ntry><Amt>5</Amt><CdtDbtInd>DBIT</CdtDbtInd></Ntry>"
                                 << "Amt/@Ccy";
    QTest::newRow("no-direction") << QString::fromStdString(entry("5", "", "")) << "CdtDbtInd";
    QTest::newRow("odd-reversal") << QString::fromStdString(entry("5", "<RvslInd>maybe</RvslInd>"))
                                  << "RvslInd";
    QTest::newRow("no-such-day") << QString::fromStdString(
                                        entry("5", "<ValDt><Dt>2026-02-30</Dt></ValDt>"))
                                 << "ValDt";
  }
  void brokenEntries() {
    QFETCH(QString, entryText);
    QFETCH(QString, column);
    const auto read = camt(document(entry("1", "") + entryText.toStdString() + entry("2", "")));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("amount"), "1 ! 2 "s);
    QCOMPARE(read.rows[1].at("column"), column.toStdString());
  }

  void whatIsRefused() {
    const auto fault = [](const std::string& text) { return camt(text).error; };
    QVERIFY(
        fault("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>").find("line 1: a document type declaration") ==
        0);
    QVERIFY(fault(document("<a></b>")).find("line 3: no well-formed XML") == 0);
    std::string deep;
    for (int i = 0; i < 70; ++i) deep += "<a>";
    QVERIFY(fault(document(deep)).find("nested deeper than 64") != std::string::npos);
    std::string attributes = "<a";
    for (int i = 0; i < 40; ++i) attributes += " b" + std::to_string(i) + "=\"\"";
    QVERIFY(fault(document(attributes + "/>")).find("more than 32 attributes") !=
            std::string::npos);
    QVERIFY(fault(document("<!-- " + std::string(3u << 20, 'x')))
                .find("a tag or comment of more than") != std::string::npos);
    QVERIFY(
        fault(document(entry("1", "<AddtlNtryInf>" + std::string(70000, 'x') + "</AddtlNtryInf>")))
            .find("holds more than 65536 bytes") != std::string::npos);
    QVERIFY(fault(document("<Acct><Ownr><Nm>" + std::string(5000, 'x') + "</Nm></Ownr></Acct>"))
                .find("'owner' of the statement is longer") != std::string::npos);
  }

  void packedFilesAreFoundByLooking() {
    QTemporaryDir folder;
    const std::string text = document(entry("54.50", "<AcctSvcrRef>B-1</AcctSvcrRef><NtryDtls>" +
                                                         transaction("po-1", "") + "</NtryDtls>"));
    const std::string path = folder.path().toStdString() + "/day.dat.gz";
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    const auto read = scanned({sourceOf(path, "")});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->reports.at(0).format, "bank.camt"s);
    QCOMPARE(read->keys(), "po-1:5450"s);
    QVERIFY(read->reports.at(0).complete);
  }

  void aNamedEncodingIsRead() {
    QTemporaryDir folder;
    std::string text = document(entry("1", "<AcctSvcrRef>a</AcctSvcrRef>"));
    text.replace(0, 21, "<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?>");
    text.replace(text.find("<AcctSvcrRef>a"), 14, "<AcctSvcrRef>\xA4");
    const auto read =
        scanned({sourceOf(writeFile(folder.path().toStdString(), "latin.xml", text), "bank.camt")});
    QCOMPARE(read->records.size(), std::size_t{1});
    QCOMPARE(std::get<Effect>(read->records[0]).effectId, "€"s);
  }

  void aCutFileIsIncompleteAndABadEntryIsQuarantined() {
    QTemporaryDir folder;
    const std::string text = document("<Ntry/>\n" + entry("1", ""));
    const auto read = scanned({sourceOf(
        writeFile(folder.path().toStdString(), "cut.xml", text.substr(0, text.size() - 30)), "")});
    QCOMPARE(read->reports.at(0).format, "bank.camt"s);
    QVERIFY(!read->reports.at(0).complete);
    QVERIFY(read->reports.at(0).problem.find("cut off") != std::string::npos);
    QCOMPARE(read->rules(), "3:bad_entry"s);
  }

  void anotherFileIsRefusedByName() {
    QTemporaryDir folder;
    const auto read = scanned(
        {sourceOf(writeFile(folder.path().toStdString(), "a.csv", "a,b\n1,2\n"), "bank.camt")});
    QVERIFY(read->reports.at(0).problem.find("no CAMT.052, .053 or .054 (XML) file") !=
            std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TstCamt)
#include "tst_camt.moc"
