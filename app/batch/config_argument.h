// SPDX-License-Identifier: GPL-3.0-or-later
// A configuration named on the command line.
#pragma once

#include <optional>
#include <string>

#include "app/config.h"

namespace counterfoil {

/// loadConfig; one that is not there is a wrong command line (Usage), not a missing input.
[[nodiscard]] inline Result<Config> loadNamedConfig(const std::string& path,
                                                    std::optional<Instant> asOf, Instant now) {
  auto config = loadConfig(path, asOf, now);
  const bool missing = !config && (config.error().code == ErrorCode::Missing ||
                                   config.error().code == ErrorCode::Io);
  if (missing) return fail(ErrorCode::Usage, config.error().message);
  return config;
}

}  // namespace counterfoil
