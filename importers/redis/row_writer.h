// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and elements as rows. Internal to importers/redis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "importers/redis/dump_index.h"
#include "importers/redis/dump_reader.h"
#include "importers/redis/redis_format.h"

namespace counterfoil::redis {

/// Whether rows of a key are wanted. Who names a queue means its lists by priority too.
[[nodiscard]] bool fitsKeys(const RedisLayout& layout, std::string_view key);

class RowWriter {
 public:
  RowWriter(const RedisLayout& layout, std::shared_ptr<const DumpIndex> index);

  /// False: none of its elements is wanted.
  bool beginKey(const Key& key);
  void element(const Key& key, const Element& element);
  void endKey(const Key& key);
  void defect(const Defect& defect);
  /// The dump has ended.
  void end();

  std::string& text() { return m_text; }

 private:
  [[nodiscard]] bool fits(std::string_view key) const { return fitsKeys(m_layout, key); }
  void item(const Key& key, const Element& element);
  void addToHash(const Element& element);
  void addScore(const std::string& score);
  void keyRow(const Key& key);
  void hashRow(const Key& key);
  void beginRow(std::uint64_t line);
  void endRow();
  void head(const Key& key);
  void ttl(const Key& key);
  void places(const MemberPlaces& found);
  void tell(std::uint64_t line, std::string_view column, std::string_view value,
            std::string_view reason, std::string_view raw);

  RedisLayout m_layout;
  std::shared_ptr<const DumpIndex> m_index;
  std::string m_text;
  std::size_t m_rowBegin = 0;  ///< of the row at hand, in m_text
  std::uint64_t m_rowLine = 0;
  std::string m_rowFault;      ///< the row at hand can't be given for it
  std::uint64_t m_number = 0;  ///< of keys
  // Of the key at hand:
  bool m_isInKey = false;
  bool m_isWanted = false;
  bool m_isHash = false;
  bool m_isBroken = false;  ///< an element of it could not be read
  std::uint64_t m_count = 0;
  std::string m_least, m_most;  ///< scores
  std::string m_fields;
};

}  // namespace counterfoil::redis
