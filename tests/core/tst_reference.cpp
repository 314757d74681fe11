// SPDX-License-Identifier: GPL-3.0-or-later
// The judge against a second, slow reading of the same rules, on thousands of small made-up nights.
#include <QTest>

#include "tests/core/reference/comparison.h"
#include "tests/core/reference/small_night.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace counterfoil::testing::reference;

namespace {

std::string unitsText(const std::vector<Unit>& units) {
  std::string text;
  for (const Unit& unit : units) {
    text += "  = " + std::string(codeOf(unit.unitClass)) + " [" + codes(unit.flags).toStdString() + "] " +
            exposureText(unit).toStdString() + " { " + listed(recordsOf(unit)) + "} " + unit.reason + "\n";
  }
  return text;
}

/// All but the decisions of people, and what only configurations of other tests ask for (inbound operations,
/// other fields, probable duplicates).
std::set<Class> decidedByTheText() {
  std::set<Class> classes;
  for (std::size_t i = 0; i < kClassCount; ++i) classes.insert(static_cast<Class>(i));
  for (Class other : {Class::MatchedManual, Class::Dismissed, Class::DuplicateBooking, Class::FieldMismatch,
                      Class::ProbableDuplicate}) {
    classes.erase(other);
  }
  return classes;
}

}  // namespace

class TstReference : public QObject {
  Q_OBJECT

 private slots:
  void judgeSaysWhatTheTextSays() {
    Tally tally;
    int differences = 0;
    for (unsigned seed = 1; seed <= nightCount(40'000, 3'000); ++seed) {
      const SmallNight small(seed);
      const Judgement judgement = small.night.judged();
      const auto cases = judgeByTheText(small.night.records, small.night.policy, small.window(), small.night.asOf);
      const std::string difference = compare(judgement.units, cases, tally);
      if (difference.empty()) continue;
      if (++differences > 20) continue;
      qWarning("night %u: %s\n%s\n%s", seed, difference.c_str(), small.text().c_str(), unitsText(judgement.units).c_str());
    }
    QCOMPARE(differences, 0);
    QVERIFY2(tally.decided * 10 > tally.units * 8, "the nights ask too much that the text leaves open");
    for (Class unitClass : decidedByTheText()) {
      QVERIFY2(tally.classes[unitClass] > 0, std::string(codeOf(unitClass)).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TstReference)
#include "tst_reference.moc"
