// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of a Redis server, and what redis-cli answers for one key. Each is turned into NDJSON while
// it is read, an object a key, a hash or an element, so that mappings see rows like any other. What
// each object holds: resources/docs/mapping.md, "Redis dumps".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/readers/json_document_rows.h"
#include "importers/readers/text_match.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

namespace redis {
class DumpIndex;
}

enum class RedisForm : std::uint8_t {
  DumpLines,  ///< redis-dump: {"db":…,"key":…,"type":…,"value":…}
  RdbJson,    ///< rdb --command json: an object a database
  CliJson,    ///< redis-cli --json, of one key
  CliText     ///< redis-cli, of one key
};
enum class RedisRows : std::uint8_t { Items, Hashes, Keys };

struct RedisLayout {
  RedisForm form = RedisForm::DumpLines;
  RedisRows rows = RedisRows::Items;
  std::vector<std::shared_ptr<const TextMatch>>
      keys;                 ///< only rows of keys that one of them fits; none: all
  std::string key;          ///< of redis-cli: whose answer it is
  std::string type;         ///< of redis-cli: of what type that is; "" = found
  bool isFound = false;     ///< the text is a dump, whatever the layout says of it
  bool wantsPlaces = true;  ///< somebody reads where jobs are named
  bool headOnly =
      false;  ///< only the first rows will be read: states that the rest decides may be wrong
};

/// Of a whole dump by its first bytes. Nothing if it is none; answers of redis-cli cannot be told.
[[nodiscard]] std::optional<RedisForm> redisFormOf(std::string_view head);
/// Of a text that is said to be an answer of redis-cli. Reads all of it.
[[nodiscard]] Result<RedisForm> cliFormOf(const SourceOpener& open);
/// Whether a type may be named by `RedisLayout::type`.
[[nodiscard]] bool isRedisType(std::string_view name);
inline constexpr std::string_view kRedisTypes = "hash, list, set, zset, stream, string, count";

/// What was found by a first reading of a dump; kept by whoever reads it several times.
using RedisIndex = std::shared_ptr<const redis::DumpIndex>;

/// Reads the text and gives NDJSON instead. A row begins with U+0016, the line of its key in the
/// dump and U+001F (see makeTranscodedReader). Of dumps everything is read once before the first
/// row: an Error then is the dump's (cut off, too large), and no row is given, for the state of a
/// job that a part of a dump tells may be wrong. `index` is used if it fits, and set otherwise.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> transcodeRedis(const RedisLayout& layout,
                                                                 const SourceOpener& open,
                                                                 RedisIndex& index);

}  // namespace counterfoil
