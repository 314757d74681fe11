// SPDX-License-Identifier: GPL-3.0-or-later
// The night on which no key meets: counts are those of judging everything, lists are bounded, and the
// field that would fit better is named.
#include <QtTest>
#include <random>

#include "tests/core/support_run/engine_night.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// Records of which nearly none has a counterpart.
class LonelyNight {
 public:
  explicit LonelyNight(unsigned seed, int rows = 150) : m_random(seed) {
    Policy& policy = night.policy;
    policy.providers[0].statementLag = 1h * below(5);
    if (oneIn(4)) policy.openLimit = 3h;
    if (oneIn(5)) night.operation().expect = Expect::ZeroOrOne;
    if (oneIn(5)) night.operation().expect = Expect::Split;
    if (oneIn(6)) night.operation().direction = Direction::Inbound;
    if (oneIn(4)) night.addRefunds();
    if (oneIn(4)) {
      Operation mail = night.operation();
      mail.name = "mail";
      mail.expect = Expect::ExactlyOne;
      policy.operations.push_back(mail);
    }
    night.cover(kJobs, 1h * below(6), 30h - 1h * below(8));
    night.cover(kStatement, 1h * below(6), 30h - 1h * below(8));
    if (oneIn(3)) night.coverage.bySource[kStatement] = {{atTime(0h), atTime(9h)}, {atTime(10h), atTime(30h)}};
    for (int i = 0; i < rows; ++i) add(i);
  }
  EngineNight night;

 private:
  int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
  bool oneIn(int bound) { return below(bound) == 0; }

