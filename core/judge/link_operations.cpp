// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/link_operations.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace counterfoil::judging {

namespace {

/// An operation that has a link value, in one live/test world and account.
using Holder = std::tuple<OperationId, bool, std::string_view>;

bool isOfKind(const Node& effect, const Operation& operation) {
  return operation.effect == OperationEffect::Forward ? effect.isForward() : effect.isReversal();
}

bool mayCarryOut(const Operation& operation, const Node& effect, const Policy& policy) {
  if (operation.provider.empty()) return true;
  const std::string_view provider = providerOf(*effect.head, policy);
  return provider.empty() || provider == operation.provider;
}

class OperationResolver {
 public:
  OperationResolver(const std::vector<Node>& nodes, const std::vector<LinkEntry>& entries,
                    const JudgeContext& context)
      : m_nodes(nodes), m_entries(entries), m_policy(context.policy) {
    m_result.isNamedReversal.assign(nodes.size(), false);
    for (const Node& node : nodes) {
      m_result.operation.push_back(node.isLocal() ? node.head->operation : OperationId{});
    }
  }

  ResolvedOperations run() {
    // Entries are sorted strongest link first, so one pass lets the strongest decide.
    forEachRun(m_entries, [this](std::size_t first, std::size_t last) { resolveRun(first, last); });
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      if (isResolved(i)) continue;
      m_result.operation[i] = m_nodes[i].isEffect() ? firstOperationOfItsKind(m_nodes[i], m_policy)
                                                    : OperationId{0};
    }
    return std::move(m_result);
  }

 private:
  [[nodiscard]] bool isResolved(NodeIndex i) const { return !m_result.operation[i].isNone(); }

  void resolveRun(std::size_t first, std::size_t last) {
    std::vector<Holder> holders;
    bool anyOpen = false;
    for (std::size_t i = first; i < last; ++i) {
      const NodeIndex node = m_entries[i].node;
      anyOpen = anyOpen || !isResolved(node);
      if (m_nodes[node].isLocal() && isResolved(node)) {
        const RecordHead& head = *m_nodes[node].head;
        holders.emplace_back(m_result.operation[node], isTest(head), head.account);
      }
    }
    if (!anyOpen || holders.empty()) return;
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    for (std::size_t i = first; i < last; ++i) {
      const NodeIndex node = m_entries[i].node;
      if (!isResolved(node)) resolve(node, holders);
    }
  }

  void resolve(NodeIndex i, const std::vector<Holder>& holders) {
    const Node& node = m_nodes[i];
    for (auto at = holders.begin(); at != holders.end();) {
      const OperationId id = std::get<0>(*at);
      const Operation& operation = m_policy.operation(id);
      const bool isPossible = node.isLocal() || (isOfKind(node, operation) &&
                                                 mayCarryOut(operation, node, m_policy));
      if (isPossible && holds(holders, id, *node.head)) {
        m_result.operation[i] = id;
        if (node.isReversal()) m_result.isNamedReversal[i] = true;
        return;
      }
      at = std::upper_bound(at, holders.end(), id, [](OperationId value, const Holder& holder) {
        return value < std::get<0>(holder);
      });
    }
  }

  static bool holds(const std::vector<Holder>& holders, OperationId id, const RecordHead& head) {
    const bool test = isTest(head);
    const auto atLeast = [&](std::string_view account) {
      return std::lower_bound(holders.begin(), holders.end(), Holder{id, test, account});
    };
    const auto isThere = [&](std::vector<Holder>::const_iterator at) {
      return at != holders.end() && std::get<0>(*at) == id && std::get<1>(*at) == test;
    };
    const auto blank = atLeast("");
    if (!isThere(blank)) return false;
    if (head.account.empty() || std::get<2>(*blank).empty()) return true;
    const auto same = atLeast(head.account);
    return isThere(same) && std::get<2>(*same) == head.account;
  }

  const std::vector<Node>& m_nodes;
  const std::vector<LinkEntry>& m_entries;
  const Policy& m_policy;
  ResolvedOperations m_result;
};

}  // namespace

OperationId firstOperationOfItsKind(const Node& effect, const Policy& policy) {
  OperationId ofKind;
  for (std::size_t i = 0; i < policy.operations.size(); ++i) {
    const Operation& operation = policy.operations[i];
    if (!isOfKind(effect, operation)) continue;
    const OperationId id{static_cast<std::int16_t>(i)};
    if (mayCarryOut(operation, effect, policy)) return id;
    if (ofKind.isNone()) ofKind = id;
  }
  return ofKind;
}

ResolvedOperations resolveOperations(const std::vector<Node>& nodes,
                                     const std::vector<LinkEntry>& entries,
                                     const JudgeContext& context) {
  return OperationResolver(nodes, entries, context).run();
}

}  // namespace counterfoil::judging
