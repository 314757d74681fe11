// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/shapes.h"

namespace counterfoil {

namespace {

std::uint64_t hashOf(const ShapeWords& words) {
  return mixBits(words.small ^ words.wide * 0x9E3779B97F4A7C15ull ^ words.scope);
}

}  // namespace

ShapeWords wordsOf(const Shape& shape) {
  ShapeWords words;
  words.scope = shape.scope;
  words.wide = static_cast<std::uint64_t>(shape.file) << 32 | shape.queue;
  words.small = static_cast<std::uint64_t>(shape.currency) |
                static_cast<std::uint64_t>(static_cast<std::uint16_t>(shape.operation)) << 16 |
                static_cast<std::uint64_t>(shape.kind) << 32 | static_cast<std::uint64_t>(shape.status) << 40 |
                static_cast<std::uint64_t>(shape.effectKind) << 48 |
                static_cast<std::uint64_t>(shape.hasAmount) << 56 |
                static_cast<std::uint64_t>(shape.needsJudge) << 57 |
                static_cast<std::uint64_t>(shape.dayOnly) << 58 | static_cast<std::uint64_t>(shape.space) << 59;
  return words;
}

std::size_t ShapeTable::HashOf::operator()(const Shape& shape) const { return hashOf(wordsOf(shape)); }

std::uint32_t ShapeTable::numberOf(const Shape& shape, const RecordRef& example) {
  const std::lock_guard lock(m_mutex);
  const auto [at, isNew] = m_numbers.try_emplace(shape, static_cast<std::uint32_t>(m_shapes.size()));
  if (isNew) {
    m_shapes.push_back(shape);
    if (shape.scope != 0) m_examples.try_emplace(shape.scope, example);
  }
  return at->second;
}

std::optional<RecordRef> ShapeTable::exampleOf(std::uint64_t scope) const {
  const auto at = m_examples.find(scope);
  if (at == m_examples.end()) return std::nullopt;
  return at->second;
}

std::uint32_t ShapeCache::numberOf(const Shape& shape, const RecordRef& example) {
  const ShapeWords words = wordsOf(shape);
  const std::size_t home = hashOf(words) % kEntries;
  for (std::size_t i = 0; i < kProbes; ++i) {
    Entry& entry = m_entries[(home + i) % kEntries];
    if (entry.isUsed && entry.words == words) return entry.number;
    if (entry.isUsed) continue;
    entry = {words, m_table->numberOf(shape, example), true};
    return entry.number;
  }
  m_entries[home] = {words, m_table->numberOf(shape, example), true};
  return m_entries[home].number;
}

}  // namespace counterfoil
