// SPDX-License-Identifier: GPL-3.0-or-later
// The n smallest of many values, kept while they pass by. Internal to core/run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace counterfoil {

template <class Value>
class Smallest {
 public:
  explicit Smallest(std::size_t count) : m_count(count) {}

  /// True if a value this large may still belong to them.
  template <class Key>
  [[nodiscard]] bool mayTake(const Key& key) const {
    return m_heap.size() < m_count || !(m_heap.front() < key);
  }
  void add(Value value) {
    if (m_heap.size() == m_count) {
      if (!(value < m_heap.front())) return;
      std::pop_heap(m_heap.begin(), m_heap.end());
      m_heap.pop_back();
    }
    m_heap.push_back(std::move(value));
    std::push_heap(m_heap.begin(), m_heap.end());
  }
  void merge(Smallest&& other) {
    for (Value& value : other.m_heap) add(std::move(value));
    other.m_heap.clear();
  }
  [[nodiscard]] bool isFull() const { return m_heap.size() == m_count; }
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
