// SPDX-License-Identifier: GPL-3.0-or-later
// What was read twice is one record (classes.md §1).
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstJudgeRepeats : public QObject {
  Q_OBJECT

 private slots:
  void repeats_data();
  void repeats();
  void newestStatusWins_data();
  void newestStatusWins();
  void repeatedEffectsAreListed();
  void sumsOfRefundsHoldWhatIsNotListed();
  void aPartialCaptureIsWhatWasTaken();
  void keyOfARepeatIsKept();
  void onlyFilesThatCoverTheTimeAgree();
};

namespace {

struct Row {
  const char* name;
  std::function<void(Night&)> make;
  int records;
  int repeated;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"effect id twice", [](Night& n) { n.add(effect("e").key("k"), effect("e").key("k")); }, 1, 1},
      {"two effect ids", [](Night& n) { n.add(effect("e").key("k"), effect("f").key("k")); }, 2, 0},
      {"same id, other kind", [](Night& n) {
         n.add(effect("e").key("k"), refund("e").key("k").parent("e"));
       }, 2, 0},
      {"same id in two files of the provider", [](Night& n) {
         n.add(effect("e").key("k"), effect("e").key("k").source(kSecondStatement));
       }, 1, 1},
      {"same id at two providers", [](Night& n) {
         n.policy.sources[7].provider = "paypal";
         n.add(effect("e").key("k"), effect("e").key("k").source(kSecondStatement));
       }, 2, 0},
      {"same id in two accounts", [](Night& n) {
         n.add(effect("e").account("A"), effect("e").account("B"));
       }, 2, 0},
      {"same id, account not always stated", [](Night& n) {
         n.add(effect("e").key("k").account("A"), effect("e").key("k"));
       }, 1, 1},
      {"no id, equal rows of one file", [](Night& n) { n.add(effect("").key("k"), effect("").key("k")); },
       2, 0},
      {"no id, the same file again", [](Night& n) {
         n.add(effect("").key("k").file(1), effect("").key("k").file(1), effect("").key("k").file(9),
               effect("").key("k").file(9));
       }, 2, 2},
      {"no id, one file has more", [](Night& n) {
         n.add(effect("").key("k").file(1), effect("").key("k").file(9), effect("").key("k").file(9));
       }, 2, 1},
      {"skips of overlapping logs", [](Night& n) { n.add(skip("k").file(2), skip("k").file(9)); }, 1, 1},
      {"skips of one log", [](Night& n) { n.add(skip("k"), skip("k")); }, 2, 0},
      {"attempt running, then ended", [](Night& n) {
         n.add(attempt("k").job("j").number(1).running(), attempt("k").job("j").number(1));
       }, 1, 1},
      {"attempts with different starts", [](Night& n) {
         n.add(attempt("k").job("j"), attempt("k").job("j").at(10h + 1s));
       }, 2, 0},
      {"attempts of different workers at one second", [](Night& n) {
         n.add(attempt("k").job("j").worker("a"), attempt("k").job("j").worker("b"));
       }, 2, 0},
      {"attempts without a start, equal rows of one file", [](Night& n) {
         n.add(attempt("k").job("j").noStart(), attempt("k").job("j").noStart());
       }, 2, 0},
      {"dead letter in two snapshots", [](Night& n) {
         n.add(deadLetter("m").key("k").sampled(12h), deadLetter("m").key("k").sampled(13h));
       }, 1, 1},
      {"two dead letters", [](Night& n) { n.add(deadLetter("m").key("k"), deadLetter("m2").key("k")); }, 2,
       0},
      {"intent open, then done", [](Night& n) {
         n.add(intent("i").key("k"), intent("i").key("k").status(IntentStatus::Done));
       }, 1, 1},
      {"authorisation and capture of one parent", [](Night& n) {
         n.add(effect("h").key("k").parent("p").pending().at(9h), effect("c").key("k").parent("p"));
       }, 1, 1},
      {"capture of an authorisation named by its id", [](Night& n) {
         n.add(effect("h").key("k").pending().at(9h), effect("c").key("k").parent("h"));
       }, 1, 1},
      {"a later pending row of the parent is another capture", [](Night& n) {
         n.add(effect("c").key("k").parent("p"), effect("h").key("k").parent("p").pending().at(11h));
       }, 2, 0},
      {"pending row replaced", [](Night& n) {
         n.add(effect("p").key("k").pending(), effect("q").key("k").replaces("p").at(20h));
       }, 1, 1},
      {"rows that replace each other do not both go", [](Night& n) {
         n.add(effect("p").key("k").replaces("q").pending(), effect("q").key("k").replaces("p").pending());
       }, 1, 1},
      {"pending row replaced by a day without a clock", [](Night& n) {
         n.add(effect("p").key("k").pending().at(10h), effect("q").key("k").replaces("p").at(0h).day());
       }, 1, 1},
      {"a live row is not replaced", [](Night& n) {
         n.add(effect("p").key("k"), effect("q").key("k").replaces("p").at(20h));
       }, 2, 0},
      {"a pending row that was renamed twice", [](Night& n) {
         n.add(effect("p").key("k").pending(), effect("q").key("k").replaces("p").pending().at(11h),
               effect("r").key("k").replaces("q").at(12h));
       }, 1, 2},
      {"the same, read in another order", [](Night& n) {
         n.add(effect("p").key("k").pending().at(12h), effect("q").key("k").replaces("p").pending().at(11h),
               effect("r").key("k").replaces("q").at(10h));
       }, 1, 2},
      {"a capture dated by its day", [](Night& n) {
         n.add(effect("h").key("k").parent("p").pending().at(10h), effect("c").key("k").parent("p").at(0h).day());
       }, 1, 1},
      {"a capture of more than was held", [](Night& n) {
         n.add(effect("h").key("k").parent("p").pending().at(9h), effect("c").key("k").parent("p").usd(1501));
       }, 2, 0},
      {"a charge's sum of refunds beside the refunds", [](Night& n) {
         n.add(effect("e").key("k"), refund("e").parent("e").usd(900), refund("r").parent("e").usd(400),
               refund("s").parent("e").usd(500));
       }, 3, 1},
      {"a sum of refunds, not all of them listed", [](Night& n) {
         n.add(effect("e").key("k"), refund("e").parent("e").usd(900), refund("r").parent("e").usd(400));
       }, 3, 0},
      {"a sum of refunds of another provider", [](Night& n) {
         n.policy.sources[7].provider = "paypal";
         n.add(effect("e").key("k"), refund("e").parent("e").usd(900),
               refund("r").parent("e").usd(900).source(kSecondStatement));
       }, 3, 0},
      {"a sum of refunds beside one that failed", [](Night& n) {
         n.add(effect("e").key("k"), refund("e").parent("e").usd(900), refund("r").parent("e").usd(900).failed());
       }, 3, 0},
      {"a part of a charge that was never captured", [](Night& n) {
         n.add(effect("e").key("k"), refund("t").parent("e").replaces("e").usd(500));
       }, 1, 1},
      {"a refund that takes the place of a pending row is a refund", [](Night& n) {
         n.add(effect("e").key("k"), refund("t").parent("e").replaces("p").usd(500));
       }, 2, 0},
      {"more never captured than there is", [](Night& n) {
         n.add(effect("e").key("k"), refund("t").parent("e").replaces("e").usd(1501));
       }, 2, 0},
      {"claim taken and finished", [](Night& n) {
         n.add(claim("k", ClaimState::InProgress), claim("k", ClaimState::Completed));
       }, 1, 1},
  };
  return all;
}

}  // namespace

