// SPDX-License-Identifier: GPL-3.0-or-later
// The n smallest of many values, kept while they pass by. Internal to core/run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace counterfoil {

template <class Value>
class Smallest {
 public:
  explicit Smallest(std::size_t count) : m_count(count) {}

  /// Gives back what has no place among them: the value itself or the one it pushed out.
  std::optional<Value> add(Value value) {
    std::optional<Value> out;
    if (m_heap.size() == m_count) {
      if (!(value < m_heap.front())) return value;
      std::pop_heap(m_heap.begin(), m_heap.end());
      out = std::move(m_heap.back());
      m_heap.pop_back();
    }
    m_heap.push_back(std::move(value));
    std::push_heap(m_heap.begin(), m_heap.end());
    return out;
  }
  void merge(Smallest&& other) {
    for (Value& value : other.m_heap) add(std::move(value));
    other.m_heap.clear();
  }
  [[nodiscard]] bool isEmpty() const { return m_heap.empty(); }
  /// The largest of them. Requires that there is one.
  [[nodiscard]] const Value& largest() const { return m_heap.front(); }
  /// In no order.
  [[nodiscard]] std::vector<Value>& values() { return m_heap; }

 private:
  std::size_t m_count;
  std::vector<Value> m_heap;
};

}  // namespace counterfoil
