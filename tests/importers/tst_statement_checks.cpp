// SPDX-License-Identifier: GPL-3.0-or-later
// Files that say something about themselves: each check with a file where it holds, and one where
// it does not by the smallest amount.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

#include "importers/mapping/exact_number.h"
#include "tests/importers/scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::string kColumns = "id,at,type,status,gross,fee,net,balance,currency,batch,open,close\n";

struct Line {
  std::string gross = "10.00", fee = "0.50", net = "9.50", balance = {};
  std::string type = "charge", status = "ok", currency = "USD", batch = "7", open = {}, close = {};
};

std::string textOf(int i, const Line& line) {
  return "t" + std::to_string(i) + ",2026-04-07T10:00:" + std::to_string(10 + i % 50) + "Z," +
         line.type + "," + line.status + "," + line.gross + "," + line.fee + "," + line.net + "," +
         line.balance + "," + line.currency + "," + line.batch + "," + line.open + "," +
         line.close + "\n";
}

std::string fileOf(const std::vector<Line>& lines) {
  std::string text = kColumns;
  for (std::size_t i = 0; i < lines.size(); ++i) text += textOf(static_cast<int>(i), lines[i]);
  return text;
}

/// A mapping with these checks; payouts and fees are no effects.
std::string mappingWith(const std::string& checks,
                        const std::string& layout = R"({"decimal": "."})") {
  return R"({"record": "effect", "layout": )" + layout +
         R"(, "fields": {"effect_id": "id", "created": "at",
    "kind": {"column": "type", "words": {"forward": ["charge"], "reversal": ["refund"], "fee": ["fee"],
             "other": ["payout"]}},
    "status": {"value": "live"}, "amount": {"column": "gross", "negative": "drop"}, "currency": "currency"},
    "checks": )" +
         checks + "}";
}

const std::string kNet =
    R"({"net": {"row": ["gross", {"column": "fee", "negate": true}], "is": "net"}})";
const std::string kBalance =
    R"({"balance": {"moved": "net", "balance": "balance", "per": "currency"}})";
const std::string kBatch =
    R"({"batch": {"sum": "net", "per": "batch", "when_has": {"column": "type", "is": "payout"}}})";

/// "net 3/1 line 4: …; …" of each check.
std::string told(const FileReport& report) {
  std::string all;
  for (const StatementCheck& check : report.checks) {
    all += all.empty() ? "" : " | ";
    all += check.name + " " + std::to_string(check.tried) + "/" + std::to_string(check.breaks);
    for (const StatementExample& example : check.examples) {
      all += " [" + std::to_string(example.line) + ": " + example.seen + "]";
    }
    if (!check.remark.empty()) all += " (" + check.remark + ")";
  }
  return all;
}

Line moved(const std::string& net, const std::string& balance,
           const std::string& currency = "USD") {
  Line line;
  line.net = net;
  line.balance = balance;
  line.currency = currency;
  return line;
}

}  // namespace

