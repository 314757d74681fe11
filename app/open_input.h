// SPDX-License-Identifier: GPL-3.0-or-later
// The reading side of a configuration.
#pragma once

#include <cstdint>
#include <memory>

#include "app/config.h"
#include "core/run/input.h"

namespace counterfoil {

/// Opens nothing yet; the Config has to live as long as the Input. Error (Config) for a source that
/// can never be read. `memoryBytes`: bound of the run, of which the reading side keeps to a sixteenth.
[[nodiscard]] Result<std::unique_ptr<Input>> openInput(const Config& config, std::uint64_t memoryBytes);

}  // namespace counterfoil
