// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzy candidates (link 5) and probable duplicates: proposals only.
#include <chrono>

#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

struct Proposed {
  std::vector<Unit> units;
  const Unit& with(const std::string& name) const {
    for (const Unit& unit : units) {
      if (Night::holds(unit, name)) return unit;
    }
    throw std::runtime_error("no unit with " + name);
  }
};

Proposed propose(const Night& night) {
  Proposed proposed{std::move(night.judged().units)};
  std::vector<Unit*> oneSided;
  for (Unit& unit : proposed.units) {
    if (wantsSuggestions(unit, night.policy)) oneSided.push_back(&unit);
  }
  suggestMatches(oneSided, night.context());
  return proposed;
}

struct Row {
  const char* name;
  std::function<void(Night&)> make;
  const char* local;       ///< flags of the unit with job "j"
  const char* candidates;  ///< of it
  const char* effect;      ///< flags of the unit with effect "e"
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"amount and time", [](Night& n) { n.add(attempt("k").job("j"), effect("e")); }, "suggested_match",
       "e", "suggested_match"},
      {"time at the edge", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").at(10h + 301s));
       }, "suggested_match", "e", "suggested_match"},
      {"time beyond the edge", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").at(10h + 302s));
       }, "", "", ""},
      {"before the start by the skew", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").at(9h + 55min));
       }, "suggested_match", "e", "suggested_match"},
      {"before that", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").at(9h + 55min - 1us));
       }, "", "", ""},
      {"other amount", [](Night& n) { n.add(attempt("k").job("j"), effect("e").usd(1499)); }, "", "", ""},
      {"conflicting orders", [](Night& n) {
         n.add(attempt("k").job("j").order("o1"), effect("e").order("o2"));
       }, "", "", ""},
      {"destination where there are no amounts", [](Night& n) {
         n.add(attempt("k").job("j").noAmount().customer("a@b"),
               effect("e").noAmount().customer("a@b"));
       }, "suggested_match", "e", "suggested_match"},
      {"another destination", [](Night& n) {
         n.add(attempt("k").job("j").noAmount().customer("a@b"),
               effect("e").noAmount().customer("c@d"));
       }, "", "", ""},
      {"key but for case, hours apart", [](Night& n) {
         n.add(attempt("Qm7pLz").job("j"), effect("e").key("QM7PLZ").at(15h).usd(1));
       }, "suggested_match", "e", "suggested_match"},
      {"key but for punctuation", [](Night& n) {
         n.add(attempt("ord-35").job("j"), effect("e").key("'ord_35").at(15h).usd(1));
       }, "suggested_match", "e", "suggested_match"},
      {"same key and amount in another account", [](Night& n) {
         n.add(attempt("1004").job("j").account("B"), effect("e").key("1004").account("A").at(15h));
       }, "suggested_match", "e", "suggested_match"},
      {"same key, other amount in another account", [](Night& n) {
         n.add(attempt("1004").job("j").account("B"), effect("e").key("1004").account("A").usd(1));
       }, "", "", ""},
      {"test rows are never proposed for live ones", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").test());
       }, "", "", ""},
      {"two effects fit equally", [](Night& n) { n.add(attempt("k").job("j"), effect("e"), effect("f")); },
       "ambiguous_match", "e f", "suggested_match"},
      {"two jobs fit equally", [](Night& n) {
         n.add(attempt("k").job("j"), attempt("l").job("i"), effect("e"));
       }, "suggested_match", "e", "ambiguous_match"},
      {"a better fit wins", [](Night& n) {
         n.add(attempt("Abc").job("j"), effect("f"), effect("e").key("abc").at(10h + 1s));
       }, "suggested_match", "e", "suggested_match"},
      {"damaged key", [](Night& n) {
         n.add(attempt("4687687688339431234").job("j"), effect("e").damagedKey("4.68769E+18"));
       }, "suggested_match", "e", "suggested_match"},
      {"failed rows are no candidates", [](Night& n) { n.add(attempt("k").job("j"), effect("e").failed()); },
       "", "", ""},
      {"a failed job finds the effect, though the books agree", [](Night& n) {
         n.add(attempt("k").job("j").failed(), effect("e"));
       }, "suggested_match", "e", "suggested_match"},
      {"a job that matched earlier looks for nothing", [](Night& n) {
         n.earlier.matchedKeys = {"k"};
         n.add(attempt("k").job("j"), effect("e"));
       }, "absorbed_duplicate", "", ""},
      {"a dead letter finds the effect", [](Night& n) {
         n.add(deadLetter("m").key("k"), attempt("k").job("j").failed(), effect("e"));
       }, "suggested_match", "e", "suggested_match"},
  };
  return all;
}

