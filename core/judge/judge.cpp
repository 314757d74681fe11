// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/judge.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/judge/build_unit.h"
#include "core/judge/case_id.h"
#include "core/judge/link.h"
#include "core/judge/link_operations.h"
#include "core/judge/nodes.h"
#include "core/judge/repeats.h"
#include "core/judge/reversal_sums.h"
#include "core/judge/reversals.h"
#include "core/judge/run_rows.h"
#include "core/judge/split.h"
#include "core/judge/view.h"

namespace counterfoil {

namespace judging {

namespace {

class GroupJudge {
 public:
  GroupJudge(Records& group, const JudgeContext& context)
      : m_context(context), m_nodes(nodesOf(group)) {}

  Judgement run() {
    if (m_nodes.empty()) return {};
    dropRepeats(m_nodes, m_context, m_judgement);
    joinRunRows(m_nodes, m_context.policy, m_judgement);
    settleReversalSums(m_nodes, m_context, m_judgement);
    m_links = linkRecords(m_nodes, m_context, m_judgement);
    split();
    const AttachedReversals reversals = attachReversals(m_subs, m_nodes, m_links);
    makeViews(reversals);
    tellSiblings();
    makeUnits(reversals);
    makeUnitsOfUnattached(reversals.unattached);
    nameUndecidedCuts();
    finish();
    return std::move(m_judgement);
  }

 private:
  void split() {
    for (const auto& members : m_links.cases) {
      const std::size_t first = m_subs.size();
      for (SubOperation& sub : splitCase(members, m_nodes, m_links, m_context, m_judgement)) {
        m_subs.push_back(std::move(sub));
      }
      m_caseEnds.push_back(m_subs.size());
      if (!m_links.restarts.empty()) markRestarts(first);
    }
  }

  /// The same key after a long rest is another operation: its mark says since when.
  void markRestarts(std::size_t first) {
    for (std::size_t s = first; s < m_subs.size(); ++s) {
      for (NodeIndex i : m_subs[s].nodes) {
        const auto found = m_links.restarts.find(i);
        if (found == m_links.restarts.end()) continue;
        m_subs[s].mark += (m_subs[s].mark.empty() ? "since " : " since ") +
                          formatInstant(found->second);
        break;
      }
    }
  }

  void makeViews(const AttachedReversals& reversals) {
    m_views.reserve(m_subs.size());
    for (std::size_t s = 0; s < m_subs.size(); ++s) {
      m_views.push_back(
          viewOf(m_subs[s], reversals.bySubOperation[s], m_nodes, m_links, m_context));
    }
  }

  [[nodiscard]] bool isActive(std::size_t sub) const {
    return m_views[sub].local == LocalSummary::Succeeded || m_views[sub].hasEffect();
  }

  /// For each case of several sub-operations: what the others under the same key did.
  void tellSiblings() {
    std::size_t first = 0;
    for (std::size_t last : m_caseEnds) {
      if (last - first > 1) tellSiblings(first, last);
      else m_views[first].activeSiblings = m_views[first].hasEffect() ? 1 : 0;
      first = last;
    }
  }

  void tellSiblings(std::size_t first, std::size_t last) {
    struct Users {
      int active = 0;
      int withEffect = 0;
    };
    std::map<std::string_view, Users> users;
    std::vector<std::vector<std::string_view>> keys(last - first);
    for (std::size_t s = first; s < last; ++s) {
      auto& own = keys[s - first];
      for (NodeIndex i : m_subs[s].nodes) {
        if (!m_links.key[i].empty()) own.push_back(m_links.key[i]);
      }
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      for (std::string_view key : own) {
        users[key].active += isActive(s) ? 1 : 0;
        users[key].withEffect += m_views[s].hasEffect() ? 1 : 0;
      }
    }
    for (std::size_t s = first; s < last; ++s) {
      for (std::string_view key : keys[s - first]) {
        const Users& of = users[key];
        if (of.active > (isActive(s) ? 1 : 0)) m_views[s].siblingIsActive = true;
        m_views[s].activeSiblings = std::max(m_views[s].activeSiblings, of.withEffect);
      }
    }
  }

  void makeUnits(const AttachedReversals& reversals) {
    m_judgement.units.reserve(m_subs.size());
    for (std::size_t s = 0; s < m_subs.size(); ++s) {
      UnitParts parts;
      parts.view = &m_views[s];
      parts.nodes = m_subs[s].nodes;
      parts.unsureSkips = m_subs[s].unsureSkips;
      parts.mark = m_subs[s].mark;
      for (const Lowering& lowering : reversals.bySubOperation[s]) {
        if (!lowering.isRecordedLocally) parts.nodes.push_back(lowering.node);
      }
      std::sort(parts.nodes.begin(), parts.nodes.end());
      addUnit(parts);
    }
  }

