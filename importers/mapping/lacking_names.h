// SPDX-License-Identifier: GPL-3.0-or-later
// Rules by task that are given to several mappings at once: a log's lines have no arguments where the result table
// beside it has them. Pure.
#pragma once

#include <set>
#include <string>

#include "importers/json/json_document.h"

namespace counterfoil {

/// `tasks` without the fields, or of lists the alternatives, that need one of the names (`args` of `args.0` or of
/// `"{args.0}"`); a rule of which nothing stays is gone. What does not look like rules is left to the reader of mappings, which says what is wrong.
[[nodiscard]] JsonNode rulesWithout(const std::set<std::string>& lacking, const JsonNode& tasks);

}  // namespace counterfoil
