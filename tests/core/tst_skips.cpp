// SPDX-License-Identifier: GPL-3.0-or-later
// Every skip gets a verdict (classes.md §4).
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

struct Row {
  const char* name;
  std::function<void(Night&)> make;
  const char* verdict;
  std::int64_t saved = 0;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"the effect exists", [](Night& n) { n.add(attempt("k"), skip("k"), effect("e").key("k")); },
       "legit", 1500},
      {"its own amount is what was saved", [](Night& n) {
         n.operation().tolerance.minor = 100;
         n.add(attempt("k"), skip("k").usd(1500), effect("e").key("k"));
       }, "legit", 1500},
      {"the effect is pending", [](Night& n) {
         n.add(attempt("k"), skip("k"), effect("e").key("k").pending());
       }, "legit", 1500},
      {"the effect was reversed", [](Night& n) {
         n.add(attempt("k"), skip("k"), effect("e").key("k"), refund("r").parent("e").at(12h));
       }, "legit", 1500},
      {"effect despite failure", [](Night& n) {
         n.add(attempt("k").failed(), skip("k"), effect("e").key("k"));
       }, "legit", 1500},
      {"original matched in an earlier run", [](Night& n) {
         n.earlier.matchedKeys = {"k"};
         n.add(skip("k"));
       }, "legit_carried"},
      {"original before all coverage, effect read", [](Night& n) {
         n.cover(kJobs, 9h, 48h);
         n.add(skip("k"), effect("e").key("k").at(1h));
       }, "legit_carried"},
      {"no trace of an original", [](Night& n) { n.add(skip("k")); }, "unverifiable"},
      {"no trace, but the window holds all that it may rely on", [](Night& n) {
         n.policy.queues.push_back({});
         n.policy.queues[0].name = "q";
         n.policy.queues[0].dedupeTtl = 24h;
         n.add(skip("k").queue("q"));
       }, "stranded"},
      {"no trace, the window is shorter than the TTL", [](Night& n) {
         n.policy.queues.push_back({});
         n.policy.queues[0].name = "q";
         n.policy.queues[0].dedupeTtl = 36h;
         n.add(skip("k").queue("q"));
       }, "unverifiable"},
      {"no trace in a declared window", [](Night& n) {
         n.coverage.declared.insert(kJobs);
         n.add(skip("k"));
       }, "stranded"},
      {"original never finished", [](Night& n) { n.add(attempt("k").running(), skip("k")); }, "stranded"},
      {"original failed", [](Night& n) { n.add(attempt("k").failed(), skip("k")); }, "stranded"},
      {"original failed just now", [](Night& n) {
         n.add(attempt("k").failed(), skip("k").at(10h + 30s));
         n.asOf = atTime(10h + 60s);
       }, "stranded"},
      {"original in flight", [](Night& n) {
         n.add(attempt("k").running(), skip("k").at(10h + 30s));
         n.asOf = atTime(10h + 60s);
       }, "unverifiable"},
      {"original expected", [](Night& n) {
         n.add(attempt("k"), skip("k").at(10h + 30s));
         n.asOf = atTime(10h + 60s);
       }, "unverifiable"},
      {"effect missing", [](Night& n) { n.add(attempt("k"), skip("k")); }, "stranded"},
      {"effect failed", [](Night& n) { n.add(attempt("k"), skip("k"), effect("e").key("k").failed()); },
       "stranded"},
      {"dead letter", [](Night& n) {
         n.add(attempt("k").failed(), skip("k"), deadLetter("m").key("k"));
       }, "stranded"},
      {"another order under the key", [](Night& n) {
         n.add(attempt("k").order("o1"), effect("e").key("k").order("o1"), skip("k").order("o2").usd(1500));
       }, "suppressing"},
      {"another amount under the key", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), skip("k").usd(99));
       }, "suppressing"},
      {"another amount of the same order", [](Night& n) {
         n.add(attempt("k").order("o"), effect("e").key("k"), skip("k").order("o").usd(99));
       }, "suppressing"},
      {"the line names another original", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), skip("k").order("o2").firstOrder("o1"));
       }, "suppressing"},
      {"the line names the same original", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), skip("k").order("o1").firstOrder("o1"));
       }, "legit", 1500},
      {"the line names another payload, amounts unknown", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), skip("k").fp("b").firstFp("a"));
       }, "suppressing"},
      {"nothing tells which of two operations", [](Night& n) {
         n.add(attempt("k").order("o1"), attempt("k").order("o2").at(10h + 1s), effect("e").key("k").order("o1"),
               effect("f").key("k").order("o2").at(10h + 1s), skip("k"));
       }, "unverifiable"},
      {"only one of two operations has an effect", [](Night& n) {
         n.add(attempt("k").order("o1"), attempt("k").failed().order("o2").at(2h),
               effect("e").key("k").order("o1"), skip("k").at(10h + 1s));
       }, "legit", 1500},
  };
  return all;
}

}  // namespace

class TstSkips : public QObject {
  Q_OBJECT

 private slots:
  void verdict_data();
  void verdict();
};

void TstSkips::verdict_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TstSkips::verdict() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  Night night;
  expected.make(night);
  int skips = 0;
  for (const Unit& unit : night.judged().units) {
    QCOMPARE(unit.skipVerdicts.size(), unit.records.skips.size());
    for (const JudgedSkip& skip : unit.skipVerdicts) {
      ++skips;
      QCOMPARE(QString::fromStdString(textOf(codeOf(skip.verdict))), QString(expected.verdict));
      QVERIFY(!skip.reason.empty());
      QCOMPARE(skip.saved ? skip.saved->minor : 0, expected.saved);
    }
  }
  QCOMPARE(skips, 1);
}

QTEST_APPLESS_MAIN(TstSkips)
#include "tst_skips.moc"