  /// buildUnit moves records away. That is safe in any order: what a view needs of another unit's rows (a
  /// refund that lowers a charge) it already holds as numbers.
  void addUnit(const UnitParts& parts) {
    if (!m_links.undecidedCuts.empty()) {
      for (NodeIndex i : parts.nodes) m_unitOf[i] = m_judgement.units.size();
    }
    m_judgement.units.push_back(buildUnit(parts, m_nodes, m_links));
  }

  /// Reversals without a unit: those of one key are one operation, others stand alone.
  void makeUnitsOfUnattached(const std::vector<NodeIndex>& rows) {
    std::map<std::pair<std::string_view, std::string_view>, std::vector<NodeIndex>> byKey;
    for (NodeIndex i : rows) {
      const bool isRefundOfOurs =
          m_nodes[i].isReversal() && !firstOperationOfItsKind(m_nodes[i], m_context.policy).isNone();
      if (isRefundOfOurs && !m_links.key[i].empty()) {
        byKey[{m_links.key[i], m_nodes[i].head->account}].push_back(i);
      } else {
        makeUnattached({i});
      }
    }
    for (const auto& [key, members] : byKey) makeUnattached(members);
  }

  void makeUnattached(const std::vector<NodeIndex>& rows) {
    const UnitView view = viewOfUnattached(rows, m_nodes, m_context);
    UnitParts parts;
    parts.view = &view;
    parts.nodes = rows;
    if (view.isSideRow || view.isOrphanReversal) {
      parts.mark = "row " + m_nodes[rows.front()].head->effectId;
    }
    addUnit(parts);
  }

  /// An effect whose cut key fits several of our keys names them, and they name it.
  void nameUndecidedCuts() {
    for (const UndecidedCut& cut : m_links.undecidedCuts) {
      Unit& effect = m_judgement.units[m_unitOf[cut.effect]];
      for (NodeIndex local : cut.locals) {
        Unit& unit = m_judgement.units[m_unitOf[local]];
        addCandidate(unit, idOfEffect(effect));
        addCandidate(effect, idOfLocal(unit));
        unit.raise(Flag::AmbiguousMatch);
      }
      effect.raise(Flag::AmbiguousMatch);
    }
  }

  static std::string idOfEffect(const Unit& unit) {
    return unit.records.effects.empty() ? unit.id : unit.records.effects.front().effectId;
  }
  static std::string idOfLocal(const Unit& unit) {
    if (!unit.records.attempts.empty() && !unit.records.attempts.front().jobId.empty()) {
      return unit.records.attempts.front().jobId;
    }
    return unit.key.empty() ? unit.id : unit.key;
  }

  void addCandidate(Unit& unit, std::string candidate) const {
    auto& all = unit.candidates;
    const auto at = std::lower_bound(all.begin(), all.end(), candidate);
    if (at != all.end() && *at == candidate) return;
    if (all.size() >= m_context.policy.thresholds.maxCandidates) ++unit.moreCandidates;
    else all.insert(at, std::move(candidate));
  }

  void finish() {
    std::stable_sort(m_judgement.units.begin(), m_judgement.units.end(), outputBefore);
    keepIdsApart();
    sortUnique(m_judgement.commonLinkValues);
    sortUnique(m_judgement.coarseKeys);
    nameCollidingKeys();
  }

  void nameCollidingKeys() {
    if (m_judgement.units.size() < 2) return;
    using User = std::pair<std::string_view, OperationId>;
    std::map<std::string_view, std::set<User>> users;
    for (const Unit& unit : m_judgement.units) {
      for (const std::string& key : unit.keys) users[key].insert({unit.scope, unit.operation});
    }
    for (const auto& [key, of] : users) {
      if (of.size() > 1) m_judgement.collidingKeys.emplace_back(key);
    }
  }

  static void sortUnique(std::vector<std::string>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  /// Two units that nothing tells apart (rows equal but for their place) get numbers as marks.
  void keepIdsApart() {
    std::map<CaseId, int> seen;
    bool changed = false;
    for (Unit& unit : m_judgement.units) {
      const int number = ++seen[unit.id];
      if (number == 1) continue;
      unit.mark += (unit.mark.empty() ? "#" : " #") + std::to_string(number);
      unit.id = caseIdOf(unit.scope, unit.operationName, unit.id, unit.mark);
      changed = true;
    }
    if (changed) std::stable_sort(m_judgement.units.begin(), m_judgement.units.end(), outputBefore);
  }

  const JudgeContext& m_context;
  std::vector<Node> m_nodes;
  Judgement m_judgement;
  Links m_links;
  std::vector<SubOperation> m_subs;
  std::vector<std::size_t> m_caseEnds;
  std::vector<UnitView> m_views;
  std::map<NodeIndex, std::size_t> m_unitOf;
};

}  // namespace

}  // namespace judging

Judgement judge(Records group, const JudgeContext& context) {
  return judging::GroupJudge(group, context).run();
}

}  // namespace counterfoil
