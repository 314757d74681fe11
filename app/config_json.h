// SPDX-License-Identifier: GPL-3.0-or-later
// A configuration as it is understood: every default filled in, paths resolved, secrets by their
// place only. For `config show`.
#pragma once

#include <string>

#include "app/config.h"

namespace counterfoil {

/// JSON, ending with a line feed.
[[nodiscard]] std::string configJson(const Config& config);

}  // namespace counterfoil
