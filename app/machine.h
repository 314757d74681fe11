// SPDX-License-Identifier: GPL-3.0-or-later
// What the computer we run on offers, and sizes as people write them.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/instant.h"
#include "core/base/result.h"

namespace counterfoil {

/// Half of the memory that is free, at most 1 GiB; 256 MiB where the system does not say.
[[nodiscard]] std::uint64_t defaultMemoryBytes();
/// The same rule on the text of /proc/meminfo.
[[nodiscard]] std::uint64_t defaultMemoryBytes(std::string_view meminfo);
/// What the engine may take of a run's bound: below 640 MiB the program itself and the reading of files
/// (records of packed files and documents, references of bank statements) need a part that counts.
[[nodiscard]] std::uint64_t engineMemoryBytes(std::uint64_t memoryBytes);
/// Processors this process may use, at least 1.
[[nodiscard]] unsigned defaultThreadCount();

/// "256M", "1G", "64MiB", "1048576": bytes, by powers of 1024. Error (Usage) below 16 MiB.
[[nodiscard]] Result<std::uint64_t> parseMemory(std::string_view text);

/// The wall clock. The only place that reads it.
[[nodiscard]] Instant wallClockNow();

}  // namespace counterfoil
