// SPDX-License-Identifier: GPL-3.0-or-later
// Which groups have to come before the judge together: those that share a link value (links 1, 3 and 4
// of classes.md §3). Works on hashes and therefore brings together a little too much at times, never too
// little: the judge links again by text. Costs nothing for records without ids.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/executor.h"
#include "core/ledger/partitioned_bytes.h"
#include "core/ledger/row.h"

namespace counterfoil {

enum class LinkSpace : std::uint8_t { EffectId, OpRef, JobId, MessageId };

/// What an entry counts as when a value is asked whether it joins too much.
enum class LinkCount : std::uint8_t { Nothing, Key, Job, Effect };

struct LinkEntry {
  LinkSpace space = LinkSpace::EffectId;
  LinkCount count = LinkCount::Nothing;
  OperationId operation;       ///< of a local record's op_ref; none elsewhere
  std::uint64_t value = 0;     ///< as in SlimRecord, an op_ref's without its operation
  std::uint64_t group = 0;     ///< fingerprintOf()
};

/// Groups that are linked to others, and what they are linked to. Immutable, thread-safe.
class Components {
 public:
  [[nodiscard]] bool isEmpty() const { return m_groups.empty(); }
  /// The component of a group; nothing for a group that is linked to no other.
  [[nodiscard]] std::optional<std::uint64_t> rootOf(std::uint64_t group) const;
  /// An op_ref (hash of its text) that joins too much under an operation (none: under any).
  [[nodiscard]] bool isCommonOpRef(std::uint64_t value, OperationId operation) const;
  [[nodiscard]] bool hasCommonOpRefs() const { return !m_commonOpRefs.empty(); }
  /// Values that join too much, of any space.
  [[nodiscard]] std::uint64_t commonValues() const { return m_commonValues; }

 private:
  friend class LinkStore;
  struct Slot {
    std::uint64_t group = 0;   ///< plus one; 0: free
    std::uint64_t root = 0;
  };
  void build(std::vector<std::pair<std::uint64_t, std::uint64_t>>& edges);

  std::vector<Slot> m_groups;
  std::set<std::pair<std::uint64_t, std::int16_t>> m_commonOpRefs;
  std::uint64_t m_commonValues = 0;
};

class LinkStore {
 public:
  LinkStore(std::vector<BlockPool>& pools, std::uint64_t memoryBytes, SpillSpace& spill);

  /// False when spilling failed (see errorOf()). Thread-safe for different workers.
  bool add(const LinkEntry& entry, unsigned worker);
  /// Two groups that belong together whatever they share.
  void addEdge(std::uint64_t groupA, std::uint64_t groupB, unsigned worker);
  [[nodiscard]] const std::optional<Error>& errorOf(unsigned worker) const { return m_entries.errorOf(worker); }

  /// `limit`: more keys (or, without keys, jobs or effects) make a value no link. Consumes the entries.
  Result<Components> resolve(Executor& executor, std::int64_t limit, const CancelToken* cancel);

 private:
  using Edge = std::pair<std::uint64_t, std::uint64_t>;
  struct alignas(64) Found {
    std::vector<Edge> edges;
    std::set<std::pair<std::uint64_t, std::int16_t>> commonOpRefs;
    std::uint64_t commonValues = 0;
    std::optional<Error> error;
  };

  PartitionedBytes m_entries;
  std::vector<Found> m_found;   ///< by worker
};

}  // namespace counterfoil
