// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/balance_chain.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace counterfoil {

namespace {

constexpr std::size_t kWindow = 8;  ///< stretches that may stand in another order
constexpr std::size_t kFirstBreaks = 5;

struct Ends {
  Nano first = 0, second = 0;
  bool isCircle = false;
};

/// Balances as the nodes of a graph, stretches as its edges.
class Trail {
 public:
  void addEdge(Nano from, Nano to) {
    const std::size_t a = nodeOf(from), b = nodeOf(to);
    ++m_nodes[a].surplus;
    --m_nodes[b].surplus;
    m_nodes[rootOf(a)].parent = rootOf(b);
  }

  /// Where a way over all edges, each once, begins and ends; nothing if there is none. A circle may
  /// begin anywhere: `start` then says where.
  std::optional<Ends> ends(Nano start) {
    Ends found{start, start, false};
    int starts = 0;
    for (const auto& [value, index] : m_index) {
      if (rootOf(index) != rootOf(0)) return std::nullopt;
      const int surplus = m_nodes[index].surplus;
      if (surplus == 0) continue;
      if (surplus > 1 || surplus < -1) return std::nullopt;
      (surplus > 0 ? found.first : found.second) = value;
      starts += surplus > 0 ? 1 : 0;
    }
    if (starts > 1 || (starts == 0 && m_index.count(start) == 0)) return std::nullopt;
    found.isCircle = starts == 0;
    return found;
  }

 private:
  struct Node {
    std::size_t parent = 0;
    int surplus = 0;  ///< edges that leave it, less those that reach it
  };
  std::size_t nodeOf(Nano value) {
    const auto [entry, isNew] = m_index.emplace(value, m_nodes.size());
    if (isNew) m_nodes.push_back({m_nodes.size(), 0});
    return entry->second;
  }
  std::size_t rootOf(std::size_t index) {
    while (m_nodes[index].parent != index) {
      m_nodes[index].parent = m_nodes[m_nodes[index].parent].parent;
      index = m_nodes[index].parent;
    }
    return index;
  }
  std::map<Nano, std::size_t> m_index;
  std::vector<Node> m_nodes;
};

/// Whether the stretches follow each other in some order, from `from` to `to` where those are
/// known.
std::optional<Ends> reordered(std::span<const BalanceStretch> stretches, std::optional<Nano> from,
                              std::optional<Nano> to) {
  Trail trail;
  for (const BalanceStretch& stretch : stretches) trail.addEdge(stretch.from, stretch.to);
  const auto ends = trail.ends(from ? *from : to ? *to : stretches.front().from);
  if (!ends || (from && ends->first != *from) || (to && ends->second != *to)) return std::nullopt;
  return ends;
}

/// Goes over the stretches of a side: rows of one moment may be told in any order, so a few
/// stretches that fit when put in another order are no break.
class SideWalk {
 public:
  explicit SideWalk(const BalanceSide& side) : m_side(side), m_all(side.kept()) {
    m_from = m_all.front().from;
    m_to = side.last().to;
  }

  void walk() {
    m_breaks = m_side.total() - m_all.size();
    std::size_t at = skipHead();
    while (at + 1 < m_all.size()) {
      if (const std::size_t next = skipWindow(at); next != at) {
        at = next;
        continue;
      }
      ++m_breaks;
      if (m_first.size() < kFirstBreaks) {
        m_first.push_back({m_all[at + 1].line, m_all[at].to, m_all[at + 1].from});
      }
      ++at;
    }
  }

  /// A file sorted by something else than time.
  void tryAnyOrder(std::uint64_t rows) {
    if (m_breaks * 4 <= rows || m_side.total() > m_all.size()) return;
    const auto ends = reordered(m_all, std::nullopt, std::nullopt);
    if (!ends) return;
    m_from = ends->first;
    m_to = ends->second;
    m_isCircle = ends->isCircle;
    m_breaks = 0;
    m_first.clear();
  }

  [[nodiscard]] std::uint64_t breaks() const { return m_breaks; }
  [[nodiscard]] const std::vector<BalanceBreak>& first() const { return m_first; }
  [[nodiscard]] Nano from() const { return m_from; }
  [[nodiscard]] Nano to() const { return m_to; }
  [[nodiscard]] bool isCircle() const { return m_isCircle; }

