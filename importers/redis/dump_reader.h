// SPDX-License-Identifier: GPL-3.0-or-later
// What every container of Redis keys is read as: keys, their elements, and what is neither.
// Internal to importers/redis.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace counterfoil::redis {

inline constexpr std::size_t kMaxKeyBytes = 64u << 10;
inline constexpr std::size_t kMaxElementBytes = 8u << 20;  ///< escaped it still fits into a row
inline constexpr int kMaxEmbeddedDepth = 100;  ///< of a value that is JSON: rows go deeper

/// Count: a number that says how many elements a key has, and nothing else.
enum class KeyType : std::uint8_t {
  Unknown,
  String,
  List,
  Set,
  Zset,
  Hash,
  Stream,
  None,
  Count,
  Other
};
/// "zset"; "" for Unknown and Other.
[[nodiscard]] std::string_view nameOf(KeyType type);
/// Case apart. A name of a module's type is Other, a blank one Unknown.
[[nodiscard]] KeyType keyTypeOf(std::string_view name);

/// A text, bytes that are none, or JSON that the dump did not write as a text.
struct Value {
  enum class Kind : std::uint8_t { Text, Bytes, Json, Null };
  Kind kind = Kind::Null;
  std::string text;   ///< Text: valid UTF-8. Bytes: as base64. Json: in one line
  std::string bytes;  ///< Bytes: what they are
  /// What Redis holds.
  [[nodiscard]] const std::string& content() const { return kind == Kind::Bytes ? bytes : text; }
};

struct Key {
  std::uint64_t line = 0;
  std::string db;  ///< its number; "" = not known
  Value name;
  KeyType type = KeyType::Unknown;
  std::string typeName;
  std::string ttl;  ///< seconds, -1 for ever; "" = not known
};

struct Element {
  std::uint64_t line = 0;
  Value field;        ///< of a hash
  std::string score;  ///< of a zset, exact
  std::string id;     ///< of a stream's entry
  Value value;
};

struct Defect {
  std::uint64_t line = 0;
  std::string reason, raw;
  std::string key;      ///< of which key, where that is known
  bool endsKey = true;  ///< no more of the key comes, and no KeyEnd
};

enum class Event : std::uint8_t { Key, Element, KeyEnd, Defect, End };

class DumpReader {
 public:
  virtual ~DumpReader() = default;
  /// An Error ends the reading: the text cannot be read on, or was cut off.
  virtual Result<Event> next() = 0;
  /// After Event::Key: its elements are not asked for. KeyEnd still comes.
  virtual void skipElements() = 0;
  /// How much of the text was read.
  [[nodiscard]] virtual std::uint64_t passed() const = 0;

  Key key;          ///< of the last Event::Key; its type may still change until KeyEnd
  Element element;  ///< of the last Event::Element
  Defect defect;    ///< of the last Event::Defect
};

/// Keys by number (in the order of the dump) whose values are all numbers so far, but that are
/// hashes: what a first reading found.
using NumberHashes = std::vector<std::uint64_t>;

/// redis-dump: an object a key, one a line or in an array.
[[nodiscard]] std::unique_ptr<DumpReader> readDumpLines(std::unique_ptr<ByteSource> source);
/// rdb --command json: an object a database. `hashes` is sorted; it must outlive the reader.
[[nodiscard]] std::unique_ptr<DumpReader> readRdbJson(std::unique_ptr<ByteSource> source,
                                                      const NumberHashes& hashes);
/// redis-cli --json, of one key.
[[nodiscard]] std::unique_ptr<DumpReader> readCliJson(std::unique_ptr<ByteSource> source,
                                                      const std::string& key, KeyType type);
/// redis-cli without --json, of one key whose type is known.
[[nodiscard]] std::unique_ptr<DumpReader> readCliText(std::unique_ptr<ByteSource> source,
                                                      const std::string& key, KeyType type);
/// What type such lines are of. Error (Format, Ambiguous): they do not tell, or cannot be read.
[[nodiscard]] Result<KeyType> typeOfCliText(ByteSource& source);

}  // namespace counterfoil::redis
