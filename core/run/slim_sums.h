// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for sums over rows whose records were not read. Internal to core/run.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "core/run/night.h"

namespace counterfoil {

/// Texts of the scopes that shapes name by hash, each read once.
class ScopeTexts {
 public:
  explicit ScopeTexts(const NightState& night);
  Result<std::string> of(std::uint64_t scope);

 private:
  const NightState& m_night;
  std::map<std::uint64_t, std::string> m_texts;
};

/// Calls fn with parts of a sum that an int64 holds.
template <class Fn>
void inParts(__int128 sum, const Fn& fn) {
  constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
  for (; sum > kMost; sum -= kMost) fn(static_cast<std::int64_t>(kMost));
  for (; sum < -kMost; sum += kMost) fn(static_cast<std::int64_t>(-kMost));
  fn(static_cast<std::int64_t>(sum));
}

}  // namespace counterfoil
