// SPDX-License-Identifier: GPL-3.0-or-later
// A case over nights: its id stays when later evidence gives its unit another one or joins two cases; what
// counts as new; files that an earlier night stored.
#include <QTest>

#include "core/store/sqlite.h"
#include "tests/store/store_night.h"

using namespace counterfoil;
using namespace counterfoil::test;

namespace {

/// An effect that nothing of ours explains.
Unit effectAlone(std::uint64_t number) {
  Unit out = unit(number, Class::UnrecordedEffect, Severity::High);
  out.id = "effect-" + std::to_string(number);
  out.operationName.clear();
  out.keys.clear();
  out.key.clear();
  out.records = {};
  Effect own = effect(number);
  own.key.clear();
  own.keyText.clear();
  out.records.effects = {own};
  return out;
}

/// A job and the effect of another number, under the job's key.
Unit jobWithEffect(std::uint64_t number, std::uint64_t effectNumber, Class unitClass, Severity severity) {
  Unit out = unit(number, unitClass, severity);
  Effect own = effect(effectNumber);
  own.key.clear();
  own.keyText.clear();
  out.records.effects = {own};
  return out;
}

/// `agreeing`: records of operations about which there is nothing to say.
Result<StoredRun> commitUnits(Store& store, int day, std::vector<Unit> units, bool baseline = false,
                              const std::vector<AnyRecord>& agreeing = {}) {
  Executor executor(1);
  NightWriter writer = store.beginNight(1, 1 << 20);
  for (const Unit& each : units) {
    for (const Attempt& record : each.records.attempts) {
      if (auto ok = writer.addRecord(record, 0); !ok) return fail(ok.error());
    }
    for (const Effect& record : each.records.effects) {
      if (auto ok = writer.addRecord(record, 0); !ok) return fail(ok.error());
    }
  }
  for (const AnyRecord& record : agreeing) {
    if (auto ok = writer.addRecord(record, 0); !ok) return fail(ok.error());
  }
  Units list;
  list.units = std::move(units);
  std::sort(list.units.begin(), list.units.end(), outputBefore);
  NightFacts night = facts(day);
  night.baseline = baseline;
  RunResult result = resultOf(night, list.units, 0);
  SourceReport statement;
  statement.name = "statement";
  result.sources.push_back(statement);   // effects are of the second source
  result.sources[0].files[0].digest.clear();
  return writer.commit(night, result, list, {}, executor);
}

std::map<CaseId, std::string> standing(const Store& store) {
  std::map<CaseId, std::string> out;
  const auto ok = store.forEachUnit({}, [&](const StoredUnit& stored) {
    out[stored.unit.id] = std::string(codeOf(stored.unit.unitClass)) + " " + std::string(codeOf(stored.state)) + " " +
                          std::to_string(stored.firstRun);
    return true;
  });
  if (!ok) qFatal("cannot list");
  return out;
}

using Cases = std::map<CaseId, std::string>;

/// A job that charged twice: effects number and number + 1000 under its key.
Unit doubleCharge(std::uint64_t number) {
  Unit out = unit(number, Class::DuplicateEffect, Severity::Critical);
  Effect second = effect(number);
  second.effectId = "ch_" + std::to_string(number + 1000);
  out.records.effects = {effect(number), second};
  return out;
}

}  // namespace

class TstStoreCases : public QObject {
  Q_OBJECT
 private slots:
  void aCaseKeepsItsIdWhenItsUnitGetsAnother() {
    auto store = Store::openForRun(":memory:");
    QVERIFY(commitUnits(*store, 0, {effectAlone(7)}).has_value());
    const Unit joined = jobWithEffect(3, 7, Class::AmountMismatch, Severity::High);
    const auto second = commitUnits(*store, 1, {joined});
    QVERIFY2(second.has_value(), second ? "" : second.error().message.c_str());
    QVERIFY(standing(*store) == (Cases{{"effect-7", "amount_mismatch open 1"}}));
    QCOMPARE(second->newBreaks.size(), std::size_t{0});   // a break before, of the same severity: not new
    // The engine says the job's id again: the case is still the old one; asked by either id it is found.
    QVERIFY(commitUnits(*store, 2, {joined}).has_value());
    QVERIFY(standing(*store) == (Cases{{"effect-7", "amount_mismatch open 1"}}));
    QCOMPARE(store->findUnits(joined.id)->size(), std::size_t{1});
    QCOMPARE(store->findUnits(joined.id)->front().unit.id, CaseId("effect-7"));
    QVERIFY(store->unitOf(3, joined.id, false)->has_value());
  }

  void theOlderOfTwoCasesTakesTheOtherIn() {
    auto store = Store::openForRun(":memory:");
    const Unit alone = unit(3, Class::MissingEffect, Severity::High);
    QVERIFY(commitUnits(*store, 0, {alone}).has_value());
    QVERIFY(commitUnits(*store, 1, {effectAlone(7)}).has_value());
    QCOMPARE(standing(*store).size(), std::size_t{2});
    QVERIFY(commitUnits(*store, 2, {jobWithEffect(3, 7, Class::AmountMismatch, Severity::Critical)}).has_value());
    QVERIFY(standing(*store) == (Cases{{alone.id, "amount_mismatch open 1"}}));
    QCOMPARE(store->findUnits("effect-7")->front().unit.id, alone.id);
  }

