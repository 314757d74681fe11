// SPDX-License-Identifier: GPL-3.0-or-later
// Small made-up nights, dense in collisions: few keys, few amounts, times and coverage at the boundaries.
#pragma once

#include <random>

#include "tests/core/reference/reference_judge.h"
#include "tests/core/support/night.h"

namespace counterfoil::testing::reference {

/// How many nights a test looks at: COUNTERFOIL_NIGHTS of the environment, else fewer under sanitizers.
[[nodiscard]] unsigned nightCount(unsigned plain, unsigned sanitized);

class SmallNight {
 public:
  explicit SmallNight(unsigned seed);
  [[nodiscard]] Window window() const;
  /// Rules and records, a line each, for who looks at a difference.
  [[nodiscard]] std::string text() const;

  Night night;

 private:
  enum class Accounts { None, OnlyEffects, Everywhere };

  int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
  bool oneIn(int bound) { return below(bound) == 0; }
  template <class Value>
  Value pick(std::initializer_list<Value> values) {
    return *(values.begin() + below(static_cast<int>(values.size())));
  }
  Duration when();
  void chooseRules();
  void chooseEdges();
  Instant somewhereNear();
  template <class Record>
  void fillHead(Build<Record>& build, bool isEffect);
  void addAttempt();
  void addEffect();
  void addReversal();
  void addOther();
  void addRepeat();

  std::mt19937 m_random;
  Accounts m_accounts = Accounts::None;
  bool m_hasOrders = false;
  bool m_hasPayloads = false;
  bool m_hasRefunds = false;
  bool m_hasUnknownAmounts = false;
  int m_effects = 0;
};

}  // namespace counterfoil::testing::reference
