// SPDX-License-Identifier: GPL-3.0-or-later
// Table rows for tests of the judge: make a night, name the unit by one of its ids, say what it must be.
#pragma once

#include <QTest>
#include <functional>

#include "tests/core/support/night.h"

namespace counterfoil::testing {

/// Members that are null are not compared.
struct Expectation {
  const char* name;
  std::function<void(Night&)> make;
  const char* unit;          ///< an id in it; "" when there is only one unit
  const char* unitClass;
  const char* why = nullptr;
  const char* exposure = nullptr;
  const char* flags = nullptr;
  const char* hints = nullptr;
  int units = -1;
};

inline void addRows(const std::vector<Expectation>& rows) {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name) << static_cast<int>(i);
}

inline void verifyRow(const std::vector<Expectation>& rows) {
  QFETCH(int, row);
  const Expectation& expected = rows[static_cast<std::size_t>(row)];
  Night night;
  expected.make(night);
  const Unit unit = *expected.unit == '\0' ? night.unit() : night.unitWith(expected.unit);
  QCOMPARE(classText(unit), QString(expected.unitClass));
  if (expected.why) QCOMPARE(QString::fromStdString(textOf(codeOf(unit.why))), QString(expected.why));
  if (expected.exposure) QCOMPARE(exposureText(unit), QString(expected.exposure));
  if (expected.flags) QCOMPARE(codes(unit.flags), QString(expected.flags));
  if (expected.hints) QCOMPARE(codes(unit.hints), QString(expected.hints));
  if (expected.units >= 0) QCOMPARE(static_cast<int>(night.judged().units.size()), expected.units);
  QVERIFY(!unit.reason.empty());
}

}  // namespace counterfoil::testing