  template <class Record>
  void fill(Build<Record>& build) {
    if (oneIn(8)) build.account(oneIn(2) ? "A" : "B");
    if (oneIn(12)) build.test();
    if (oneIn(10)) build.noAmount();
    else build.amount(money(oneIn(10) ? 0 : oneIn(10) ? 5'000'000 : 100 * (1 + below(40)), oneIn(5) ? "JPY" : "USD"));
    if (oneIn(5)) build.order("o" + std::to_string(below(10'000)));
  }

  void add(int i) {
    const std::string number = std::to_string(i);
    if (oneIn(2)) {
      auto build = attempt("local-" + (oneIn(15) ? std::to_string(below(5)) : number)).job("j" + number);
      fill(build);
      const Duration start = 60s * below(60 * 30);
      build.ran(start, start + 1s * below(900));
      if (oneIn(15)) build.noEnd();
      if (oneIn(15)) build.noStart();
      if (oneIn(6)) build.failed();
      else if (oneIn(10)) build.running();
      if (oneIn(10)) build.op(static_cast<int>(night.policy.operations.size()) - 1);
      night.add(build);
      return;
    }
    auto build = effect("e" + number).key("remote-" + (oneIn(15) ? std::to_string(below(5)) : number));
    if (oneIn(8)) build.key("");
    fill(build);
    build.at(60s * below(60 * 30));
    if (oneIn(6)) build.day();
    if (oneIn(10)) build.failed();
    else if (oneIn(10)) build.pending();
    if (oneIn(15)) build.kind(EffectKind::Reversal).parent("e" + std::to_string(below(150)));
    night.add(build);
  }

  std::mt19937 m_random;
};

std::map<Class, std::uint64_t> classesOf(const std::vector<Unit>& units) {
  std::map<Class, std::uint64_t> classes;
  for (const Unit& unit : units) ++classes[unit.unitClass];
  return classes;
}

}  // namespace

class TstEngineBadNight : public QObject {
  Q_OBJECT

 private slots:
  void countsAreThoseOfJudgingEverything() {
    int bad = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
      const LonelyNight lonely(seed);
      const std::vector<Unit> expected = lonely.night.judgedInOnePiece();
      for (Detail detail : {Detail::BreaksAndOpen, Detail::Notable, Detail::All}) {
        const EngineRun run = lonely.night.run({2, 1ull << 30, detail, seed});
        bad += run.result.listsBounded ? 1 : 0;
        const std::vector<std::string> lines = lonely.night.linesInOnePiece(detail);
        QVERIFY2(run.result.classes == classesOf(expected), qPrintable(QString::number(seed)));
        QVERIFY2(run.units == lines, qPrintable(QString("seed %1 detail %2: ").arg(seed).arg(int(detail)) + difference(run.units, lines)));
        QCOMPARE(run.result.unitsNotListed, 0);
        checkSums(run.result, expected);
        for (const ProofLine& line : run.result.proof) QCOMPARE(line.unexplainedMinor, 0);
      }
    }
    QVERIFY(bad > 200);
  }

  void doesNotFollowThreadsMemoryOrOrder() {
    for (unsigned seed = 1; seed <= 40; ++seed) {
      const LonelyNight lonely(seed, 400);
      const EngineRun first = lonely.night.run({1, 1ull << 30, Detail::Notable, 0});
      for (const EngineSettings& settings : {EngineSettings{2, 1ull << 30, Detail::Notable, 7}, EngineSettings{8, 0, Detail::Notable, 8}}) {
        const EngineRun other = lonely.night.run(settings);
        QVERIFY(other.units == first.units);
        QCOMPARE(QString::fromStdString(textOf(other.result)), QString::fromStdString(textOf(first.result)));
      }
    }
  }

  void listsAreBounded() {
    EngineNight night;
    for (int i = 0; i < 3000; ++i) {
      const std::string number = std::to_string(i);
      night.add(attempt("l" + number).job("j" + number).at(8h + 1s * i), effect("e" + number).key("r" + number).at(8h + 1s * i));
    }
    const EngineRun run = night.run({2, 1ull << 30, Detail::BreaksAndOpen, 3});
    QVERIFY(run.result.listsBounded);
    QCOMPARE(run.result.units, 6000);
    QCOMPARE(run.result.classes.at(Class::MissingEffect), 3000);
    QCOMPARE(run.result.classes.at(Class::UnrecordedEffect), 3000);
    QCOMPARE(run.units.size(), 2000);
    QCOMPARE(run.result.unitsNotListed, 4000);
    QCOMPARE(run.result.exposure, (std::vector<Money>{money(9'000'000)}));
    QVERIFY(!run.result.complete);
    QCOMPARE(exitCodeOf(run.result, Severity::None, false), 3);
  }

  void equallyEarlyUnitsAreListedByTheirText() {
    EngineNight night;
    for (int i = 0; i < 2500; ++i) {
      const std::string number = std::to_string(i);
      night.add(attempt("l" + number).job("j" + number), effect("e" + number).key("r" + number));
    }
    const EngineRun first = night.run({1, 1ull << 30, Detail::BreaksAndOpen, 0});
    const EngineRun other = night.run({8, 1ull << 30, Detail::BreaksAndOpen, 11});
    QCOMPARE(first.units.size(), 2000);
    QVERIFY(first.units == other.units);
  }

  void namesTheFieldThatWouldFitBetter() {
    EngineNight night;
    for (int i = 0; i < 50; ++i) {
      const std::string number = std::to_string(i);
      night.add(attempt("l" + number).at(8h), effect("e" + number).key("r" + number).at(8h));
    }
    night.prepare = [](MemoryInput& input) { input.rates[kStatement] = {{"metadata.order_id", 48}, {"note", 3}}; };
    const EngineRun run = night.run();
    QCOMPARE(run.result.keys.betterColumn, std::string("metadata.order_id"));
    QCOMPARE(run.result.keys.betterMatches, 48);
    const auto finding = std::find_if(run.result.findings.begin(), run.result.findings.end(),
                                      [](const Finding& f) { return f.code == "keys_do_not_meet"; });
    QVERIFY(finding != run.result.findings.end());
    QCOMPARE(finding->seen, std::string("0 of 50 keys match; `metadata.order_id` would match 48."));
    QCOMPARE(finding->count, 0);
  }

  void whenKeysDoNotMeetIsDecided_data() {
    QTest::addColumn<int>("localOnly");
    QTest::addColumn<int>("providerOnly");
    QTest::addColumn<int>("meeting");
    QTest::addColumn<bool>("byOrder");
    QTest::addColumn<bool>("isBad");
    QTest::newRow("none of twenty") << 20 << 20 << 0 << false << true;
    QTest::newRow("too few to tell") << 19 << 20 << 0 << false << false;
    QTest::newRow("a tenth meets") << 90 << 90 << 10 << false << false;
    QTest::newRow("under a tenth meets") << 92 << 92 << 8 << false << true;
    QTest::newRow("of the fewer side") << 20 << 500 << 20 << false << false;
    QTest::newRow("orders join them") << 40 << 40 << 0 << true << false;
  }
  void whenKeysDoNotMeetIsDecided() {
    QFETCH(int, localOnly);
    QFETCH(int, providerOnly);
    QFETCH(int, meeting);
    QFETCH(bool, byOrder);
    QFETCH(bool, isBad);
    EngineNight night;
    const auto order = [&](int i) { return byOrder ? "o" + std::to_string(i) : std::string(); };
    for (int i = 0; i < localOnly; ++i) night.add(attempt("l" + std::to_string(i)).order(order(i)));
    for (int i = 0; i < providerOnly; ++i) {
      night.add(effect("e" + std::to_string(i)).key("r" + std::to_string(i)).order(order(i)));
    }
    for (int i = 0; i < meeting; ++i) {
      night.add(attempt("m" + std::to_string(i)), effect("me" + std::to_string(i)).key("m" + std::to_string(i)));
    }
    const EngineRun run = night.run();
    QCOMPARE(run.result.listsBounded, isBad);
    QCOMPARE(run.result.keys.meeting, meeting);
    QCOMPARE(run.result.keys.localKeys, localOnly + meeting);
    QCOMPARE(run.result.keys.providerKeys, providerOnly + meeting);
  }

 private:
  void checkSums(const RunResult& result, const std::vector<Unit>& expected) {
    std::map<Class, std::map<Currency, std::int64_t>> exposure;
    std::map<Severity, std::uint64_t> severities;
    std::uint64_t overdue = 0;
    for (const Unit& unit : expected) {
      for (const Money& money : unit.exposure) exposure[unit.unitClass][money.currency] += money.minor;
      if (groupOf(unit.unitClass) == ClassGroup::Break) ++severities[unit.severity];
      if (groupOf(unit.unitClass) == ClassGroup::Open && unit.has(Flag::Overdue)) ++overdue;
    }
    for (auto& [unitClass, sums] : exposure) std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
    std::erase_if(exposure, [](const auto& sums) { return sums.second.empty(); });
    QVERIFY(result.exposureByClass == exposure);
    QVERIFY(result.breaksBySeverity == severities);
    QCOMPARE(result.overdue, overdue);
  }
};

QTEST_APPLESS_MAIN(TstEngineBadNight)
#include "tst_engine_bad_night.moc"
