// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says of itself: rows close, what is incomplete is said, findings of the reading side, exit
// codes, stopping, and errors of what it is handed.
#include <QtTest>

#include "core/run/reading_findings.h"
#include "core/run/special_links.h"
#include "tests/core/support_run/engine_night.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const Finding* findingOf(const RunResult& result, std::string_view code) {
  for (const Finding& finding : result.findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

QString reasons(const RunResult& result) {
  QString text;
  for (const std::string& reason : result.incompleteBecause) text += QString::fromStdString(reason) + '\n';
  return text;
}

/// One matched pair, so that neither side is empty.
EngineNight pairNight() {
  EngineNight night;
  night.options.mayBeEmpty = {"skips", "claims", "intents", "outbox", "dlq", "second"};
  night.add(attempt("k").job("j"), effect("e").key("k"));
  return night;
}

QuarantinedRow badRow(std::uint64_t offset) {
  QuarantinedRow row;
  row.place = {kJobs, FileId{0}, offset, 0};
  row.line = offset;
  row.rule = "not_an_amount";
  return row;
}

}  // namespace

class TstRunResult : public QObject {
  Q_OBJECT

 private slots:
  void aWholeNightIsComplete() {
    const EngineRun run = pairNight().run();
    QVERIFY2(run.result.complete, qPrintable(reasons(run.result)));
    QCOMPARE(run.result.units, 1u);
    QCOMPARE(exitCodeOf(run.result, Severity::None, false), 0);
  }

  void rowsClose() {
    EngineNight night = pairNight();
    night.add(effect("e").key("k").source(kStatement).file(8));  // the same row in an overlapping export
    night.files.push_back(kStatement);
    const EngineRun run = night.run();
    const SourceReport& statement = run.result.sources[kStatement.value];
    QCOMPARE(statement.rows, 2u);
    QCOMPARE(statement.recorded, 1u);
    QCOMPARE(statement.repeated, 1u);
    QCOMPARE(statement.files.size(), std::size_t{2});
    QCOMPARE(statement.digest, "sha256:" + sha256Hex("sha256:1\nsha256:8"));
    QCOMPARE(run.result.sources[kJobs.value].digest, std::string("sha256:0"));
    QCOMPARE(run.result.proof[0].providerMinor, 1500);
    QCOMPARE(run.result.proof[0].unexplainedMinor, 0);
    QVERIFY(run.result.complete);
  }

  /// A broker in which nothing waits or is dead is no source that fell silent.
  void anEmptySnapshotIsNoFault() {
    EngineNight night = pairNight();
    night.policy.sources[kJobs.value].snapshot = true;
    night.all.erase(night.all.begin());
    for (const std::uint64_t bytes : {std::uint64_t{2}, std::uint64_t{0}}) {   // "[]", and a dump that failed
      night.prepare = [bytes](MemoryInput& input) {
        input.adjustReports = [bytes](std::vector<FileReport>& reports) { reports[0].bytes = bytes; };
      };
      QCOMPARE(night.run().result.complete, bytes > 0);
    }
  }

