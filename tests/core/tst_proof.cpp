// SPDX-License-Identifier: GPL-3.0-or-later
// The bridge from the local to the provider total closes (classes.md §6).
#include <limits>

#include "core/judge/proof.h"
#include "tests/core/support/expectation.h"
#include "tests/core/support/proving.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::int64_t step(const ProofLine& line, BridgeStep at) {
  return line.steps[static_cast<std::size_t>(at)];
}

struct Row {
  const char* name;
  std::function<void(Night&)> make;
  std::int64_t local;
  std::int64_t provider;
  BridgeStep at;
  std::int64_t difference;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"matched", [](Night& n) { n.add(attempt("k"), effect("e").key("k")); }, 1500, 1500,
       BridgeStep::Other, 0},
      {"duplicate", [](Night& n) { n.add(attempt("k"), effect("e").key("k"), effect("f").key("k")); }, 1500,
       3000, BridgeStep::Duplicates, 1500},
      {"missing", [](Night& n) { n.add(attempt("k")); n.add(effect("z").usd(1)); }, 1500, 1,
       BridgeStep::Missing, -1500},
      {"unrecorded", [](Night& n) { n.add(effect("e")); }, 0, 1500, BridgeStep::Unrecorded, 1500},
      {"despite failure", [](Night& n) { n.add(attempt("k").failed(), effect("e").key("k")); }, 0, 1500,
       BridgeStep::DespiteFailure, 1500},
      {"unacknowledged", [](Night& n) { n.add(attempt("k").running(), effect("e").key("k")); }, 0, 1500,
       BridgeStep::Unacknowledged, 1500},
      {"amount differs", [](Night& n) { n.add(attempt("k"), effect("e").key("k").usd(1400)); }, 1500, 1400,
       BridgeStep::AmountDifferences, -100},
      {"false success", [](Night& n) { n.add(attempt("k"), effect("e").key("k").failed()); }, 1500, 0,
       BridgeStep::FalseSuccess, -1500},
      {"expected", [](Night& n) { n.add(attempt("k")); n.asOf = atTime(10h + 60s); }, 1500, 0,
       BridgeStep::Expected, -1500},
      {"out of window", [](Night& n) { n.cover(kJobs, 12h, 48h); n.add(effect("e")); }, 0, 1500,
       BridgeStep::OutOfWindow, 1500},
      {"no attempt seen", [](Night& n) { n.add(intent("i").key("k"), effect("e").key("k")); }, 1500, 1500,
       BridgeStep::Other, 0},
      {"pending counts nowhere", [](Night& n) { n.add(effect("e").pending(), effect("f").usd(7)); }, 0, 7,
       BridgeStep::Unrecorded, 7},
      {"refund without an operation counts nowhere", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), refund("r").parent("e").at(12h));
       }, 1500, 1500, BridgeStep::Other, 0},
      {"an effect read twice", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), effect("e").key("k").usd(1400).at(9h));
       }, 1500, 1500, BridgeStep::Other, 0},
  };
  return all;
}

}  // namespace

class TstProof : public QObject {
  Q_OBJECT

 private slots:
  void bridge_data();
  void bridge();
  void refundsHaveLinesOfTheirOwn();
  void effectsKeepTheirScope();
  void aLostRecordIsUnexplained();
  void plainMatchesAndMerge();
  void sumBeyondTheRangeIsAnError();
};

void TstProof::bridge_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TstProof::bridge() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  Night night;
  expected.make(night);
  const auto lines = provedLines(night);
  QCOMPARE(lines.size(), std::size_t(1));
  QCOMPARE(lines[0].localMinor, expected.local);
  QCOMPARE(lines[0].providerMinor, expected.provider);
  QCOMPARE(step(lines[0], expected.at), expected.difference);
  QCOMPARE(lines[0].unexplainedMinor, std::int64_t(0));
}

void TstProof::refundsHaveLinesOfTheirOwn() {
  Night night;
  night.addRefunds();
  night.add(attempt("c").job("c"), effect("e").key("c"), attempt("r").op(1).job("r").usd(500).at(12h),
            refund("f").key("r").parent("e").usd(500).at(12h), refund("g").parent("e").usd(300).at(13h),
            dispute("d").parent("e").usd(1).at(14h));
  const auto lines = provedLines(night);
  QCOMPARE(lines.size(), std::size_t(2));
  QVERIFY(lines[0].kind == ProofKind::Forward);
  QCOMPARE(lines[0].providerMinor, std::int64_t(1500));
  QCOMPARE(lines[1].localMinor, std::int64_t(500));
  QCOMPARE(lines[1].providerMinor, std::int64_t(800));
  QCOMPARE(step(lines[1], BridgeStep::Unrecorded), std::int64_t(300));
  QCOMPARE(lines[1].unexplainedMinor, std::int64_t(0));
}

void TstProof::effectsKeepTheirScope() {
  Night night;
  night.add(attempt("k"), effect("a").key("k").account("A"), effect("b").key("k").account("B"));
  const auto lines = provedLines(night);
  QCOMPARE(lines.size(), std::size_t(3));
  QCOMPARE(lines[0].scope, std::string(""));
  QCOMPARE(lines[0].localMinor, std::int64_t(1500));
  QCOMPARE(lines[1].scope, std::string("A"));
  QCOMPARE(lines[1].providerMinor, std::int64_t(1500));
  for (const ProofLine& line : lines) QCOMPARE(line.unexplainedMinor, std::int64_t(0));
}

void TstProof::aLostRecordIsUnexplained() {
  Night night;
  night.add(attempt("k"), effect("e").key("k"));
  Proof proof;
  proof.addEffectRead("", money(1500), ProofKind::Forward);
  proof.addEffectRead("", money(700), ProofKind::Forward);
  for (const Unit& unit : night.judged().units) proof.addUnit(unit, night.policy);
  QCOMPARE(proof.lines().value()[0].unexplainedMinor, std::int64_t(700));
}

void TstProof::plainMatchesAndMerge() {
  Proof a;
  a.addPlainMatch("", money(100), ProofKind::Forward, 3);
  Proof b;
  b.addEffectRead("", money(300), ProofKind::Forward);
  b.addEffectRead("", money(5), ProofKind::Forward);
  b.removeEffectRead("", money(5), ProofKind::Forward);
  a.merge(b);
  const auto lines = a.lines().value();
  QCOMPARE(lines[0].localMinor, std::int64_t(300));
  QCOMPARE(lines[0].providerMinor, std::int64_t(300));
  QCOMPARE(lines[0].unexplainedMinor, std::int64_t(0));
}

void TstProof::sumBeyondTheRangeIsAnError() {
  Proof proof;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  proof.addPlainMatch("A", money(most), ProofKind::Forward);
  proof.addEffectRead("A", money(most), ProofKind::Forward);
  QVERIFY(proof.lines().has_value());
  proof.addPlainMatch("A", money(1), ProofKind::Forward);
  const auto lines = proof.lines();
  QVERIFY(!lines);
  QVERIFY(lines.error().code == ErrorCode::Overflow);
  QVERIFY(lines.error().message.find("USD") != std::string::npos);
  QVERIFY(lines.error().message.find("\"A\"") != std::string::npos);
}

QTEST_APPLESS_MAIN(TstProof)
#include "tst_proof.moc"
