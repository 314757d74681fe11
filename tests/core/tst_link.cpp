// SPDX-License-Identifier: GPL-3.0-or-later
// Which records are one case: links 1 to 4, scopes, values that are no link, keys a provider cut.
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::vector<Expectation>& linkRows() {
  static const std::vector<Expectation> rows = {
      {"1: recorded effect id", [](Night& n) { n.add(attempt("k").recorded("e"), effect("e").key("x")); },
       "e", "matched", nullptr, nullptr, nullptr, nullptr, 1},
      {"1: recorded id of the pending row that was replaced", [](Night& n) {
         n.add(attempt("").job("j").recorded("p"), effect("p").pending().at(10h),
               effect("e").replaces("p").at(12h));
       }, "e", "matched", nullptr, nullptr, nullptr, nullptr, 1},
      {"1: recorded parent of a capture", [](Night& n) {
         n.add(attempt("").job("j").recorded("pi"), effect("e").parent("pi"));
       }, "e", "matched", nullptr, nullptr, nullptr, nullptr, 1},
      {"2: key", [](Night& n) { n.add(attempt("k"), effect("e").key("k")); }, "", "matched"},
      {"2: other case is another key", [](Night& n) { n.add(attempt("k"), effect("e").key("K")); }, "e",
       "unrecorded_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"2: a prefix is another key", [](Night& n) { n.add(attempt("inv-1"), effect("e").key("inv-10")); },
       "e", "unrecorded_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"2: key zero is a key", [](Night& n) { n.add(attempt("0"), effect("e").key("0")); }, "", "matched"},
      {"no keys join nothing", [](Night& n) { n.add(attempt("").job("j"), effect("e")); }, "e",
       "unrecorded_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"damaged keys join nothing", [](Night& n) {
         n.add(attempt("").damagedKey("4.68769E+18").job("j"), effect("e").damagedKey("4.68769E+18"));
       }, "e", "unrecorded_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"3: business reference", [](Night& n) {
         n.add(attempt("k").order("o"), effect("e").order("o"));
       }, "", "matched"},
      {"3: null is no reference", [](Night& n) {
         n.add(attempt("k").order("null"), effect("e").order("null"));
       }, "e", "unrecorded_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"3: not across operations", [](Night& n) {
         n.addRefunds();
         n.add(attempt("c").job("c").order("o"), attempt("r").job("r").order("o").op(1).at(12h),
               effect("e").order("o"), refund("f").order("o").at(12h));
       }, "c", "matched_compensated", nullptr, nullptr, "reversed", nullptr, 2},
      {"4: job id of one source", [](Night& n) {
         n.add(attempt("k").job("j").failed(), attempt("").job("j").at(10h + 5s), effect("e").key("k"));
       }, "", "matched"},
      {"4: job id of another source is another job", [](Night& n) {
         n.policy.sources[2].kinds = {RecordKind::Attempt};
         n.cover(kSkips, -24h, 48h);
         n.add(attempt("k").job("j"), attempt("").job("j").source(kSkips), effect("e").key("k"));
       }, "e", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"4: message id", [](Night& n) {
         n.add(attempt("k").message("m").failed(), attempt("").message("m").at(10h + 5s),
               effect("e").key("k"));
       }, "", "matched"},
      {"4: outbox id and the consumer's event", [](Night& n) {
         n.add(outbox("ob").key("k").published(9h), processed("").id("ob").source(kOutbox),
               effect("e").key("k"));
       }, "", "matched"},
      {"scopes: same key in two accounts", [](Night& n) {
         n.add(attempt("1001").job("a").account("A"), effect("ea").key("1001").account("A"),
               attempt("1001").job("b").account("B"), effect("eb").key("1001").account("B"));
       }, "a", "matched", nullptr, nullptr, "", nullptr, 2},
      {"scopes: effect in another account is not ours", [](Night& n) {
         n.add(attempt("1004").job("b").account("B"), effect("ea").key("1004").account("A"));
       }, "b", "missing_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"scopes: recorded id in another account is not ours", [](Night& n) {
         n.add(attempt("k").job("b").account("B").recorded("ea"), effect("ea").account("A"));
       }, "b", "missing_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"scopes: an id of ours in another account ties nothing there", [](Night& n) {
         n.add(attempt("k").job("b").account("B").recorded("ea"), effect("ea").account("A"),
               effect("eb").account("A").parent("ea").usd(1600));
       }, "eb", "unrecorded_effect", nullptr, "USD 1600", "", nullptr, 3},
      {"scopes: test is not live", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").key("k").test());
       }, "j", "missing_effect", nullptr, nullptr, nullptr, nullptr, 2},
      {"scopes: a blank account fits the one there is", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k").account("A"));
       }, "", "matched"},
      {"scopes: effects of several accounts under one operation", [](Night& n) {
         n.add(attempt("k"), effect("ea").key("k").account("A"), effect("eb").key("k").account("B"));
       }, "", "duplicate_effect", nullptr, "USD 1500", "", "several_accounts"},
      {"scopes: a blank effect under several operations is ambiguous", [](Night& n) {
         n.add(attempt("k").job("a").account("A"), attempt("k").job("b").account("B").at(13h),
               effect("e").key("k"));
       }, "e", "matched", nullptr, nullptr, "ambiguous_match", nullptr, 2},
      {"scopes: a blank local record with several of ours", [](Night& n) {
         n.add(attempt("k").job("a").account("A"), attempt("k").job("b").account("B").at(13h),
               effect("ea").key("k").account("A"), effect("eb").key("k").account("B").at(13h),
               skip("k").at(14h));
       }, "a", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"operations: a key of two belongs to the first", [](Night& n) {
         n.policy.operations.push_back(n.policy.operations[0]);
         n.policy.operations[1].name = "reserve";
         n.add(attempt("k").job("a").op(1), attempt("k").job("b").op(0), effect("e").key("k"));
       }, "b", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"operations: the provider tells them apart", [](Night& n) {
         n.policy.operations.push_back(n.policy.operations[0]);
         n.policy.operations[0].provider = "mailer";
         n.policy.operations[1].provider = "stripe";
         n.add(attempt("k").job("a").op(0), attempt("k").job("b").op(1), effect("e").key("k"));
       }, "b", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"operations: a skip that names none has its key's", [](Night& n) {
         n.policy.operations.push_back(n.policy.operations[0]);
         n.add(attempt("k").op(1), effect("e").key("k"), skip("k").op(-1));
       }, "", "matched"},
      {"a refund row never pays for a charge", [](Night& n) {
         n.add(attempt("k").job("j"), refund("r").key("k"));
       }, "j", "missing_effect"},
      {"one key, five hundred jobs, one case", [](Night& n) {
         for (int i = 0; i < 500; ++i) n.add(attempt("k").job("j" + std::to_string(i)));
         n.add(effect("e").key("k"));
       }, "", "matched"},
  };
  return rows;
}

}  // namespace

