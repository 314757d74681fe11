// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/split_reference.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/judge/job_views.h"

namespace counterfoil::judging {

namespace {

/// Keys that belong together because one job used them.
struct KeyGroup {
  std::vector<NodeIndex> attempts;
  std::optional<Money> amount;    ///< of the last success, else of the last attempt
  bool succeeded = false;
};

class References {
 public:
  References(const std::vector<NodeIndex>& members, const std::vector<Node>& nodes,
             const Links& links, const Policy& policy)
      : m_members(members), m_nodes(nodes), m_links(links), m_policy(policy) {}

  std::map<NodeIndex, std::string> marks() {
    if (!hasTwoKeys()) return {};
    groupKeys();
    std::set<Money> amounts;
    for (const auto& [number, group] : m_groups) {
      if (group.succeeded && group.amount) amounts.insert(*group.amount);
    }
    if (amounts.size() < 2 || !anyHasItsOwnEffect()) return {};
    std::map<NodeIndex, std::string> marks;
    for (const auto& [number, group] : m_groups) {
      if (!group.succeeded || !group.amount) continue;
      for (NodeIndex i : group.attempts) {
        marks.emplace(i, formatPlain(*group.amount) + " " + group.amount->currency.text());
      }
    }
    return marks;
  }

 private:
  [[nodiscard]] bool isKeyedAttempt(NodeIndex i) const {
    return m_nodes[i].kind == RecordKind::Attempt && !m_links.key[i].empty();
  }

  bool hasTwoKeys() {
    for (NodeIndex i : m_members) {
      if (isKeyedAttempt(i)) m_numbers.emplace(m_links.key[i], 0);
    }
    if (m_numbers.size() < 2) return false;
    return std::any_of(m_members.begin(), m_members.end(),
                       [&](NodeIndex i) { return !m_links.opRef[i].empty(); });
  }

  std::size_t find(std::size_t i) {
    while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
    return i;
  }

  void groupKeys() {
    std::size_t next = 0;
    for (auto& [key, number] : m_numbers) number = next++;
    m_parent.resize(next);
    std::iota(m_parent.begin(), m_parent.end(), std::size_t{0});
    std::map<std::pair<SourceId, std::string_view>, std::size_t> firstOfJob;
    for (NodeIndex i : m_members) {
      const RecordHead& head = *m_nodes[i].head;
      if (!isKeyedAttempt(i) || head.jobId.empty()) continue;
      const std::size_t number = m_numbers[m_links.key[i]];
      const auto [at, isNew] = firstOfJob.emplace(
          std::pair(sourceOfId(head, m_policy), std::string_view(head.jobId)), number);
      if (isNew) continue;
      const std::size_t a = find(at->second);
      const std::size_t b = find(number);
      m_parent[std::max(a, b)] = std::min(a, b);
    }
    for (NodeIndex i : m_members) {
      if (isKeyedAttempt(i)) addTo(m_groups[find(m_numbers[m_links.key[i]])], i);
    }
  }

  /// Members come in order of time, so the last one seen is the last attempt.
  void addTo(KeyGroup& group, NodeIndex i) const {
    group.attempts.push_back(i);
    const bool succeeded = m_nodes[i].attempt().status == AttemptStatus::Succeeded;
    const bool isStronger = succeeded || !group.succeeded;
    if (isStronger && m_nodes[i].head->amount) group.amount = m_nodes[i].head->amount;
    group.succeeded = group.succeeded || succeeded;
  }

  /// A live or pending effect of a key's own amount, tied by recorded id or key, else by its amount.
  bool anyHasItsOwnEffect() {
    std::map<std::string_view, std::size_t> groupOfId;
    std::set<Money> amounts;
    for (const auto& [number, group] : m_groups) {
      if (group.amount) amounts.insert(*group.amount);
      for (NodeIndex i : group.attempts) {
        const std::string_view id = m_nodes[i].head->effectId;
        if (!id.empty()) groupOfId.emplace(id, number);
      }
    }
    return std::any_of(m_members.begin(), m_members.end(), [&](NodeIndex i) {
      const bool counts = (m_nodes[i].isForward() || m_links.isNamedReversal[i]) &&
                          m_nodes[i].effect().status != EffectStatus::Failed &&
                          m_nodes[i].head->amount;
      if (!counts) return false;
      const Money& amount = *m_nodes[i].head->amount;
      const auto recorded = groupOfId.find(m_nodes[i].head->effectId);
      if (recorded != groupOfId.end()) return m_groups[recorded->second].amount == amount;
      const auto keyed = m_numbers.find(m_links.key[i]);
      if (keyed != m_numbers.end()) return m_groups[find(keyed->second)].amount == amount;
      return amounts.count(amount) != 0;
    });
  }

  const std::vector<NodeIndex>& m_members;
  const std::vector<Node>& m_nodes;
  const Links& m_links;
  const Policy& m_policy;
  std::map<std::string_view, std::size_t> m_numbers;
  std::vector<std::size_t> m_parent;
  std::map<std::size_t, KeyGroup> m_groups;
};

}  // namespace

std::map<NodeIndex, std::string> marksOfReference(const std::vector<NodeIndex>& members,
                                                  const std::vector<Node>& nodes,
                                                  const Links& links, const Policy& policy) {
  const Operation& operation = policy.operation(links.operation[members.front()]);
  if (operation.expect == Expect::Split) return {};
  return References(members, nodes, links, policy).marks();
}

}  // namespace counterfoil::judging
