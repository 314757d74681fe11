// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for the engine on any night, and the reference against the engine.
#include <QTest>

#include "tests/core/reference/comparison.h"
#include "tests/core/reference/small_night.h"
#include "tests/core/support_run/engine_night.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace counterfoil::testing::reference;

namespace {

const unsigned kNights = nightCount(1'000, 300);

template <class Record>
void take(std::vector<AnyRecord>& all, const std::vector<Record>& records) {
  for (const Record& record : records) all.push_back(AnyRecord(record));
}

/// The small night with declared coverage, its records where the engine will find them.
EngineNight engineNight(const SmallNight& small) {
  EngineNight night;
  static_cast<Night&>(night) = small.night;
  night.coverage.declared = {kJobs, kStatement};
  const Records& records = small.night.records;
  take(night.all, records.attempts);
  take(night.all, records.skips);
  take(night.all, records.claims);
  take(night.all, records.intents);
  take(night.all, records.outbox);
  take(night.all, records.effects);
  take(night.all, records.deadLetters);
  return night;
}

/// Places as the input gives them, so that names fit those of the engine's units.
Records placed(const EngineNight& night) {
  MemoryInput input;
  input.setRecords(night.all);
  Records records;
  for (const AnyRecord& record : input.records()) records.add(AnyRecord(record));
  return records;
}

Window declaredWindow(const SmallNight& small) {
  Window window = small.window();
  window.isLocalDeclared = window.isProviderDeclared = true;
  return window;
}

std::uint64_t repeatedIn(const RunResult& result) {
  std::uint64_t repeated = 0;
  for (const SourceReport& source : result.sources) repeated += source.repeated;
  return repeated;
}

bool isLiveCharge(const Effect& effect) {
  return effect.kind == EffectKind::Forward && effect.status == EffectStatus::Live && !effect.key.empty();
}

/// A matched unit of one charge that nothing was taken back of.
const Unit* plainlyMatched(const EngineRun& run, const Policy& policy) {
  for (const Unit& unit : run.whole) {
    const bool isPlain = unit.unitClass == Class::Matched && !unit.has(Flag::Reversed) && !unit.has(Flag::Disputed) &&
                         policy.operation(unit.operation).expect == Expect::ExactlyOne && unit.operation.value == 0;
    const auto live = std::count_if(unit.records.effects.begin(), unit.records.effects.end(), isLiveCharge);
    if (isPlain && live == 1 && unit.local == LocalSummary::Succeeded) return &unit;
  }
  return nullptr;
}

std::string place(unsigned seed) { return "night " + std::to_string(seed); }

}  // namespace

class TstNightProperties : public QObject {
  Q_OBJECT

 private slots:
  void everyRecordLiesInOneUnitOrIsARepeat() {
    for (unsigned seed = 1; seed <= kNights; ++seed) {
      const EngineNight night = engineNight(SmallNight(seed));
      const EngineRun run = night.run();
      std::set<std::string> seen;
      std::size_t records = 0;
      for (const Unit& unit : run.whole) {
        records += unit.records.size();
        for (const std::string& name : recordsOf(unit)) QVERIFY2(seen.insert(name).second, name.c_str());
      }
      QVERIFY2(records + repeatedIn(run.result) == night.all.size(), place(seed).c_str());
    }
  }

  void everyUnitHasOneClassAndIsCountedOnce() {
    for (unsigned seed = 1; seed <= kNights; ++seed) {
      const EngineRun run = engineNight(SmallNight(seed)).run();
      std::map<Class, std::uint64_t> classes;
      for (const Unit& unit : run.whole) ++classes[unit.unitClass];
      QVERIFY2(classes == run.result.classes, place(seed).c_str());
      QCOMPARE(run.result.units, run.whole.size());
    }
  }

  void theProofClosesAsABridge() {
    for (unsigned seed = 1; seed <= kNights; ++seed) {
      const EngineRun run = engineNight(SmallNight(seed)).run();
      for (const ProofLine& line : run.result.proof) {
        std::int64_t bridge = line.localMinor;
        for (std::int64_t step : line.steps) bridge += step;
        QVERIFY2(line.unexplainedMinor == 0 && bridge == line.providerMinor, place(seed).c_str());
      }
    }
  }

  void orderOfRowsChangesNothing() {
    for (unsigned seed = 1; seed <= kNights / 2; ++seed) {
      const EngineNight night = engineNight(SmallNight(seed));
      EngineSettings shuffled;
      shuffled.shuffle = seed;
      const EngineRun first = night.run();
      const EngineRun second = night.run(shuffled);
      QVERIFY2(first.units == second.units, (place(seed) + difference(first.units, second.units).toStdString()).c_str());
      QCOMPARE(QString::fromStdString(textOf(first.result)), QString::fromStdString(textOf(second.result)));
    }
  }

  void aMatchedUnitWithoutItsEffectsIsNotMatched() {
    int tried = 0;
    for (unsigned seed = 1; seed <= kNights; ++seed) {
      EngineNight night = engineNight(SmallNight(seed));
      const EngineRun run = night.run();
      const Unit* unit = plainlyMatched(run, night.policy);
      if (unit == nullptr) continue;
      ++tried;
      const std::set<std::string> gone = recordsOf(*unit);
      std::erase_if(night.all, [&](const AnyRecord& record) {
        const Effect* effect = std::get_if<Effect>(&record);
        return effect != nullptr && gone.contains(nameOf(*effect));
      });
      for (const Unit& left : night.run().whole) {
        const bool isSame = left.key == unit->key && left.mark == unit->mark && left.scope == unit->scope &&
                            left.operation == unit->operation && left.local == LocalSummary::Succeeded;
        QVERIFY2(!(isSame && left.unitClass == Class::Matched), place(seed).c_str());
      }
    }
    QVERIFY(tried > static_cast<int>(kNights) / 50);
  }

  void anotherLiveEffectOfAMatchedUnitIsABreak() {
    int tried = 0;
    for (unsigned seed = 1; seed <= kNights; ++seed) {
      EngineNight night = engineNight(SmallNight(seed));
      const EngineRun run = night.run();
      const Unit* unit = plainlyMatched(run, night.policy);
      if (unit == nullptr) continue;
      ++tried;
      Effect twin = *std::find_if(unit->records.effects.begin(), unit->records.effects.end(), isLiveCharge);
      twin.effectId = "twin";
      twin.parentId.clear();
      twin.replaces.clear();
      night.all.push_back(AnyRecord(twin));
      const EngineRun again = night.run();
      const auto with = std::find_if(again.whole.begin(), again.whole.end(),
                                     [](const Unit& u) { return Night::holds(u, "twin"); });
      QVERIFY2(with != again.whole.end() && groupOf(with->unitClass) == ClassGroup::Break, place(seed).c_str());
    }
    QVERIFY(tried > static_cast<int>(kNights) / 50);
  }

  void engineSaysWhatTheTextSays() {
    Tally tally;
    for (unsigned seed = 1; seed <= kNights; ++seed) {
      const SmallNight small(seed);
      const EngineNight night = engineNight(small);
      const EngineRun run = night.run();
      const auto cases = judgeByTheText(placed(night), night.policy, declaredWindow(small), night.asOf);
      const std::string found = compare(run.whole, cases, tally);
      QVERIFY2(found.empty(), (place(seed) + ": " + found + "\n" + small.text()).c_str());
    }
    QVERIFY(tally.decided > kNights);
  }
};

QTEST_APPLESS_MAIN(TstNightProperties)
#include "tst_night_properties.moc"
