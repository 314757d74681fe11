// SPDX-License-Identifier: GPL-3.0-or-later
// Full records, raw texts and lines of what a scan gave references to. Thread-safe. Internal to
// importers/input.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "importers/input/source_file.h"

namespace counterfoil {

[[nodiscard]] Result<> fetchRecords(const SourceFiles& files, const PayloadLog& log, std::span<const RecordRef> refs,
                                    const std::function<void(std::size_t, AnyRecord&&)>& fn);
[[nodiscard]] std::string rawTextOf(const SourceFiles& files, const PayloadLog& log, const RecordRef& ref);
[[nodiscard]] std::uint64_t lineOfRecord(const SourceFiles& files, const PayloadLog& log, const RecordRef& ref);
void evidenceOfRecords(const SourceFiles& files, const PayloadLog& log, std::span<const RecordRef> refs,
                       const std::function<void(std::size_t, std::uint64_t, std::string&&)>& fn);

}  // namespace counterfoil
