// SPDX-License-Identifier: GPL-3.0-or-later
// What has to be known of a whole dump before its first row is given: which lists and sets name a
// job, how long lists are that belong together, which queues have no key. Immutable once made,
// thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "importers/redis/dump_reader.h"

namespace counterfoil::redis {

inline constexpr std::size_t kMaxMemberBytes = 512;  ///< longer ones are payloads, no names
inline constexpr std::size_t kMaxPlaces = 1000;      ///< of one name
inline constexpr std::uint64_t kMaxIndexBytes = 256u << 20;

/// A list, set or sorted set that has a job's name as a member. Views into the index.
struct MemberPlace {
  std::string_view key;
  std::string_view score;  ///< "" if it has none
};

struct MemberPlaces {
  std::vector<MemberPlace> places;  ///< in order of key
  bool tooMany = false;
};

/// A hash whose key is "<name>:<id>".
struct HashName {
  std::string_view name, id;  ///< views into the key that was asked for
  MemberPlaces places;
};

/// A queue that something names and that has no key: an empty list does not exist.
struct AbsentQueue {
  std::string db, key;
  std::uint64_t line = 0;  ///< of what names it
};

/// "payments" of "payments\x06\x163": the lists of one kombu queue by priority.
[[nodiscard]] std::string_view baseOf(std::string_view key);

struct DumpLook {
  bool wantsPlaces = false;  ///< members are held, too
  std::uint64_t maxBytes =
      UINT64_MAX;  ///< of the dump: only its head is looked at; faults are then no matter
};

class DumpIndex {
 public:
  /// Reads a dump to its end. Error: as the reader's, or Limit where the index would be too large.
  static Result<std::shared_ptr<const DumpIndex>> make(DumpReader& dump, const DumpLook& look);

  /// By the members of all lists "<name>:…" of the database; the longest id that one of them has,
  /// else what is behind the last colon.
  [[nodiscard]] HashName nameOfHash(std::string_view db, std::string_view key) const;
  /// Of a text key "a:b:<id>": ids of 16 or more bytes in any list, shorter ones in lists "a:…".
  [[nodiscard]] MemberPlaces placesOfText(std::string_view db, std::string_view key) const;
  /// Of a hash's field, if it has 16 or more bytes.
  [[nodiscard]] MemberPlaces placesOfField(std::string_view db, std::string_view field) const;

  /// Elements of the other lists by priority of a queue.
  [[nodiscard]] std::uint64_t countBesides(std::string_view db, std::string_view queue) const;
  /// The key of the set that names a queue, or of its first other list by priority; "" if nothing
  /// does.
  [[nodiscard]] std::string_view namedBy(std::string_view db, std::string_view queue) const;
  [[nodiscard]] const std::vector<AbsentQueue>& absentQueues() const { return m_absent; }
  /// Names of the dump's keys, where only its head was looked at; nothing if there are too many.
  [[nodiscard]] const std::optional<std::vector<std::string>>& headKeys() const {
    return m_headKeys;
  }
  /// Whether the key with that number (in the order of the dump) came before.
  [[nodiscard]] bool isRepeated(std::uint64_t number) const;
  [[nodiscard]] const NumberHashes& numberHashes() const { return m_numberHashes; }
  [[nodiscard]] const DumpLook& look() const { return m_look; }

 private:
  friend class IndexBuilder;
  struct Container {
    std::uint32_t db = 0;
    std::string key;
  };
  struct Member {
    Hash128 name;
    std::uint32_t container = 0;
    std::uint32_t score = 0;  ///< place in m_scores, 0: none
  };
  using Range = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] std::optional<std::uint32_t> numberOfDb(std::string_view db) const;
  /// Containers of a database whose keys begin so.
  [[nodiscard]] Range containersOf(std::uint32_t db, std::string_view prefix) const;
  [[nodiscard]] MemberPlaces placesOf(std::string_view member, Range containers) const;

  DumpLook m_look;
  KeyedHash m_hash;
  std::vector<std::string> m_databases;
  std::vector<Container> m_containers;  ///< by database and key
  std::vector<Member> m_members;        ///< by name and container
  std::string m_scores;                 ///< each ended by NUL
  std::map<std::pair<std::string, std::string>, std::uint64_t>
      m_besides;                                                       ///< by database and queue
  std::map<std::pair<std::string, std::string>, std::string> m_named;  ///< by database and queue
  std::vector<AbsentQueue> m_absent;
  std::optional<std::vector<std::string>> m_headKeys;
  std::vector<std::uint64_t> m_repeated;  ///< sorted
  NumberHashes m_numberHashes;
};

}  // namespace counterfoil::redis