class TstLink : public QObject {
  Q_OBJECT

 private slots:
  void link_data() { addRows(linkRows()); }
  void link() { verifyRow(linkRows()); }
  void commonReferenceNeitherJoinsNorSplits();
  void referenceAtTheLimitJoins();
  void commonJobIdsWithoutKeys();
  void referenceCommonInTheWholeRun();
  void cutKeyOfOneLocalKey();
  void cutKeyFitsByAmountAndTime();
  void cutKeyUndecided();
  void uncutKeyIsNoPrefix();
  void numberThatStandsForSeveralKeys();
  void keyRestsLongerThanItsLifetime();
};

void TstLink::commonReferenceNeitherJoinsNorSplits() {
  Night night;
  for (int i = 0; i < 51; ++i) {
    const std::string number = std::to_string(i);
    night.add(attempt("k" + number).order("N/A"), effect("e" + number).key("k" + number).order("N/A"));
  }
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.units.size(), std::size_t(51));
  for (const Unit& unit : judgement.units) QCOMPARE(classText(unit), QString("matched"));
  QCOMPARE(judgement.commonLinkValues, std::vector<std::string>{"op_ref N/A"});
}

void TstLink::referenceAtTheLimitJoins() {
  Night night;
  for (int i = 0; i < 50; ++i) night.add(attempt("k" + std::to_string(i)).order("o"));
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.units.size(), std::size_t(1));
  QVERIFY(judgement.commonLinkValues.empty());
}

