// SPDX-License-Identifier: GPL-3.0-or-later
// One axis for things that lie seconds apart and things that lie days apart: stretches in which nothing
// happens are folded and say how long they are. Pure.
#pragma once

#include <vector>

#include "core/base/instant.h"

namespace counterfoil::desktop {

class TimeAxis {
 public:
  struct Stretch {
    Instant from{}, to{};
    double fromX = 0, toX = 0;
    bool folded = false;
  };

  TimeAxis() = default;
  /// Lays the times out over [left, right]; any order, repeats allowed.
  TimeAxis(std::vector<Instant> times, double left, double right);

  [[nodiscard]] double xOf(Instant at) const;
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return m_stretches; }
  [[nodiscard]] const std::vector<Instant>& times() const { return m_times; }   ///< sorted, each once

 private:
  void fold();
  void layOut();

  std::vector<Instant> m_times;
  std::vector<Stretch> m_stretches;
  double m_left = 0, m_right = 0;
};

}  // namespace counterfoil::desktop
