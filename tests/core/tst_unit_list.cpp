// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of units: in output order, the same from memory and from sorted runs, every member kept.
#include <QtTest>
#include <random>

#include "core/run/smallest.h"
#include "core/run/unit_codec.h"
#include "core/run/unit_store.h"
#include "tests/core/support/records.h"
#include "tests/core/support_run/memory_input.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::string randomText(std::mt19937& random) {
  static constexpr char kLetters[] = {'\0', '\1', 'a', 'b', '\x7F', '\x80', '\xFF'};
  std::string text;
  for (std::size_t i = random() % 5; i > 0; --i) text.push_back(kLetters[random() % sizeof kLetters]);
  return text;
}

Unit randomUnit(std::mt19937& random) {
  Unit unit;
  unit.unitClass = static_cast<Class>(random() % kClassCount);
  unit.key = randomText(random);
  unit.scope = randomText(random);
  unit.operation.value = static_cast<std::int16_t>(static_cast<int>(random() % 4) - 1);
  unit.id = randomText(random);
  return unit;
}

Unit fullUnit() {
  Unit unit;
  unit.id = "0123456789abcdef";
  unit.key = "k";
  unit.keys = {"k", "K"};
  unit.scope = "acct/test";
  unit.operation.value = 3;
  unit.operationName = "charge";
  unit.opRef = "o";
  unit.mark = "#2";
  unit.unitClass = Class::DuplicateEffect;
  unit.why = Why::KeyPerAttempt;
  unit.hints = {Hint::Overlap, Hint::Redrive};
  unit.flags = {Flag::Disputed, Flag::Overdue};
  unit.severity = Severity::Critical;
  unit.exposure = {money(-5), money(7, "JPY")};
  unit.reason = "because";
  unit.local = LocalSummary::Backlog;
  unit.expectedAmount = money(99);
  unit.due = atTime(3h);
  unit.firstSeen = atTime(2h);
  unit.candidates = {"a", "b"};
  unit.moreCandidates = 12;
  unit.records.add(AnyRecord(attempt("k").job("j").record()));
  unit.records.add(AnyRecord(effect("e").key("k").record()));
  unit.records.add(AnyRecord(effect("f").key("k").record()));
  unit.records.add(AnyRecord(skip("k").record()));
  unit.records.add(AnyRecord(claim("k").record()));
  unit.records.add(AnyRecord(intent("i").record()));
  unit.records.add(AnyRecord(outbox("x").record()));
  unit.records.add(AnyRecord(processed("k").record()));
  unit.records.add(AnyRecord(deadLetter("m").record()));
  unit.skipVerdicts = {{SkipVerdict::Legit, "once", money(5)}};
  unit.deadLetterVerdicts = {{RedriveVerdict::Unsafe, "charged", atTime(9h)}};
  return unit;
}

std::string bytesOf(const Unit& unit) {
  std::string bytes;
  encodeUnit(unit, bytes);
  return bytes;
}

}  // namespace

class TstUnitList : public QObject {
  Q_OBJECT

 private slots:
  void everyMemberComesBack() {
    const Unit unit = fullUnit();
    const auto back = decodeUnit(bytesOf(unit));
    QVERIFY(back.has_value());
    QCOMPARE(bytesOf(*back), bytesOf(unit));
    QCOMPARE(back->records.size(), std::size_t{9});
    QCOMPARE(back->flags, unit.flags);
    QCOMPARE(back->exposure, unit.exposure);
    QCOMPARE(back->due, unit.due);
    QCOMPARE(back->deadLetterVerdicts[0].deadline, unit.deadLetterVerdicts[0].deadline);
    QCOMPARE(back->skipVerdicts[0].saved, unit.skipVerdicts[0].saved);
  }

  void cutBytesAreAnError() {
    const std::string bytes = bytesOf(fullUnit());
    for (std::size_t size = 0; size < bytes.size(); size += 3) {
      const auto back = decodeUnit(std::string_view(bytes).substr(0, size));
      QVERIFY(!back.has_value());
      QCOMPARE(back.error().code, ErrorCode::Internal);
    }
    QVERIFY(!decodeUnit(bytes + "x").has_value());
  }

  void sortKeysCompareAsUnitsDo() {
    std::mt19937 random(2);
    for (int i = 0; i < 20'000; ++i) {
      const Unit a = randomUnit(random);
      const Unit b = randomUnit(random);
      QCOMPARE(sortKeyOf(a) < sortKeyOf(b), outputBefore(a, b));
    }
  }

  void listsAreInOutputOrder_data() {
    QTest::addColumn<int>("units");
    QTest::addColumn<int>("memoryBytes");
    QTest::newRow("empty") << 0 << 1'000'000;
    QTest::newRow("in memory") << 500 << 10'000'000;
    QTest::newRow("a run a unit") << 40 << 0;
    QTest::newRow("several runs and a rest") << 700 << 60'000;
  }
  void listsAreInOutputOrder() {
    QFETCH(int, units);
    QFETCH(int, memoryBytes);
    MemorySpill spill;
    std::vector<Unit> expected;
    {
      UnitStore store(spill, static_cast<std::uint64_t>(memoryBytes));
      std::mt19937 random(4);
      for (int i = 0; i < units; ++i) {
        Unit unit = fullUnit();
        const Unit other = randomUnit(random);
        unit.unitClass = other.unitClass;
        unit.key = other.key;
        unit.id = std::to_string(i);
        QVERIFY(store.add(unit).has_value());
        expected.push_back(std::move(unit));
      }
      store.finish();
      std::sort(expected.begin(), expected.end(), outputBefore);
      QCOMPARE(store.size(), static_cast<std::uint64_t>(units));
      for (int round = 0; round < 2; ++round) {  // readable more than once
        std::size_t next = 0;
        QVERIFY(store.forEach([&](const Unit& unit) {
          if (bytesOf(unit) != bytesOf(expected[next])) return false;
          ++next;
          return true;
        }).has_value());
        QCOMPARE(next, expected.size());
      }
      std::size_t seen = 0;
      QVERIFY(store.forEach([&](const Unit&) { return ++seen < 3; }).has_value());
      QCOMPARE(seen, std::min<std::size_t>(3, expected.size()));
    }
    QCOMPARE(spill.openStreams(), std::size_t{0});
  }

  void aFullDiskIsReported() {
    MemorySpill spill;
    spill.failsToOpen = true;
    UnitStore store(spill, 0);
    const auto added = store.add(fullUnit());
    QVERIFY(!added.has_value());
    QCOMPARE(added.error().code, ErrorCode::WriteFailed);
  }

  void theSmallestAreKept() {
    Smallest<int> smallest(3);
    for (int value : {9, 4, 7, 4, 8, 1}) smallest.add(value);
    Smallest<int> other(3);
    for (int value : {5, 0}) other.add(value);
    QCOMPARE(smallest.add(5), std::optional<int>(5));   // has no place
    QCOMPARE(smallest.add(3), std::optional<int>(4));   // pushes one out
    smallest.merge(std::move(other));
    std::vector<int> values = smallest.values();
    std::sort(values.begin(), values.end());
    QCOMPARE(values, (std::vector<int>{0, 1, 3}));
  }
};

QTEST_APPLESS_MAIN(TstUnitList)
#include "tst_unit_list.moc"