QString joined(const std::vector<std::string>& values) {
  QString text;
  for (const std::string& value : values) {
    if (!text.isEmpty()) text += ' ';
    text += QString::fromStdString(value);
  }
  return text;
}

void askForProbable(Night& night) { night.operation().probableDuplicateWithin = 10min; }

}  // namespace

class TstSuggest : public QObject {
  Q_OBJECT

 private slots:
  void proposal_data();
  void proposal();
  void matchedUnitsAreLeftAlone();
  void probableDuplicate_data();
  void probableDuplicate();
  void probableWithAStrayEffect();
  void candidatesAreBounded();
  void orderDoesNotMatter();
  void hundredThousandStayFast();
};

void TstSuggest::proposal_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TstSuggest::proposal() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  Night night;
  expected.make(night);
  const Proposed proposed = propose(night);
  QCOMPARE(codes(proposed.with("j").flags), QString(expected.local));
  QCOMPARE(joined(proposed.with("j").candidates), QString(expected.candidates));
  QCOMPARE(codes(proposed.with("e").flags), QString(expected.effect));
  QVERIFY(proposed.with("e").unitClass != Class::Matched);
}

void TstSuggest::matchedUnitsAreLeftAlone() {
  Night night;
  night.add(attempt("k").job("j"), effect("e").key("k"), attempt("l").job("i"));
  const Proposed proposed = propose(night);
  QCOMPARE(classText(proposed.with("i")), QString("missing_effect"));
  QVERIFY(proposed.with("i").candidates.empty());
}

void TstSuggest::probableDuplicate_data() {
  QTest::addColumn<QString>("otherKey");
  QTest::addColumn<QString>("otherOrder");
  QTest::addColumn<QString>("otherCustomer");
  QTest::addColumn<int>("minutes");
  QTest::addColumn<bool>("asked");
  QTest::addColumn<QString>("expected");
  QTest::newRow("alike") << "k2" << "" << "c" << 7 << true << "probable_duplicate";
  QTest::newRow("too far apart") << "k2" << "" << "c" << 11 << true << "matched";
  QTest::newRow("other destination") << "k2" << "" << "d" << 7 << true << "matched";
  QTest::newRow("unknown destination") << "k2" << "" << "" << 7 << true << "matched";
  QTest::newRow("conflicting order") << "k2" << "o2" << "c" << 7 << true << "matched";
  QTest::newRow("not asked for") << "k2" << "" << "c" << 7 << false << "matched";
}

void TstSuggest::probableDuplicate() {
  QFETCH(QString, otherKey);
  QFETCH(QString, otherOrder);
  QFETCH(QString, otherCustomer);
  QFETCH(int, minutes);
  QFETCH(bool, asked);
  Night night;
  if (asked) askForProbable(night);
  const std::string key = otherKey.toStdString();
  night.add(attempt("k1").job("j").order("o1").customer("c"), effect("e").key("k1").customer("c"),
            attempt(key).job("i").order(otherOrder.toStdString()).customer(otherCustomer.toStdString())
                .at(10h + minutes * 1min),
            effect("f").key(key).customer(otherCustomer.toStdString()).at(10h + minutes * 1min));
  const Proposed proposed = propose(night);
  QTEST(classText(proposed.with("j")), "expected");
  QTEST(classText(proposed.with("i")), "expected");
  if (proposed.with("j").unitClass != Class::ProbableDuplicate) return;
  QCOMPARE(exposureText(proposed.with("i")), QString("USD 1500"));
  QCOMPARE(joined(proposed.with("i").candidates), QString("e"));
  QCOMPARE(QString::fromStdString(textOf(codeOf(proposed.with("i").severity))), QString("low"));
}

