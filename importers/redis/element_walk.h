// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of a key's value where that is JSON, in each of the shapes that dumps have. Internal
// to importers/redis.
#pragma once

#include <optional>
#include <string>

#include "importers/redis/dump_reader.h"
#include "importers/redis/value_cursor.h"

namespace counterfoil::redis {

class ElementWalk {
 public:
  enum class Step : std::uint8_t { Element, Defect, End };
  /// How a value tells a type that the dump does not: rdb-tools writes lists, sets and objects;
  /// redis-cli lists of pairs too.
  enum class Guess : std::uint8_t { Rdb, Cli };

  /// At the first character of a value. Unknown: the type is found by looking.
  Result<KeyType> begin(ValueCursor& cursor, KeyType type, Guess guess);
  /// Error: the value is not what its type says; it is not read on.
  Result<Step> next(Element& element);
  /// Passes what is left.
  Result<> skip();
  /// After Step::Defect.
  [[nodiscard]] const std::string& defect() const { return m_defect; }
  /// Whether all values of an object were numbers so far.
  [[nodiscard]] bool allNumbers() const { return m_allNumbers; }

 private:
  enum class Load : std::uint8_t { Loaded, TooLong, End };

  Result<> look(Guess guess);
  Result<Load> load();
  Result<Step> oneValue(Element& element);
  Result<Step> shape(Element& element);
  Result<Step> shapeMember(Element& element);
  Result<Step> shapePair(Element& element);
  Result<Step> setEntry(Element& element, std::string_view written);
  Result<Step> setScored(Element& element, std::string_view member, std::string_view score);
  Step defective(std::string reason);
  Error notOfType();

  ValueCursor* m_cursor = nullptr;
  KeyType m_type = KeyType::Unknown;
  bool m_isObject = false;
  bool m_isSingle = false;   ///< no container: one value
  bool m_more = false;       ///< of the container
  bool m_isPending = false;  ///< the element that begin() had to look at
  bool m_allNumbers = true;
  std::uint64_t m_line = 0;
  std::string m_name, m_value, m_other, m_defect;
};

}  // namespace counterfoil::redis
