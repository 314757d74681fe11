// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that a log tells in several rows: begun, ended, skipped.
#include <QTest>

#include "tests/core/support/night.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// Rows of the source of jobs, as a log gives them: no key, no amount.
Build<Attempt> began(const std::string& job, Duration at) { return attempt("").noAmount().job(job).at(at).running(); }
Build<Attempt> ended(const std::string& job, Duration at, AttemptStatus status = AttemptStatus::Succeeded) {
  return attempt("").noAmount().job(job).ran(at, at).noStart().status(status);
}
/// The job's own word, in the same log.
Build<Skip> said(const std::string& job, const std::string& key, Duration at) {
  return skip(key).job(job).at(at).source(kJobs);
}

QString clock(std::optional<Instant> at) {
  if (!at) return "-";
  return QString::number((*at - atTime(10h)).count() / 1'000'000);
}

/// "0-5 succeeded; 7- running": seconds from ten o'clock.
QString runsOf(const Unit& unit) {
  static const QStringList kWords = {"succeeded", "failed", "retry", "running", "lost", "unknown"};
  QStringList runs;
  for (const Attempt& run : unit.records.attempts) {
    runs << clock(run.start) + "-" + (run.end ? clock(run.end) : "") + " " + kWords[static_cast<int>(run.status)];
  }
  return runs.join("; ");
}

constexpr Duration at(int second) { return 10h + std::chrono::seconds(second); }

}  // namespace

class TstRunRows : public QObject {
  Q_OBJECT
 private slots:
  void rowsOfOneRunAreOneAttempt() {
    Night night;
    night.add(began("j", at(0)).worker("w").queue("q").number(1), ended("j", at(5)).recorded("e"), effect("e"));
    Judgement judgement = night.judged();
    QCOMPARE(judgement.units.size(), std::size_t{1});
    const Unit& unit = judgement.units[0];
    QCOMPARE(runsOf(unit), QString("0-5 succeeded"));
    QCOMPARE(classText(unit), QString("matched"));
    QCOMPARE(unit.records.attempts[0].queue, std::string("q"));
    QCOMPARE(*unit.records.attempts[0].number, std::int64_t{1});
    QCOMPARE(judgement.repeats.at(kJobs), std::uint64_t{1});
  }

  void runsOfOneJobAreToldApart_data() {
    QTest::addColumn<QString>("rows");   // "+0" begins, "-5" ended, "r5" retry, "x5" failed; "@w" of a worker
    QTest::addColumn<QString>("runs");
    QTest::newRow("one after the other") << "+0 r2 +3 -5" << "0-2 retry; 3-5 succeeded";
    QTest::newRow("a crash, then again") << "+0 +3 -5" << "0- lost; 3-5 succeeded";
    QTest::newRow("two at once") << "+0 +3 -4 -9" << "0-9 succeeded; 3-4 succeeded";
    QTest::newRow("two at once, by worker") << "+0@a +3@b -4@a -9@b" << "0-4 succeeded; 3-9 succeeded";
    QTest::newRow("another worker's end") << "+0@a -4@b" << "0- running; --4 succeeded";
    QTest::newRow("still running") << "+0 r2 +3" << "0-2 retry; 3- running";
    QTest::newRow("only beginnings") << "+0 +3" << "0- running; 3- running";
    QTest::newRow("only an end") << "-4" << "--4 succeeded";
    QTest::newRow("a failure told again") << "+0 r2 x3" << "0-2 failed";
    QTest::newRow("a failure told again, too late") << "+0 r2 x9" << "0-2 retry; --9 failed";
    QTest::newRow("a success is not told again") << "+0 -2 -3" << "0-2 succeeded; --3 succeeded";
    QTest::newRow("ends without beginnings are as many runs") << "r2 r3" << "--2 retry; --3 retry";
    QTest::newRow("at one moment") << "+0 r2 +2 -2" << "0-2 retry; 2-2 succeeded";
  }
  void runsOfOneJobAreToldApart() {
    QFETCH(QString, rows);
    QFETCH(QString, runs);
    Night night;
    for (const QString& row : rows.split(' ')) {
      const QStringList parts = row.split('@');
      const int second = parts[0].mid(1).toInt();
      const char sign = parts[0][0].toLatin1();
      Build<Attempt> build = sign == '+'   ? began("j", at(second))
                             : sign == '-' ? ended("j", at(second))
                             : sign == 'r' ? ended("j", at(second), AttemptStatus::RetryPending)
                                           : ended("j", at(second), AttemptStatus::FailedFinal);
      if (parts.size() > 1) build.worker(parts[1].toStdString());
      night.add(build);
    }
    QCOMPARE(runsOf(night.unit()), runs);
  }

  void otherJobsTasksAndSourcesAreApart() {
    Night night;
    night.add(began("1", at(0)).task("a"), ended("1", at(2)).task("b"), ended("2", at(3)), ended("1", at(4)).task("a").source(kSecondStatement));
    std::size_t attempts = 0;
    for (const Unit& unit : night.judged().units) attempts += unit.records.attempts.size();
    QCOMPARE(attempts, std::size_t{4});
  }

  void theLastRunOfAJobDecides() {
    Night night;
    night.add(began("j", at(0)), ended("j", at(2), AttemptStatus::RetryPending), began("j", at(3)),
              ended("j", at(5), AttemptStatus::FailedFinal));
    QCOMPARE(classText(night.unit()), QString("matched_failure"));
    Night crashed;
    crashed.add(began("j", at(0)), began("j", at(3)), ended("j", at(5), AttemptStatus::FailedFinal), deadLetter("m").died(at(5)).job("j").source(kJobs));
    QCOMPARE(classText(crashed.unit()), QString("unfulfilled"));
  }