  void casesThatGoOnAreNotTakenIn() {
    auto store = Store::openForRun(":memory:");
    const Unit alone = unit(3, Class::MissingEffect, Severity::High);
    QVERIFY(commitUnits(*store, 0, {alone, effectAlone(7)}).has_value());
    QVERIFY(commitUnits(*store, 1, {alone, effectAlone(7)}).has_value());
    QVERIFY(standing(*store) == (Cases{{alone.id, "missing_effect open 1"}, {"effect-7", "unrecorded_effect open 1"}}));
  }

  void anEffectOfAnotherSourceIsAnother() {
    auto store = Store::openForRun(":memory:");
    Unit elsewhere = effectAlone(7);
    elsewhere.records.effects[0].place.source = SourceId{0};
    QVERIFY(commitUnits(*store, 0, {elsewhere}).has_value());
    const Unit other = jobWithEffect(3, 7, Class::AmountMismatch, Severity::High);
    QVERIFY(commitUnits(*store, 1, {other}).has_value());
    QVERIFY(standing(*store).contains(other.id));
  }

  void aDoubleChargeStandsUntilBothItsChargesCameAgain() {
    auto store = Store::openForRun(":memory:");
    const Unit twice = doubleCharge(3);
    QVERIFY(commitUnits(*store, 0, {twice}).has_value());
    const Cases open = {{twice.id, "duplicate_effect open 1"}};
    // A statement that begins after the first charge shows a job and one charge: they agree.
    QVERIFY(commitUnits(*store, 1, {}, false, {attempt(3), twice.records.effects[1]}).has_value());
    QVERIFY(standing(*store) == open);
    // The job alone, or both charges without it, is less than the case rests on, too.
    QVERIFY(commitUnits(*store, 2, {}, false, {attempt(3)}).has_value());
    QVERIFY(commitUnits(*store, 3, {}, false, {twice.records.effects[0], twice.records.effects[1]}).has_value());
    QVERIFY(standing(*store) == open);
    QVERIFY(commitUnits(*store, 4, {}, false, {attempt(3), twice.records.effects[0], twice.records.effects[1]}).has_value());
    QVERIFY(standing(*store).empty());
  }

  void aBreakIsNotEndedByAUnitThatLacksOneOfItsRecords() {
    auto store = Store::openForRun(":memory:");
    const Unit twice = doubleCharge(3);
    QVERIFY(commitUnits(*store, 0, {twice}).has_value());
    const Cases open = {{twice.id, "duplicate_effect open 1"}};
    for (const Class weaker : {Class::DuplicateReversed, Class::Expected}) {
      Unit half = doubleCharge(3);
      half.unitClass = weaker;
      half.severity = Severity::None;
      half.records.effects.pop_back();
      QVERIFY(commitUnits(*store, 1, {half}).has_value());
      QVERIFY(standing(*store) == open);
    }
    Unit whole = twice;
    whole.unitClass = Class::DuplicateReversed;
    whole.severity = Severity::None;
    QVERIFY(commitUnits(*store, 3, {whole}).has_value());
    QVERIFY(standing(*store).empty());
  }

  void twoChargesWithoutAnIdAreNotClearedByOne() {
    auto store = Store::openForRun(":memory:");
    Unit twice = doubleCharge(3);
    for (Effect& each : twice.records.effects) each.effectId.clear();
    QVERIFY(commitUnits(*store, 0, {twice}).has_value());
    QVERIFY(commitUnits(*store, 1, {}, false, {attempt(3), twice.records.effects[0]}).has_value());
    QVERIFY(standing(*store) == (Cases{{twice.id, "duplicate_effect open 1"}}));
  }

  void aCaseIsNotTakenInByAUnitThatLacksOneOfItsRecords() {
    auto store = Store::openForRun(":memory:");
    const Unit alone = unit(3, Class::MissingEffect, Severity::High);
    QVERIFY(commitUnits(*store, 0, {alone}).has_value());
    Unit two = effectAlone(7);
    two.records.effects.push_back(effect(8));
    two.records.effects.back().key.clear();
    QVERIFY(commitUnits(*store, 1, {two}).has_value());
    QVERIFY(commitUnits(*store, 2, {jobWithEffect(3, 7, Class::Expected, Severity::None)}).has_value());
    QVERIFY(standing(*store).contains(two.id));
  }

  void whatBecameOverdueIsNewOnce() {
    auto store = Store::openForRun(":memory:");
    Unit open = unit(5, Class::Expected, Severity::None);
    QCOMPARE(commitUnits(*store, 0, {open})->newOverdue, std::uint64_t{0});
    open.raise(Flag::Overdue);
    QCOMPARE(commitUnits(*store, 1, {open})->newOverdue, std::uint64_t{1});
    QCOMPARE(store->run(2)->newOverdue, std::uint64_t{1});
    QCOMPARE(commitUnits(*store, 2, {open})->newOverdue, std::uint64_t{0});
  }

  void aBaselineCountsNothingAsNew() {
    auto store = Store::openForRun(":memory:");
    const Unit broken = unit(3, Class::MissingEffect, Severity::Medium);
    QVERIFY(commitUnits(*store, 0, {broken}, true)->newBreaks.empty());
    QVERIFY(commitUnits(*store, 1, {broken})->newBreaks.empty());
    Unit worse = broken;
    worse.severity = Severity::Critical;
    QCOMPARE(commitUnits(*store, 2, {worse, unit(8, Class::MissingEffect, Severity::Low)})->newBreaks,
             (std::map<Severity, std::uint64_t>{{Severity::Critical, 1}, {Severity::Low, 1}}));
  }
};

QTEST_APPLESS_MAIN(TstStoreCases)
#include "tst_store_cases.moc"
