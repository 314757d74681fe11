// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/links.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace counterfoil {

namespace {

constexpr unsigned kPartitionBits = 8;
constexpr std::uint64_t kMask48 = 0xFFFFFFFFFFFFull;
constexpr std::size_t kEntryBytes = 14;
/// Records that count for nothing (no key, no job) still end as one group before the judge; beyond this
/// many a value is taken for none.
constexpr std::size_t kUncountedMax = 100'000;

std::uint64_t linkOf(LinkSpace space, std::uint64_t value) {
  return mixBits(value ^ (static_cast<std::uint64_t>(space) + 1) * 0xD6E8FEB86659FD93ull);
}

struct Packed {
  std::uint64_t link = 0;    ///< 48 bits
  std::uint64_t group = 0;   ///< 48 bits
  std::uint16_t flags = 0;   ///< space 2, count 2, operation + 1 in the rest
  [[nodiscard]] LinkSpace space() const { return static_cast<LinkSpace>(flags & 3u); }
  [[nodiscard]] LinkCount count() const { return static_cast<LinkCount>((flags >> 2) & 3u); }
  [[nodiscard]] int operation() const { return (flags >> 4) - 1; }
};

void write48(char*& at, std::uint64_t value) {
  std::memcpy(at, &value, 8);
  at += 6;
}
std::uint64_t read48(const char* at) {
  std::uint32_t low = 0;
  std::uint16_t high = 0;
  std::memcpy(&low, at, 4);
  std::memcpy(&high, at + 4, 2);
  return low | static_cast<std::uint64_t>(high) << 32;
}

/// Entries of one partition, and the links among them that name two groups or more.
class PartitionLinks {
 public:
  void clear() {
    m_entries.clear();
    m_multiple.clear();
  }
  void append(std::string_view bytes) {
    for (std::size_t at = 0; at + kEntryBytes <= bytes.size(); at += kEntryBytes) {
      std::uint16_t flags = 0;
      std::memcpy(&flags, bytes.data() + at + 12, 2);
      m_entries.push_back({read48(bytes.data() + at), read48(bytes.data() + at + 6), flags});
    }
  }

  /// The entries of values that name several groups, sorted by value.
  const std::vector<Packed>& ofSeveralGroups() {
    const std::size_t size = std::bit_ceil(m_entries.size() * 2 + 16);
    m_table.assign(size, kFree);
    m_isMultiple.assign(size, 0);
    bool any = false;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
      const std::size_t slot = slotOf(m_entries[i].link);
      if (m_table[slot] == kFree) {
        m_table[slot] = static_cast<std::uint32_t>(i);
      } else if (m_entries[m_table[slot]].group != m_entries[i].group) {
        m_isMultiple[slot] = 1;
        any = true;
      }
    }
    if (any) {
      for (const Packed& entry : m_entries) {
        if (m_isMultiple[slotOf(entry.link)] != 0) m_multiple.push_back(entry);
      }
      std::sort(m_multiple.begin(), m_multiple.end(), [](const Packed& a, const Packed& b) {
        if (a.link != b.link) return a.link < b.link;
        return a.group != b.group ? a.group < b.group : a.flags < b.flags;
      });
    }
    return m_multiple;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFFu;

  [[nodiscard]] std::size_t slotOf(std::uint64_t link) const {
    std::size_t slot = (link * 0x9E3779B97F4A7C15ull >> 20) & (m_table.size() - 1);
    while (m_table[slot] != kFree && m_entries[m_table[slot]].link != link) {
      slot = (slot + 1) & (m_table.size() - 1);
    }
    return slot;
  }

