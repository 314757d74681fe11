// SPDX-License-Identifier: GPL-3.0-or-later
// One job in several sources: its result row, its log lines, its events.
#include <QTest>

#include "core/judge/job_views.h"
#include "core/record/shared_id.h"
#include "tests/core/support/night.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace counterfoil::judging;

namespace {

constexpr const char* kTask = "3f1c9a52-7b0e-4d86-9c41-0a5be2d7f813";
constexpr SourceId kLog{2};

/// A night with a second source of attempts.
Night withLog() {
  Night night;
  night.policy.sources[kLog.value] = {"log", "", false, {RecordKind::Attempt}};
  night.cover(kLog, -24h, 48h);
  return night;
}

}  // namespace

class TstJobViews : public QObject {
  Q_OBJECT
 private slots:
  void idsThatNoTwoSystemsGive_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("shared");
    QTest::addRow("uuid") << "3f1c9a52-7b0e-4d86-9c41-0a5be2d7f813" << true;
    QTest::addRow("uuid without dashes") << "3F1C9A527B0E4D869C410A5BE2D7F813" << true;
    QTest::addRow("jid of 24 digits") << "9a85ceadf94c06e9c7849eec" << true;
    QTest::addRow("ulid") << "01HXZ3K9V7QJ2M4N5P6R7S8T9V" << true;
    QTest::addRow("a number") << "41" << false;
    QTest::addRow("a long number") << "17959542331234567890123" << false;
    QTest::addRow("queue and number") << "payments:41" << false;
    QTest::addRow("a made one") << "charge:ord-2026-04-07-000001" << false;
    QTest::addRow("nil uuid") << "00000000-0000-0000-0000-000000000000" << false;
    QTest::addRow("dashes elsewhere") << "3f1c9a527b0e-4d86-9c41-0a5b-e2d7f813" << false;
    QTest::addRow("blank") << "" << false;
    QTest::addRow("endless") << QString(4096, 'a') + "0123456789" << false;
  }
  void idsThatNoTwoSystemsGive() {
    QFETCH(QString, id);
    QFETCH(bool, shared);
    QCOMPARE(isSharedId(id.toStdString()), shared);
  }

  void aTaskIdJoinsTheResultTableAndTheLog() {
    Night night = withLog();
    night.add(attempt("k").job(kTask), attempt("").job(kTask).source(kLog), effect("e").key("k"));
    const Unit unit = night.unit();
    QCOMPARE(classText(unit), "matched");
    QVERIFY2(!unit.has(Flag::AbsorbedDuplicate), "two views of one run are no second run");
  }

  void aSecondRunThatOnlyTheLogSawIsOne() {
    Night night = withLog();
    night.add(attempt("k").job(kTask), attempt("").job(kTask).source(kLog).at(10h),
              attempt("").job(kTask).source(kLog).at(10h + 60s), effect("e").key("k"));
    const Unit unit = night.unit();
    QCOMPARE(classText(unit), "matched");
    QVERIFY(unit.has(Flag::AbsorbedDuplicate));
  }

  void anEndThatAnotherSourceSawEndsTheJob() {
    Night night = withLog();
    night.add(attempt("k").job(kTask).failed(), attempt("").job(kTask).source(kLog).at(10h).running());
    QCOMPARE(classText(night.unit()), "matched_failure");
  }

  void aRunThatBeganAfterTheEndElsewhereIsStillOpen() {
    Night night = withLog();
    night.add(attempt("k").job(kTask).failed().at(10h), attempt("").job(kTask).source(kLog).at(12h).running());
    QCOMPARE(classText(night.unit()), "stalled_attempt");
  }

  void countedIdsOfTwoSourcesAreTwoJobs() {
    Night night = withLog();
    night.add(attempt("k").job("41"), attempt("q").job("41").source(kLog), effect("e").key("k"), effect("f").key("q"));
    QCOMPARE(night.judged().units.size(), std::size_t{2});
  }

  void aSkipInTheLogAndInTheResultIsOne() {
    Night night = withLog();
    night.policy.sources[kJobs.value].kinds.insert(RecordKind::Skip);
    night.policy.sources[kLog.value].kinds.insert(RecordKind::Skip);
    night.add(attempt("k").job("first"), effect("e").key("k"), skip("k").job(kTask).source(kJobs).at(11h),
              skip("k").job(kTask).source(kLog).at(11h), skip("k").job(kTask).source(kLog).at(12h),
              skip("k").job("41").source(kJobs).at(13h));
    QCOMPARE(night.unit().skipVerdicts.size(), std::size_t{3});
  }

  void whatOneViewOfASkipLeavesOutTheOtherOneSays() {
    Night night = withLog();
    night.policy.sources[kJobs.value].kinds.insert(RecordKind::Skip);
    night.policy.sources[kLog.value].kinds.insert(RecordKind::Skip);
    night.add(attempt("").job("first").order("o"), effect("e").order("o"),
              skip("k").job(kTask).source(kLog).at(11h), skip("k").job(kTask).source(kJobs).order("o").at(11h));
    const Unit unit = night.unit();
    QCOMPARE(classText(unit), "matched");
    QCOMPARE(unit.skipVerdicts.size(), std::size_t{1});
    QCOMPARE(textOf(codeOf(unit.skipVerdicts.front().verdict)), std::string("legit"));
  }

  void oneMessageInTwoExportsOfAQueueIsOne() {
    Night night;
    night.policy.sources[kClaims.value] = {"dead", "", false, {RecordKind::DeadLetter}};
    night.add(attempt("k").job("j").failed(), deadLetter(kTask).key("k").queue("dlq"),
              deadLetter(kTask).key("k").queue("dlq").source(kClaims), deadLetter("41").key("k").queue("dlq"),
              deadLetter("41").key("k").queue("dlq").source(kClaims));
    QCOMPARE(night.unit().deadLetterVerdicts.size(), std::size_t{3});
  }

  /// Job numbers mean something in their own source, unless the configuration says that sources count together.
  void jobsThatSourcesCountTogetherAreOne() {
    for (const bool countTogether : {false, true}) {
      Night night = withLog();
      night.policy.sources[kLog.value].kinds.insert(RecordKind::Skip);
      if (countTogether) night.policy.sources[kJobs.value].jobSpace = night.policy.sources[kLog.value].jobSpace = kJobs;
      night.add(attempt("k").job("41").order("o"), effect("e").order("o"), attempt("").job("41").source(kLog),
                skip("").job("41").source(kLog).at(11h));
      const Judgement judged = night.judged();
      QCOMPARE(judged.units.size(), countTogether ? std::size_t{1} : std::size_t{2});
      if (countTogether) QCOMPARE(classText(judged.units.front()), "matched");
    }
  }

  void deadLettersOfSourcesThatCountTogetherAreOne() {
    Night night;
    night.policy.sources[kClaims.value] = {"dead", "", false, {RecordKind::DeadLetter}};
    night.policy.sources[kClaims.value].jobSpace = night.policy.sources[kJobs.value].jobSpace = kJobs;
    night.add(attempt("k").job("j").failed(), deadLetter("41").key("k").queue("dlq").source(kJobs),
              deadLetter("41").key("k").queue("dlq").source(kClaims));
    QCOMPARE(night.unit().deadLetterVerdicts.size(), std::size_t{1});
  }

  /// A job that died twice is two dead letters; one that two exports tell of is one.
  void deadJobsWithoutAMessageIdAreToldApartByTheirDeath() {
    Night night;
    night.policy.sources[kClaims.value] = {"dead", "", false, {RecordKind::DeadLetter}};
    night.add(attempt("k").job("j").failed());
    for (const SourceId source : {kJobs, kClaims}) {
      for (const Duration at : {Duration(11h), Duration(12h)}) {
        night.add(deadLetter("").key("k").job(kTask).queue("dead").source(source).died(at));
      }
    }
    QCOMPARE(night.unit().deadLetterVerdicts.size(), std::size_t{2});
  }

  void aBrokersSnapshotNarrowsNoCoverage() {
    Night night;
    night.policy.sources[kClaims.value] = {"broker", "", true, {RecordKind::Attempt}, true};
    night.cover(kClaims, 20h, 20h + 1s);   // one message that a worker held when the dump was made
    night.add(attempt("k").job("j"), effect("e").key("k"), effect("by-hand").at(11h));
    QCOMPARE(classText(night.unitWith("by-hand")), "unrecorded_effect");
    night.policy.sources[kClaims.value].snapshot = false;
    QCOMPARE(classText(night.unitWith("by-hand")), "out_of_window");
  }

  void runsAreThoseOfTheSourceThatSawMost() {
    const Attempt result = attempt("k").job(kTask).record();
    const Attempt first = attempt("").job(kTask).source(kLog).at(10h).record();
    const Attempt second = attempt("").job(kTask).source(kLog).at(11h).record();
    const Attempt other = attempt("k").job("41").record();
    const auto runs = distinctRuns({&result, &first, &second, &other}, Policy());
    QCOMPARE(runs, (std::vector<const Attempt*>{&first, &second, &other}));
    QCOMPARE(successesOf({&result, &first}, Policy()), std::size_t{1});
  }
};

QTEST_APPLESS_MAIN(TstJobViews)
#include "tst_job_views.moc"