void TstLink::commonJobIdsWithoutKeys() {
  Night night;
  for (int i = 0; i < 51; ++i) night.add(attempt("").job("j" + std::to_string(i)).order("tenant"));
  QCOMPARE(night.judged().units.size(), std::size_t(51));
}

void TstLink::referenceCommonInTheWholeRun() {
  Night night;
  night.run.isCommonOpRef = [](std::string_view opRef, OperationId) { return opRef == "tenant"; };
  night.add(attempt("k").order("tenant"), attempt("k").order("o").at(11h), effect("e").key("k"));
  QCOMPARE(classText(night.unit()), QString("matched"));
  QCOMPARE(night.judged().commonLinkValues, std::vector<std::string>{"op_ref tenant"});
}

void TstLink::cutKeyOfOneLocalKey() {
  Night night;
  night.provider().keyLength = 5;
  night.add(attempt("abcdefgh"), effect("e").key("abcde"));
  QCOMPARE(classText(night.unit()), QString("matched"));
  QVERIFY(night.judged().coarseKeys.empty());
}

void TstLink::cutKeyFitsByAmountAndTime() {
  Night night;
  night.provider().keyLength = 5;
  night.add(attempt("abcdef").job("f").usd(12000), attempt("abcdeg").job("g").usd(12500),
            effect("e").key("abcde").usd(12000));
  QCOMPARE(classText(night.unitWith("f")), QString("matched"));
  QCOMPARE(classText(night.unitWith("g")), QString("missing_effect"));
  QCOMPARE(night.judged().coarseKeys, std::vector<std::string>{"abcde"});
}

void TstLink::cutKeyUndecided() {
  Night night;
  night.provider().keyLength = 5;
  night.add(attempt("abcdef").job("f"), attempt("abcdeg").job("g"), effect("e").key("abcde"));
  const Unit effectUnit = night.unitWith("e");
  QCOMPARE(classText(effectUnit), QString("unrecorded_effect"));
  QVERIFY(effectUnit.has(Flag::AmbiguousMatch));
  QCOMPARE(effectUnit.candidates, (std::vector<std::string>{"f", "g"}));
  const Unit local = night.unitWith("f");
  QCOMPARE(classText(local), QString("missing_effect"));
  QVERIFY(local.has(Flag::AmbiguousMatch));
  QCOMPARE(local.candidates, std::vector<std::string>{"e"});
}

void TstLink::uncutKeyIsNoPrefix() {
  Night night;
  night.provider().keyLength = 6;
  night.add(attempt("abcdefgh").job("j"), effect("e").key("abcde"));
  QCOMPARE(classText(night.unitWith("j")), QString("missing_effect"));
}

void TstLink::numberThatStandsForSeveralKeys() {
  Night night;
  night.add(attempt("000456").job("a").usd(1600), attempt("456").job("b").usd(1700).at(10h + 60s),
            effect("x").key("456").usd(1600), effect("y").key("456").usd(1700).at(10h + 60s));
  QCOMPARE(classText(night.unitWith("b")), QString("duplicate_effect"));
  night.run.damagedSources.insert(kStatement);
  QCOMPARE(classText(night.unitWith("b")), QString("missing_effect"));
  QCOMPARE(classText(night.unitWith("x")), QString("unrecorded_effect"));
}

void TstLink::keyRestsLongerThanItsLifetime() {
  Night night;
  night.operation().keyLifetime = 6h;
  night.add(attempt("k").job("a"), effect("e").key("k"), attempt("k").job("b").at(17h),
            effect("f").key("k").at(17h));
  const Judgement judgement = night.judged();
  QCOMPARE(judgement.units.size(), std::size_t(2));
  QVERIFY(judgement.units[0].id != judgement.units[1].id);
  night.operation().keyLifetime = 8h;
  QCOMPARE(classText(night.unit()), QString("duplicate_effect"));
}

QTEST_APPLESS_MAIN(TstLink)
#include "tst_link.moc"
