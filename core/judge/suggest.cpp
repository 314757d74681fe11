// SPDX-License-Identifier: GPL-3.0-or-later
// Link 5 of classes.md §3: only proposes. A unit without an effect and an effect without local records
// look for each other by key (spelling, scope) and by amount or destination inside the attempt's time.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/text.h"
#include "core/judge/clock.h"
#include "core/judge/judge.h"
#include "core/judge/nodes.h"
#include "core/judge/probable.h"

namespace counterfoil {

namespace judging {

namespace {

/// Of each side at most so many partners are weighed per index: bounded work however files are made.
constexpr std::size_t kWeighed = 32;

bool isPresent(const Effect& effect) {
  return effect.kind != EffectKind::Fee && effect.kind != EffectKind::Other &&
         effect.kind != EffectKind::Dispute && effect.status != EffectStatus::Failed;
}

const Effect* presentEffect(const Unit& unit) {
  for (const Effect& effect : unit.records.effects) {
    if (isPresent(effect)) return &effect;
  }
  return nullptr;
}

bool hasLocalRecords(const Unit& unit) {
  return unit.records.size() > unit.records.effects.size();
}

/// One side of a proposal, with what it can be found by.
struct Side {
  Unit* unit = nullptr;
  std::string key;                ///< normal form; blank where there is none to trust
  std::string fold;
  std::string account;
  bool test = false;
  std::string opRef;
  std::string customer;
  std::optional<Money> amount;
  Instant from{};                 ///< local: [start − σ, end + λ + σ]; effect: its time
  Instant to{};
  std::string id;                 ///< what the other side names it by
};

bool isAllDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// What a spreadsheet made of a key says nothing, and its numbers may have lost zeros.
bool hasDamagedKey(const Effect& effect, const JudgeContext& context) {
  const bool isDamagedSource =
      context.run != nullptr && context.run->damagedSources.count(effect.place.source) != 0;
  return effect.keyDamaged || (isDamagedSource && isAllDigits(effect.key));
}

Side effectSide(Unit& unit, const JudgeContext& context) {
  const Effect& effect = *presentEffect(unit);
  Side side;
  side.unit = &unit;
  if (!hasDamagedKey(effect, context)) side.key = effect.key;
  side.account = effect.account;
  side.test = isTest(effect);
  side.opRef = effect.opRef;
  side.customer = effect.customer;
  side.amount = effect.amount;
  side.from = effect.created;
  side.to = effect.created + effect.createdSpan;
  side.id = effect.effectId.empty() ? unit.id : effect.effectId;
  return side;
}

template <class Record>
void takeHead(Side& side, const std::vector<Record>& records) {
  for (const Record& record : records) {
    if (side.key.empty()) side.key = record.key;
    if (side.account.empty()) side.account = record.account;
    if (side.opRef.empty()) side.opRef = record.opRef;
    if (side.customer.empty()) side.customer = record.customer;
    side.test = side.test || isTest(record);
    if (side.id.empty()) side.id = record.jobId.empty() ? record.messageId : record.jobId;
  }
}

Side localSide(Unit& unit, const JudgeContext& context) {
  Side side;
  side.unit = &unit;
  takeHead(side, unit.records.attempts);
  takeHead(side, unit.records.intents);
  takeHead(side, unit.records.outbox);
  takeHead(side, unit.records.skips);
  takeHead(side, unit.records.claims);
  takeHead(side, unit.records.processedEvents);
  takeHead(side, unit.records.deadLetters);
  if (side.id.empty()) side.id = unit.key.empty() ? unit.id : unit.key;
  side.amount = unit.expectedAmount;
  const Operation& operation = context.policy.operation(unit.operation);
  const Duration skew = context.policy.clockSkew;
  const Instant first = unit.firstSeen.value_or(Instant{});
  side.from = first - skew;
  side.to = first + operation.maxRuntime + statementLagOf(operation, context.policy) + skew;
  if (unit.due) side.to = std::max(side.from, *unit.due);
  return side;
}

/// How strongly two sides fit; 0: not at all.
int strengthOf(const Side& local, const Side& effect) {
  if (local.test != effect.test) return 0;
  const bool sameAmount = local.amount && effect.amount && *local.amount == *effect.amount;
  const bool hasKeys = !local.key.empty() && !effect.key.empty();
  const bool sameScope = accountsFit(local.account, effect.account);
  if (hasKeys && !sameScope) return local.key == effect.key && sameAmount ? 4 : 0;
  if (!sameScope) return 0;
  if (hasKeys && !local.fold.empty() && local.fold == effect.fold) return sameAmount ? 4 : 3;
  const bool conflictingReference =
      !local.opRef.empty() && !effect.opRef.empty() && local.opRef != effect.opRef;
  if (conflictingReference) return 0;
  const bool inTime = effect.from <= local.to && effect.to >= local.from;
  if (!inTime) return 0;
  const bool sameDestination = !local.customer.empty() && local.customer == effect.customer;
  if (sameAmount) return sameDestination ? 2 : 1;
  return !local.amount && !effect.amount && sameDestination ? 1 : 0;
}

/// Partners of one unit: the best ones, of them the smallest ids, and how many there are.
class Proposals {
 public:
  void propose(int strength, const std::string& id, std::size_t most) {
    if (strength < m_strength) return;
    if (strength > m_strength) {
      m_strength = strength;
      m_count = 0;
      m_smallest.clear();
    }
    ++m_count;
    const auto isBefore = [](const std::string* a, const std::string* b) { return *a < *b; };
    if (m_smallest.size() >= most && !isBefore(&id, m_smallest.back())) return;
    m_smallest.insert(std::upper_bound(m_smallest.begin(), m_smallest.end(), &id, isBefore), &id);
    if (m_smallest.size() > most) m_smallest.pop_back();
  }

