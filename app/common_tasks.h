// SPDX-License-Identifier: GPL-3.0-or-later
// "tasks" of a whole configuration: the same jobs stand in a result table, a broker's dump and an event
// stream, so what is known of them is said once. Pure.
#pragma once

#include <set>
#include <string>

#include "importers/json/json_document.h"
#include "importers/mapping/named_formats.h"

namespace counterfoil {

/// Names of values that the format's own mappings of our side declare (args, kwargs, payload, …).
[[nodiscard]] std::set<std::string> valueNamesOf(const NamedFormat& format);
/// Whether tasks mean something to the format: it makes records of our side and says their task.
[[nodiscard]] bool tellsTasks(const NamedFormat& format);

/// What of the rules a format can follow: fields that need a value it does not declare, such as `args.0` in a log
/// without arguments, are left out; a rule of which nothing stays is gone. `known`: the names that any format of the
/// configuration declares.
[[nodiscard]] JsonNode rulesFor(const JsonNode& tasks, const NamedFormat& format, const std::set<std::string>& known);

}  // namespace counterfoil