void TstSuggest::probableWithAStrayEffect() {
  Night night;
  askForProbable(night);
  night.add(attempt("k1").job("j").customer("c").failed(),
            attempt("k1").job("j").customer("c").at(12h), effect("e").key("k1").customer("c").at(12h),
            effect("stray").customer("c").at(10h + 2s));
  const Proposed proposed = propose(night);
  QCOMPARE(classText(proposed.with("stray")), QString("probable_duplicate"));
  QCOMPARE(classText(proposed.with("j")), QString("probable_duplicate"));

  night.records.attempts[0].status = AttemptStatus::Succeeded;
  const Proposed without = propose(night);
  QCOMPARE(classText(without.with("stray")), QString("unrecorded_effect"));
  QCOMPARE(classText(without.with("j")), QString("matched"));
}

void TstSuggest::candidatesAreBounded() {
  Night night;
  night.add(attempt("k").job("j"));
  for (int i = 0; i < 20; ++i) night.add(effect("e" + std::to_string(10 + i)));
  const Proposed proposed = propose(night);
  QCOMPARE(joined(proposed.with("j").candidates), QString("e10 e11 e12 e13 e14"));
  QCOMPARE(proposed.with("j").moreCandidates, std::size_t(15));
}

void TstSuggest::orderDoesNotMatter() {
  Night night;
  night.add(attempt("a").job("j1"), attempt("b").job("j2"), effect("e"), effect("f"), effect("g"));
  std::vector<Unit> forward = std::move(night.judged().units);
  std::vector<Unit> backward = forward;
  std::vector<Unit*> a;
  std::vector<Unit*> b;
  for (Unit& unit : forward) a.push_back(&unit);
  for (Unit& unit : backward) b.insert(b.begin(), &unit);
  suggestMatches(a, night.context());
  suggestMatches(b, night.context());
  for (std::size_t i = 0; i < forward.size(); ++i) {
    QCOMPARE(forward[i].candidates, backward[i].candidates);
    QCOMPARE(forward[i].flags.size(), backward[i].flags.size());
  }
}

/// All alike: the worst case for an index by amount.
void TstSuggest::hundredThousandStayFast() {
  Night night;
  Night one;
  one.add(attempt("k").job("j"), effect("e"));
  const std::vector<Unit> seeds = std::move(one.judged().units);
  std::vector<Unit> units;
  units.reserve(100'000);
  for (int i = 0; i < 50'000; ++i) {
    for (const Unit& seed : seeds) {
      units.push_back(seed);
      Unit& unit = units.back();
      unit.id = std::to_string(units.size());
      for (Attempt& a : unit.records.attempts) a.jobId = "j" + std::to_string(i);
      for (Effect& e : unit.records.effects) e.effectId = "e" + std::to_string(i);
    }
  }
  std::vector<Unit*> pointers;
  for (Unit& unit : units) pointers.push_back(&unit);
  const auto start = std::chrono::steady_clock::now();
  suggestMatches(pointers, night.context());
  const auto took = std::chrono::steady_clock::now() - start;
  QVERIFY(units[0].has(Flag::AmbiguousMatch));
  QVERIFY2(took < 60s, "fuzzy matching grows faster than the number of units");
}

QTEST_APPLESS_MAIN(TstSuggest)
#include "tst_suggest.moc"
