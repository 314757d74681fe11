// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace counterfoil {

namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenDrawings = 100ms;
constexpr std::string_view kStartOfLine = "\r\x1b[K";

std::string rateWords(std::string_view stage, std::uint64_t done, Duration elapsed) {
  const auto milliseconds = static_cast<std::uint64_t>(elapsed / 1ms);
  if (milliseconds < 200 || done > UINT64_MAX / 1000) return {};
  const std::uint64_t perSecond = done * 1000 / milliseconds;
  if (stage == "reading") return fmt::format("  {} MB/s", groupedNumber(perSecond / 1000000));
  return fmt::format("  {}/s", groupedNumber(perSecond));
}

}  // namespace

std::string Progress::lineFor(std::uint64_t done, std::uint64_t total, Duration elapsed) const {
  std::string line = fmt::format("{:<9}", m_stage);
  if (total > 0) {
    const auto permille =
        static_cast<std::uint64_t>(static_cast<unsigned __int128>(done) * 1000 / total);
    line += fmt::format(" {:>3} %", std::min<std::uint64_t>(permille / 10, 100));
    line += rateWords(m_stage, done, elapsed);
    const bool canTell = permille >= 50 && permille < 1000 && elapsed > 1s;
    if (canTell) {
      const Duration left = elapsed / static_cast<std::int64_t>(permille) *
                            static_cast<std::int64_t>(1000 - permille);
      line +=
          fmt::format("  {} left", formatDuration(std::chrono::ceil<std::chrono::seconds>(left)));
    }
  }
  return line;
}

void Progress::update(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (m_show == Show::No) return;
  const std::lock_guard lock(m_mutex);
  const Instant at = m_console.now();
  if (stage != m_stage) {
    m_stage = stage;
    m_stageStart = at;
  } else if (m_drawn && at - m_lastDrawn < kBetweenDrawings) {
    return;
  }
  m_lastDrawn = at;
  m_drawn = true;
  const std::string line =
      lineFor(std::min(done, total == 0 ? done : total), total, at - m_stageStart);
  static_cast<void>(m_console.err.write(std::string(kStartOfLine) + line));
}

void Progress::clear() {
  const std::lock_guard lock(m_mutex);
  if (!m_drawn) return;
  m_drawn = false;
  static_cast<void>(m_console.err.write(kStartOfLine));
}

}  // namespace counterfoil
