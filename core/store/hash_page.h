// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of sorted (hash, number, flags): the index of ids (number = block of the run's records) and the
// history of keys (number = run). Hashes are cut to 48 bits: a hit is looked at by text, so a chance
// equality costs a look and never an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"

namespace counterfoil {

/// 48 bits of a keyed hash; fits SQLite's signed integers in order.
using StoreHash = std::uint64_t;
[[nodiscard]] inline StoreHash storeHash(const Hash128& hash) { return hash.high >> 16; }

struct HashEntry {
  StoreHash hash = 0;
  std::uint32_t number = 0;
  std::uint8_t flags = 0;
  auto operator<=>(const HashEntry&) const = default;
};

/// `entries` sorted by hash, not empty.
void putHashPage(std::string& out, std::span<const HashEntry> entries);
/// Nothing for bytes that are no page. Entries come back sorted by hash.
[[nodiscard]] std::optional<std::vector<HashEntry>> readHashPage(std::string_view bytes);

}  // namespace counterfoil
