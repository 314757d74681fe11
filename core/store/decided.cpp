// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/decided.h"

#include <algorithm>

#include "core/base/money.h"

namespace counterfoil {
namespace {

void takeOff(std::map<Severity, std::uint64_t>& counts, Severity severity) {
  const auto count = counts.find(severity);
  if (count == counts.end()) return;
  if (--count->second == 0) counts.erase(count);
}

/// Sums that come to nothing are not shown.
void takeOff(std::vector<Money>& sums, const Money& money) {
  const auto sum = std::find_if(sums.begin(), sums.end(), [&](const Money& each) { return each.currency == money.currency; });
  if (sum == sums.end()) {
    if (money.minor != 0) sums.push_back({-money.minor, money.currency});
  } else if ((sum->minor -= money.minor) == 0) {
    sums.erase(sum);
  }
}

void moveExposure(RunResult& result, const Unit& unit) {
  auto& ofClass = result.exposureByClass[unit.unitClass];
  for (const Money& money : unit.exposure) {
    if ((ofClass[money.currency] -= money.minor) == 0) ofClass.erase(money.currency);
    if (groupOf(unit.unitClass) == ClassGroup::Break) takeOff(result.exposure, money);
  }
  if (ofClass.empty()) result.exposureByClass.erase(unit.unitClass);
}

void moveCounts(RunResult& result, const Unit& unit, Class decided) {
  if (--result.classes[unit.unitClass] == 0) result.classes.erase(unit.unitClass);
  ++result.classes[decided];
  if (groupOf(unit.unitClass) == ClassGroup::Break) {
    --result.breaks;
    takeOff(result.breaksBySeverity, unit.severity);
  } else if (groupOf(unit.unitClass) == ClassGroup::Open) {
    --result.open;
    if (unit.has(Flag::Overdue)) --result.overdue;
  }
  if (unit.unitClass == Class::OutOfWindow) --result.unjudged;
}

/// The bridge's total stays; what the unit adds to it stands on another step.
Result<> moveProof(RunResult& result, const Unit& before, const Unit& after, const Policy& policy) {
  Proof was, is;
  was.addUnit(before, policy);
  is.addUnit(after, policy);
  const auto from = was.lines(), to = is.lines();
  if (!from) return fail(from.error());
  if (!to) return fail(to.error());
  for (std::size_t i = 0; i < from->size() && i < to->size(); ++i) {
    const ProofLine& line = (*from)[i];
    const auto own = std::find_if(result.proof.begin(), result.proof.end(), [&](const ProofLine& each) {
      return each.scope == line.scope && each.currency == line.currency && each.kind == line.kind;
    });
    if (own == result.proof.end()) continue;
    for (std::size_t step = 0; step < kBridgeStepCount; ++step) own->steps[step] += (*to)[i].steps[step] - line.steps[step];
  }
  return {};
}

}  // namespace

Result<> settleDecided(RunResult& result, Unit& unit, Class decided, const Policy& policy) {
  if (groupOf(unit.unitClass) == ClassGroup::Closed) return {};
  const Unit before = unit;
  moveCounts(result, before, decided);
  moveExposure(result, before);
  unit.unitClass = decided;
  unit.severity = Severity::None;
  unit.exposure.clear();
  std::erase(unit.flags, Flag::Overdue);
  return moveProof(result, before, unit, policy);
}

}  // namespace counterfoil
