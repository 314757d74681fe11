// SPDX-License-Identifier: GPL-3.0-or-later
// The values by which records link, sorted so that equal ones lie side by side.
#pragma once

#include <string_view>
#include <vector>

#include "core/judge/nodes.h"

namespace counterfoil::judging {

enum class LinkField : std::uint8_t { EffectId, Key, OpRef, JobId, MessageId, OutboxId };
[[nodiscard]] std::string_view nameOf(LinkField field);

struct LinkEntry {
  LinkField field = LinkField::Key;
  std::uint16_t source = 0;  ///< jobs are counted per source, or those that count together; 0 for the other fields
  std::string_view value;
  NodeIndex node = 0;
};

/// All values of all nodes but those that are no value ("null", "None", …), sorted by field, source,
/// value, node. `keys` are the effective keys by node.
[[nodiscard]] std::vector<LinkEntry> linkEntries(const std::vector<Node>& nodes,
                                                 const std::vector<std::string_view>& keys, const Policy& policy);

/// Calls fn(first, last) for each run of entries with equal field, source and value.
template <class Fn>
void forEachRun(const std::vector<LinkEntry>& entries, const Fn& fn) {
  for (std::size_t first = 0; first < entries.size();) {
    const LinkEntry& head = entries[first];
    std::size_t last = first + 1;
    while (last < entries.size() && entries[last].field == head.field &&
           entries[last].source == head.source && entries[last].value == head.value) {
      ++last;
    }
    if (last - first > 1) fn(first, last);
    first = last;
  }
}

/// The keys under which nodes link: their own, or for a key that its provider cut the local key it stands
/// for, or blank (no key, damaged, undecided).
struct EffectiveKeys {
  std::vector<std::string_view> key;  ///< by node
  std::vector<std::pair<NodeIndex, std::vector<NodeIndex>>> undecidedCuts;
  std::vector<std::string> coarse;    ///< cut keys that stand for several local ones
};
[[nodiscard]] EffectiveKeys effectiveKeys(const std::vector<Node>& nodes,
                                          const JudgeContext& context);

}  // namespace counterfoil::judging