void TstJudgeRepeats::repeats_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TstJudgeRepeats::repeats() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  Night night;
  expected.make(night);
  const Judgement judgement = night.judged();
  std::size_t records = 0;
  for (const Unit& unit : judgement.units) records += unit.records.size();
  std::uint64_t repeated = 0;
  for (const auto& [source, count] : judgement.repeats) repeated += count;
  QCOMPARE(static_cast<int>(records), expected.records);
  QCOMPARE(static_cast<int>(repeated), expected.repeated);
}

void TstJudgeRepeats::newestStatusWins_data() {
  QTest::addColumn<int>("first");
  QTest::addColumn<int>("firstHour");
  QTest::addColumn<int>("second");
  QTest::addColumn<int>("secondHour");
  QTest::addColumn<int>("winner");
  const int live = static_cast<int>(EffectStatus::Live);
  const int pending = static_cast<int>(EffectStatus::Pending);
  const int failed = static_cast<int>(EffectStatus::Failed);
  QTest::newRow("later failed") << live << 10 << failed << 11 << failed;
  QTest::newRow("later live") << failed << 10 << live << 11 << live;
  QTest::newRow("later pending") << live << 10 << pending << 11 << pending;
  QTest::newRow("tie: live before pending") << pending << 10 << live << 10 << live;
  QTest::newRow("tie: failed before pending") << pending << 10 << failed << 10 << failed;
  QTest::newRow("tie: live before failed") << failed << 10 << live << 10 << live;
}

