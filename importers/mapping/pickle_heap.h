// SPDX-License-Identifier: GPL-3.0-or-later
// What a pickle makes, as plain data: values that name each other by number, since a pickle may name
// one value in many places and fill it after that. Internal to importers/mapping.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "importers/json/json_document.h"

namespace counterfoil {

using PickleId = std::uint32_t;

struct PickleValue {
  enum class Kind : std::uint8_t {
    Null, Boolean, Number, Text, Bytes, List, Tuple, Set,
    Dict,     ///< items: name, value, name, value, …
    Global,   ///< text: "module.Name"; never looked up
    Object    ///< items: the global and the tuple of its arguments, then its state if it has any
  };
  Kind kind = Kind::Null;
  std::string text = {};
  std::vector<PickleId> items = {};
};

class PickleHeap {
 public:
  /// Values, references to them, and bytes of their texts: what a pickle may hold of each. A few bytes
  /// of a pickle can name a long text or list again and again.
  static constexpr std::size_t kMaxValues = 1u << 18;
  static constexpr std::size_t kMaxReferences = 1u << 20;
  static constexpr std::size_t kMaxTextBytes = 32u << 20;

  [[nodiscard]] bool isFull() const {
    return m_values.size() >= kMaxValues || m_textBytes > kMaxTextBytes;
  }
  PickleId add(PickleValue value) {
    m_textBytes += value.text.size();
    m_values.push_back(std::move(value));
    return static_cast<PickleId>(m_values.size() - 1);
  }
  [[nodiscard]] PickleValue& at(PickleId id) { return m_values[id]; }
  [[nodiscard]] const PickleValue& at(PickleId id) const { return m_values[id]; }

 private:
  std::vector<PickleValue> m_values;
  std::size_t m_textBytes = 0;
};

/// Begins an object of a global and its arguments; those of the library that stand for plain values
/// (sets, ordered dicts, bytes of old protocols) become these.
[[nodiscard]] PickleValue pickledObject(const PickleHeap& heap, PickleId global, PickleId arguments);

/// The value as JSON. Dates, Decimal and UUID become text, other objects
/// {"__class__": …, "args": […], "state": …}. Error: what cannot be said in JSON, or is too big.
[[nodiscard]] Result<JsonNode> jsonOfPickle(const PickleHeap& heap, PickleId root);

}  // namespace counterfoil