  void aRunThatMayStillGoOnIsOpen() {
    Night night;
    night.operation().maxRuntime = 1h;
    night.asOf = atTime(10h + 20min);
    night.add(attempt("k").job("j").at(at(0)).running(), attempt("k").job("j").at(at(60)).failed());
    QCOMPARE(classText(night.unit()), QString("in_flight"));
    night.asOf = atTime(30h);
    QCOMPARE(classText(night.unit()), QString("matched_failure"));
  }

  void whatWasLostAtATimeNobodySawOverlapsWithNothing() {
    Night night;
    night.add(began("j", at(0)), began("j", at(60)), ended("j", at(61)).recorded("e"), effect("e").at(at(61)));
    QCOMPARE(classText(night.unit()), QString("matched"));
    QVERIFY(!codes(night.unit().hints).contains("overlap"));
    Night both;
    both.add(began("j", at(0)), began("j", at(60)), ended("j", at(61)).recorded("e"), ended("j", at(99)).recorded("e"), effect("e").at(at(61)));
    QVERIFY(codes(both.unit().hints).contains("overlap"));
  }

  void aRunThatSkippedIsTheSkip() {
    Night night;
    night.add(began("j", at(0)), said("j", "k", at(1)), ended("j", at(2)), attempt("k").job("first").at(9h), effect("e").key("k").at(9h));
    Judgement judgement = night.judged();
    QCOMPARE(judgement.units.size(), std::size_t{1});
    QCOMPARE(judgement.units[0].records.attempts.size(), std::size_t{1});
    QCOMPARE(judgement.repeats.at(kJobs), std::uint64_t{2});
    QVERIFY(judgement.units[0].skipVerdicts.at(0).verdict == SkipVerdict::Legit);
  }

  void aRunThatSkippedAndDidIsBoth() {
    Night night;
    night.add(began("j", at(0)), said("j", "k", at(1)), ended("j", at(2)).recorded("e"), effect("e").key("k").at(at(1)));
    QCOMPARE(night.unit().records.attempts.size(), std::size_t{1});
    Night other;
    other.add(began("j", at(0)), said("j", "k", at(1)), ended("j", at(2)).key("l"), effect("e").key("l").at(at(1)));
    std::size_t attempts = 0;
    for (const Unit& unit : other.judged().units) attempts += unit.records.attempts.size();
    QCOMPARE(attempts, std::size_t{1});
  }

  void aSkipOfTheLaterRunLeavesTheEarlierOne() {
    Night night;
    night.add(began("j", at(0)), began("j", at(3)), said("j", "k", at(4)), ended("j", at(5)), ended("j", at(9)).recorded("e"), effect("e").key("k").at(at(8)));
    QCOMPARE(runsOf(night.unit()), QString("0-9 succeeded"));
  }

  void aCrashThatASkipAnsweredIsDone() {
    Night night;
    night.add(began("j", at(0)), began("j", at(60)), said("j", "k", at(61)), ended("j", at(62)), effect("e").key("k").at(at(1)));
    const Unit unit = night.unit();
    QCOMPARE(classText(unit), QString("matched"));
    QVERIFY(unit.skipVerdicts.at(0).verdict == SkipVerdict::Legit);
    QVERIFY(unit.has(Flag::AbsorbedDuplicate));
    QVERIFY(unit.reason.find("to its end") != std::string::npos);
  }

  void aCrashThatASkipTookForDoneIsLost() {
    Night night;
    night.add(began("j", at(0)), began("j", at(60)), said("j", "k", at(61)), ended("j", at(62)));
    const Unit unit = night.unit();
    QCOMPARE(classText(unit), QString("lost_after_claim"));
    QVERIFY(unit.skipVerdicts.at(0).verdict == SkipVerdict::Stranded);
  }

  void oneSkipToldTwice_data() {
    QTest::addColumn<int>("gapMs");
    QTest::addColumn<QString>("secondKey");
    QTest::addColumn<int>("skips");
    QTest::newRow("at once") << 5 << "" << 1;
    QTest::newRow("with its key") << 5 << "k" << 1;
    QTest::newRow("another key") << 5 << "l" << 2;
    QTest::newRow("later") << 3000 << "" << 2;
  }
  void oneSkipToldTwice() {
    QFETCH(int, gapMs);
    QFETCH(QString, secondKey);
    QFETCH(int, skips);
    Night night;
    night.add(said("j", "k", at(1)), said("j", secondKey.toStdString(), at(1) + std::chrono::milliseconds(gapMs)));
    std::size_t found = 0;
    for (const Unit& unit : night.judged().units) found += unit.records.skips.size();
    QCOMPARE(found, static_cast<std::size_t>(skips));
  }

  void theOrderOfRowsDoesNotMatter() {
    std::vector<Build<Attempt>> rows = {began("j", at(0)), began("j", at(3)), ended("j", at(5)), began("j", at(7)), ended("j", at(8)), ended("j", at(9))};
    QString first;
    std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5};
    do {
      Night night;
      for (const std::size_t i : order) night.add(rows[i]);
      const QString runs = runsOf(night.unit());
      if (first.isEmpty()) first = runs;
      QCOMPARE(runs, first);
    } while (std::next_permutation(order.begin(), order.end()));
    QCOMPARE(first, QString("0-9 succeeded; 3-5 succeeded; 7-8 succeeded"));
  }
};

QTEST_APPLESS_MAIN(TstRunRows)
#include "tst_run_rows.moc"
