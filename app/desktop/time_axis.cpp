// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/time_axis.h"

#include <algorithm>

namespace counterfoil::desktop {

namespace {

constexpr double kFoldedWidth = 76;
constexpr double kLeastWidth = 14;
constexpr int kFoldFactor = 6;
constexpr Duration kFoldLeast = std::chrono::seconds(30);

}  // namespace

TimeAxis::TimeAxis(std::vector<Instant> times, double left, double right)
    : m_times(std::move(times)), m_left(left), m_right(std::max(left, right)) {
  std::sort(m_times.begin(), m_times.end());
  m_times.erase(std::unique(m_times.begin(), m_times.end()), m_times.end());
  for (std::size_t i = 0; i + 1 < m_times.size(); ++i) m_stretches.push_back({m_times[i], m_times[i + 1], 0, 0, false});
  fold();
  layOut();
}

/// Folded is what is far longer than the usual stretch here.
void TimeAxis::fold() {
  if (m_stretches.size() < 2) return;
  std::vector<Duration> lengths;
  for (const Stretch& stretch : m_stretches) lengths.push_back(stretch.to - stretch.from);
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  const Duration most = std::max(*middle * kFoldFactor, kFoldLeast);
  for (Stretch& stretch : m_stretches) stretch.folded = stretch.to - stretch.from > most;
}

void TimeAxis::layOut() {
  double fixed = 0;
  double seconds = 0;
  for (const Stretch& stretch : m_stretches) {
    fixed += stretch.folded ? kFoldedWidth : kLeastWidth;
    if (!stretch.folded) seconds += std::chrono::duration<double>(stretch.to - stretch.from).count();
  }
  const double width = m_right - m_left;
  const double squeeze = fixed > width ? width / fixed : 1;      // more than fits: everything moves together
  const double rest = std::max(width - fixed * squeeze, 0.0);
  const bool allFolded = seconds <= 0;
  double x = m_left;
  for (Stretch& stretch : m_stretches) {
    double wide = (stretch.folded ? kFoldedWidth : kLeastWidth) * squeeze;
    if (allFolded) {
      wide += rest / static_cast<double>(m_stretches.size());
    } else if (!stretch.folded) {
      wide += rest * std::chrono::duration<double>(stretch.to - stretch.from).count() / seconds;
    }
    stretch.fromX = x;
    stretch.toX = x += wide;
  }
}

double TimeAxis::xOf(Instant at) const {
  if (m_stretches.empty()) return m_left;
  if (at <= m_stretches.front().from) return m_stretches.front().fromX;
  const auto in = std::lower_bound(m_stretches.begin(), m_stretches.end(), at,
                                   [](const Stretch& stretch, Instant time) { return stretch.to < time; });
  if (in == m_stretches.end()) return m_stretches.back().toX;
  const double part = std::chrono::duration<double>(at - in->from) / std::chrono::duration<double>(in->to - in->from);
  return in->fromX + (in->toX - in->fromX) * part;
}

}  // namespace counterfoil::desktop
