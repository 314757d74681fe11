// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/link.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/judge/link_operations.h"
#include "core/judge/link_values.h"

namespace counterfoil::judging {

namespace {

using Members = std::vector<NodeIndex>;

class Linker {
 public:
  Linker(const std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement)
      : m_nodes(nodes), m_context(context), m_judgement(judgement), m_parent(nodes.size()) {
    std::iota(m_parent.begin(), m_parent.end(), NodeIndex{0});
  }

  Links run() {
    EffectiveKeys keys = effectiveKeys(m_nodes, m_context);
    m_entries = linkEntries(m_nodes, keys.key, m_context.policy);
    ResolvedOperations operations = resolveOperations(m_nodes, m_entries, m_context);
    m_links.operation = std::move(operations.operation);
    m_links.isNamedReversal = std::move(operations.isNamedReversal);
    m_links.key = std::move(keys.key);
    readReferences();
    forEachRun(m_entries, [this](std::size_t first, std::size_t last) { joinRun(first, last); });
    for (std::string& key : keys.coarse) m_judgement.coarseKeys.push_back(std::move(key));
    for (auto& [effect, locals] : keys.undecidedCuts) {
      m_links.undecidedCuts.push_back({effect, std::move(locals)});
    }
    collectCases();
    return std::move(m_links);
  }

 private:
  [[nodiscard]] bool canLink(NodeIndex i) const {
    return m_nodes[i].isLocal() || m_links.isNamedReversal[i] ||
           (m_nodes[i].isForward() && !m_links.operation[i].isNone());
  }

  NodeIndex find(NodeIndex i) {
    while (m_parent[i] != i) {
      m_parent[i] = m_parent[m_parent[i]];
      i = m_parent[i];
    }
    return i;
  }
  void join(NodeIndex a, NodeIndex b) {
    a = find(a);
    b = find(b);
    m_parent[std::max(a, b)] = std::min(a, b);
  }
  void joinAll(const Members& members) {
    for (std::size_t i = 1; i < members.size(); ++i) join(members[0], members[i]);
  }

  [[nodiscard]] bool isKnownCommon(std::string_view opRef, OperationId operation) const {
    return m_context.run != nullptr && m_context.run->isCommonOpRef &&
           m_context.run->isCommonOpRef(opRef, operation);
  }

  /// References that are no value, or join too much in the whole run, neither join nor split.
  void readReferences() {
    m_links.opRef.reserve(m_nodes.size());
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      const std::string_view opRef = m_nodes[i].head->opRef;
      const bool isNone = opRef.empty() || isNoValue(opRef);
      const bool isCommon = !isNone && isKnownCommon(opRef, m_links.operation[i]);
      if (isCommon) m_judgement.commonLinkValues.push_back("op_ref " + std::string(opRef));
      m_links.opRef.push_back(isNone || isCommon ? std::string_view() : opRef);
    }
  }

  /// One link value: its records are joined per operation and per live/test.
  void joinRun(std::size_t first, std::size_t last) {
    using Part = std::tuple<OperationId, bool, NodeIndex>;
    std::vector<Part> parts;
    for (std::size_t i = first; i < last; ++i) {
      const NodeIndex node = m_entries[i].node;
      if (!canLink(node)) continue;
      const Part part{m_links.operation[node], isTest(*m_nodes[node].head), node};
      if (parts.empty() || parts.back() != part) parts.push_back(part);
    }
    std::sort(parts.begin(), parts.end());
    const auto isSamePart = [](const Part& a, const Part& b) {
      return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b);
    };
    for (std::size_t from = 0; from < parts.size();) {
      Members members;
      std::size_t to = from;
      for (; to < parts.size() && isSamePart(parts[from], parts[to]); ++to) {
        members.push_back(std::get<2>(parts[to]));
      }
      if (members.size() > 1) joinPart(m_entries[first], members);
      from = to;
    }
  }

  void joinPart(const LinkEntry& value, const Members& members) {
    switch (value.field) {
      case LinkField::Key: joinByKey(members); return;
      case LinkField::EffectId:
        if (hasLocal(members) && !isTooCommon(value, members)) joinByAccount(ofOurAccounts(members));
        return;
      case LinkField::OpRef:
        if (isTooCommon(value, members)) {
          for (NodeIndex i : members) m_links.opRef[i] = {};
        } else {
          joinByAccount(members);
        }
        return;
      case LinkField::JobId:
      case LinkField::MessageId:
      case LinkField::OutboxId:
        if (!isTooCommon(value, members)) joinByAccount(members);
        return;
    }
  }

