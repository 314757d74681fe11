// SPDX-License-Identifier: GPL-3.0-or-later
// A case splits into sub-operations (classes.md §3).
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::vector<Expectation>& splitRows() {
  static const std::vector<Expectation> rows = {
      {"two references under one key", [](Night& n) {
         n.add(attempt("k").order("o1").job("a"), attempt("k").order("o2").job("b").at(12h),
               effect("e").key("k").order("o1"), effect("f").key("k").order("o2").at(12h));
       }, "o1", "matched", nullptr, nullptr, "", nullptr, 2},
      {"unmarked effect goes to the plausible time", [](Night& n) {
         n.add(attempt("k").order("o1").job("a"), attempt("k").order("o2").job("b").at(14h),
               effect("e").key("k"), effect("f").key("k").at(14h));
       }, "f", "matched", nullptr, nullptr, "", nullptr, 2},
      {"payloads that differ in amount", [](Night& n) {
         n.add(attempt("k").fp("1").job("a").usd(1000), attempt("k").fp("2").job("b").usd(2000).at(14h),
               effect("e").key("k").usd(1000), effect("f").key("k").usd(2000).at(14h));
       }, "f", "matched", nullptr, "", "", nullptr, 2},
      {"payloads that differ in nothing that counts", [](Night& n) {
         n.add(attempt("k").fp("1").job("a"), attempt("k").fp("2").job("b").at(14h), effect("e").key("k"));
       }, "", "matched", nullptr, nullptr, "absorbed_duplicate"},
      {"payloads that differ in destination", [](Night& n) {
         n.add(attempt("k").fp("1").job("a").customer("x"),
               attempt("k").fp("2").job("b").customer("y").at(14h), effect("e").key("k"));
       }, "b", "missing_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"payloads of one job stay together", [](Night& n) {
         n.add(attempt("k").fp("1").job("a").usd(41000), attempt("k").fp("2").job("a").usd(41500).at(11h),
               effect("e").key("k").usd(41000));
       }, "", "amount_mismatch", nullptr, "USD -500"},
      {"payloads of one order stay together", [](Night& n) {
         n.add(attempt("k").fp("1").job("a").order("o").usd(1000),
               attempt("k").fp("2").job("b").order("o").usd(2000).at(11h), effect("e").key("k").usd(1000));
       }, "", "amount_mismatch"},
      {"payloads with nothing else known", [](Night& n) {
         n.add(attempt("k").fp("1").job("a").noAmount(), attempt("k").fp("2").job("b").noAmount().at(14h),
               effect("e").key("k").noAmount());
       }, "a", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"a deposit and the rest", [](Night& n) {
         n.add(attempt("k1").job("a").order("o").usd(9000),
               attempt("k2").job("b").order("o").usd(21000).at(11h), effect("e").key("k1").order("o").usd(9000),
               effect("f").key("k2").order("o").usd(21000).at(11h));
       }, "a", "matched", nullptr, nullptr, "same_reference", nullptr, 2},
      {"the rest never charged", [](Night& n) {
         n.add(attempt("k1").job("a").order("o").usd(9000),
               attempt("k2").job("b").order("o").usd(21000).at(11h), effect("e").key("k1").order("o").usd(9000));
       }, "b", "missing_effect", nullptr, "USD 21000", "same_reference", nullptr, 2},
      {"equal amounts under one order are one", [](Night& n) {
         n.add(attempt("k1").job("a").order("o"), attempt("k2").job("b").order("o").at(11h),
               effect("e").key("k1").order("o"), effect("f").key("k2").order("o").at(11h));
       }, "", "duplicate_effect", "key_per_attempt"},
      {"different amounts, but no effect of its own amount", [](Night& n) {
         n.add(attempt("k1").job("a").order("o").usd(9000),
               attempt("k2").job("b").order("o").usd(21000).at(11h), effect("e").order("o").usd(30000));
       }, "", "amount_mismatch", nullptr, "USD 9000"},
      {"an effect of the other's amount does not count", [](Night& n) {
         n.add(attempt("k1").job("a").order("o").usd(9000),
               attempt("k2").job("b").order("o").usd(21000).at(11h), effect("e").key("k1").order("o").usd(21000));
       }, "", "matched"},
      {"keys of one job are one operation", [](Night& n) {
         n.add(attempt("k1").job("a").order("o").usd(9000),
               attempt("k2").job("a").order("o").usd(21000).at(11h), effect("e").key("k1").order("o").usd(9000));
       }, "", "amount_mismatch"},
      {"no deposit where parts are expected", [](Night& n) {
         n.operation().expect = Expect::Split;
         n.add(attempt("k1").job("a").order("o").usd(9000),
               attempt("k2").job("b").order("o").usd(21000).at(11h), effect("e").key("k1").order("o").usd(9000),
               effect("f").key("k2").order("o").usd(12000).at(11h));
       }, "", "matched"},
      {"a skip for something never done", [](Night& n) {
         n.add(attempt("k").usd(140), skip("k").usd(125), effect("e").key("k").usd(140));
       }, "e", "matched", nullptr, nullptr, "", nullptr, 2},
      {"a skip for another amount, same order", [](Night& n) {
         n.add(attempt("k").order("o").usd(2500), skip("k").order("o").usd(3500), effect("e").key("k").usd(2500));
       }, "", "matched"},
      {"a skip for another order", [](Night& n) {
         n.add(attempt("k").order("o1"), skip("k").order("o2").usd(1500), effect("e").key("k").order("o1"));
       }, "o2", "suppressed_work", nullptr, "USD 1500", "", nullptr, 2},
      {"a recorded id beats the reference's amount", [](Night& n) {
         n.add(attempt("k").order("o1").job("a").recorded("f"), attempt("k").order("o2").job("b").at(14h),
               effect("e").key("k").at(14h), effect("f").key("k").at(14h));
       }, "f", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"the amount of another currency is another amount", [](Night& n) {
         n.add(attempt("k").order("o1").job("a").amount(money(1500, "EUR")), attempt("k").order("o2").job("b").at(14h),
               effect("x").key("k").order("o2").at(14h).failed(), effect("e").key("k").at(18h));
       }, "e", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"an effect near another effect is not near a run", [](Night& n) {
         n.add(attempt("k").order("o1").job("a").usd(2000), effect("e").key("k").order("o2").at(12h),
               effect("f").key("k").usd(2000).at(12h + 1min));
       }, "a", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"the job recorded the id of the pending row", [](Night& n) {
         n.add(attempt("k").order("o1").job("a"), attempt("k").job("b").recorded("p").at(14h),
               effect("p").key("k").order("o2").pending().at(14h),
               effect("e").key("k").order("o2").replaces("p").at(20h));
       }, "b", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"the own id beats that of the payment", [](Night& n) {
         n.add(attempt("k").order("o1").job("a").recorded("e"), attempt("k").order("o2").job("b").recorded("pi"),
               effect("e").key("k").parent("pi"));
       }, "a", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"equal effects are shared out", [](Night& n) {
         n.add(attempt("k").order("o1").job("a"), attempt("k").order("o2").job("b"), effect("e").key("k"),
               effect("f").key("k"));
       }, "a", "matched", nullptr, nullptr, nullptr, nullptr, 2},
  };
  return rows;
}

}  // namespace

