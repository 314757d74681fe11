// SPDX-License-Identifier: GPL-3.0-or-later
// One line on a terminal: stage, percent, rate, time left. Silent where standard error is no
// terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "app/batch/console.h"

namespace counterfoil {

class Progress {
 public:
  enum class Show : std::uint8_t { No, Yes };

  Progress(Console& console, Show show) : m_console(console), m_show(show) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For RunOptions::progress. Thread-safe. `done` and `total` are bytes while reading, else
  /// counts.
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total);
  /// Takes the line away, before anything else is printed.
  void clear();

 private:
  [[nodiscard]] std::string lineFor(std::uint64_t done, std::uint64_t total,
                                    Duration elapsed) const;

  std::mutex m_mutex;
  Console& m_console;
  Show m_show;
  std::string m_stage;
  Instant m_stageStart{};
  Instant m_lastDrawn{};
  bool m_drawn = false;
};

}  // namespace counterfoil