void TstJudgeRepeats::newestStatusWins() {
  QFETCH(int, first);
  QFETCH(int, firstHour);
  QFETCH(int, second);
  QFETCH(int, secondHour);
  Night night;
  Build<Effect> a = effect("e").key("k").at(firstHour * 1h);
  Build<Effect> b = effect("e").key("k").at(secondHour * 1h);
  if (first == 1) a.pending();
  if (first == 2) a.failed();
  if (second == 1) b.pending();
  if (second == 2) b.failed();
  night.add(a, b);
  QTEST(static_cast<int>(night.unit().records.effects[0].status), "winner");
}

void TstJudgeRepeats::repeatedEffectsAreListed() {
  Night night;
  night.add(attempt("k"), effect("e").key("k"), effect("e").key("k").usd(1400).at(9h));
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.repeatedEffects.size(), std::size_t(1));
  QCOMPARE(judgement.repeatedEffects[0].amount->minor, std::int64_t(1400));
  QCOMPARE(judgement.repeats.at(kStatement), std::uint64_t(1));
}

void TstJudgeRepeats::sumsOfRefundsHoldWhatIsNotListed() {
  Night night;
  night.add(attempt("k"), effect("e").key("k"), refund("e").parent("e").usd(900), refund("r").parent("e").usd(400));
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.units.size(), std::size_t{1});
  std::int64_t refunded = 0;
  for (const Effect& effect : judgement.units[0].records.effects) {
    if (effect.kind == EffectKind::Reversal) refunded += effect.amount->minor;
  }
  QCOMPARE(refunded, 900);
  QCOMPARE(judgement.repeatedEffects.size(), std::size_t{1});   // the proof read 1300
  QCOMPARE(judgement.repeatedEffects[0].amount->minor, 400);
}

void TstJudgeRepeats::aPartialCaptureIsWhatWasTaken() {
  const auto classOf = [](std::int64_t asked) {
    Night night;
    night.add(attempt("k").usd(asked), effect("e").key("k").usd(3000),
              refund("t").parent("e").replaces("e").usd(1000));
    const Judgement judgement = night.judged();
    return judgement.units.size() == 1 ? judgement.units[0].unitClass : Class::UnrecordedEffect;
  };
  QCOMPARE(classOf(2000), Class::Matched);
  QCOMPARE(classOf(3000), Class::AmountMismatch);
}

void TstJudgeRepeats::keyOfARepeatIsKept() {
  Night night;
  night.add(attempt("k"), effect("e").key("k").at(9h), effect("e").at(10h));
  QCOMPARE(classText(night.unit()), QString("matched"));
}

void TstJudgeRepeats::onlyFilesThatCoverTheTimeAgree() {
  Night night;
  night.coverage.declared.insert(kStatement);
  night.coverage.byFile[FileId{1}] = {{atTime(0h), atTime(24h)}};
  night.coverage.byFile[FileId{9}] = {{atTime(24h), atTime(48h)}};
  night.add(effect("").key("k").file(1), effect("").key("k").file(9));
  QCOMPARE(night.unit().records.effects.size(), std::size_t(2));
  night.coverage.byFile[FileId{9}] = {{atTime(9h), atTime(48h)}};
  QCOMPARE(night.unit().records.effects.size(), std::size_t(1));
}

QTEST_APPLESS_MAIN(TstJudgeRepeats)
#include "tst_judge_repeats.moc"
