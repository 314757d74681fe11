// SPDX-License-Identifier: GPL-3.0-or-later
// What a unit holds, counted for the decision list. Internal to tests/core/reference.
#pragma once

#include <algorithm>

#include "tests/core/reference/items.h"

namespace counterfoil::testing::reference {

struct Charge {
  const Effect* effect = nullptr;
  std::int64_t reversed = 0;
  std::int64_t reversedByUs = 0;
  bool hasAnswerOpen = false;   ///< a lowering of which it is open whether our side knows it

  [[nodiscard]] bool isFull() const {
    return effect->amount && reversed > 0 && reversed >= effect->amount->minor;
  }
  [[nodiscard]] std::int64_t net() const { return effect->amount ? effect->amount->minor - reversed : 0; }
};

struct Facts {
  LocalSummary local = LocalSummary::Nothing;
  std::vector<Charge> live;        ///< not fully reversed
  std::vector<Charge> gone;        ///< fully reversed
  std::vector<const Effect*> pending;
  std::vector<const Effect*> failed;
  std::vector<const Attempt*> attempts;
  std::vector<const Attempt*> openRuns;   ///< of them
  std::vector<const Skip*> skips;
  std::vector<const Claim*> claims;
  std::vector<const Intent*> intents;
  std::vector<const DeadLetter*> letters;
  int successes = 0;
  bool hasCompletedClaim = false;
  bool hasRunningClaim = false;
  bool hasEvent = false;
  bool hasOpenIntent = false;
  bool hasCancelledOnly = false;   ///< intents, but none that stands
  bool hasRetryPending = false;
  bool hasOutbox = false;
  bool isReversed = false;         ///< a live reversal lowers something here
  bool isDisputed = false;
  bool isOpen = false;             ///< the text leaves open what is reversed by what
  bool hasStray = false;           ///< only a reversal without its charge
  std::optional<Money> expected;
  bool isExpectedOpen = false;
  std::optional<Instant> due;      ///< with lag and skew
  std::optional<Instant> earliest;
  std::optional<Instant> lastSuccess;
  std::optional<Instant> runsUntil;   ///< latest start + max runtime of those that make O

  [[nodiscard]] bool hasNone() const { return live.empty() && gone.empty() && pending.empty() && failed.empty(); }
  [[nodiscard]] bool isOpenRun(const Attempt& attempt) const {
    return std::find(openRuns.begin(), openRuns.end(), &attempt) != openRuns.end();
  }
  [[nodiscard]] bool hasClaim() const { return hasCompletedClaim || hasRunningClaim || hasEvent; }
};

[[nodiscard]] Facts factsOf(const Part& part, const std::vector<Part>& parts,
                            const std::vector<Lowering>& lowerings, const Policy& policy, Instant now);

}  // namespace counterfoil::testing::reference
