// SPDX-License-Identifier: GPL-3.0-or-later
// Every cell of the table under the decision list (classes.md §4), and every class once.
#include <QTest>

#include "tests/core/support/night.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// What the local side says, by the letters of the table.
Records localSide(const QString& code) {
  Records records;
  const auto add = [&](const auto& build) { records.add(AnyRecord(build.record())); };
  if (code == "S") add(attempt("k"));
  if (code == "O") add(attempt("k").running());
  if (code == "F") add(attempt("k").failed());
  if (code == "F+dead") { add(attempt("k").failed()); add(deadLetter("m").key("k")); }
  if (code == "F+open") { add(attempt("k").failed()); add(intent("i").key("k")); }
  if (code == "F+skip") { add(attempt("k").failed()); add(skip("k")); }
  if (code == "F+claim") { add(attempt("k").failed()); add(claim("k")); }
  if (code == "F+skip+dead") {
    add(attempt("k").failed()); add(skip("k")); add(deadLetter("m").key("k"));
  }
  if (code == "O+skip") { add(attempt("k").running()); add(skip("k")); }
  if (code == "K") add(skip("k"));
  if (code == "K+claim") { add(skip("k")); add(claim("k")); }
  if (code == "claim") add(claim("k"));
  if (code == "claiming") add(claim("k", ClaimState::InProgress));
  if (code == "claim failed") add(claim("k", ClaimState::Failed));
  if (code == "event") add(processed("k"));
  if (code == "B") add(intent("i").key("k"));
  if (code == "outbox") add(outbox("o").key("k"));
  return records;
}

void addProvider(Records& records, const QString& code) {
  const auto add = [&](const auto& build) { records.add(AnyRecord(build.record())); };
  if (code == "live") add(effect("e").key("k"));
  if (code == "pending") add(effect("e").key("k").pending());
  if (code == "failed") add(effect("e").key("k").failed());
  if (code == "reversed") {
    add(effect("e").key("k"));
    add(refund("r").parent("e").at(12h));
  }
}

}  // namespace

class TstJudge : public QObject {
  Q_OBJECT

 private slots:
  void cellOfTheTable_data();
  void cellOfTheTable();
  void cellWhenFresh_data();
  void cellWhenFresh();
  void cellWhenNotCovered_data();
  void cellWhenNotCovered();
  void codesAreStable();
  void emptyGroup();
};

