// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/reversals.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace counterfoil::judging {

namespace {

/// Of many units under one value only so many are weighed.
constexpr std::size_t kCandidates = 64;

class Attacher {
 public:
  Attacher(const std::vector<SubOperation>& subs, const std::vector<Node>& nodes,
           const Links& links)
      : m_subs(subs), m_nodes(nodes), m_links(links) {
    m_result.bySubOperation.resize(subs.size());
  }

  AttachedReversals run() {
    std::vector<NodeIndex> named;
    for (const SubOperation& sub : m_subs) {
      for (NodeIndex i : sub.nodes) {
        if (m_nodes[i].isReversal()) named.push_back(i);
      }
    }
    if (named.empty() && m_links.loose.empty()) return std::move(m_result);
    indexCharges();
    std::sort(named.begin(), named.end());
    for (NodeIndex i : named) attach(i, true);
    for (NodeIndex i : m_links.loose) {
      const bool mayLower = m_nodes[i].isReversal() || m_nodes[i].isDispute();
      if (!mayLower || !attach(i, false)) m_result.unattached.push_back(i);
    }
    return std::move(m_result);
  }

 private:
  using Index = std::map<std::string_view, std::vector<std::size_t>>;

  void indexCharges() {
    for (std::size_t s = 0; s < m_subs.size(); ++s) {
      const bool hasCharge = std::any_of(m_subs[s].nodes.begin(), m_subs[s].nodes.end(),
                                         [&](NodeIndex i) { return m_nodes[i].isForward(); });
      if (!hasCharge) continue;
      for (NodeIndex i : m_subs[s].nodes) {
        note(m_keys, m_links.key[i], s);
        note(m_references, m_links.opRef[i], s);
        if (!m_nodes[i].isForward()) continue;
        const Effect& effect = m_nodes[i].effect();
        note(m_ids, effect.effectId, s);
        note(m_relatives, effect.replaces, s);
        note(m_relatives, effect.parentId, s);
      }
    }
  }

  static void note(Index& index, std::string_view value, std::size_t sub) {
    if (value.empty()) return;
    auto& subs = index[value];
    if (subs.empty() || subs.back() != sub) subs.push_back(sub);
  }

  bool attach(NodeIndex i, bool isRecordedLocally) {
    const Effect& row = m_nodes[i].effect();
    const std::string_view ownKey = row.keyDamaged ? std::string_view() : row.key;
    for (const auto& [index, value] :
         {std::pair<const Index*, std::string_view>(&m_ids, row.parentId),
          {&m_relatives, row.parentId},
          {&m_keys, m_links.key[i].empty() ? ownKey : m_links.key[i]},
          {&m_references, m_links.opRef[i]}}) {
      const auto found = value.empty() ? index->end() : index->find(value);
      if (found == index->end()) continue;
      const std::size_t sub = bestOf(found->second, i);
      if (sub == m_subs.size()) continue;
      m_result.bySubOperation[sub].push_back({i, isRecordedLocally});
      return true;
    }
    return false;
  }

  /// Same reference before same amount before a larger one before any; the first of equals.
  std::size_t bestOf(const std::vector<std::size_t>& subs, NodeIndex reversal) {
    std::size_t best = m_subs.size();
    int bestRank = -1;
    for (std::size_t n = 0; n < subs.size() && n < kCandidates; ++n) {
      const int rank = rankOf(subs[n], reversal);
      if (rank > bestRank) {
        best = subs[n];
        bestRank = rank;
      }
    }
    return best;
  }

  /// What the charges of one unit offer to a reversal; collected once per unit.
  struct Charges {
    std::set<std::string_view> accounts;
    std::set<std::string_view> references;
    std::set<Money> amounts;
    std::map<Currency, std::int64_t> largest;
    bool test = false;
  };

  const Charges& chargesOf(std::size_t sub) {
    const auto [known, isNew] = m_charges.try_emplace(sub);
    if (!isNew) return known->second;
    Charges& charges = known->second;
    for (NodeIndex i : m_subs[sub].nodes) {
      if (!m_nodes[i].isForward()) continue;
      const RecordHead& head = *m_nodes[i].head;
      charges.test = isTest(head);
      charges.accounts.insert(head.account);
      if (!m_links.opRef[i].empty()) charges.references.insert(m_links.opRef[i]);
      if (!head.amount) continue;
      charges.amounts.insert(*head.amount);
      std::int64_t& most = charges.largest[head.amount->currency];
      most = std::max(most, head.amount->minor);
    }
    return charges;
  }

  int rankOf(std::size_t sub, NodeIndex reversal) {
    const Charges& charges = chargesOf(sub);
    const RecordHead& row = *m_nodes[reversal].head;
    const bool isOurAccount = row.account.empty() || charges.accounts.count("") != 0 ||
                              charges.accounts.count(row.account) != 0;
    if (charges.test != isTest(row) || !isOurAccount) return -1;
    int rank = 0;
    if (row.amount) {
      const auto largest = charges.largest.find(row.amount->currency);
      if (largest != charges.largest.end() && largest->second > row.amount->minor) rank = 1;
      if (charges.amounts.count(*row.amount) != 0) rank = 2;
    }
    const std::string_view opRef = m_links.opRef[reversal];
    return rank + (!opRef.empty() && charges.references.count(opRef) != 0 ? 4 : 0);
  }

  const std::vector<SubOperation>& m_subs;
  const std::vector<Node>& m_nodes;
  const Links& m_links;
  Index m_ids;
  Index m_relatives;   ///< ids of replaced rows and of parents, which a refund may name instead
  Index m_keys;
  Index m_references;
  std::map<std::size_t, Charges> m_charges;
  AttachedReversals m_result;
};

}  // namespace

AttachedReversals attachReversals(const std::vector<SubOperation>& subOperations,
                                  const std::vector<Node>& nodes, const Links& links) {
  return Attacher(subOperations, nodes, links).run();
}

}  // namespace counterfoil::judging