  void tell(Unit& unit, std::size_t most) const {
    if (m_count == 0) return;
    unit.raise(m_count > 1 ? Flag::AmbiguousMatch : Flag::SuggestedMatch);
    std::size_t added = 0;
    for (const std::string* id : m_smallest) {
      const auto at = std::lower_bound(unit.candidates.begin(), unit.candidates.end(), *id);
      const bool isKnown = at != unit.candidates.end() && *at == *id;
      if (!isKnown && unit.candidates.size() >= most) break;
      if (!isKnown) unit.candidates.insert(at, *id);
      ++added;
    }
    unit.moreCandidates += m_count - added;
  }

 private:
  int m_strength = 1;
  std::size_t m_count = 0;
  std::vector<const std::string*> m_smallest;   ///< ids of sides, which outlive this
};

class Matcher {
 public:
  Matcher(std::vector<Unit*>& units, const JudgeContext& context) : m_context(context) {
    for (Unit* unit : units) {
      if (!isOneSided(*unit)) continue;
      const bool isEffect = presentEffect(*unit) != nullptr;
      auto& sides = isEffect ? m_effects : m_locals;
      sides.push_back(isEffect ? effectSide(*unit, context) : localSide(*unit, context));
      sides.back().fold = keyFold(sides.back().key);
    }
    const auto byId = [](const Side& a, const Side& b) {
      return std::tie(a.from, a.id, a.unit->id) < std::tie(b.from, b.id, b.unit->id);
    };
    std::sort(m_locals.begin(), m_locals.end(), byId);
    std::sort(m_effects.begin(), m_effects.end(), byId);
  }

  void run() {
    if (m_locals.empty() || m_effects.empty()) return;
    indexEffects();
    m_ofLocal.resize(m_locals.size());
    m_ofEffect.resize(m_effects.size());
    for (std::size_t i = 0; i < m_locals.size(); ++i) proposeFor(i);
    const std::size_t most = m_context.policy.thresholds.maxCandidates;
    for (std::size_t i = 0; i < m_locals.size(); ++i) m_ofLocal[i].tell(*m_locals[i].unit, most);
    for (std::size_t i = 0; i < m_effects.size(); ++i) {
      m_ofEffect[i].tell(*m_effects[i].unit, most);
    }
  }

