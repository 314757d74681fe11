// SPDX-License-Identifier: GPL-3.0-or-later
// What a unit says of itself: identity, key, scope, order of output.
#include "core/judge/case_id.h"
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstUnit : public QObject {
  Q_OBJECT

 private slots:
  void idIsSixteenHexDigits();
  void idsOfDifferentPartsDiffer();
  void idDoesNotFollowPlaces();
  void idWithoutAKey();
  void keyIsTheFirstAttempts();
  void scopeIsWritten();
  void listsAreSortedAndUnique();
  void outputOrder();
};

void TstUnit::idIsSixteenHexDigits() {
  const CaseId id = judging::caseIdOf("acct/test", "charge", "k", "");
  QCOMPARE(id.size(), std::size_t(16));
  QVERIFY(id.find_first_not_of("0123456789abcdef") == std::string::npos);
  QCOMPARE(id, judging::caseIdOf("acct/test", "charge", "k", ""));
}

void TstUnit::idsOfDifferentPartsDiffer() {
  const CaseId id = judging::caseIdOf("a", "b", "c", "d");
  QVERIFY(id != judging::caseIdOf("ab", "", "c", "d"));
  QVERIFY(id != judging::caseIdOf("a", "bc", "", "d"));
  QVERIFY(id != judging::caseIdOf("a", "b", "cd", ""));
  QVERIFY(judging::caseIdOf("", "", "1:a|", "") != judging::caseIdOf("", "", "", "1:a|"));
}

void TstUnit::idDoesNotFollowPlaces() {
  Night a;
  a.add(attempt("k").offset(7), effect("e").key("k").offset(9));
  Night b;
  b.add(effect("e").key("k").offset(1), attempt("k").offset(1000).file(4));
  QCOMPARE(a.unit().id, b.unit().id);
}

void TstUnit::idWithoutAKey() {
  Night night;
  night.add(attempt("").job("a"), attempt("").job("b"), effect("e"), effect("f"));
  std::set<CaseId> ids;
  for (const Unit& unit : night.judged().units) ids.insert(unit.id);
  QCOMPARE(ids.size(), std::size_t(4));
}

void TstUnit::keyIsTheFirstAttempts() {
  Night night;
  Build<Attempt> spelled = attempt("0d1f").job("j").at(9h);
  Attempt first = spelled;
  first.keyText = "{0D1F}";
  night.records.add(AnyRecord(first));
  night.add(attempt("zzz").job("j").at(10h), effect("e").key("0d1f"));
  const Unit unit = night.unit();
  QCOMPARE(unit.key, std::string("{0D1F}"));
  QCOMPARE(unit.keys, (std::vector<std::string>{"0d1f", "zzz", "{0D1F}"}));
}

void TstUnit::scopeIsWritten() {
  Night night;
  night.add(attempt("k").account("A").test());
  QCOMPARE(night.unit().scope, std::string("A/test"));
  Night several;
  several.add(attempt("k"), effect("a").key("k").account("A"), effect("b").key("k").account("B"));
  QCOMPARE(several.unit().scope, std::string(""));
}

void TstUnit::listsAreSortedAndUnique() {
  Unit unit;
  unit.raise(Flag::Reversed);
  unit.raise(Flag::AmbiguousMatch);
  unit.raise(Flag::Reversed);
  QCOMPARE(codes(unit.flags), QString("ambiguous_match reversed"));
  QVERIFY(unit.has(Flag::Reversed));
  QVERIFY(!unit.has(Flag::Overdue));
}

void TstUnit::outputOrder() {
  Unit a;
  a.unitClass = Class::DuplicateEffect;
  a.key = "b";
  Unit b;
  b.unitClass = Class::Matched;
  b.key = "a";
  QVERIFY(outputBefore(a, b));
  b.unitClass = Class::DuplicateEffect;
  QVERIFY(outputBefore(b, a));
  b.key = "b";
  b.id = "1";
  QVERIFY(outputBefore(a, b));
  QVERIFY(!outputBefore(a, a));
}

QTEST_APPLESS_MAIN(TstUnit)
#include "tst_unit.moc"
