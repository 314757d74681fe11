// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of a run's rows, numbered as they are met, and for each scope a record that shows its text.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ledger/row.h"

namespace counterfoil {

class ShapeTable {
 public:
  /// Thread-safe. `example`: a record of this shape.
  std::uint32_t numberOf(const Shape& shape, const RecordRef& example);
  /// After the scan only.
  [[nodiscard]] const Shape& operator[](std::uint32_t number) const { return m_shapes[number]; }
  [[nodiscard]] std::size_t size() const { return m_shapes.size(); }
  /// A record of that scope; nothing for the blank one. After the scan only.
  [[nodiscard]] std::optional<RecordRef> exampleOf(std::uint64_t scope) const;

 private:
  struct HashOf {
    std::size_t operator()(const Shape& shape) const;
  };
  std::mutex m_mutex;
  std::unordered_map<Shape, std::uint32_t, HashOf> m_numbers;
  std::vector<Shape> m_shapes;
  std::unordered_map<std::uint64_t, RecordRef> m_examples;
};

/// All of a shape in three words: compared and hashed whole. (Reading single bytes back as words stalls the
/// processor until everything it wrote before has reached memory.)
struct ShapeWords {
  std::uint64_t scope = 0;
  std::uint64_t wide = 0;
  std::uint64_t small = 0;
  bool operator==(const ShapeWords&) const = default;
};
[[nodiscard]] ShapeWords wordsOf(const Shape& shape);

/// What one worker looks up in before it asks the table.
class ShapeCache {
 public:
  explicit ShapeCache(ShapeTable& table) : m_table(&table), m_entries(kEntries) {}
  std::uint32_t numberOf(const Shape& shape, const RecordRef& example);

 private:
  static constexpr std::size_t kEntries = 2048;
  static constexpr std::size_t kProbes = 8;   ///< two shapes of one place must not take turns at the table's lock
  struct Entry {
    ShapeWords words;
    std::uint32_t number = 0;
    bool isUsed = false;
  };
  ShapeTable* m_table;
  std::vector<Entry> m_entries;
};

}  // namespace counterfoil
