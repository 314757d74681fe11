// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>

#include "core/judge/findings.h"

namespace counterfoil {

namespace {

/// 2^(n/16) in units of 1/2^32: the lower bounds of the sixteen buckets of an octave.
constexpr std::array<std::uint64_t, 17> kSteps = {
    4294967296, 4485121744, 4683695048, 4891059943, 5107605667, 5333738689,
    5569883475, 5816483285, 6074001000, 6342919999, 6623745059, 6917003306,
    7223245206, 7543045592, 7877004752, 8225749546, 8589934592};

int bucketOf(Duration duration) {
  const auto micros = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 1));
  const auto octave = static_cast<int>(std::bit_width(micros)) - 1;
  // The part of the number within its octave, 1 ≤ x < 2, in the same units as the steps.
  const std::uint64_t part = octave <= 32 ? micros << (32 - octave) : micros >> (octave - 32);
  const auto above = std::upper_bound(kSteps.begin(), kSteps.end(), part);
  const auto step = std::min<std::ptrdiff_t>(above - kSteps.begin() - 1, 15);
  return octave * 16 + static_cast<int>(step);
}

Duration upperBoundOf(int bucket) {
  const int octave = bucket / 16;
  const std::uint64_t step = kSteps[static_cast<std::size_t>(bucket % 16) + 1];
  const std::uint64_t micros = octave <= 32 ? step >> (32 - octave) : step << (octave - 32);
  return Duration(static_cast<std::int64_t>(micros));
}

}  // namespace

void DurationHistogram::add(Duration duration, std::int64_t count) {
  m_buckets[bucketOf(duration)] += count;
  m_total += count;
  m_longest = std::max(m_longest, duration);
  m_sum += duration * count;
}

void DurationHistogram::merge(const DurationHistogram& other) {
  for (const auto& [bucket, count] : other.m_buckets) m_buckets[bucket] += count;
  m_total += other.m_total;
  m_longest = std::max(m_longest, other.m_longest);
  m_sum += other.m_sum;
}

Duration DurationHistogram::atPercentile(int percent) const {
  if (m_total == 0) return Duration(0);
  const std::int64_t rank = std::max<std::int64_t>((m_total * percent + 99) / 100, 1);
  std::int64_t seen = 0;
  for (const auto& [bucket, count] : m_buckets) {
    seen += count;
    if (seen >= rank) return std::min(upperBoundOf(bucket), m_longest);
  }
  return m_longest;
}

std::int64_t DurationHistogram::countUpTo(Duration duration) const {
  if (duration >= m_longest) return m_total;
  const int last = bucketOf(duration);
  std::int64_t count = 0;
  for (const auto& [bucket, of] : m_buckets) {
    if (bucket <= last) count += of;
  }
  return count;
}

}  // namespace counterfoil
