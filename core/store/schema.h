// SPDX-License-Identifier: GPL-3.0-or-later
// The store's tables and how a store of an earlier version becomes one of this. The file says what it is
// by application_id, and which version by user_version.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/store/sqlite.h"

namespace counterfoil {

inline constexpr std::int32_t kApplicationId = 0x43464C31;  ///< "CFL1"

/// Brings a store from `to - 1` to `to`. Each runs in a transaction of its own, with the version.
struct Migration {
  int to = 0;
  const char* sql = nullptr;
};

/// All migrations in order; the last one's `to` is the version this program writes.
[[nodiscard]] std::span<const Migration> storeMigrations();

enum class SchemaState : std::uint8_t { Empty, Older, Current };
/// StoreBroken: not a store of ours (another application_id, foreign tables, triggers or views).
/// StoreTooNew: written by a later version.
[[nodiscard]] Result<SchemaState> inspectSchema(Database& database, std::span<const Migration> migrations);
/// Runs what is missing. Killed in between, the next call goes on.
[[nodiscard]] Result<> migrate(Database& database, std::span<const Migration> migrations);

}  // namespace counterfoil
