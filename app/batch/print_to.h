// SPDX-License-Identifier: GPL-3.0-or-later
// Results go to standard output, or whole or not at all to the file of --output.
#pragma once

#include <functional>
#include <string>

#include "app/batch/command.h"

namespace counterfoil {

/// Opens `path` (blank or "-": the console's standard output), lets `print` write in the style of
/// that place (a file has no colours), commits.
[[nodiscard]] Result<> printTo(
    const std::string& path, Session& session,
    const std::function<Result<>(Sink& sink, const TextStyle& style)>& print);

/// True if `path` means a file.
[[nodiscard]] bool isFileOutput(const std::string& path);

}  // namespace counterfoil