class TstSplit : public QObject {
  Q_OBJECT

 private slots:
  void split_data() { addRows(splitRows()); }
  void split() { verifyRow(splitRows()); }
  void suppressedSkipUnit();
  void coarseKeysAreNamed();
  void depositIsNoCoarseKey();
  void marksMakeIdsDifferent();
  void manyReferencesUnderOneKeyStayFast();
};

void TstSplit::suppressedSkipUnit() {
  Night night;
  night.add(attempt("k").usd(140), skip("k").usd(125), effect("e").key("k").usd(140));
  const Judgement judgement = night.judged();
  QCOMPARE(classText(judgement.units[0]), QString("suppressed_work"));
  QCOMPARE(exposureText(judgement.units[0]), QString("USD 125"));
  QCOMPARE(judgement.coarseKeys, std::vector<std::string>{"k"});
}

void TstSplit::coarseKeysAreNamed() {
  Night night;
  night.add(attempt("k").order("o1"), attempt("k").order("o2"), attempt("z").order("o3"));
  QCOMPARE(night.judged().coarseKeys, std::vector<std::string>{"k"});
}

void TstSplit::depositIsNoCoarseKey() {
  Night night;
  night.add(attempt("k1").job("a").order("o").usd(9000),
            attempt("k2").job("b").order("o").usd(21000), effect("e").key("k1").order("o").usd(9000));
  QCOMPARE(night.judged().units.size(), std::size_t(2));
  QVERIFY(night.judged().coarseKeys.empty());
}

void TstSplit::marksMakeIdsDifferent() {
  Night night;
  night.add(attempt("k").order("o1"), attempt("k").order("o2"));
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.units.size(), std::size_t(2));
  QVERIFY(judgement.units[0].id != judgement.units[1].id);
  QVERIFY(judgement.units[0].mark == "o1" || judgement.units[0].mark == "o2");
}

void TstSplit::manyReferencesUnderOneKeyStayFast() {
  Night night;
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i);
    night.add(attempt("k").order("o" + number).job("j" + number).usd(i + 1).at(10h + i * 1s),
              effect("e" + number).key("k").usd(i + 1).at(10h + i * 1s));
  }
  night.asOf = atTime(47h);
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.units.size(), std::size_t(3000));
  QCOMPARE(std::count_if(judgement.units.begin(), judgement.units.end(),
                         [](const Unit& u) { return u.unitClass == Class::Matched; }),
           std::ptrdiff_t(3000));
}

QTEST_APPLESS_MAIN(TstSplit)
#include "tst_split.moc"