 private:
  using List = std::vector<std::size_t>;  ///< indexes of effects, in order of time

  void indexEffects() {
    for (std::size_t i = 0; i < m_effects.size(); ++i) {
      const Side& effect = m_effects[i];
      if (!effect.key.empty()) m_byKey[effect.key].push_back(i);
      if (!effect.fold.empty()) m_byFold[effect.fold].push_back(i);
      if (effect.amount) m_byAmount[*effect.amount].push_back(i);
      else if (!effect.customer.empty()) m_byCustomer[effect.customer].push_back(i);
      m_longest = std::max(m_longest, effect.to - effect.from);
    }
  }

  void proposeFor(std::size_t local) {
    const Side& side = m_locals[local];
    List partners;
    takeFrom(partners, m_byKey, side.key);
    takeFrom(partners, m_byFold, side.fold);
    if (side.amount) {
      const auto found = m_byAmount.find(*side.amount);
      if (found != m_byAmount.end()) takeInTime(partners, found->second, side);
    } else if (!side.customer.empty()) {
      const auto found = m_byCustomer.find(side.customer);
      if (found != m_byCustomer.end()) takeInTime(partners, found->second, side);
    }
    std::sort(partners.begin(), partners.end());
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    for (std::size_t effect : partners) {
      const int strength = strengthOf(side, m_effects[effect]);
      if (strength == 0) continue;
      const std::size_t most = m_context.policy.thresholds.maxCandidates;
      m_ofLocal[local].propose(strength, m_effects[effect].id, most);
      m_ofEffect[effect].propose(strength, side.id, most);
    }
  }

  static void takeFrom(List& partners, const std::map<std::string, List>& index,
                       const std::string& value) {
    const auto found = value.empty() ? index.end() : index.find(value);
    if (found == index.end()) return;
    const List& list = found->second;
    partners.insert(partners.end(), list.begin(),
                    list.begin() + static_cast<std::ptrdiff_t>(std::min(list.size(), kWeighed)));
  }

  /// Effects whose time may touch the local one's, from the earliest on.
  void takeInTime(List& partners, const List& list, const Side& side) const {
    const Instant earliest = side.from - m_longest;
    auto at = std::lower_bound(list.begin(), list.end(), earliest,
                               [&](std::size_t i, Instant t) { return m_effects[i].from < t; });
    for (std::size_t n = 0; at != list.end() && n < kWeighed; ++at, ++n) {
      if (m_effects[*at].from > side.to) break;
      partners.push_back(*at);
    }
  }

  const JudgeContext& m_context;
  std::vector<Side> m_locals;
  std::vector<Side> m_effects;
  std::map<std::string, List> m_byKey;
  std::map<std::string, List> m_byFold;
  std::map<std::string, List> m_byCustomer;
  std::map<Money, List> m_byAmount;
  Duration m_longest{0};
  std::vector<Proposals> m_ofLocal;
  std::vector<Proposals> m_ofEffect;
};

}  // namespace

}  // namespace judging

bool isOneSided(const Unit& unit) {
  const bool hasEffect = judging::presentEffect(unit) != nullptr;
  const bool hasLocal = judging::hasLocalRecords(unit);
  if (hasEffect == hasLocal) return false;
  if (hasEffect) return unit.local == LocalSummary::Nothing;
  // A failed job too may have left an effect; one that matched in an earlier run has its own.
  return unit.unitClass != Class::Matched;
}

bool wantsSuggestions(const Unit& unit, const Policy& policy) {
  if (isOneSided(unit)) return true;
  return policy.operation(unit.operation).probableDuplicateWithin.has_value() &&
         (unit.unitClass == Class::Matched || unit.unitClass == Class::MatchedTolerance);
}

void suggestMatches(std::vector<Unit*>& oneSided, const JudgeContext& context) {
  judging::Matcher(oneSided, context).run();
  judging::findProbableDuplicates(oneSided, context);
}

}  // namespace counterfoil
