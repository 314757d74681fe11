// SPDX-License-Identifier: GPL-3.0-or-later
// The reading side of a configuration.
#pragma once

#include <memory>

#include "app/config.h"
#include "core/run/input.h"

namespace counterfoil {

/// Opens nothing yet; the Config has to live as long as the Input. Error (Config) for a source that
/// can never be read.
[[nodiscard]] Result<std::unique_ptr<Input>> openInput(const Config& config);

}  // namespace counterfoil