class TstStatementChecks : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  int m_files = 0;

  std::unique_ptr<Scanned> scan(const std::string& bytes, const std::string& mapping,
                                FileInputOptions options = {}, unsigned threads = 2,
                                const std::string& ending = ".csv") {
    const std::string path =
        writeFile(m_folder.path().toStdString(), "f" + std::to_string(m_files++) + ending, bytes);
    SourceSpec source = sourceOf(path, "");
    auto spec = testing::mappingOf(mapping);
    if (spec == nullptr) qFatal("a mapping that is refused");
    source.mappings = {spec};
    return scanned({source}, std::move(options), threads);
  }
  std::string check(const std::string& bytes, const std::string& checks) {
    return checkBy(bytes, mappingWith(checks));
  }
  std::string checkBy(const std::string& bytes, const std::string& mapping,
                      const std::string& ending = ".csv") {
    const auto read = scan(bytes, mapping, {}, 2, ending);
    if (!read->error.empty()) return read->error;
    return told(read->reports.at(0));
  }

 private slots:
  void numbers_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("comma");
    QTest::addColumn<QString>("value");
    QTest::newRow("plain") << "1250.5" << false << "1250.50";
    QTest::newRow("negative") << "-0.05" << false << "-0.05";
    QTest::newRow("six decimals") << "179.473813" << false << "179.473813";
    QTest::newRow("nine decimals") << "0.000000001" << false << "0.000000001";
    QTest::newRow("ten decimals") << "0.0000000001" << false << "none";
    QTest::newRow("ten decimals, the last ones zero") << "1.0000000000" << false << "1";
    QTest::newRow("grouped") << "1,234,567.80" << false << "1234567.80";
    QTest::newRow("a comma tells itself") << "1.234,56" << false << "1234.56";
    QTest::newRow("a point tells itself") << "1,234.56" << true << "1234.56";
    QTest::newRow("either, by the column: point") << "1.234" << false << "1.234";
    QTest::newRow("either, by the column: comma") << "1.234" << true << "1234";
    QTest::newRow("brackets and sign") << "($33.62)" << false << "-33.62";
    QTest::newRow("exponent") << "1.5e3" << false << "1500";
    QTest::newRow("eighteen digits")
        << "999999999999999999.999999999" << false << "999999999999999999.999999999";
    QTest::newRow("nineteen digits") << "1000000000000000000" << false << "none";
    QTest::newRow("no number") << "abc" << false << "none";
    QTest::newRow("a date") << "2026-04-07" << false << "none";
    QTest::newRow("blank") << "" << false << "none";
  }
  void numbers() {
    QFETCH(QString, text);
    QFETCH(bool, comma);
    QFETCH(QString, value);
    const auto number =
        parseExact(text.toStdString(), comma ? DecimalSign::Comma : DecimalSign::Point);
    QCOMPARE(number ? QString::fromStdString(exactText(*number)) : "none", value);
  }

  void rows() {
    QCOMPARE(check(fileOf({Line(), Line()}), kNet), "net 2/0"s);
    Line off;
    off.net = "9.49";
    QCOMPARE(check(fileOf({Line(), off}), kNet), "net 2/1 [3: comes to 9.50, the row says 9.49]"s);
    const std::string lax =
        R"({"net": {"row": ["gross", {"column": "fee", "negate": true}], "is": "net", "tolerance": "0.01"}})";
    QCOMPARE(check(fileOf({Line(), off}), lax), "net 2/0"s);
    off.net = "9.489999999";
    QCOMPARE(check(fileOf({off}), lax), "net 1/1 [2: comes to 9.50, the row says 9.489999999]"s);
  }

  void digitsBelowTheMinorUnitCount() {
    Line fine;
    fine.gross = "3.287193";
    fine.fee = "0.068128";
    fine.net = "3.219065";
    QCOMPARE(check(fileOf({fine}), kNet), "net 1/0"s);
    fine.net = "3.219064";
    QCOMPARE(check(fileOf({fine}), kNet), "net 1/1 [2: comes to 3.219065, the row says 3.219064]"s);
  }

  void rowsThatAreNoEffectsCount() {
    Line payout, unknown;
    payout.type = "payout";
    payout.net = "9.49";
    unknown.type = "riddle";  // quarantined
    unknown.net = "9.48";
    const auto read = scan(fileOf({payout, unknown, Line()}), mappingWith(kNet));
    QCOMPARE(read->reports.at(0).excluded, std::uint64_t{1});
    QCOMPARE(read->reports.at(0).quarantined, std::uint64_t{1});
    QCOMPARE(
        told(read->reports.at(0)),
        "net 3/2 [2: comes to 9.50, the row says 9.49] [3: comes to 9.50, the row says 9.48]"s);
  }

  void rowsWithoutTheNumbersTakeNoPart() {
    Line blank;
    blank.net = "";
    QCOMPARE(check(fileOf({blank, Line()}), kNet), "net 1/0"s);
    QCOMPARE(check(fileOf({blank}), kNet), "net 0/0 (not checked: no row has the numbers for it)"s);
  }

  void whatIsNoNumberIsABreak() {
    Line odd;
    odd.net = "9.5O";
    QCOMPARE(check(fileOf({odd}), kNet),
             "net 0/1 [2: '9.5O' in `net` is no number that can be read]"s);
    odd.net = "12345678901234567890.00";
    QVERIFY(check(fileOf({odd}), kNet).find("is no number that can be read") != std::string::npos);
  }

  void groupsComeToZero() {
    Line payout;
    payout.type = "payout";
    payout.net = "-19.00";
    Line other;
    other.batch = "8";  // an open batch has no payout
    QCOMPARE(check(fileOf({Line(), other, payout, Line()}), kBatch), "batch 1/0"s);
    payout.net = "-19.01";
    QCOMPARE(check(fileOf({other, Line(), payout, Line()}), kBatch),
             "batch 1/1 [3: 7 comes to -0.01, not 0]"s);
  }

  void groupsComeToWhatARowOfThemSays() {
    const std::string payouts = R"({"payout": {"per": "batch",
      "sum": {"column": "net", "when": {"column": "type", "not": "payout"}},
      "is": {"column": "net", "absolute": true, "when": {"column": "type", "is": "payout"}}}})";
    Line payout;
    payout.type = "payout";
    payout.net = "-19.00";
    Line other;
    other.batch = "8";
    QCOMPARE(check(fileOf({Line(), other, payout, Line()}), payouts), "payout 1/0"s);
    payout.net = "19.00";
    QCOMPARE(check(fileOf({Line(), payout, Line()}), payouts), "payout 1/0"s);
    payout.net = "18.99";
    QCOMPARE(check(fileOf({Line(), payout, Line()}), payouts),
             "payout 1/1 [2: 7 comes to 19, not 18.99]"s);
  }

  void balancesForwardAndBackward() {
    std::vector<Line> lines = {moved("5.00", "15.00"), moved("-3.00", "12.00"),
                               moved("1.25", "13.25")};
    QCOMPARE(check(fileOf(lines), kBalance), "balance 3/0"s);
    std::reverse(lines.begin(), lines.end());
    QCOMPARE(check(fileOf(lines), kBalance), "balance 3/0"s);
    const auto read = scan(fileOf(lines), mappingWith(kBalance));
    const std::vector<StatementBalance> expected = {{"balance", "USD", "10", "13.25"}};
    QVERIFY(read->reports.at(0).balances == expected);
  }

  void aMissingRowIsAGap() {
    const std::vector<Line> lines = {moved("5.00", "15.00"), moved("1.25", "13.25"),
                                     moved("1.00", "14.25")};
    QCOMPARE(check(fileOf(lines), kBalance),
             "balance 3/1 [3: USD stood at 15, this row begins at 12]"s);
  }

  void twoMissingRowsThatCancelAreTwoGaps() {
    // Missing: +50 behind the first row, -50 behind the third.
    const std::vector<Line> lines = {moved("5.00", "15.00"), moved("1.00", "66.00"),
                                     moved("1.00", "67.00"), moved("1.00", "18.00")};
    QCOMPARE(
        check(fileOf(lines), kBalance),
        "balance 4/2 [3: USD stood at 15, this row begins at 65] [5: USD stood at 67, this row begins at 17]"s);
  }

  void rowsOfOneMomentInAnotherOrder() {
    std::vector<Line> lines;
    for (int i = 1; i <= 20; ++i) lines.push_back(moved("1.00", std::to_string(10 + i) + ".00"));
    std::swap(lines[7], lines[8]);
    QCOMPARE(check(fileOf(lines), kBalance), "balance 20/0"s);
    std::swap(lines[0], lines[1]);
    std::swap(lines[18], lines[19]);
    QCOMPARE(check(fileOf(lines), kBalance), "balance 20/0"s);
  }

  void rowsInNoOrder() {
    std::vector<Line> lines;
    for (int i = 1; i <= 60; ++i) lines.push_back(moved("1.00", std::to_string(10 + i) + ".00"));
    std::shuffle(lines.begin(), lines.end(), std::mt19937(3));
    QCOMPARE(check(fileOf(lines), kBalance), "balance 60/0"s);
    std::erase_if(lines, [](const Line& line) { return line.balance == "40.00"; });
    QVERIFY(check(fileOf(lines), kBalance).rfind("balance 59/0", 0) != 0);
  }

  void balancesByCurrency() {
    const std::vector<Line> lines = {moved("5.00", "15.00"), moved("7.00", "7.00", "EUR"),
                                     moved("1.00", "16.00"), moved("-7.00", "0.01", "EUR")};
    QCOMPARE(check(fileOf(lines), kBalance),
             "balance 4/1 [5: EUR stood at 7, this row begins at 7.01]"s);
  }

  void rowsWithoutABalanceMoveIt() {
    const std::vector<Line> lines = {moved("5.00", ""), moved("1.00", "16.00"), moved("2.00", ""),
                                     moved("1.00", "19.00"), moved("0.50", "")};
    QCOMPARE(check(fileOf(lines), kBalance), "balance 2/0"s);
    const auto read = scan(fileOf(lines), mappingWith(kBalance));
    const std::vector<StatementBalance> expected = {{"balance", "USD", "10", "19.50"}};
    QVERIFY(read->reports.at(0).balances == expected);
  }

  void rowsThatDoNotFitTakeNoPart() {
    Line failed = moved("99.00", "15.00");
    failed.status = "failed";
    const std::string checks =
        R"({"balance": {"moved": "net", "balance": "balance", "when": {"column": "status", "not": "failed"}}})";
    QCOMPARE(check(fileOf({moved("5.00", "15.00"), failed, moved("1.00", "16.00")}), checks),
             "balance 2/0"s);
  }

  void openingAndClosingOfTheRows() {
    const std::string checks =
        R"({"day": {"moved": "net", "opening": "open", "closing": "close", "per": "currency"}})";
    Line first, second;
    first.open = second.open = "100.00";
    first.close = second.close = "119.00";
    QCOMPARE(check(fileOf({first, second}), checks), "day 1/0"s);
    first.close = second.close = "119.01";
    QCOMPARE(check(fileOf({first, second}), checks),
             "day 1/1 [2: USD opens at 100, 19 moved, and closes at 119.01, not 119]"s);
    second.close = "119.00";
    QCOMPARE(check(fileOf({first, second}), checks),
             "day 0/1 [2: USD has several opening or closing balances: they need \"per\"]"s);
  }

  void openingAndClosingAboveTheRows() {
    const std::string checks = R"({"balance": {"moved": "net", "balance": "balance",
      "opening": {"line": "Opening:,[^0-9]?([0-9.,]*[0-9]).*"}, "closing": {"line": "Closing:,([0-9.]+)$"}}})";
    const std::string rows = fileOf({moved("5.00", "1005.00"), moved("1.00", "1006.00")});
    QCOMPARE(check("Opening:,\"1,000.00\",,Closing:,1006.00\n\n" + rows, checks),
             "balance 2/0 | balance, opening and closing 1/0"s);
    QCOMPARE(
        check("Opening:,\"1,000.00\",,Closing:,1006.01\n\n" + rows, checks),
        "balance 2/0 | balance, opening and closing 1/1 [4: opens at 1000, 6 moved, and closes at 1006.01, not 1006]"s);
    QCOMPARE(
        check("Opening:,999.99\n\n" + rows, checks),
        "balance 2/0 | balance, opening and closing 1/1 [4: opens at 999.99, by its rows at 1000]"s);
    QCOMPARE(
        check(rows, checks),
        "balance 2/0 | balance, opening and closing 0/0 (not checked: the file does not state them)"s);
  }

  void countAndTotalBehindTheRows() {
    const std::string checks =
        R"({"rows": {"count": "rows", "is": {"line": "^END;([0-9]+);"}, "when": {"column": "type", "not": "payout"}},
      "total": {"sum": "gross", "is": {"line": "^END;[0-9]+;([0-9.]+)$"}}})";
    const std::string layout = R"({"decimal": ".", "footer": "re:^END;"})";
    Line payout;
    payout.type = "payout";
    const std::string rows = fileOf({Line(), payout, Line()});
    QCOMPARE(checkBy(rows + "END;2;30.00\n", mappingWith(checks, layout)), "rows 1/0 | total 1/0"s);
    QCOMPARE(checkBy(rows + "END;3;30.01", mappingWith(checks, layout)),
             "rows 1/1 [0: has 2 rows, the file says 3] | total 1/1 [0: comes to 30, not 30.01]"s);
    QVERIFY(
        checkBy(rows, mappingWith(checks, layout)).find("does not state what it should come to") !=
        std::string::npos);
    const auto read = scan(rows + "END;3;30.01", mappingWith(checks, layout));
    QCOMPARE(read->reports.at(0).checks.at(0).finding, "control_total_break"s);
  }

  void aFileWithoutRowsHasNone() {
    const std::string checks = R"({"rows": {"count": "rows", "is": {"line": "^END;([0-9]+)$"}}})";
    const std::string layout = R"({"decimal": ".", "footer": "re:^END;"})";
    QCOMPARE(checkBy(kColumns + "END;0\n", mappingWith(checks, layout)), "rows 1/0"s);
    QCOMPARE(checkBy(kColumns + "END;1\n", mappingWith(checks, layout)),
             "rows 1/1 [0: has 0 rows, the file says 1]"s);
  }

  void valuesOfAJsonDocument() {
    const std::string mapping = R"({"record": "effect", "layout": {"rows": "/rows"},
      "fields": {"effect_id": "id", "created": "at", "amount": {"column": "net.value", "negative": "drop"}, "currency": {"value": "EUR"}},
      "checks": {"total": {"sum": "net.value", "is": {"pointer": "/total"}},
                 "count": {"count": "rows", "is": {"pointer": "/count"}}}})";
    const auto text = [](const std::string& total) {
      return R"({"count": 2, "total": )" + total + R"(, "rows": [
        {"id": "a", "at": "2026-04-07T10:00:00Z", "net": {"value": "-0.0609"}},
        {"id": "b", "at": "2026-04-07T10:00:00Z", "net": {"value": 1.06}}]})";
    };
    QCOMPARE(checkBy(text("0.9991"), mapping, ".json"), "total 1/0 | count 1/0"s);
    QCOMPARE(checkBy(text("\"0.9990\""), mapping, ".json"),
             "total 1/1 [0: comes to 0.9991, not 0.999] | count 1/0"s);
  }

  void decimalCommas() {
    Line line;
    line.gross = "\"1.234,50\"";
    line.fee = "\"0,50\"";
    line.net = "1.234";  // by the other amounts, thousands
    QCOMPARE(checkBy(fileOf({line}), mappingWith(kNet, "{}")), "net 1/0"s);
    line.net = "1.235";
    QCOMPARE(checkBy(fileOf({line}), mappingWith(kNet, "{}")),
             "net 1/1 [2: comes to 1234, the row says 1235]"s);
  }

  void neitherChunksNorThreadsMatter() {
    const std::string checks =
        R"({"net": {"row": ["gross", {"column": "fee", "negate": true}], "is": "net"},
      "balance": {"moved": "net", "balance": "balance", "per": "currency"}, "batch": {"sum": "net", "per": "batch"}})";
    std::vector<Line> lines;
    std::mt19937 random(11);
    long balance = 0;
    for (int i = 0; i < 3000; ++i) {
      Line line;
      const long net = static_cast<long>(random() % 900) + (i % 700 == 0 ? 1 : 0);
      const auto money = [](long minor) {
        const std::string cents = std::to_string(minor % 100);
        return std::to_string(minor / 100) + "." + (cents.size() < 2 ? "0" : "") + cents;
      };
      line.gross = money(net + 50);
      line.net = i % 997 == 5 ? money(net + 1) : money(net);
      balance += net + (i % 1013 == 17 ? 5 : 0);
      line.balance = i % 9 == 3 ? "" : money(balance);
      line.batch = std::to_string(random() % 40);
      lines.push_back(line);
    }
    for (const bool isBackward : {false, true}) {
      if (isBackward) std::reverse(lines.begin(), lines.end());
      const std::string bytes = fileOf(lines);
      const std::string expected = told(scan(bytes, mappingWith(checks), {}, 1)->reports.at(0));
      QVERIFY(expected.rfind("net 3000/4 ", 0) == 0);
      for (const std::size_t chunk : {97u, 1000u, 4096u, 65536u}) {
        for (const unsigned threads : {1u, 4u}) {
          FileInputOptions options;
          options.chunkBytes = chunk;
          QCOMPARE(told(scan(bytes, mappingWith(checks), options, threads)->reports.at(0)),
                   expected);
        }
      }
    }
  }

  void tooManyGroupsAreThinnedAlike() {
    std::vector<Line> lines;
    for (int i = 0; i < 20000; ++i) {
      Line line;
      line.net = "0";
      line.batch = "b" + std::to_string(i * 7919 % 20000);
      lines.push_back(line);
    }
    const std::string checks = R"({"batch": {"sum": "net", "per": "batch"}})";
    const std::string bytes = fileOf(lines);
    const std::string expected = told(scan(bytes, mappingWith(checks), {}, 1)->reports.at(0));
    QVERIFY2(expected.find("only 1 of 4 was checked") != std::string::npos, expected.c_str());
    FileInputOptions options;
    options.chunkBytes = 20000;
    QCOMPARE(told(scan(bytes, mappingWith(checks), options, 4)->reports.at(0)), expected);
  }

  void mistakesAreRefused_data() {
    QTest::addColumn<QString>("checks");
    QTest::addColumn<QString>("message");
    QTest::newRow("a list") << "[]"
                            << "'checks' has to be an object";
    QTest::newRow("no kind") << "{'a': {'is': 'net'}}"
                             << "needs one of 'row', 'sum', 'count' and 'moved'";
    QTest::newRow("two kinds") << "{'a': {'row': 'gross', 'sum': 'net'}}"
                               << "has both 'row' and 'sum'";
    QTest::newRow("a member") << "{'a': {'row': 'gross', 'iss': 'net'}}"
                              << "unknown member 'iss', did you mean 'is'?";
    QTest::newRow("of another kind") << "{'a': {'row': 'gross', 'is': 'net', 'opening': 'open'}}"
                                     << "unknown member 'opening'";
    QTest::newRow("nothing to compare") << "{'a': {'row': 'gross'}}"
                                        << "needs 'is'";
    QTest::newRow("no balance") << "{'a': {'moved': 'net', 'opening': 'open'}}"
                                << "needs 'balance', or both";
    QTest::newRow("a count of what") << "{'a': {'count': 'files', 'is': 'net'}}"
                                     << "'count' can only be \"rows\"";
    QTest::newRow("negate") << "{'a': {'row': {'column': 'gross', 'negate': 'yes'}, 'is': 'net'}}"
                            << "'negate' is true or false";
    QTest::newRow("tolerance") << "{'a': {'row': 'gross', 'is': 'net', 'tolerance': -1}}"
                               << "not below zero";
    QTest::newRow("pattern") << "{'a': {'row': 'gross', 'is': {'line': '[x'}}}"
                             << "test.json";
    QTest::newRow("beside a line") << "{'a': {'row': 'gross', 'is': {'line': 'x', 'column': 'net'}}}"
                                   << "only one of 'column'";
    QTest::newRow("a finding") << "{'a': {'row': 'gross', 'is': 'net', 'finding': 'stale_source'}}"
                               << "'stale_source' is no finding of a check";
    QTest::newRow("finding of a count") << "{'a': {'count': 'rows', 'is': 'net', 'finding': 'x'}}"
                                        << "unknown member 'finding'";
    QTest::newRow("one day") << "{'a': {'moved': 'net', 'balance': 'balance', 'from': 'at'}}"
                             << "needs both 'from' and 'to'";
    QTest::newRow("unknown to leave out") << "{'a': null}"
                                          << "there is no check 'a'";
  }
  void mistakesAreRefused() {
    QFETCH(QString, checks);
    QFETCH(QString, message);
    const Result<JsonNode> node =
        parseJson(mappingWith(checks.replace('\'', '"').toStdString()), "test.json");
    QVERIFY(node.has_value());
    const auto mapping = parseMapping(*node);
    QVERIFY(!mapping.has_value());
    QVERIFY2(mapping.error().message.find(message.toStdString()) != std::string::npos,
             mapping.error().message.c_str());
  }

  void aBreakIsToldAsTheMappingSays() {
    const auto read = scan(fileOf({Line(), {"10.00", "0.50", "9.49"}}), mappingWith(
        R"({"net": {"row": ["gross", {"column": "fee", "negate": true}], "is": "net",
                    "finding": "control_total_break"}})"));
    QCOMPARE(read->reports.at(0).checks.at(0).finding, "control_total_break"s);
    QCOMPARE(read->reports.at(0).checks.at(0).breaks, std::uint64_t{1});
  }

  void aColumnThatTheFileLacks() {
    const std::string checks = R"({"net": {"row": "gross", "is": "nett"}})";
    QVERIFY(check(fileOf({Line()}), checks).find("no column 'nett'") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TstStatementChecks)
#include "tst_statement_checks.moc"
