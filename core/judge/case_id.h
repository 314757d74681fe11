// SPDX-License-Identifier: GPL-3.0-or-later
// The stable identity of a unit.
#pragma once

#include <string_view>

#include "core/judge/unit.h"

namespace counterfoil::judging {

/// Digest of the four parts, each with its length before it so that no two lists of parts read alike.
[[nodiscard]] CaseId caseIdOf(std::string_view scope, std::string_view operation,
                              std::string_view key, std::string_view mark);

}  // namespace counterfoil::judging
