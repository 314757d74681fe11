// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a command may touch of the world outside: streams, terminal, environment, clock,
// signals. Handed in, so that tests run commands in-process.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/executor.h"
#include "core/base/instant.h"
#include "reports/sink.h"
#include "reports/text/text_style.h"

namespace counterfoil {

/// Set by a signal handler; the work looks at `token`.
struct Interrupt {
  CancelToken token;
  std::atomic<int> signalNumber{0};  ///< 0: none came
};

struct Console {
  Sink& out;  ///< results
  Sink& err;  ///< everything else
  Interrupt& interrupt;
  bool outIsTerminal = false;
  bool errIsTerminal = false;
  std::size_t width = 100;  ///< columns of the terminal, 100 where there is none
  std::function<std::optional<std::string>(std::string_view name)> environment;
  std::function<Instant()> now;
};

/// The moment a run is judged at where nobody says: the clock, in whole seconds.
[[nodiscard]] inline Instant asOfNow(const Console& console) {
  return std::chrono::floor<std::chrono::seconds>(console.now());
}

}  // namespace counterfoil
