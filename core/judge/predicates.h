// SPDX-License-Identifier: GPL-3.0-or-later
// The questions of the decision list, one named predicate each. Pure functions of a view.
#pragma once

#include "core/judge/view.h"

namespace counterfoil::judging {

// Amounts
/// Expected and charged amount, both known, in one currency.
[[nodiscard]] bool haveComparableAmounts(const UnitView& view, const EffectState& effect);
/// Provider minus local; requires comparable amounts.
[[nodiscard]] std::int64_t differenceMinor(const UnitView& view, const EffectState& effect);
[[nodiscard]] bool isWithinTolerance(const UnitView& view, std::int64_t difference);
[[nodiscard]] bool comparesField(const UnitView& view, CompareField field);
[[nodiscard]] bool currenciesDiffer(const UnitView& view, const EffectState& effect);
[[nodiscard]] bool amountsDiffer(const UnitView& view, const EffectState& effect);
[[nodiscard]] bool otherFieldsDiffer(const UnitView& view, const EffectState& effect);

// Splits: sums over the live parts that count
struct PartSums {
  std::int64_t grossMinor = 0;     ///< of everything that became live
  std::int64_t netMinor = 0;       ///< less what was reversed
  std::int64_t pendingMinor = 0;
  std::size_t parts = 0;           ///< that became live, amount not 0
  bool isKnown = true;             ///< one currency, all amounts known
  bool overflows = false;          ///< a sum left the range of amounts
};
[[nodiscard]] PartSums partSums(const UnitView& view);
[[nodiscard]] bool isRepeatedPart(const UnitView& view, std::int64_t excessMinor);

// What the unit counts as
[[nodiscard]] bool expectsSplit(const UnitView& view);
/// LS = S; or B, or K with a completed claim, carried, or from a source that keeps no successes, when
/// the provider shows an effect.
[[nodiscard]] bool countsAsSucceeded(const UnitView& view);
[[nodiscard]] bool isSucceededUnseen(const UnitView& view);

// Clock
[[nodiscard]] bool isCoveredByProviders(const UnitView& view);
[[nodiscard]] bool isSkipVerifiable(const UnitView& view);
[[nodiscard]] bool isPendingTooLong(const UnitView& view);
/// The effect lies inside local coverage and is older than λ + σ.
[[nodiscard]] bool isUnrecordedForSure(const UnitView& view);
/// May run on by itself: not yet both older than ρ and due.
[[nodiscard]] bool isStillRunning(const UnitView& view);
[[nodiscard]] bool mayRunAgain(const UnitView& view);

}  // namespace counterfoil::judging
