// SPDX-License-Identifier: GPL-3.0-or-later
// What carried a log line writes around it: container runtimes, syslog, journald, platforms, colours. Internal to
// importers/log. Pure; views point into the line or into the arena.
#pragma once

#include <cstdint>
#include <string_view>

#include "importers/log/log_time.h"
#include "importers/readers/arena.h"

namespace counterfoil::logs {

struct LogLine {
  std::string_view text;     ///< what the program wrote, as far as it is unwrapped
  LogTime time;              ///< the carrier's
  std::string_view origin;   ///< the service, dyno, unit or container that it names
};

/// Takes one wrapping of text off: CRI (`2026-…Z stderr F …`), syslog and journald, Heroku, docker-compose,
/// `kubectl logs --prefix`. False: there is none.
[[nodiscard]] bool unwrapText(LogLine& line);

/// Colours and other terminal sequences taken out.
[[nodiscard]] std::string_view withoutColours(std::string_view text, Arena& arena);

/// Whether a container runtime cut the program's line here, so that it goes on in the next line of its stream.
struct Piece {
  enum class Kind : std::uint8_t { None, Last, Continued } kind = Kind::None;   ///< None: no container's line
  bool isStderr = false;
};
/// Of lines of CRI, and of Docker's JSON. Cheap: looks at the line's frame only.
[[nodiscard]] Piece pieceOf(std::string_view line);

[[nodiscard]] bool isLevelWord(std::string_view word);

}  // namespace counterfoil::logs
