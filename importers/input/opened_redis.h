// SPDX-License-Identifier: GPL-3.0-or-later
// A file that holds keys of a Redis server.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/input/opened_file.h"

namespace counterfoil {

/// A dump is known by its text where the layout leaves the kind open; one that is said to be a dump
/// has to be something that can be read as one.
[[nodiscard]] Result<> settleRedisKind(OpenedFile& file, std::string_view head,
                                       bool isEncodingOpen);
/// Settles what the layout says. Error Config or Format.
[[nodiscard]] Result<> openRedis(OpenedFile& file, std::string_view head);
/// The rows as NDJSON. Error as transcodeRedis().
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openRedisSource(const OpenedFile& file);

/// ", dump of redis-dump, hashes".
[[nodiscard]] std::string describeRedis(const RedisLayout& layout);
/// Whether a column says where a job is named.
[[nodiscard]] bool readsPlaces(const std::string& column);
/// What a server's own dump.rdb is. Always an Error: it has to be written as text first.
[[nodiscard]] Error rdbFault(const FilePlace& place);

}  // namespace counterfoil
