// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/lower.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace counterfoil::judging {

namespace {

/// How many of the latest effects are looked at for a larger one.
constexpr std::size_t kLookBack = 256;

class Lowerer {
 public:
  Lowerer(std::vector<EffectState>& effects, const std::vector<Node>& nodes)
      : m_effects(effects), m_nodes(nodes) {
    for (std::size_t i = 0; i < effects.size(); ++i) {
      if (!effects[i].becameLive()) continue;
      const Effect& row = *effects[i].row;
      if (!row.effectId.empty()) m_byId[row.effectId] = i;
      if (row.amount) m_byAmount[*row.amount].push_back(i);
      m_live.push_back(i);
    }
    // The id of a replaced row means its successor, unless it is still there itself.
    for (std::size_t i : m_live) {
      if (!effects[i].row->replaces.empty()) m_byId.emplace(effects[i].row->replaces, i);
    }
  }

  void apply(const Lowering& lowering) {
    const Effect& row = m_nodes[lowering.node].effect();
    if (row.status != EffectStatus::Live) return;
    const auto named = row.parentId.empty() ? m_byId.end() : m_byId.find(row.parentId);
    if (named != m_byId.end()) {
      take(m_effects[named->second], row, lowering, row.amount ? row.amount->minor : 0);
      return;
    }
    if (m_live.empty()) return;
    if (!row.amount) {
      take(m_effects[m_live.back()], row, lowering, 0);
      return;
    }
    if (EffectState* target = latestOfAmount(*row.amount)) {
      take(*target, row, lowering, row.amount->minor);
    } else if (EffectState* larger = latestLarger(*row.amount)) {
      take(*larger, row, lowering, row.amount->minor);
    } else {
      spread(row, lowering);
    }
  }

 private:
  static bool isOpen(const EffectState& effect) { return !effect.isFullyReversed; }

  EffectState* latestOfAmount(const Money& amount) {
    const auto found = m_byAmount.find(amount);
    if (found == m_byAmount.end()) return nullptr;
    auto& candidates = found->second;
    while (!candidates.empty() && (!isOpen(m_effects[candidates.back()]) ||
                                   m_effects[candidates.back()].netMinor() != amount.minor)) {
      candidates.pop_back();
    }
    return candidates.empty() ? nullptr : &m_effects[candidates.back()];
  }

  EffectState* latestLarger(const Money& amount) {
    std::size_t looked = 0;
    for (auto at = m_live.rbegin(); at != m_live.rend() && looked < kLookBack; ++at, ++looked) {
      EffectState& effect = m_effects[*at];
      const bool isLarger = isOpen(effect) && effect.row->amount &&
                            effect.row->amount->currency == amount.currency &&
                            effect.netMinor() >= amount.minor;
      if (isLarger) return &effect;
    }
    return nullptr;
  }

  /// From the latest effect backwards until the amount is used up. Effects that are used up leave the list.
  void spread(const Effect& row, const Lowering& lowering) {
    std::int64_t rest = row.amount->minor;
    for (auto at = m_live.rbegin(); at != m_live.rend() && rest > 0; ++at) {
      EffectState& effect = m_effects[*at];
      const bool fits = isOpen(effect) && effect.row->amount &&
                        effect.row->amount->currency == row.amount->currency;
      if (!fits) continue;
      const std::int64_t part = std::min(rest, effect.netMinor());
      take(effect, row, lowering, part);
      rest -= part;
    }
    std::erase_if(m_live, [this](std::size_t i) { return !isOpen(m_effects[i]); });
  }

  /// A row without an amount, or in another currency than the effect's, says nothing of how much.
  static void take(EffectState& effect, const Effect& row, const Lowering& lowering,
                   std::int64_t minor) {
    if (row.kind == EffectKind::Dispute) effect.hasDispute = true;
    else effect.hasRefund = true;
    if (!lowering.isRecordedLocally) effect.isUnexplained = true;
    effect.reversedAt = std::max(effect.reversedAt, row.created);
    const auto& amount = effect.row->amount;
    if (!amount || !row.amount) {
      effect.isFullyReversed = true;
      effect.reversedMinor = amount ? amount->minor : 0;
      return;
    }
    if (amount->currency != row.amount->currency) {
      effect.isPartlyReversed = true;
      return;
    }
    effect.reversedMinor += std::min(minor, amount->minor - effect.reversedMinor);
    effect.isFullyReversed = effect.reversedMinor >= amount->minor;
    effect.isPartlyReversed = !effect.isFullyReversed;
  }

  std::vector<EffectState>& m_effects;
  const std::vector<Node>& m_nodes;
  std::map<std::string_view, std::size_t> m_byId;
  std::map<Money, std::vector<std::size_t>> m_byAmount;
  std::vector<std::size_t> m_live;
};

}  // namespace

void lowerEffects(std::vector<EffectState>& effects, std::vector<Lowering> lowerings,
                  const std::vector<Node>& nodes) {
  if (lowerings.empty() || effects.empty()) return;
  // Rows that name their effect first, so that the others find what is left.
  std::stable_sort(lowerings.begin(), lowerings.end(), [&](const Lowering& a, const Lowering& b) {
    const bool aNames = !nodes[a.node].effect().parentId.empty();
    const bool bNames = !nodes[b.node].effect().parentId.empty();
    return aNames != bNames ? aNames : a.node < b.node;
  });
  Lowerer lowerer(effects, nodes);
  for (const Lowering& lowering : lowerings) lowerer.apply(lowering);
}

}  // namespace counterfoil::judging
