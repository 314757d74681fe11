// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/suggestions.h"

#include <algorithm>

namespace counterfoil {

namespace {

Result<> weigh(std::vector<Unit>& units, const JudgeContext& context, const std::function<Result<>(const Unit&)>& take) {
  std::vector<Unit*> pointers;
  pointers.reserve(units.size());
  for (Unit& unit : units) pointers.push_back(&unit);
  suggestMatches(pointers, context);
  for (const Unit& unit : units) {
    if (auto done = take(unit); !done) return done;
  }
  return {};
}

}  // namespace

Result<> weighWaiting(NightState& night, const JudgeContext& context, UnitStore& waiting,
                      const std::function<Result<>(const Unit&)>& take) {
  waiting.finish();
  std::vector<Unit> weighed;
  weighed.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(waiting.size(), kWeighedUnitsMax)));
  std::uint64_t seen = 0;
  Result<> outcome;
  auto read = waiting.takeEach([&](Unit&& unit) {
    ++seen;
    if (seen <= kWeighedUnitsMax) {
      weighed.push_back(std::move(unit));
      const bool isLast = seen == kWeighedUnitsMax || seen == waiting.size();
      if (!isLast) return true;
      outcome = weigh(weighed, context, take);
      weighed = {};
    } else {
      outcome = take(unit);
    }
    if (outcome && night.isCancelled()) outcome = fail(ErrorCode::Cancelled, "stopped while judging");
    night.progress.tell("judging", seen, waiting.size());
    return outcome.has_value();
  });
  return read ? outcome : read;
}

}  // namespace counterfoil
