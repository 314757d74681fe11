// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/refunds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/hash.h"
#include "core/judge/lower.h"
#include "core/judge/nodes.h"

namespace counterfoil {

namespace {

using judging::EffectState;

/// The forward effects of a unit in order of time, less what was taken back of each.
class LoweredEffects {
 public:
  explicit LoweredEffects(const Unit& unit) : m_records(unit.records) {
    m_nodes = judging::nodesOf(m_records);
    std::vector<judging::Lowering> lowerings;
    for (judging::NodeIndex i = 0; i < m_nodes.size(); ++i) {
      if (m_nodes[i].isForward()) {
        EffectState state;
        state.row = &m_nodes[i].effect();
        states.push_back(state);
      } else if (m_nodes[i].isReversal() || m_nodes[i].isDispute()) {
        lowerings.push_back({i, false});
        m_lowering.push_back(&m_nodes[i].effect());
      }
    }
    std::stable_sort(states.begin(), states.end(), [](const EffectState& a, const EffectState& b) {
      return std::tie(a.row->created, a.row->effectId) < std::tie(b.row->created, b.row->effectId);
    });
    judging::lowerEffects(states, std::move(lowerings), m_nodes);
  }
  LoweredEffects(const LoweredEffects&) = delete;
  LoweredEffects& operator=(const LoweredEffects&) = delete;

  /// A refund or dispute of this effect (or of nobody knows which) that may still take money back.
  [[nodiscard]] const Effect* pendingAgainst(const Effect& effect) const {
    for (const Effect* row : m_lowering) {
      const bool mayBeOfIt = row->parentId.empty() || row->parentId == effect.effectId ||
                             row->parentId == effect.replaces || row->parentId == effect.parentId;
      if (row->status == EffectStatus::Pending && mayBeOfIt) return row;
    }
    return nullptr;
  }

  std::vector<EffectState> states;

 private:
  Records m_records;
  std::vector<judging::Node> m_nodes;
  std::vector<const Effect*> m_lowering;
};

bool isRecorded(const Unit& unit, const Effect& effect, bool bySuccess) {
  if (effect.effectId.empty()) return false;
  return std::any_of(unit.records.attempts.begin(), unit.records.attempts.end(), [&](const Attempt& attempt) {
    return attempt.effectId == effect.effectId && (attempt.status == AttemptStatus::Succeeded) == bySuccess;
  });
}

struct Kept {
  const EffectState* effect = nullptr;
  std::string_view why;
};

Kept keptOf(const Unit& unit, const std::vector<const EffectState*>& live) {
  for (const bool bySuccess : {true, false}) {
    for (const EffectState* effect : live) {
      if (isRecorded(unit, *effect->row, bySuccess)) return {effect, "the one that the job recorded"};
    }
  }
  return {live.front(), "the first one"};
}

std::string nameOf(const Effect& effect) {
  return effect.effectId.empty() ? "one of " + formatInstant(effect.created) : effect.effectId;
}

class CaseRefunds {
 public:
  CaseRefunds(const StoredUnit& stored, const Config* config)
      : m_unit(stored.unit), m_config(config), m_effects(stored.unit) {
    for (const EffectState& state : m_effects.states) {
      if (state.isLive()) m_live.push_back(&state);
    }
  }

  std::vector<RefundLine> lines() {
    if (m_live.size() < 2) return {};
    const Operation* operation = operationOf(m_config, m_unit);
    if (operation == nullptr) {
      listAll("the rules of the run that judged it do not read: which effect stands is not known");
    } else if (operation->effect == OperationEffect::Reversal) {
      listAll("these are refunds: money went out twice, there is nothing to give back");
    } else if (operation->expect == Expect::Split) {
      listParts();
    } else {
      listTwins();
    }
    return std::move(m_lines);
  }

 private:
  RefundLine& put(const EffectState& effect, std::string reason, bool isSafe) {
    RefundLine& line = m_lines.emplace_back();
    const Effect& row = *effect.row;
    line.caseId = m_unit.id;
    line.isSafe = isSafe;
    line.provider = providerName(m_config, row);
    line.account = row.account;
    line.effectId = row.effectId;
    line.gross = row.amount;
    if (row.amount && effect.reversedMinor > 0) line.reversed = Money{effect.reversedMinor, row.amount->currency};
    line.operation = m_unit.operationName;
    line.key = row.keyText.empty() ? m_unit.key : row.keyText;
    line.opRef = row.opRef.empty() ? m_unit.opRef : row.opRef;
    line.created = row.created;
    line.reason = std::move(reason);
    return line;
  }

  void listAll(const std::string& reason) {
    for (const EffectState* effect : m_live) put(*effect, "Look first: " + reason + ".", false);
  }

