// SPDX-License-Identifier: GPL-3.0-or-later
// A record as named texts, for people and programs: the fields that are filled, under the names of
// the contract, in a fixed order. Texts are as in the record: not yet harmless for a terminal.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/record/record.h"

namespace counterfoil {

using RecordFields = std::vector<std::pair<std::string_view, std::string>>;

[[nodiscard]] RecordFields fieldsOf(const AnyRecord& record);

[[nodiscard]] std::string_view codeOf(AttemptStatus status);  ///< "succeeded", "failed_final", …
[[nodiscard]] std::string_view codeOf(EffectStatus status);   ///< "live", "pending", "failed"
[[nodiscard]] std::string_view codeOf(EffectKind kind);       ///< "forward", "reversal", …
[[nodiscard]] std::string_view codeOf(SkipReason reason);
[[nodiscard]] std::string_view codeOf(ClaimState state);
[[nodiscard]] std::string_view codeOf(IntentStatus status);

}  // namespace counterfoil
