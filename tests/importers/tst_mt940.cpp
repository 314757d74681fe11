// SPDX-License-Identifier: GPL-3.0-or-later
// MT940 and MT942 as rows: statement lines, their details, dialects, and what is broken.
#include <QTemporaryDir>
#include <QTest>

#include "importers/bank/bank_format.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/transcoded.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

Transcoded mt940(const std::string& text, std::size_t step = 4096) {
  return transcoded(bank::makeMt940Transcoder(), text, step);
}

const std::string kHead = ":20:S1\n:25:NL02TEST0123456789\n:28C:7/1\n:60F:C260301EUR100,00\n";
const std::string kTail = ":62F:C260302EUR75,00\n";

std::string entries(const std::string& text) {
  return kHead + text + kTail;
}

}  // namespace

class TstMt940 : public QObject {
  Q_OBJECT

 private slots:
  void statementLines_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>(
        "expected");  // valued booked direction reversal amount funds type customer bank
    QTest::newRow("usual") << "2603020301D25,00NTRFpo-1//B1"
                           << "2026-03-02 2026-03-01 debit false 25.00  NTRF po-1 B1";
    QTest::newRow("no entry date") << "260302C25,NTRFNONREF"
                                   << "2026-03-02  credit false 25  NTRF NONREF ";
    QTest::newRow("funds code") << "2603020302CR7,5N541EREF//"
                                << "2026-03-02 2026-03-02 credit false 7.5 R N541 EREF ";
    QTest::newRow("reversed debit") << "260302RD0,01NMSCx y//z"
                                    << "2026-03-02  debit true 0.01  NMSC x y z";
    QTest::newRow("reversed credit with funds code") << "260302RCR3,FCHGa"
                                                     << "2026-03-02  credit true 3 R FCHG a ";
    QTest::newRow("entry in the old year") << "2601021231D1,NTRFa"
                                           << "2026-01-02 2025-12-31 debit false 1  NTRF a ";
    QTest::newRow("entry in the new year") << "2512310102D1,NTRFa"
                                           << "2025-12-31 2026-01-02 debit false 1  NTRF a ";
    QTest::newRow("leap day") << "240229C000000000012,30NTRFa"
                              << "2024-02-29  credit false 000000000012.30  NTRF a ";
    QTest::newRow("last century") << "991231C1,NTRFa"
                                  << "1999-12-31  credit false 1  NTRF a ";
  }
  void statementLines() {
    QFETCH(QString, line);
    QFETCH(QString, expected);
    const auto read = mt940(entries(":61:" + line.toStdString() + "\n"));
    QCOMPARE(read.error, ""s);
    std::string found;
    for (const char* const name : {"valued", "booked", "direction", "reversal", "amount",
                                   "funds_type", "type", "customer_reference", "bank_reference"}) {
      found += (found.empty() ? "" : " ") + read.rows.at(0).at(name);
    }
    QCOMPARE(QString::fromStdString(found), expected);
  }

  void theStatementHasItsFacts() {
    const auto read =
        mt940(entries(":61:260302D25,00NTRFa\nsupplement\n") + ":64:C260302EUR70,00\n");
    QCOMPARE(read.all("row"), "entry statement"s);
    QCOMPARE(read.rows[0].at("info"), "supplement"s);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"id", "S1"},
        {"account", "NL02TEST0123456789"},
        {"number", "7/1"},
        {"opening", "100.00"},
        {"opening_date", "2026-03-01"},
        {"currency", "EUR"},
        {"closing", "75.00"},
        {"closing_date", "2026-03-02"},
        {"available", "70.00"},
        {"entries", "1"},
        {"debits", "25"},
        {"check", "agrees"}};
    for (const auto& [name, value] : expected)
      QCOMPARE(read.rows[1].at("statement." + name), value);
  }

  void details_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>(
        "expected");  // end to end | counterparty | account | remittance | reference | returned
    QTest::newRow("numbered")
        << "166?00SEPA?109?20EREF+e-1?21SVWZ+Rent of?22March?30BIC?31DE02?32Name of\n?33 two"
        << "e-1|Name of two|DE02|Rent of March||";
    QTest::newRow("numbered, a purpose in full pieces") << "020?20123456789012345678901234567?21890"
                                                        << "|||123456789012345678901234567890||";
    QTest::newRow("numbered, tags in one piece")
        << "116?20EREF+e-2 MREF+m SVWZ+text with EREF inside"
        << "e-2|||text with EREF inside||";
    QTest::newRow("code words")
        << "/TRTP/SEPA/EREF/e-3//CNTP/DE02/TESTDEFF/Acme/Town/\n//REMI/USTD//Order 3/"
        << "e-3|Acme|DE02|Order 3||";
    QTest::newRow("code words, wrapped") << "/EREF/e-\n4/NAME/Acme/IBAN/DE02/REMI/STRD/CUR/90012/"
                                         << "e-4|Acme|DE02||90012|";
    QTest::newRow("returned") << "/RTRN/MS03//EREF/e-5/"
                              << "e-5|||||MS03";
    QTest::newRow("free text") << "Payment\nof a bill"
                               << "|||Payment of a bill||";
    QTest::newRow("free text with a date") << "020 is no code 20"
                                           << "|||020 is no code 20||";
  }
  void details() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto read = mt940(entries(":61:260302D25,00NTRFa\n:86:" + text.toStdString() + "\n"));
    QCOMPARE(read.error, ""s);
    std::string found;
    for (const char* const name : {"end_to_end_id", "counterparty", "counterparty_account",
                                   "remittance", "remittance_reference", "return_reason"}) {
      found += read.rows.at(0).at(name) + "|";
    }
    found.pop_back();
    QCOMPARE(QString::fromStdString(found), expected);
  }

  void envelopesHeadersAndSeveralStatements() {
    const auto read =
        mt940("{1:F01X}{2:O940X}{4:\r\n" + entries(":61:260302D25,00NTRFa\n") + "-}{5:}\r\n" +
              "ABNANL2A\n940\nABNANL2A\n" + entries(":61:260302D25,00NTRFb\n") + "-\n");
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("customer_reference"), "a  b "s);
    QCOMPARE(read.all("row"), "entry statement entry statement"s);
    QCOMPARE(read.lines(), "6 8 16 18"s);
  }

  void linesAreThoseOfTheFileWhateverEndsThem() {
    const std::string text = entries(":61:260302D50,00NTRFa\n:86:x\n:61:260302C25,00NTRFb\n");
    for (const char* const end : {"\n", "\r\n", "\r"}) {
      std::string other;
      for (const char c : text) other += c == '\n' ? std::string(end) : std::string(1, c);
      QCOMPARE(mt940(other).lines(), "5 7 8"s);
      QCOMPARE(mt940(other, 1).text, mt940(other).text);
    }
  }

  void anInterimReportIsPending() {
    const auto read = mt940(
        ":20:I\n:25:X\n:28C:1\n:34F:EURD0,\n:13D:2603021200+0100\n:61:260302D15,NTRFa\n:90D:1EUR15,"
        "\n");
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.rows[0].at("status"), "interim"s);
    QCOMPARE(read.rows[0].at("currency"), "EUR"s);
    QCOMPARE(read.rows[1].at("statement.format"), "mt942"s);
    QCOMPARE(read.rows[1].at("statement.declared_debits"), "15"s);
  }

  void aFileThatIsCutOffIsNeverWhole() {
    const std::string text = entries(":61:260302D25,00NTRFa\n:86:x\n");
    for (std::size_t size = 1; size < text.size() - kTail.size(); ++size) {
      QVERIFY2(!mt940(text.substr(0, size)).error.empty(), std::to_string(size).c_str());
    }
    QVERIFY(mt940(kHead).error.find(
                "line 4: cut off: the statement that begins in line 1 has no closing balance") ==
            0);
    QVERIFY(mt940("{1:}{4:\n:20:I\n:25:X\n:34F:EURD0,\n").error.find("has no end (-})") !=
            std::string::npos);
  }

  void aStatementWithoutItsEndIsTold() {
    const auto read = mt940(kHead + ":61:260302D25,00NTRFa\n" + entries(":61:260302D25,00NTRFb\n"));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("row"), "entry ! statement entry statement"s);
  }

  void brokenLines_data() {
    QTest::addColumn<QString>("line");
    QTest::newRow("no-such-day") << "260230D1,NTRFa";
    QTest::newRow("letters-for-a-date") << "26030xD1,NTRFa";
    QTest::newRow("entry-date-of-no-month") << "2603021302D1,NTRFa";
    QTest::newRow("no-mark") << "260302X1,NTRFa";
    QTest::newRow("no-amount") << "260302DNTRFa";
    QTest::newRow("two-commas") << "260302D1,2,3NTRFa";
    QTest::newRow("blank") << "";
  }
  void brokenLines() {
    QFETCH(QString, line);
    const auto read = mt940(entries(":61:260302D1,NTRFa\n:61:" + line.toStdString() +
                                    "\n:86:details\n:61:260302D2,NTRFb\n"));
    QCOMPARE(read.error, ""s);
    QCOMPARE(read.all("amount"), "1 ! 2 "s);
    QCOMPARE(read.lines().substr(0, 5), "5 6 8"s);
  }

  void whatCannotBeReadNamesTheLine() {
    QVERIFY(mt940(":20:a\n:60F:X\n").error.find("line 2: ':60F:X' is no balance") == 0);
    QVERIFY(mt940(":61:260302D1,NTRFa\n").error.find("line 1: a field :61: before the :20:") == 0);
    QVERIFY(mt940(kHead + ":61:260302D1,NTRFa\n:86:" + std::string(100000, 'x'))
                .error.find("longer than 65536 bytes") != std::string::npos);
    std::string many = kHead + ":61:260302D1,NTRFa\n";
    for (int i = 0; i < 2000; ++i) many += ":86:x\n";
    QVERIFY(mt940(many).error.find("lines of :86: for one entry") != std::string::npos);
  }

  void filesAreFoundByLooking() {
    QTemporaryDir folder;
    const std::string text =
        "940 header of a bank\n" + entries(":61:260302D25,00NTRFpo-1//B1\n:86:Caf\xE9\n");
    const auto read =
        scanned({sourceOf(writeFile(folder.path().toStdString(), "x.txt", text), "")});
    QCOMPARE(read->reports.at(0).problem, ""s);
    QCOMPARE(read->reports.at(0).format, "bank.mt940"s);
    QCOMPARE(read->keys(), "po-1:2500"s);
    QVERIFY(read->input->rawText(read->sink.slims.at(0).ref).find("Café") != std::string::npos);
    QCOMPARE(read->input->lineOf(read->sink.slims.at(0).ref), std::uint64_t{6});
  }
};

QTEST_APPLESS_MAIN(TstMt940)
#include "tst_mt940.moc"