  /// A line whose amount is known; looked at for everything that makes a refund doubtful.
  void putRefund(const EffectState& effect, Money amount, const Kept& kept, const std::string& more) {
    const Effect& row = *effect.row;
    std::string doubt;
    if (row.effectId.empty()) {
      doubt = "the provider's statement gives it no id";
    } else if (const Effect* pending = m_effects.pendingAgainst(row)) {
      doubt = pending->kind == EffectKind::Dispute
                  ? "a dispute is open: giving it back as well would pay twice"
                  : "a refund is already on its way: giving it back as well would pay twice";
    } else if (effect.isPartlyReversed && effect.reversedMinor == 0) {
      doubt = "something was given back in another currency";
    }
    std::string reason = fmt::format("{} stands, {}{}.", nameOf(*kept.effect->row), kept.why, more);
    if (!doubt.empty()) reason = fmt::format("Look first: {}. {}", doubt, reason);
    RefundLine& line = put(effect, std::move(reason), doubt.empty());
    line.keep = kept.effect->row->effectId;
    line.amount = amount;
    line.refundKey = refundKeyOf(m_unit.id, row.effectId.empty() ? formatInstant(row.created) : row.effectId, amount);
  }

  [[nodiscard]] bool amountsKnown() const {
    return std::all_of(m_live.begin(), m_live.end(), [](const EffectState* each) { return each->row->amount.has_value(); });
  }

  /// Whether the judge, who sees more (captures and their authorisations are one effect), found as much too much.
  [[nodiscard]] bool agreesWithExposure() const {
    if (m_unit.exposure.size() != 1) return true;
    const Money& tooMuch = m_unit.exposure.front();
    std::int64_t sum = 0, largest = 0;
    for (const EffectState* effect : m_live) {
      if (effect->row->amount->currency != tooMuch.currency) return false;
      const auto total = addChecked(sum, effect->netMinor());
      if (!total) return false;
      sum = *total;
      largest = std::max(largest, effect->netMinor());
    }
    const auto& expected = m_unit.expectedAmount;
    const bool isDue = expected && expected->currency == tooMuch.currency;
    const std::int64_t excess = sum - (isDue ? expected->minor : m_live.front()->row->amount->minor);
    return tooMuch.minor == (excess > 0 ? excess : sum - largest) || (sum == largest && tooMuch.minor == largest);
  }

  /// Everything but one, from the latest backwards, until what is too much is used up.
  void listTwins() {
    if (!amountsKnown()) return listAll("no amount is known; what is no money cannot be given back");
    if (!agreesWithExposure()) return listAll("what is still live does not come to what was found too much");
    const Kept kept = keptOf(m_unit, m_live);
    std::map<Currency, std::int64_t> left;
    for (const Money& money : m_unit.exposure) left[money.currency] = money.minor;
    const bool oneCurrency = left.size() == 1;
    for (auto at = m_live.rbegin(); at != m_live.rend(); ++at) {
      const EffectState& effect = **at;
      if (&effect == kept.effect) continue;
      const Currency currency = effect.row->amount->currency;
      std::int64_t minor = effect.netMinor();
      std::string more;
      if (oneCurrency && left.contains(currency)) {
        const std::int64_t most = left[currency];
        if (minor > most) more = fmt::format("; of {} only what is too much", formatForPeople({minor, currency}));
        minor = std::min(minor, most);
        left[currency] -= minor;
      }
      if (minor > 0) putRefund(effect, {minor, currency}, kept, more);
    }
    if (!oneCurrency) {
      for (RefundLine& line : m_lines) {
        line.isSafe = false;
        line.reason = "Look first: the charges are in several currencies; decide which one stands. " + line.reason;
      }
    }
    std::reverse(m_lines.begin(), m_lines.end());
  }

  /// Parts of a split: those repeat an earlier part whose amounts come to exactly what is too much.
  void listParts() {
    if (!amountsKnown() || m_unit.exposure.size() != 1) return listAll("the amounts of the parts are not all known");
    std::int64_t left = m_unit.exposure.front().minor;
    std::map<Money, const EffectState*> first;
    std::vector<std::pair<const EffectState*, const EffectState*>> repeats;
    for (const EffectState* effect : m_live) {
      const auto [known, isFirst] = first.try_emplace(*effect->row->amount, effect);
      if (!isFirst) repeats.emplace_back(effect, known->second);
    }
    std::vector<std::pair<const EffectState*, const EffectState*>> chosen;
    for (auto at = repeats.rbegin(); at != repeats.rend(); ++at) {
      if (at->first->netMinor() > left) continue;
      left -= at->first->netMinor();
      chosen.push_back(*at);
    }
    if (left != 0 || chosen.empty()) return listAll("which of the parts is one too many is not certain");
    for (auto at = chosen.rbegin(); at != chosen.rend(); ++at) {
      putRefund(*at->first, {at->first->netMinor(), at->first->row->amount->currency},
                {at->second, "the first part of this amount"}, "");
    }
  }

  const Unit& m_unit;
  const Config* m_config;
  LoweredEffects m_effects;
  std::vector<const EffectState*> m_live;
  std::vector<RefundLine> m_lines;
};

}  // namespace

std::string refundKeyOf(const CaseId& caseId, const std::string& effectId, const Money& amount) {
  const std::string text = fmt::format("{}\n{}\n{} {}", caseId, effectId, amount.currency.text(), amount.minor);
  return "cf-refund-" + sha256Hex(text).substr(0, 32);
}

std::vector<RefundLine> refundLinesOf(const StoredUnit& stored, const Config* config) {
  if (stored.unit.unitClass != Class::DuplicateEffect) return {};
  return CaseRefunds(stored, config).lines();
}

}  // namespace counterfoil
