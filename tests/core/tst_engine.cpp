// SPDX-License-Identifier: GPL-3.0-or-later
// The engine against the judge: whatever the night, the threads, the memory bound and the order of rows,
// it says what judging everything in one piece says.
#include <QtTest>
#include <random>

#include "tests/core/support_run/engine_night.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// A made-up night in which every kind of tie occurs.
class RandomNight {
 public:
  explicit RandomNight(unsigned seed) : m_random(seed) {
    const int rows = 20 + below(120);
    m_pool = 2 + below(20);
    if (below(4) == 0) night.policy.providers[0].keyLength = 5;
    m_hasRefunds = below(4) == 0;
    if (m_hasRefunds) night.addRefunds();
    if (below(5) == 0) night.operation().expect = Expect::ZeroOrOne;
    if (below(5) == 0) night.operation().keyLifetime = 4h;
    night.policy.providers[0].statementLag = 1h;
    for (int i = 0; i < rows; ++i) addRecord(i);
  }
  EngineNight night;

 private:
  int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
  bool oneIn(int bound) { return below(bound) == 0; }
  std::string pick(const char* prefix) { return prefix + std::to_string(below(m_pool)); }
  Duration when() { return 60s * below(60 * 30); }

  template <class Record>
  void fillHead(Build<Record>& build) {
    if (!oneIn(6)) build.key(oneIn(8) ? "long-" + pick("") : oneIn(10) ? "000" + std::to_string(below(m_pool)) : oneIn(10) ? std::to_string(below(m_pool)) : pick("k"));
    if (oneIn(3)) build.order(pick("o"));
    if (oneIn(8)) build.account(oneIn(2) ? "A" : "B");
    if (oneIn(12)) build.test();
    if (!oneIn(8)) build.usd(oneIn(3) ? 500 : 1000);
    else build.noAmount();
    if (oneIn(3)) build.queue(oneIn(2) ? "payments" : "mail");
  }

  void addRecord(int i) {
    const std::string number = std::to_string(i);
    const int kind = below(20);
    if (kind < 7) return addAttempt(number);
    if (kind < 15) return addEffect(number);
    if (kind < 17) {
      auto build = skip("s");
      fillHead(build);
      if (oneIn(2)) build.job("s" + number);
      build.at(when());
      night.add(build);
    } else if (kind < 18) {
      auto build = claim("c");
      fillHead(build);
      build.at(when());
      night.add(build);
    } else if (kind < 19) {
      auto build = intent("i" + number);
      fillHead(build);
      build.at(when());
      night.add(build);
    } else {
      auto build = deadLetter("m" + number);
      fillHead(build);
      night.add(build);
    }
  }

  void addAttempt(const std::string& number) {
    auto build = attempt("k");
    build.key("");
    fillHead(build);
    const Duration start = when();
    build.ran(start, start + 1s * below(600));
    build.job(oneIn(4) ? pick("j") : "j-" + number);
    if (oneIn(5)) build.recorded(pick("e"));
    if (oneIn(4)) build.message(pick("m"));
    if (oneIn(5)) build.failed();
    else if (oneIn(8)) build.running();
    if (m_hasRefunds && oneIn(3)) build.op(1);
    night.add(build);
  }

  void addEffect(const std::string& number) {
    auto build = effect(oneIn(3) ? pick("e") : "e-" + number);
    build.key("");
    fillHead(build);
    build.at(when());
    if (oneIn(6)) build.kind(EffectKind::Reversal).parent(pick("e"));
    else if (oneIn(12)) build.parent(pick("e"));
    if (oneIn(15)) build.replaces(pick("e"));
    if (oneIn(8)) build.failed();
    else if (oneIn(10)) build.pending();
    if (oneIn(20)) build.day();
    if (oneIn(6)) build.source(kSecondStatement);
    if (oneIn(25)) build.damagedKey("4.68E+18");
    night.add(build);
  }

  std::mt19937 m_random;
  int m_pool = 2;
  bool m_hasRefunds = false;
};

}  // namespace

class TstEngine : public QObject {
  Q_OBJECT

 private slots:
  void saysWhatTheJudgeSaysInOnePiece() {
    for (unsigned seed = 1; seed <= 150; ++seed) {
      const RandomNight random(seed);
      for (Detail detail : {Detail::All, Detail::Notable, Detail::BreaksAndOpen}) {
        EngineSettings settings;
        settings.detail = detail;
        const EngineRun run = random.night.run(settings);
        const auto expected = random.night.linesInOnePiece(detail);
        QVERIFY2(run.units == expected,
                 qPrintable(QString("seed %1 detail %2: ").arg(seed).arg(int(detail)) + difference(run.units, expected)));
        QCOMPARE(run.result.units, random.night.judgedInOnePiece().size());
        for (const ProofLine& line : run.result.proof) QCOMPARE(line.unexplainedMinor, 0);
        QCOMPARE(run.openStreams, 0);
      }
    }
  }

  void doesNotFollowThreadsMemoryOrOrder() {
    for (unsigned seed = 1; seed <= 30; ++seed) {
      const RandomNight random(seed);
      for (Detail detail : {Detail::All, Detail::Notable}) {
        const EngineRun first = random.night.run({1, 1ull << 30, detail, 0});
        for (const EngineSettings& settings : {EngineSettings{2, 1ull << 30, detail, 0}, EngineSettings{8, 1ull << 30, detail, 5},
                                               EngineSettings{1, 0, detail, 9}, EngineSettings{8, 0, detail, 3}}) {
          const EngineRun other = random.night.run(settings);
          QVERIFY2(other.units == first.units, qPrintable(QString("seed %1: ").arg(seed) + difference(other.units, first.units)));
          QCOMPARE(QString::fromStdString(textOf(other.result)), QString::fromStdString(textOf(first.result)));
        }
      }
    }
  }

  void aRefundOfOursComesToTheChargeOfItsOrder() {
    EngineNight night;
    night.addRefunds();
    night.add(attempt("k").job("c").order("o"), effect("e").key("k").order("o"),
              attempt("r").op(1).job("rj").order("o").at(12h), refund("f").key("r").order("o").at(12h));
    const EngineRun run = night.run({});
    QCOMPARE(run.units, night.linesInOnePiece());
    const bool isKnown = std::any_of(run.units.begin(), run.units.end(), [](const std::string& line) {
      return line.starts_with("matched_compensated|k|");
    });
    QVERIFY(isKnown);
  }

  void plainPairsAreCountedWithoutTheirRecords() {
    EngineNight night;
    for (int i = 0; i < 100; ++i) {
      const std::string number = std::to_string(i);
      night.add(attempt("k" + number).job("j" + number).usd(1000).at(10h).queue("payments"),
                effect("e" + number).key("k" + number).usd(1000).at(10h));
    }
    const EngineRun run = night.run({2, 1ull << 30, Detail::BreaksAndOpen, 0});
    QCOMPARE(run.fetched, 0);
    QCOMPARE(run.result.units, 100);
    QCOMPARE(run.result.classes.at(Class::Matched), 100);
    QCOMPARE(run.units.size(), 0);
    QCOMPARE(run.result.proof.size(), 1);
    QCOMPARE(run.result.proof[0].localMinor, 100'000);
    QCOMPARE(run.result.proof[0].providerMinor, 100'000);
    QCOMPARE(run.result.proof[0].unexplainedMinor, 0);
    QCOMPARE(run.result.keys.meeting, 100);
    QVERIFY(run.result.complete);
  }
};

QTEST_APPLESS_MAIN(TstEngine)
#include "tst_engine.moc"
