// SPDX-License-Identifier: GPL-3.0-or-later
// Files that come out of queues and brokers beside those that hold records: what they are, and what to export in
// their place. Internal to importers/formats.
#pragma once

#include <string>
#include <string_view>

#include "importers/source/file_place.h"

namespace counterfoil {

/// "it is RabbitMQ's overview, …", or "" where the head of the text is nothing known. Pure.
[[nodiscard]] std::string whatElseText(std::string_view head);
/// The same of a file that no format fits.
[[nodiscard]] std::string whatElse(const FilePlace& place);
/// "[ ]" and nothing else.
[[nodiscard]] bool isEmptyList(std::string_view text);

}  // namespace counterfoil