void TstJudge::cellOfTheTable_data() {
  QTest::addColumn<QString>("local");
  QTest::addColumn<QString>("provider");
  QTest::addColumn<QString>("expected");
  QTest::addColumn<QString>("flags");
  QTest::newRow("S live") << "S" << "live" << "matched" << "";
  QTest::newRow("S pending") << "S" << "pending" << "expected" << "";
  QTest::newRow("S failed") << "S" << "failed" << "false_success" << "";
  QTest::newRow("S reversed") << "S" << "reversed" << "matched" << "reversed";
  QTest::newRow("S none") << "S" << "none" << "missing_effect" << "";
  QTest::newRow("O live") << "O" << "live" << "unacknowledged_effect" << "";
  QTest::newRow("O pending") << "O" << "pending" << "stalled_attempt" << "";
  QTest::newRow("O failed") << "O" << "failed" << "stalled_attempt" << "";
  QTest::newRow("O reversed") << "O" << "reversed" << "matched_compensated" << "reversed";
  QTest::newRow("O none") << "O" << "none" << "stalled_attempt" << "";
  QTest::newRow("O none, a skip relied on it") << "O+skip" << "none" << "lost_after_claim" << "";
  QTest::newRow("F live") << "F" << "live" << "effect_despite_failure" << "";
  QTest::newRow("F pending") << "F" << "pending" << "effect_despite_failure" << "";
  QTest::newRow("F failed") << "F" << "failed" << "matched_failure" << "";
  QTest::newRow("F failed, dead letter") << "F+dead" << "failed" << "unfulfilled" << "";
  QTest::newRow("F failed, open intent") << "F+open" << "failed" << "unfulfilled" << "";
  QTest::newRow("F reversed") << "F" << "reversed" << "matched_compensated" << "reversed";
  QTest::newRow("F none") << "F" << "none" << "matched_failure" << "";
  QTest::newRow("F none, dead letter") << "F+dead" << "none" << "unfulfilled" << "";
  QTest::newRow("F none, open intent") << "F+open" << "none" << "unfulfilled" << "";
  QTest::newRow("F none, skip") << "F+skip" << "none" << "lost_after_claim" << "";
  QTest::newRow("F none, completed claim") << "F+claim" << "none" << "lost_after_claim" << "";
  QTest::newRow("F none, skip and dead letter") << "F+skip+dead" << "none" << "unfulfilled" << "";
  QTest::newRow("K live") << "K" << "live" << "unrecorded_effect" << "";
  QTest::newRow("K live, claim") << "K+claim" << "live" << "matched"
                                 << "absorbed_duplicate amount_unverified no_attempt_seen";
  QTest::newRow("K pending") << "K" << "pending" << "unrecorded_effect" << "";
  QTest::newRow("K pending, claim") << "K+claim" << "pending" << "expected" << "no_attempt_seen";
  QTest::newRow("K failed") << "K" << "failed" << "matched_failure" << "";
  QTest::newRow("K failed, claim") << "K+claim" << "failed" << "false_success" << "";
  QTest::newRow("K reversed") << "K" << "reversed" << "matched_compensated" << "reversed";
  QTest::newRow("K reversed, claim") << "K+claim" << "reversed" << "matched_compensated" << "reversed";
  QTest::newRow("K none, untraceable") << "K" << "none" << "out_of_window" << "";
  QTest::newRow("K none, claim") << "K+claim" << "none" << "lost_after_claim" << "";
  QTest::newRow("completed claim, none") << "claim" << "none" << "lost_after_claim" << "";
  QTest::newRow("processed event, none") << "event" << "none" << "lost_after_claim" << "";
  QTest::newRow("claim in progress, none") << "claiming" << "none" << "stalled_attempt" << "";
  QTest::newRow("failed claim, none") << "claim failed" << "none" << "matched_failure" << "";
  QTest::newRow("B live") << "B" << "live" << "matched" << "no_attempt_seen";
  QTest::newRow("B pending") << "B" << "pending" << "expected" << "no_attempt_seen";
  QTest::newRow("B failed") << "B" << "failed" << "matched_failure" << "";
  QTest::newRow("B reversed") << "B" << "reversed" << "matched_compensated" << "reversed";
  QTest::newRow("B none") << "B" << "none" << "unpublished_intent" << "";
  QTest::newRow("outbox none") << "outbox" << "none" << "unpublished_intent" << "";
  QTest::newRow("N live") << "N" << "live" << "unrecorded_effect" << "";
  QTest::newRow("N pending") << "N" << "pending" << "unrecorded_effect" << "";
  QTest::newRow("N failed") << "N" << "failed" << "matched_failure" << "";
  QTest::newRow("N reversed") << "N" << "reversed" << "matched_compensated" << "reversed";
}

void TstJudge::cellOfTheTable() {
  QFETCH(QString, local);
  QFETCH(QString, provider);
  Night night;
  night.records = localSide(local);
  addProvider(night.records, provider);
  const Unit unit = night.unit();
  QTEST(classText(unit), "expected");
  QTEST(codes(unit.flags), "flags");
  QVERIFY(!unit.reason.empty());
  QCOMPARE(unit.records.size(), night.records.size());
}

