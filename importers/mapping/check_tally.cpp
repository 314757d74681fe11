// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/check_tally.h"

#include <algorithm>
#include <utility>

namespace counterfoil {

bool FirstExamples::wants(std::uint64_t line) const {
  return m_all.size() < kMost || line <= m_all.back().line;
}

void FirstExamples::add(std::uint64_t line, std::string seen) {
  StatementExample example{line, std::move(seen)};
  const auto at =
      std::upper_bound(m_all.begin(), m_all.end(), example, [](const auto& a, const auto& b) {
        return std::tie(a.line, a.seen) < std::tie(b.line, b.seen);
      });
  m_all.insert(at, std::move(example));
  if (m_all.size() > kMost) m_all.pop_back();
}

void FirstExamples::add(const FirstExamples& other) {
  for (const StatementExample& example : other.m_all) add(example.line, example.seen);
}

void FirstExamples::shiftLines(std::uint64_t by) {
  for (StatementExample& example : m_all) example.line += by;
}

// FNV-1a and a last mixing: the highest bits decide.
std::uint64_t groupNumber(std::string_view name) {
  std::uint64_t number = 14695981039346656037ull;
  for (const char c : name) number = (number ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  number ^= number >> 32;
  number *= 0xD6E8FEB86659FD93ull;
  number ^= number >> 32;
  return number * 0xD6E8FEB86659FD93ull;
}

void GroupSum::add(const GroupSum& other) {
  sum += other.sum;
  is += other.is;
  rows += other.rows;
  saying += other.saying;
  isAsked = isAsked || other.isAsked;
  line = std::min(line, other.line);
}

void StatedBalance::add(Nano stated, std::uint64_t atLine) {
  StatedBalance other;
  other.value = stated;
  other.line = atLine;
  add(other);
}

void StatedBalance::add(const StatedBalance& other) {
  if (!other.value) return;
  differs = differs || other.differs || (value && *value != *other.value);
  if (value && line <= other.line) return;
  value = other.value;
  line = other.line;
}

void GroupBalance::addDays(std::string_view first, std::string_view last) {
  if (!first.empty() && (from.empty() || first < from)) from = std::string(first);
  if (!last.empty() && last > to) to = std::string(last);
}

void GroupBalance::append(const GroupBalance& later) {
  chain.append(later.chain);
  moved += later.moved;
  rows += later.rows;
  line = std::min(line, later.line);
  opening.add(later.opening);
  closing.add(later.closing);
  addDays(later.from, later.to);
}

void GroupBalance::shiftLines(std::uint64_t by) {
  chain.shiftLines(by);
  for (std::uint64_t* of : {&line, &opening.line, &closing.line}) {
    if (*of != UINT64_MAX) *of += by;
  }
}

BalancePieces::BalancePieces() {
  m_pieces.emplace(0, Piece());
}

void BalancePieces::setPlace(std::uint64_t place) {
  Piece piece = std::move(m_pieces.begin()->second);
  piece.last = place;
  m_pieces.clear();
  m_pieces.emplace(place, std::move(piece));
}

void BalancePieces::join(Groups& earlier, const Groups& later) {
  earlier.add(later, [](GroupBalance& mine, const GroupBalance& theirs) { mine.append(theirs); });
}

void BalancePieces::add(const BalancePieces& other) {
  for (const auto& [place, piece] : other.m_pieces) {
    auto at = m_pieces.emplace(place, piece).first;
    if (at != m_pieces.begin()) {
      const auto before = std::prev(at);
      if (before->second.last + 1 == place) {
        join(before->second.groups, at->second.groups);
        before->second.last = at->second.last;
        m_pieces.erase(at);
        at = before;
      }
    }
    const auto behind = std::next(at);
    if (behind == m_pieces.end() || at->second.last + 1 != behind->first) continue;
    join(at->second.groups, behind->second.groups);
    at->second.last = behind->second.last;
    m_pieces.erase(behind);
  }
}

void BalancePieces::shiftLines(std::uint64_t by) {
  for (auto& [place, piece] : m_pieces) {
    for (auto& [name, group] : piece.groups.values()) group.shiftLines(by);
  }
}

BalancePieces::Groups BalancePieces::joined() const {
  Groups all(kMostGroups);
  for (const auto& [place, piece] : m_pieces) join(all, piece.groups);
  return all;
}

void CheckTally::setPlace(std::uint64_t place) {
  for (CheckState& state : checks) {
    if (state.balances) state.balances->setPlace(place);
  }
}

void CheckTally::add(const CheckTally& other) {
  if (checks.empty()) {
    checks = other.checks;
    return;
  }
  for (std::size_t i = 0; i < checks.size() && i < other.checks.size(); ++i) {
    CheckState& mine = checks[i];
    const CheckState& theirs = other.checks[i];
    mine.tried += theirs.tried;
    mine.breaks += theirs.breaks;
    mine.examples.add(theirs.examples);
    mine.groups.add(theirs.groups, [](GroupSum& a, const GroupSum& b) { a.add(b); });
    if (mine.balances && theirs.balances) mine.balances->add(*theirs.balances);
  }
}

void CheckTally::shiftLines(std::uint64_t by) {
  for (CheckState& state : checks) {
    state.examples.shiftLines(by);
    for (auto& [name, group] : state.groups.values()) {
      if (group.line != UINT64_MAX) group.line += by;
    }
    if (state.balances) state.balances->shiftLines(by);
  }
}

}  // namespace counterfoil
