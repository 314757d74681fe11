// SPDX-License-Identifier: GPL-3.0-or-later
// What statements say of themselves and does not hold, as findings of a night.
#include <QTest>

#include "core/run/statement_findings.h"
#include "tests/core/support/records.h"
#include "tests/core/support_run/engine_night.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

FileReport fileOf(const std::string& path, int firstHour, int lastHour) {
  FileReport report;
  report.path = path;
  report.from = Instant{std::chrono::hours(firstHour)};
  report.to = Instant{std::chrono::hours(lastHour)};
  return report;
}

FileReport withBalance(FileReport report, const std::string& opening, const std::string& closing,
                       const std::string& group = "KES") {
  report.balances.push_back({"balance", group, opening, closing});
  return report;
}

std::vector<Finding> findingsOf(const std::vector<FileReport>& reports) {
  std::vector<const FileReport*> files;
  for (const FileReport& report : reports) files.push_back(&report);
  return statementFindings("source till", files, 3);
}

}  // namespace

class TstStatementFindings : public QObject {
  Q_OBJECT

 private slots:
  void whatHoldsIsNotTold() {
    FileReport report = fileOf("a.csv", 1, 2);
    report.checks.push_back({"net", "consistency_break", 7, 0, {}, "not checked: …"});
    QVERIFY(findingsOf({report}).empty());
  }

  void aBreakIsToldWithItsPlaces() {
    FileReport first = fileOf("a.csv", 1, 2), second = fileOf("b.csv", 3, 4);
    first.checks.push_back(
        {"net", "consistency_break", 7, 1, {{9, "comes to 24, the row says 23.05"}}, ""});
    second.checks.push_back({"net", "consistency_break", 5, 2, {{2, "x"}, {0, "y"}}, ""});
    const auto findings = findingsOf({second, first});
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings[0].code, "consistency_break"s);
    QCOMPARE(findings[0].subject, "source till, check net"s);
    QCOMPARE(findings[0].count, std::int64_t{3});
    QCOMPARE(findings[0].seen,
             "`net` does not hold in 3 of 12; a.csv:9: comes to 24, the row says 23.05."s);
    const std::vector<std::string> examples = {"a.csv:9: comes to 24, the row says 23.05",
                                               "b.csv:2: x", "b.csv: y"};
    QVERIFY(findings[0].examples == examples);
  }

  void balancesGoOnFromFileToFile() {
    const auto monday = withBalance(fileOf("1.csv", 1, 20), "10", "15");
    QVERIFY(findingsOf({withBalance(fileOf("2.csv", 25, 40), "15", "12.50"), monday}).empty());
    const auto findings =
        findingsOf({withBalance(fileOf("2.csv", 25, 40), "15.01", "12.50"), monday});
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings[0].code, "continuity_break"s);
    QCOMPARE(
        findings[0].seen,
        "`balance` does not go on from file to file in 1 place; KES: 1.csv closes at 15, 2.csv opens at 15.01."s);
  }

  void filesThatOverlapTellNothing() {
    const auto monday = withBalance(fileOf("1.csv", 1, 20), "10", "15");
    const auto again = withBalance(fileOf("1b.csv", 10, 22), "12", "17");
    QVERIFY(findingsOf({monday, again}).empty());
    QCOMPARE(findingsOf({monday, again, withBalance(fileOf("2.csv", 25, 40), "18", "19")}).size(),
             std::size_t{1});
    QVERIFY(findingsOf({monday, again, withBalance(fileOf("2.csv", 25, 40), "17", "19")}).empty());
  }

  void withoutTimesThereIsNoOrder() {
    FileReport noTime = withBalance(fileOf("2.csv", 0, 0), "1", "2");
    noTime.from = noTime.to = std::nullopt;
    QVERIFY(findingsOf({withBalance(fileOf("1.csv", 1, 20), "10", "15"), noTime}).empty());
  }

  /// Daily statements have days, and a day without entries has no record.
  void daysOfStatementsPutFilesInOrder() {
    const auto of = [](const std::string& path, const std::string& opening, const std::string& closing,
                       const std::string& from, const std::string& to) {
      FileReport report;
      report.path = path;
      report.balances.push_back({"balances", "A1 EUR", opening, closing, from, to});
      return report;
    };
    const auto first = of("1.xml", "10", "15", "2026-03-01", "2026-03-01");
    const auto empty = of("2.xml", "15", "15", "2026-03-02", "2026-03-02");
    const auto third = of("3.xml", "15", "9", "2026-03-03", "2026-03-04");
    QVERIFY(findingsOf({third, first, empty}).empty());
    const auto gap = of("3.xml", "14", "9", "2026-03-03", "2026-03-04");
    const auto findings = findingsOf({gap, first, empty});
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings[0].seen,
             "`balances` does not go on from file to file in 1 place; A1 EUR: 2.xml closes at 15, 3.xml opens at 14."s);
    // Whether a file of the same day overlaps cannot be told; several of one day may stand in any order.
    QVERIFY(findingsOf({first, of("2.xml", "11", "15", "2026-03-01", "2026-03-02")}).empty());
    const auto later = of("0.xml", "15", "12", "2026-03-01", "2026-03-01");
    QVERIFY(findingsOf({first, later, of("2.xml", "12", "12", "2026-03-02", "2026-03-02")}).empty());
    QCOMPARE(findingsOf({first, later, of("2.xml", "13", "12", "2026-03-02", "2026-03-02")}).size(), std::size_t{1});
  }

  /// The days of balances count, not those of the records: a statement may begin with a fee.
  void daysGoBeforeTimesOfRecords() {
    auto week = fileOf("week.xml", 1, 2), day = fileOf("day.xml", 40, 41);
    week.balances.push_back({"balances", "A1", "10", "30", "1970-01-01", "1970-01-07"});
    day.balances.push_back({"balances", "A1", "12", "14", "1970-01-02", "1970-01-02"});
    QVERIFY(findingsOf({week, day}).empty());
  }

  void otherGroupsAreOtherBalances() {
    QVERIFY(findingsOf({withBalance(fileOf("1.csv", 1, 20), "10", "15"),
                        withBalance(fileOf("2.csv", 25, 40), "3", "4", "UGX")})
                .empty());
  }

  void aNightWithABreakIsIncomplete() {
    EngineNight night;
    night.options.mayBeEmpty = {"skips", "claims", "intents", "outbox", "dlq", "second"};
    night.prepare = [](MemoryInput& input) {
      input.adjustReports = [](std::vector<FileReport>& reports) {
        reports[0].checks.push_back(
            {"net", "consistency_break", 2, 1, {{3, "comes to 1, the row says 2"}}, ""});
      };
    };
    night.add(attempt("k").job("j"), effect("e").key("k"));
    const EngineRun run = night.run();
    QVERIFY(!run.result.complete);
    QCOMPARE(exitCodeOf(run.result, Severity::None, true), 3);
    night.options.acceptFindings = {"consistency_break"};
    QVERIFY(night.run().result.complete);
  }
};

QTEST_APPLESS_MAIN(TstStatementFindings)
#include "tst_statement_findings.moc"
