// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/reversal_sums.h"

#include <algorithm>
#include <string_view>

namespace counterfoil::judging {

namespace {

class ReversalSums {
 public:
  ReversalSums(std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement)
      : m_nodes(nodes), m_context(context), m_judgement(judgement), m_dropped(nodes.size(), false) {}

  void run() {
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      if (!m_nodes[i].isReversal() || m_nodes[i].effect().status == EffectStatus::Failed) continue;
      const Effect& effect = m_nodes[i].effect();
      if (!effect.replaces.empty() && effect.replaces == effect.parentId) {
        lowerCharge(i);
      } else if (!effect.effectId.empty() && effect.effectId == effect.parentId) {
        lowerSum(i);
      }
    }
    removeNodes(m_nodes, m_dropped);
  }

 private:
  bool isOfOneProvider(NodeIndex a, NodeIndex b) const {
    const Effect& one = m_nodes[a].effect();
    const Effect& other = m_nodes[b].effect();
    if (!scopesFit(one, other)) return false;
    const std::string_view provider = providerOf(one, m_context.policy);
    if (!provider.empty()) return provider == providerOf(other, m_context.policy);
    return one.place.source == other.place.source;
  }

  /// The charge becomes what was taken of it.
  void lowerCharge(NodeIndex i) {
    const Effect& part = m_nodes[i].effect();
    for (NodeIndex c = 0; c < m_nodes.size(); ++c) {
      if (!m_nodes[c].isForward() || m_dropped[c] || m_nodes[c].effect().effectId != part.replaces ||
          !isOfOneProvider(i, c)) {
        continue;
      }
      Effect& charge = m_nodes[c].effect();
      const bool fits = part.amount && charge.amount && part.amount->currency == charge.amount->currency &&
                        part.amount->minor <= charge.amount->minor;
      if (!fits) return;
      takeOff(charge, part.amount->minor);
      drop(i);
      return;
    }
  }

  void lowerSum(NodeIndex i) {
    Effect& sum = m_nodes[i].effect();
    std::int64_t listed = 0;
    bool any = false;
    bool areComparable = sum.amount.has_value();
    for (NodeIndex r = 0; r < m_nodes.size(); ++r) {
      if (r == i || m_dropped[r] || !isListedRefund(r, sum.parentId) || !isOfOneProvider(i, r)) continue;
      any = true;
      const auto& amount = m_nodes[r].effect().amount;
      const auto next = amount ? addChecked(listed, amount->minor) : std::nullopt;
      areComparable = areComparable && next && amount->currency == sum.amount->currency;
      listed = next.value_or(listed);
    }
    if (!any) return;
    if (areComparable && listed < sum.amount->minor) {
      takeOff(sum, listed);
    } else {
      drop(i);
    }
  }

  bool isListedRefund(NodeIndex i, std::string_view charge) const {
    if (!m_nodes[i].isReversal()) return false;
    const Effect& effect = m_nodes[i].effect();
    return effect.status != EffectStatus::Failed && effect.parentId == charge && effect.effectId != charge;
  }

  /// The total of the provider's rows has read it in full: what goes leaves it.
  void takeOff(Effect& effect, std::int64_t minor) {
    Effect gone = effect;
    gone.amount->minor = minor;
    m_judgement.repeatedEffects.push_back(std::move(gone));
    effect.amount->minor -= minor;
  }

  void drop(NodeIndex i) {
    m_dropped[i] = true;
    ++m_judgement.repeats[m_nodes[i].head->place.source];
    m_judgement.repeatedEffects.push_back(m_nodes[i].effect());
  }

  std::vector<Node>& m_nodes;
  const JudgeContext& m_context;
  Judgement& m_judgement;
  std::vector<bool> m_dropped;
};

}  // namespace

void settleReversalSums(std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement) {
  const bool any = std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.isReversal(); });
  if (any && nodes.size() > 1) ReversalSums(nodes, context, judgement).run();
}

}  // namespace counterfoil::judging