 private:
  [[nodiscard]] std::optional<Nano> startBehind(std::size_t last) const {
    if (last + 1 < m_all.size()) return m_all[last + 1].from;
    return std::nullopt;
  }
  /// Only where everything is known: behind the last one kept there may be more.
  [[nodiscard]] bool isEnd(std::size_t last) const {
    return last + 1 == m_all.size() && m_side.total() == m_all.size();
  }
  [[nodiscard]] bool mayClose(std::size_t last) const {
    return last + 1 < m_all.size() || isEnd(last);
  }

  std::size_t skipHead() {
    for (std::size_t last = 1; last < std::min(kWindow, m_all.size()); ++last) {
      if (!mayClose(last)) continue;
      const auto ends = reordered({m_all.data(), last + 1}, std::nullopt, startBehind(last));
      if (!ends) continue;
      m_from = ends->first;
      if (isEnd(last)) {
        m_to = ends->second;
        m_isCircle = ends->isCircle;
      }
      return last + (isEnd(last) ? 0 : 1);
    }
    return 0;
  }

  /// The stretch from which it goes on behind some that stand in another order; `at` if none fit.
  std::size_t skipWindow(std::size_t at) {
    for (std::size_t last = at + 2; last < std::min(at + 1 + kWindow, m_all.size()); ++last) {
      if (!mayClose(last)) continue;
      const auto ends =
          reordered({m_all.data() + at + 1, last - at}, m_all[at].to, startBehind(last));
      if (!ends) continue;
      if (isEnd(last)) m_to = ends->second;
      return last + (isEnd(last) ? 0 : 1);
    }
    return at;
  }

  const BalanceSide& m_side;
  const std::vector<BalanceStretch>& m_all;
  std::uint64_t m_breaks = 0;
  std::vector<BalanceBreak> m_first;
  Nano m_from = 0, m_to = 0;
  bool m_isCircle = false;  ///< in an order that was made up
};

}  // namespace

void BalanceSide::append(const BalanceStretch& stretch) {
  if (m_total > 0 && m_last.to == stretch.from) {
    m_last.to = stretch.to;
    if (m_total == m_kept.size()) m_kept.back().to = stretch.to;
    return;
  }
  ++m_total;
  m_last = stretch;
  if (m_kept.size() < kMostKept) m_kept.push_back(stretch);
}

void BalanceSide::append(const BalanceSide& later, Nano shiftOfFirst) {
  for (std::size_t i = 0; i < later.m_kept.size(); ++i) {
    BalanceStretch stretch = later.m_kept[i];
    if (i == 0) stretch.from += shiftOfFirst;
    append(stretch);
  }
  if (later.m_total == later.m_kept.size()) return;
  m_total += later.m_total - later.m_kept.size();
  m_last = later.m_last;
}

void BalanceSide::shiftLines(std::uint64_t by) {
  for (BalanceStretch& stretch : m_kept) stretch.line += by;
  m_last.line += by;
}

void BalanceChain::add(const std::optional<Nano>& balance, Nano moved, std::uint64_t line) {
  if (!balance) {
    m_pending += moved;
    return;
  }
  const Nano before = *balance - moved;
  m_forward.append({before - m_pending, *balance, line});
  m_backward.append({*balance + m_pending, before, line});
  m_pending = 0;
  ++m_rows;
}

void BalanceChain::append(const BalanceChain& later) {
  if (later.m_rows == 0) {
    m_pending += later.m_pending;
    return;
  }
  m_forward.append(later.m_forward, -m_pending);
  m_backward.append(later.m_backward, m_pending);
  m_pending = later.m_pending;
  m_rows += later.m_rows;
}

void BalanceChain::shiftLines(std::uint64_t by) {
  m_forward.shiftLines(by);
  m_backward.shiftLines(by);
}

BalanceOutcome BalanceChain::outcome() const {
  SideWalk forward(m_forward), backward(m_backward);
  forward.walk();
  backward.walk();
  const bool isBackward = backward.breaks() < forward.breaks();
  const bool bothFit = backward.breaks() == forward.breaks();
  SideWalk& best = isBackward ? backward : forward;
  best.tryAnyOrder(m_rows);
  BalanceOutcome outcome;
  outcome.breaks = best.breaks();
  outcome.first = best.first();
  // Rows without a balance behind the last one are the newest, or the oldest.
  const Nano openingIfBackward = backward.to() - m_pending;
  outcome.opening = isBackward ? openingIfBackward : forward.from();
  outcome.closing = isBackward ? backward.from() : forward.to() + m_pending;
  outcome.hasCertainEnds = !best.isCircle() && (!bothFit || openingIfBackward == outcome.opening);
  return outcome;
}

}  // namespace counterfoil