  std::vector<Packed> m_entries;
  std::vector<Packed> m_multiple;
  std::vector<std::uint32_t> m_table;
  std::vector<std::uint8_t> m_isMultiple;
};

using Run = std::vector<Packed>::const_iterator;

/// True if the value joins more keys, jobs or effects than a link may. Entries are sorted by group.
bool joinsTooMuch(const std::vector<Packed>& entries, std::size_t limit) {
  std::size_t counts[4] = {0, 0, 0, 0};
  std::uint64_t last[4] = {~0ull, ~0ull, ~0ull, ~0ull};
  for (const Packed& entry : entries) {
    const auto kind = static_cast<std::size_t>(entry.count());
    if (last[kind] == entry.group) continue;
    last[kind] = entry.group;
    ++counts[kind];
  }
  return counts[1] > limit || counts[2] > limit || counts[3] > limit || counts[0] > kUncountedMax;
}

/// Records of other operations are another link, whatever the text: entries of one operation and of
/// none. Groups that have their own operation take their effects along; but a refund that a job of ours
/// made still lowers the charge of its order (such rows count for nothing), so it comes to both.
std::vector<Packed> ofOperation(Run first, Run last, int operation) {
  std::vector<Packed> own;
  for (Run group = first; group != last;) {
    Run end = group;
    bool hasOwn = false;
    bool hasOther = false;
    for (; end != last && end->group == group->group; ++end) {
      if (end->operation() == operation) hasOwn = true;
      else if (end->operation() >= 0) hasOther = true;
    }
    for (; group != end; ++group) {
      const bool isOwn = group->operation() == operation;
      const bool mayLower = group->count() == LinkCount::Nothing;
      if (isOwn || (group->operation() < 0 && (hasOwn || !hasOther || mayLower))) own.push_back(*group);
    }
  }
  return own;
}

std::set<int> operationsOf(Run first, Run last) {
  std::set<int> operations;
  for (Run at = first; at != last; ++at) {
    if (at->operation() >= 0) operations.insert(at->operation());
  }
  if (operations.empty()) operations.insert(-1);
  return operations;
}

/// Disjoint sets over numbered groups.
class UnionFind {
 public:
  std::uint32_t add() {
    m_parent.push_back(static_cast<std::uint32_t>(m_parent.size()));
    return m_parent.back();
  }
  std::uint32_t find(std::uint32_t i) {
    while (m_parent[i] != i) {
      m_parent[i] = m_parent[m_parent[i]];
      i = m_parent[i];
    }
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    m_parent[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> m_parent;
};

}  // namespace

std::optional<std::uint64_t> Components::rootOf(std::uint64_t group) const {
  if (m_groups.empty()) return std::nullopt;
  const std::size_t mask = m_groups.size() - 1;
  for (std::size_t slot = mixBits(group) & mask;; slot = (slot + 1) & mask) {
    if (m_groups[slot].group == 0) return std::nullopt;
    if (m_groups[slot].group == group + 1) return m_groups[slot].root;
  }
}

bool Components::isCommonOpRef(std::uint64_t value, OperationId operation) const {
  if (m_commonOpRefs.empty() || value == 0) return false;
  const std::uint64_t link = linkOf(LinkSpace::OpRef, value) & kMask48;
  const auto at = m_commonOpRefs.lower_bound({link, static_cast<std::int16_t>(-1)});
  if (at == m_commonOpRefs.end() || at->first != link) return false;
  return operation.isNone() || at->second < 0 || m_commonOpRefs.count({link, operation.value}) > 0;
}

void Components::build(std::vector<std::pair<std::uint64_t, std::uint64_t>>& edges) {
  if (edges.empty()) return;
  const std::size_t size = std::bit_ceil(edges.size() * 4);
  std::vector<std::uint32_t> numbers(size, 0);
  m_groups.assign(size, {});
  std::vector<std::uint64_t> names;
  UnionFind sets;
  const auto numberOf = [&](std::uint64_t group) {
    std::size_t slot = mixBits(group) & (size - 1);
    while (m_groups[slot].group != 0 && m_groups[slot].group != group + 1) slot = (slot + 1) & (size - 1);
    if (m_groups[slot].group == 0) {
      m_groups[slot].group = group + 1;
      numbers[slot] = sets.add();
      names.push_back(group);
    }
    return numbers[slot];
  };
  for (const auto& [a, b] : edges) {
    const std::uint32_t first = numberOf(a);
    sets.join(first, numberOf(b));
  }
  for (std::size_t slot = 0; slot < size; ++slot) {
    if (m_groups[slot].group != 0) m_groups[slot].root = names[sets.find(numbers[slot])];
  }
}

LinkStore::LinkStore(std::vector<BlockPool>& pools, std::uint64_t memoryBytes, SpillSpace& spill)
    : m_entries(pools, 1u << kPartitionBits, memoryBytes, spill), m_found(pools.size()) {}

bool LinkStore::add(const LinkEntry& entry, unsigned worker) {
  const std::uint64_t link = linkOf(entry.space, entry.value);
  const auto partition = static_cast<unsigned>(link >> (64 - kPartitionBits));
  char* at = m_entries.reserve(worker, partition);
  if (at == nullptr) return false;
  write48(at, link & kMask48);
  write48(at, entry.group);
  // Operations beyond the field's width count as none: they come together and the judge parts them.
  const unsigned operation = entry.operation.value >= 0 && entry.operation.value < 4000
                                 ? static_cast<unsigned>(entry.operation.value) + 1
                                 : 0;
  const auto flags = static_cast<std::uint16_t>(static_cast<unsigned>(entry.space) |
                                                static_cast<unsigned>(entry.count) << 2 | operation << 4);
  std::memcpy(at, &flags, 2);
  m_entries.commit(worker, partition, at + 2);
  return true;
}

void LinkStore::addEdge(std::uint64_t groupA, std::uint64_t groupB, unsigned worker) {
  if (groupA != groupB) m_found[worker].edges.emplace_back(groupA, groupB);
}

Result<Components> LinkStore::resolve(Executor& executor, std::int64_t limit, const CancelToken* cancel) {
  // Twice the limit: live and test records count apart before the judge, and here together.
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(limit, 1)) * 2;
  struct Scratch {
    PartitionLinks links;
    std::string bytes;
  };
  std::vector<Scratch> scratch(executor.threadCount());
  executor.forEach(m_entries.partitionCount(), [&](std::size_t partition, unsigned worker) {
    Found& found = m_found[worker];
    if (found.error || (cancel != nullptr && cancel->isCancelled())) return;
    PartitionLinks& links = scratch[worker].links;
    links.clear();
    const auto index = static_cast<unsigned>(partition);
    auto done = m_entries.read(index, scratch[worker].bytes, [&](std::string_view bytes) { links.append(bytes); });
    m_entries.release(index, worker);
    if (!done) {
      found.error = done.error();
      return;
    }
    const std::vector<Packed>& entries = links.ofSeveralGroups();
    for (auto first = entries.begin(); first != entries.end();) {
      const auto last = std::find_if(first, entries.end(), [&](const Packed& e) { return e.link != first->link; });
      for (int operation : operationsOf(first, last)) {
        const std::vector<Packed> own = ofOperation(first, last, operation);
        if (own.empty()) continue;
        if (joinsTooMuch(own, most)) {
          ++found.commonValues;
          if (first->space() == LinkSpace::OpRef) {
            found.commonOpRefs.emplace(first->link, static_cast<std::int16_t>(operation));
          }
          continue;
        }
        for (const Packed& entry : own) {
          if (entry.group != own.front().group) found.edges.emplace_back(own.front().group, entry.group);
        }
      }
      first = last;
    }
  });
  if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
  Components components;
  std::vector<Edge> edges;
  for (Found& found : m_found) {
    if (found.error) return fail(*found.error);
    edges.insert(edges.end(), found.edges.begin(), found.edges.end());
    found.edges = {};
    components.m_commonOpRefs.insert(found.commonOpRefs.begin(), found.commonOpRefs.end());
    components.m_commonValues += found.commonValues;
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  components.build(edges);
  return components;
}

}  // namespace counterfoil