void TstJudge::cellWhenFresh_data() {
  QTest::addColumn<QString>("local");
  QTest::addColumn<QString>("provider");
  QTest::addColumn<QString>("expected");
  QTest::newRow("S none") << "S" << "none" << "expected";
  QTest::newRow("S failed after success") << "S" << "failed" << "false_success";
  QTest::newRow("O none") << "O" << "none" << "in_flight";
  QTest::newRow("O live") << "O" << "live" << "in_flight";
  QTest::newRow("O pending") << "O" << "pending" << "in_flight";
  QTest::newRow("O failed") << "O" << "failed" << "in_flight";
  QTest::newRow("F none") << "F" << "none" << "matched_failure";
  QTest::newRow("F live") << "F" << "live" << "effect_despite_failure";
  QTest::newRow("F none, skip") << "F+skip" << "none" << "matched_failure";
  QTest::newRow("K none, claim") << "claim" << "none" << "expected";
  QTest::newRow("claim in progress") << "claiming" << "none" << "in_flight";
  QTest::newRow("B none") << "B" << "none" << "expected";
  QTest::newRow("N live") << "N" << "live" << "out_of_window";
}

void TstJudge::cellWhenFresh() {
  QFETCH(QString, local);
  QFETCH(QString, provider);
  Night night;
  night.records = localSide(local);
  addProvider(night.records, provider);
  night.asOf = local == "B" ? atTime(9h + 10min) : atTime(10h + 2min);
  const Unit unit = night.unit();
  QTEST(classText(unit), "expected");
  if (local == "F" && provider == "none") QVERIFY(unit.has(Flag::Provisional));
}

void TstJudge::cellWhenNotCovered_data() {
  QTest::addColumn<QString>("local");
  QTest::addColumn<QString>("provider");
  QTest::addColumn<QString>("expected");
  QTest::newRow("S none") << "S" << "none" << "out_of_window";
  QTest::newRow("O none") << "O" << "none" << "out_of_window";
  QTest::newRow("F none") << "F" << "none" << "matched_failure";
  QTest::newRow("F none, skip") << "F+skip" << "none" << "matched_failure";
  QTest::newRow("K none, claim") << "claim" << "none" << "out_of_window";
  QTest::newRow("B none") << "B" << "none" << "out_of_window";
  QTest::newRow("N live") << "N" << "live" << "out_of_window";
  QTest::newRow("K live") << "K" << "live" << "out_of_window";
  QTest::newRow("S live") << "S" << "live" << "matched";
  QTest::newRow("F live") << "F" << "live" << "effect_despite_failure";
  QTest::newRow("O live") << "O" << "live" << "unacknowledged_effect";
}

void TstJudge::cellWhenNotCovered() {
  QFETCH(QString, local);
  QFETCH(QString, provider);
  Night night;
  night.records = localSide(local);
  addProvider(night.records, provider);
  night.cover(kStatement, 12h, 48h);
  night.cover(kJobs, 12h, 48h);
  QTEST(classText(night.unit()), "expected");
}

void TstJudge::codesAreStable() {
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const auto value = static_cast<Class>(i);
    QVERIFY(classFromCode(codeOf(value)) == value);
    QVERIFY(!labelOf(value, true).empty());
    QVERIFY(!labelOf(value, false).empty());
  }
  QVERIFY(!classFromCode("quarantined"));
  QCOMPARE(labelOf(Class::DuplicateEffect, true), std::string_view("Double charge"));
  QCOMPARE(labelOf(Class::DuplicateEffect, false), std::string_view("Sent twice"));
  QVERIFY(groupOf(Class::DuplicateReversed) == ClassGroup::Closed);
  QVERIFY(groupOf(Class::DuplicateBooking) == ClassGroup::Break);
  QVERIFY(groupOf(Class::ProbableDuplicate) == ClassGroup::Break);
  QVERIFY(groupOf(Class::InFlight) == ClassGroup::Open);
  QVERIFY(groupOf(Class::Unfulfilled) == ClassGroup::Open);
  QVERIFY(groupOf(Class::MatchedTolerance) == ClassGroup::Closed);
  QVERIFY(severityFromCode("critical") == Severity::Critical);
  QVERIFY(!severityFromCode(""));
}

void TstJudge::emptyGroup() { QVERIFY(Night().judged().units.empty()); }

QTEST_APPLESS_MAIN(TstJudge)
#include "tst_judge.moc"
