// SPDX-License-Identifier: GPL-3.0-or-later
// Records of earlier nights beside those of an input: how an engine takes them, and how the rules of the night read
// what an earlier configuration numbered.
#pragma once

#include "app/config.h"
#include "core/run/input.h"
#include "core/store/carried.h"
#include "core/store/store.h"

namespace counterfoil {

/// Gives all of them to the sink.
[[nodiscard]] Result<> scanCarried(const CarriedRecords& carried, const Policy& policy, const KeyedHash& hash, ScanSink& sink,
                                   const CancelToken* cancel);
/// Input::fetch() for references to both.
[[nodiscard]] Result<> fetchWithCarried(const Input& own, const CarriedRecords& carried, std::span<const RecordRef> refs,
                                        const std::function<void(std::size_t, AnyRecord&&)>& fn);
/// `store` must outlive the rules.
[[nodiscard]] CarryRules carryRulesOf(const Store& store, const Policy& policy, Instant asOf);

}  // namespace counterfoil