  void whatMakesARunIncomplete_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("reason");
    QTest::newRow("a file that is missing") << 0 << "source statement: no such file: s.csv";
    QTest::newRow("a file that is cut off") << 1 << "source jobs: file-0: cut off at line 7";
    QTest::newRow("no effect") << 2 << "source statement has no row that can be matched; say \"may_be_empty\": true if that is right";
    QTest::newRow("no attempt") << 3 << "source jobs has no row that can be matched; say \"may_be_empty\": true if that is right";
    QTest::newRow("a source without a file") << 4 << "source second has no file";
    QTest::newRow("quarantined rows") << 5 << "2 rows are quarantined, 1 are allowed (max_quarantined)";
    QTest::newRow("a control total") << 6 << "control_total_break (source statement): declared 3 rows, read 1.";
    QTest::newRow("a stale source") << 7 << "stale_source (source jobs): it reaches 2026-04-09T00:00:00Z, but has to reach 2026-04-09T01:00:00Z.";
  }
  void whatMakesARunIncomplete() {
    QFETCH(int, what);
    QFETCH(QString, reason);
    EngineNight night = pairNight();
    switch (what) {
      case 0:
        night.prepare = [](MemoryInput& input) {
          input.troubles.push_back({kStatement, {ErrorCode::Missing, "no such file: s.csv"}});
        };
        break;
      case 1:
        night.prepare = [](MemoryInput& input) {
          input.adjustReports = [](std::vector<FileReport>& reports) {
            reports[0].complete = false;
            reports[0].problem = "cut off at line 7";
          };
        };
        break;
      case 2: night.all.pop_back(); break;
      case 3: night.all.erase(night.all.begin()); break;
      case 4:
        night.files.pop_back();
        night.options.mayBeEmpty.pop_back();
        break;
      case 5:
        night.options.maxQuarantined = 1;
        night.prepare = [](MemoryInput& input) { input.quarantined = {badRow(5), badRow(3)}; };
        break;
      case 6: night.options.declared.push_back({kStatement, 3, {}}); break;
      case 7: night.options.mustReach.push_back({kJobs, atTime(49h)}); break;
      default: break;
    }
    const EngineRun run = night.run();
    QVERIFY(!run.result.complete);
    QCOMPARE(reasons(run.result), reason + '\n');
    QCOMPARE(exitCodeOf(run.result, Severity::None, false), 3);
    QCOMPARE(exitCodeOf(run.result, Severity::None, true), 3);
  }

  void whatWasNotReadIsNotJudgedAbsent_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("missing");
    QTest::addColumn<int>("unrecorded");
    QTest::newRow("all is read") << 0 << 1 << 1;
    QTest::newRow("the statement is missing") << 1 << 0 << 1;
    QTest::newRow("the statement is cut off") << 2 << 0 << 1;
    QTest::newRow("the jobs are cut off") << 3 << 1 << 0;
    QTest::newRow("another file of the provider is cut off") << 4 << 0 << 1;
    QTest::newRow("a log of skips is cut off") << 5 << 1 << 1;
  }
  void whatWasNotReadIsNotJudgedAbsent() {
    QFETCH(int, what);
    QFETCH(int, missing);
    QFETCH(int, unrecorded);
    EngineNight night = pairNight();
    night.add(attempt("l").job("i"), effect("f").key("x"));
    night.prepare = [what](MemoryInput& input) {
      if (what == 1) input.troubles.push_back({kStatement, {ErrorCode::Missing, "no such file: s.csv"}});
      if (what < 2) return;
      const std::size_t files[] = {kStatement.value, kJobs.value, kSecondStatement.value, kSkips.value};
      input.adjustReports = [file = files[what - 2]](std::vector<FileReport>& reports) { reports[file].complete = false; };
    };
    const EngineRun run = night.run();
    QCOMPARE(run.result.complete, what == 0);
    const auto count = [&](Class unitClass) {
      const auto found = run.result.classes.find(unitClass);
      return found == run.result.classes.end() ? 0 : static_cast<int>(found->second);
    };
    QCOMPARE(count(Class::MissingEffect), missing);
    QCOMPARE(count(Class::UnrecordedEffect), unrecorded);
    QCOMPARE(count(Class::OutOfWindow), 2 - missing - unrecorded);
    QCOMPARE(count(Class::Matched), 1);
  }

  void anEmptyStatementIsNoEvidence() {
    EngineNight night = pairNight();
    night.all.pop_back();                     // only a header, and "covers" says that it holds the day
    const EngineRun run = night.run();
    QCOMPARE(run.result.classes, (std::map<Class, std::uint64_t>{{Class::OutOfWindow, 1}}));
    night.options.mayBeEmpty.push_back("statement");
    const EngineRun said = night.run();
    QCOMPARE(said.result.classes, (std::map<Class, std::uint64_t>{{Class::MissingEffect, 1}}));
    QVERIFY(said.result.complete);
  }

  void emptyJobsAreNoEvidence() {
    EngineNight night = pairNight();
    night.all.erase(night.all.begin());
    QCOMPARE(night.run().result.classes, (std::map<Class, std::uint64_t>{{Class::OutOfWindow, 1}}));
    night.options.mayBeEmpty.push_back("jobs");
    QCOMPARE(night.run().result.classes, (std::map<Class, std::uint64_t>{{Class::UnrecordedEffect, 1}}));
  }

  void aSkipIsNoProofOfLossWhereTheJobsWereNotRead() {
    EngineNight night = pairNight();
    night.add(skip("s"));
    QCOMPARE(night.run().result.classes.at(Class::LostAfterClaim), 1u);
    night.prepare = [](MemoryInput& input) {
      input.adjustReports = [](std::vector<FileReport>& reports) { reports[kJobs.value].complete = false; };
    };
    QCOMPARE(night.run().result.classes.count(Class::LostAfterClaim), std::size_t(0));
  }

  void aProofThatDoesNotCloseIsSaidAndEndsWithFour() {
    ProofLine line;
    line.scope = "A";
    line.currency = money(1).currency;
    QVERIFY(proofFindings({line}).empty());
    line.unexplainedMinor = -1;
    const auto findings = proofFindings({line});
    QCOMPARE(findings.size(), std::size_t(1));
    QCOMPARE(findings[0].code, std::string("proof_not_zero"));
    QCOMPARE(findings[0].subject, std::string("scope A"));
    RunResult result;
    result.findings = findings;
    QCOMPARE(exitCodeOf(result, Severity::None, true), 4);
  }

  void findingsCanBeAccepted() {
    EngineNight night = pairNight();
    night.options.declared.push_back({kStatement, 3, {}});
    night.options.acceptFindings = {"control_total_break"};
    const EngineRun run = night.run();
    QVERIFY(run.result.complete);
    QVERIFY(findingOf(run.result, "control_total_break") != nullptr);
  }

  void emptySourcesThatMayBeEmptyAreComplete() {
    EngineNight night = pairNight();
    night.all.clear();
    night.options.mayBeEmpty = {"jobs", "statement", "skips", "claims", "intents", "outbox", "dlq", "second"};
    QVERIFY(night.run().result.complete);
  }

  void quarantinedRowsAreListedInOrder() {
    EngineNight night = pairNight();
    night.options.maxQuarantined = 5000;
    night.prepare = [](MemoryInput& input) {
      for (std::uint64_t i = 0; i < 1500; ++i) input.quarantined.push_back(badRow((i * 7) % 1500));
    };
    const EngineRun run = night.run();
    QCOMPARE(run.result.quarantined.size(), std::size_t{1000});
    for (std::uint64_t i = 0; i < 1000; ++i) QCOMPARE(run.result.quarantined[i].place.offset, i);
    QCOMPARE(run.result.sources[0].quarantined, 1500u);
    QCOMPARE(run.result.unjudged, 1500u);
    QVERIFY(run.result.complete);
  }

  void controlTotals_data() {
    QTest::addColumn<qlonglong>("declared");
    QTest::addColumn<qlonglong>("written");
    QTest::addColumn<bool>("breaks");
    QTest::newRow("a repeat counts once") << 1500ll << 3000ll << false;
    QTest::newRow("a row is missing") << 2000ll << 3000ll << true;
    QTest::newRow("a repeat counted twice") << 3000ll << 3000ll << true;
  }
  void controlTotals() {
    QFETCH(qlonglong, declared);
    QFETCH(qlonglong, written);
    QFETCH(bool, breaks);
    EngineNight night = pairNight();
    night.add(effect("e").key("k").file(8));
    night.files.push_back(kStatement);
    night.options.declared.push_back({kStatement, 1, {money(declared)}});
    night.prepare = [written](MemoryInput& input) {
      input.adjustReports = [written](std::vector<FileReport>& reports) { reports[1].declaredBasis = {money(written)}; };
    };
    const EngineRun run = night.run();
    QCOMPARE(findingOf(run.result, "control_total_break") != nullptr, breaks);
    if (breaks) {
      QCOMPARE(QString::fromStdString(findingOf(run.result, "control_total_break")->seen),
               QString("declared USD %1, the rows come to USD 15.00.").arg(declared == 2000 ? "20.00" : "30.00"));
    }
  }

  void missingDaysAreCoverageGaps_data() {
    QTest::addColumn<QList<int>>("days");
    QTest::addColumn<int>("gaps");
    QTest::newRow("every day") << QList<int>{0, 1, 2} << 0;
    QTest::newRow("a day in the middle") << QList<int>{0, 2} << 1;
    QTest::newRow("the same day twice") << QList<int>{0, 0, 1} << 0;
    QTest::newRow("two of five") << QList<int>{0, 2, 4} << 2;
  }
  void missingDaysAreCoverageGaps() {
    QFETCH(QList<int>, days);
    QFETCH(int, gaps);
    EngineNight night = pairNight();
    night.coverage.bySource.erase(kStatement);
    for (qsizetype i = 1; i < days.size(); ++i) night.files.push_back(kStatement);
    night.prepare = [days](MemoryInput& input) {
      input.adjustReports = [days](std::vector<FileReport>& reports) {
        qsizetype next = 0;
        for (FileReport& report : reports) {
          if (report.source != kStatement) continue;
          const Duration from = 24h * days[next++];
          report.covers = Interval{atTime(from), atTime(from + 24h)};
        }
      };
    };
    const EngineRun run = night.run();
    const Finding* finding = findingOf(run.result, "coverage_gap");
    QCOMPARE(finding == nullptr ? 0 : int(finding->count), gaps);
    QCOMPARE(run.result.complete, gaps == 0);
  }

  void theSameFileTwiceIsSaid() {
    EngineNight night = pairNight();
    night.prepare = [](MemoryInput& input) {
      input.adjustReports = [](std::vector<FileReport>& reports) {
        reports[7].rows = 1;
        reports[7].repeated = 1;
      };
    };
    const EngineRun run = night.run();
    const Finding* finding = findingOf(run.result, "duplicate_statement");
    QVERIFY(finding != nullptr);
    QCOMPARE(finding->subject, std::string("source second"));
    QCOMPARE(finding->examples, std::vector<std::string>{"file-7"});
    QCOMPARE(run.result.sources[7].repeated, 1u);
    QVERIFY(run.result.complete);
  }

  void exitCodes_data() {
    QTest::addColumn<int>("severity");
    QTest::addColumn<int>("failOn");
    QTest::addColumn<bool>("never");
    QTest::addColumn<int>("code");
    QTest::newRow("no break") << -1 << int(Severity::None) << false << 0;
    QTest::newRow("any break") << int(Severity::Low) << int(Severity::None) << false << 1;
    QTest::newRow("below") << int(Severity::Medium) << int(Severity::High) << false << 0;
    QTest::newRow("at") << int(Severity::High) << int(Severity::High) << false << 1;
    QTest::newRow("never") << int(Severity::Critical) << int(Severity::None) << true << 0;
  }
  void exitCodes() {
    QFETCH(int, severity);
    QFETCH(int, failOn);
    QFETCH(bool, never);
    QFETCH(int, code);
    RunResult result;
    if (severity >= 0) result.breaksBySeverity[static_cast<Severity>(severity)] = 1;
    QCOMPARE(exitCodeOf(result, static_cast<Severity>(failOn), never), code);
  }

  void overdueOpenUnitsFailToo() {
    RunResult result;
    result.overdue = 1;
    QCOMPARE(exitCodeOf(result, Severity::None, false), 1);
    QCOMPARE(exitCodeOf(result, Severity::Low, false), 1);
    QCOMPARE(exitCodeOf(result, Severity::Medium, false), 0);
  }

  void aProofThatDoesNotCloseIsExit4() {
    RunResult result;
    result.complete = false;
    result.findings = proofFindings({{"A", money(0).currency, ProofKind::Forward, 100, 150, {}, 50}});
    QCOMPARE(result.findings.size(), std::size_t{1});
    QCOMPARE(result.findings[0].seen, std::string("USD 0.50 (forward) stay unexplained between both sides."));
    QCOMPARE(exitCodeOf(result, Severity::None, true), 4);
    QCOMPARE(proofFindings({{"A", money(0).currency, ProofKind::Forward, 100, 100, {}, 0}}).size(), std::size_t{0});
  }

  void stoppingIsAnError() {
    EngineNight night = pairNight();
    CancelToken cancel;
    cancel.cancel();
    night.options.cancel = &cancel;
    const auto run = night.tryRun();
    QVERIFY(!run.has_value());
    QCOMPARE(run.error().code, ErrorCode::Cancelled);
  }

  void stoppingWhileJudgingIsAnError() {
    EngineNight night;
    for (int i = 0; i < 9000; ++i) night.add(attempt("k" + std::to_string(i)), effect("e" + std::to_string(i)).key("k" + std::to_string(i)));
    CancelToken cancel;
    night.options.cancel = &cancel;
    night.options.progress = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
      if (stage == "judging") cancel.cancel();
    };
    const auto run = night.tryRun({1, 1ull << 30, Detail::All, 0});
    QVERIFY(!run.has_value());
    QCOMPARE(run.error().code, ErrorCode::Cancelled);
  }

  void progressNamesItsStages() {
    EngineNight night = pairNight();
    std::set<std::string> stages;
    night.options.progress = [&](std::string_view stage, std::uint64_t, std::uint64_t) { stages.insert(std::string(stage)); };
    (void)night.run({1, 1ull << 30, Detail::All, 0});
    QVERIFY(stages == (std::set<std::string>{"reading", "matching", "judging", "sorting"}));
  }

  void aLargeNightSpillsAndSaysTheSame() {
    EngineNight night;
    for (int i = 0; i < 60'000; ++i) {
      const std::string number = std::to_string(i);
      night.add(attempt("k" + number).job("j" + number).order("o" + number), effect("e" + number).key("k" + number).usd(i % 500 == 0 ? 1 : 1500));
    }
    const EngineRun roomy = night.run({2, 1ull << 30, Detail::Notable, 0});
    const EngineRun tight = night.run({2, 0, Detail::Notable, 6});
    QCOMPARE(roomy.spilled, 0u);
    QVERIFY(tight.spilled > 1'000'000);
    QCOMPARE(tight.openStreams, std::size_t{0});
    QCOMPARE(roomy.units.size(), std::size_t{120});
    QVERIFY(roomy.units == tight.units);
    QCOMPARE(QString::fromStdString(textOf(roomy.result)), QString::fromStdString(textOf(tight.result)));
  }

  void aDiskThatIsFullEndsTheRun() {
    EngineNight night;
    for (int i = 0; i < 60'000; ++i) night.add(attempt("k" + std::to_string(i)).job("j" + std::to_string(i)));
    MemoryInput input;
    input.sourceOfFile = night.files;
    input.setRecords(night.all);
    RunOptions options = night.options;
    options.memoryBytes = 0;
    Executor executor(2);
    MemorySpill spill;
    spill.failsToOpen = true;
    const auto run = runEngine(input, night.policy, options, executor, spill);
    QVERIFY(!run.has_value());
    QCOMPARE(run.error().code, ErrorCode::WriteFailed);
  }

  void numbersThatASpreadsheetMakesEqual_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("left");
    QTest::newRow("a number") << "456" << "456";
    QTest::newRow("leading zeros") << "000456" << "456";
    QTest::newRow("nothing but zeros") << "000" << "0";
    QTest::newRow("more than fifteen digits") << "4687687688339431234" << "4687687688339430000";
    QTest::newRow("hexadecimal") << "73928e05" << "";
    QTest::newRow("blank") << "" << "";
  }
  void numbersThatASpreadsheetMakesEqual() {
    QFETCH(QString, key);
    QFETCH(QString, left);
    QCOMPARE(QString::fromStdString(damagedNumber(key.toStdString())), left);
  }
};

QTEST_APPLESS_MAIN(TstRunResult)
#include "tst_run_result.moc"