  /// Effects that name each other are tied only where a record of ours in their account names them too.
  [[nodiscard]] Members ofOurAccounts(const Members& members) const {
    std::set<std::string_view> ours;
    for (NodeIndex i : members) {
      if (m_nodes[i].isLocal()) ours.insert(m_nodes[i].head->account);
    }
    if (ours.count("") != 0) return members;
    Members kept;
    std::copy_if(members.begin(), members.end(), std::back_inserter(kept), [&](NodeIndex i) {
      const std::string_view account = m_nodes[i].head->account;
      return account.empty() || ours.count(account) != 0;
    });
    return kept;
  }

  [[nodiscard]] bool hasLocal(const Members& members) const {
    return std::any_of(members.begin(), members.end(),
                       [&](NodeIndex i) { return m_nodes[i].isLocal(); });
  }

  /// More than the limit of keys, or without keys of jobs or of effects.
  bool isTooCommon(const LinkEntry& value, const Members& members) {
    const bool isKnown = value.field == LinkField::OpRef &&
                         isKnownCommon(value.value, m_links.operation[members[0]]);
    if (!isKnown && !joinsTooMuch(members)) return false;
    m_judgement.commonLinkValues.push_back(std::string(nameOf(value.field)) + " " +
                                           std::string(value.value));
    return true;
  }

  [[nodiscard]] bool joinsTooMuch(const Members& members) const {
    const auto limit = static_cast<std::size_t>(
        std::max<std::int64_t>(m_context.policy.thresholds.commonLinkValueLimit, 1));
    if (members.size() <= limit) return false;
    std::set<std::string_view> keys;
    std::set<std::string_view> jobs;
    std::size_t effects = 0;
    for (NodeIndex i : members) {
      const RecordHead& head = *m_nodes[i].head;
      if (!m_links.key[i].empty()) keys.insert(m_links.key[i]);
      else if (m_nodes[i].isEffect()) ++effects;
      else if (!head.jobId.empty()) jobs.insert(head.jobId);
      if (keys.size() > limit || jobs.size() > limit || effects > limit) return true;
    }
    return false;
  }

  /// Under one key everything is one case, as long as the key never rested longer than its lifetime.
  void joinByKey(const Members& members) {
    const Operation& operation = m_context.policy.operation(m_links.operation[members[0]]);
    if (!operation.keyLifetime) {
      joinByAccount(members);
      return;
    }
    Members inTime = members;
    std::stable_sort(inTime.begin(), inTime.end(), [this](NodeIndex a, NodeIndex b) {
      return m_nodes[a].time < m_nodes[b].time;
    });
    Members stretch;
    std::optional<Instant> last;
    std::optional<Instant> restart;
    for (NodeIndex i : inTime) {
      const auto at = m_nodes[i].time;
      if (at && last && *at - *last > *operation.keyLifetime) {
        joinByAccount(stretch);
        stretch.clear();
        restart = at;
      }
      if (restart) m_links.restarts[i] = *restart;
      if (at) last = at;
      stretch.push_back(i);
    }
    joinByAccount(stretch);
  }

  /// A blank account fits any. Where blank records could belong to several accounts all are one case,
  /// which the splitting takes apart by the accounts of our own records.
  void joinByAccount(const Members& members) {
    std::map<std::string_view, Members> byAccount;
    for (NodeIndex i : members) byAccount[m_nodes[i].head->account].push_back(i);
    if (byAccount.size() < 2 || (byAccount.size() == 2 && byAccount.begin()->first.empty())) {
      joinAll(members);
      return;
    }
    std::vector<std::string_view> localAccounts;
    for (const auto& [account, group] : byAccount) {
      joinAll(group);
      if (!account.empty() && hasLocal(group)) localAccounts.push_back(account);
    }
    const auto blank = byAccount.find("");
    if (blank == byAccount.end()) return;
    if (hasLocal(blank->second)) {
      joinAll(members);
    } else {
      for (std::string_view account : localAccounts) {
        join(blank->second.front(), byAccount[account].front());
      }
    }
  }

  void collectCases() {
    std::vector<std::int64_t> caseOf(m_nodes.size(), -1);
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      if (!canLink(i)) {
        m_links.loose.push_back(i);
        continue;
      }
      std::int64_t& number = caseOf[find(i)];
      if (number < 0) {
        number = static_cast<std::int64_t>(m_links.cases.size());
        m_links.cases.emplace_back();
      }
      m_links.cases[static_cast<std::size_t>(number)].push_back(i);
    }
  }

  const std::vector<Node>& m_nodes;
  const JudgeContext& m_context;
  Judgement& m_judgement;
  std::vector<NodeIndex> m_parent;
  std::vector<LinkEntry> m_entries;
  Links m_links;
};

}  // namespace

Links linkRecords(const std::vector<Node>& nodes, const JudgeContext& context,
                  Judgement& judgement) {
  return Linker(nodes, context, judgement).run();
}

}  // namespace counterfoil::judging
