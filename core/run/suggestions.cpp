// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/suggestions.h"

namespace counterfoil {

Result<> settleWaiting(NightState& night, const JudgeContext& context, const UnitSinks& sinks) {
  sinks.waiting.finish();
  std::vector<Unit> weighed;
  std::uint64_t seen = 0;
  Result<> outcome;
  const auto isLast = [&](std::uint64_t count) {
    return count == kWeighedUnitsMax || count == sinks.waiting.size();
  };
  auto read = sinks.waiting.forEach([&](const Unit& unit) {
    ++seen;
    if (seen <= kWeighedUnitsMax) {
      weighed.push_back(unit);
      if (!isLast(seen)) return true;
      std::vector<Unit*> units;
      for (Unit& one : weighed) units.push_back(&one);
      suggestMatches(units, context);
      for (const Unit& one : weighed) {
        if (outcome) outcome = settle(one, sinks, 0);
      }
      weighed = {};
    } else {
      outcome = settle(unit, sinks, 0);
    }
    if (outcome && night.isCancelled()) outcome = fail(ErrorCode::Cancelled, "stopped while judging");
    night.progress.tell("judging", seen, sinks.waiting.size());
    return outcome.has_value();
  });
  return read ? outcome : read;
}

}  // namespace counterfoil
