// SPDX-License-Identifier: GPL-3.0-or-later
// classes.md §3: a case splits into sub-operations.
#include <algorithm>
#include <numeric>

#include "tests/core/reference/items.h"

namespace counterfoil::testing::reference {

namespace {

using Items = std::vector<const Item*>;

bool same(const std::string& a, const std::string& b) { return !a.empty() && a == b; }
bool isSuccess(const Item& item) {
  return item.attempt != nullptr && item.attempt->status == AttemptStatus::Succeeded;
}
bool isForward(const Item& item) { return item.effect != nullptr && !item.isAttached; }

/// Groups that `fits` joins, directly or through others.
template <class Fits>
std::vector<Items> groupsOf(const Items& items, Fits fits) {
  std::vector<std::size_t> group(items.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (group[i] == group[j] || !fits(*items[i], *items[j])) continue;
      const std::size_t from = group[i];
      for (std::size_t& g : group) if (g == from) g = group[j];
    }
  }
  std::vector<Items> groups;
  for (std::size_t g = 0; g < items.size(); ++g) {
    Items members;
    for (std::size_t i = 0; i < items.size(); ++i) if (group[i] == g) members.push_back(items[i]);
    if (!members.empty()) groups.push_back(members);
  }
  return groups;
}

struct Fit {
  int recorded = 0;   ///< 2: the id itself, 1: of its payment, or of a row that it replaced
  bool job = false, key = false, time = false, amount = false;
  [[nodiscard]] std::vector<int> strong() const { return {recorded, job, key}; }
  [[nodiscard]] std::vector<int> all() const { return {recorded, job, key, time, amount}; }
};

bool isPlausible(const Effect& effect, const Attempt& attempt, const Policy& policy) {
  const Duration skew = policy.clockSkew;
  return effect.created >= startOf(attempt) - skew &&
         effect.created <= endOf(attempt, policy) + lagOf(policy) + skew;
}

/// Whether the text's "plausible time" is that of one run, or of the whole span of a part, it does not say.
struct Span {
  std::optional<Instant> first, last;
  void add(Instant from, Instant to) {
    first = std::min(first.value_or(from), from);
    last = std::max(last.value_or(to), to);
  }
};

bool isOfPayment(const Item& effect, const Item& other) {
  return effect.effect != nullptr && same(effect.effect->parentId, other.head->effectId);
}

std::optional<Fit> fitOf(const Item& item, const Items& part, const Policy& policy) {
  Fit fit;
  Span span;
  for (const Item* member : part) {
    if (member->isAttached || member == &item) continue;
    const bool isRelated = same(member->recorded, item.recorded) || isOfPayment(item, *member) || isOfPayment(*member, item);
    if (same(member->head->effectId, item.head->effectId)) fit.recorded = 2;
    else if (isRelated) fit.recorded = std::max(fit.recorded, item.isLocal() && member->effect != nullptr ? 2 : 1);
    const bool oneSource = member->isLocal() && item.isLocal() && member->head->place.source == item.head->place.source;
    if (oneSource && same(member->head->jobId, item.head->jobId)) fit.job = true;
    if (same(member->head->key, item.head->key)) fit.key = true;
    if (!member->isLocal() || item.effect == nullptr) continue;
    if (item.head->amount && item.head->amount == member->head->amount) fit.amount = true;
    if (member->attempt == nullptr) return {};
    if (isPlausible(*item.effect, *member->attempt, policy)) fit.time = true;
    span.add(startOf(*member->attempt), endOf(*member->attempt, policy));
  }
  const Duration skew = policy.clockSkew;
  const bool isInSpan = span.first && item.effect->created >= *span.first - skew &&
                        item.effect->created <= *span.last + lagOf(policy) + skew;
  if (item.effect != nullptr && isInSpan != fit.time) return {};
  return fit;
}

/// The only best part; nothing where it takes "fewest effects" or "nearest time", which depend on the order.
std::optional<std::size_t> bestFit(const Item& item, const std::vector<Part>& parts, const Policy& policy) {
  std::vector<std::size_t> best;
  std::vector<int> bestFit;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto fit = fitOf(item, parts[i].items, policy);
    if (!fit) return {};
    const std::vector<int> value = item.effect != nullptr ? fit->all() : fit->strong();
    if (best.empty() || value > bestFit) {
      best = {i};
      bestFit = value;
    } else if (value == bestFit) {
      best.push_back(i);
    }
  }
  return best.size() == 1 ? std::optional(best.front()) : std::nullopt;
}

/// What carries no mark goes where it fits best; a reversal to its charge. The parts are taken as they
/// are by their marks: an unmarked record does not draw others.
bool placeUnmarked(const Items& unmarked, std::vector<Part>& parts, const std::vector<Lowering>& lowerings,
                   const Policy& policy) {
  if (unmarked.empty()) return true;
  if (parts.size() == 1) {
    parts[0].items.insert(parts[0].items.end(), unmarked.begin(), unmarked.end());
    return true;
  }
  const std::vector<Part> marked = parts;
  std::map<const Item*, std::size_t> placed;
  for (const Item* item : unmarked) {
    if (item->isAttached) continue;
    const auto at = bestFit(*item, marked, policy);
    if (!at) return false;
    placed[item] = *at;
  }
  for (const auto& [item, at] : placed) parts[at].items.push_back(item);
  // Whether one that found its place draws the next, the text does not say.
  for (const auto& [item, at] : placed) {
    for (const auto& [other, itsPart] : placed) {
      std::vector<Part> grown = marked;
      if (other != item) grown[itsPart].items.push_back(other);
      if (bestFit(*item, grown, policy) != at) return false;
    }
  }
  for (const Item* item : unmarked) {
    if (!item->isAttached) continue;
    const auto own = std::find_if(lowerings.begin(), lowerings.end(), [&](const Lowering& l) { return l.by == item->effect; });
    if (own == lowerings.end() || own->parent.empty()) return false;
    for (Part& part : parts) {
      const bool holds = std::any_of(part.items.begin(), part.items.end(), [&](const Item* member) {
        return isForward(*member) && member->head->effectId == own->parent;
      });
      if (holds) part.items.push_back(item);
    }
  }
  return true;
}

std::optional<std::vector<Part>> byReference(const Items& items, const std::vector<Lowering>& lowerings,
                                             const Policy& policy) {
  std::map<std::string, Part> marked;
  Items unmarked;
  for (const Item* item : items) {
    if (item->isAttached || item->head->opRef.empty()) unmarked.push_back(item);
    else marked[item->head->opRef].items.push_back(item);
  }
  if (marked.size() < 2) return std::vector<Part>{Part{items, false, false}};
  std::vector<Part> parts;
  for (auto& [opRef, part] : marked) parts.push_back(part);
  if (!placeUnmarked(unmarked, parts, lowerings, policy)) return {};
  return parts;
}

/// Two payloads are two operations only where amount, currency and destination do not agree and neither an
/// order nor a job joins them.
bool arePayloadsJoined(const Item& a, const Item& b) {
  if (a.head->fingerprint == b.head->fingerprint) return true;
  if (same(a.head->opRef, b.head->opRef)) return true;
  if (same(a.head->jobId, b.head->jobId)) return true;
  return a.head->amount && a.head->amount == b.head->amount && a.head->customer == b.head->customer;
}

std::optional<std::vector<Part>> byFingerprint(const Part& whole, const std::vector<Lowering>& lowerings,
                                               const Policy& policy) {
  Items marked;
  Items unmarked;
  for (const Item* item : whole.items) {
    const bool hasPayload = item->attempt != nullptr && !item->head->fingerprint.empty();
    (hasPayload ? marked : unmarked).push_back(item);
  }
  const std::vector<Items> groups = groupsOf(marked, arePayloadsJoined);
  if (groups.size() < 2) return std::vector<Part>{whole};
  std::vector<Part> parts;
  for (const Items& group : groups) parts.push_back({group, false, false});
  if (!placeUnmarked(unmarked, parts, lowerings, policy)) return {};
  return parts;
}

/// A deposit and the rest: keys of one order with their own jobs, successes and amounts.
struct KeyOfOrder {
  std::set<std::string> jobs;
  std::set<Money> amounts;
  bool hasOwnEffect = false;
};

std::map<std::string, KeyOfOrder> keysWithSuccess(const Items& items) {
  std::map<std::string, KeyOfOrder> keys;
  for (const Item* item : items) {
    if (!isSuccess(*item) || item->head->key.empty()) continue;
    KeyOfOrder& key = keys[item->head->key];
    key.jobs.insert(item->head->jobId);
    if (item->head->amount) key.amounts.insert(*item->head->amount);
  }
  for (auto& [text, key] : keys) {
    for (const Item* item : items) {
      if (item->attempt != nullptr && item->head->key == text && !item->head->jobId.empty()) key.jobs.insert(item->head->jobId);
      const bool counts = isForward(*item) && item->effect->status != EffectStatus::Failed && item->head->amount;
      if (counts && item->head->key == text && key.amounts.contains(*item->head->amount)) key.hasOwnEffect = true;
    }
  }
  return keys;
}

bool hasRecorded(const Items& items) {
  return std::any_of(items.begin(), items.end(),
                     [](const Item* item) { return item->attempt != nullptr && !item->head->effectId.empty(); });
}

/// Nothing: more than two keys, records without a key, or effects tied by something else than a key; the
/// plain case of two keys is what the text describes.
std::optional<std::vector<Part>> byDeposit(const Part& whole, const Policy& policy) {
  const auto keys = keysWithSuccess(whole.items);
  std::set<std::string> allKeys;
  bool hasKeyless = false;
  bool hasReference = false;
  for (const Item* item : whole.items) {
    if (!item->head->opRef.empty()) hasReference = true;
    if (item->head->key.empty()) hasKeyless = true;
    else allKeys.insert(item->head->key);
  }
  const Operation& operation = policy.operation(OperationId{static_cast<std::int16_t>(whole.items[0]->operation)});
  if (keys.size() < 2 || !hasReference || operation.expect == Expect::Split) return std::vector<Part>{whole};
  if (keys.size() > 2 || allKeys.size() > 2 || hasKeyless || hasRecorded(whole.items)) return {};
  const KeyOfOrder& a = keys.begin()->second;
  const KeyOfOrder& b = keys.rbegin()->second;
  if (a.amounts.size() != 1 || b.amounts.size() != 1) return {};
  if (a.jobs.begin()->empty() || b.jobs.begin()->empty()) return {};
  const bool shareJob = std::any_of(a.jobs.begin(), a.jobs.end(), [&](const std::string& job) { return b.jobs.contains(job); });
  const bool areTwo = !shareJob && a.amounts != b.amounts && (a.hasOwnEffect || b.hasOwnEffect);
  if (!areTwo) return std::vector<Part>{whole};
  std::vector<Part> parts(2);
  for (const Item* item : whole.items) {
    if (item->isAttached) return {};
    parts[item->head->key == keys.begin()->first ? 0 : 1].items.push_back(item);
  }
  for (Part& part : parts) part.hasSameReference = true;
  return parts;
}

/// A skip whose known amount differs from everything done, without a second tie.
std::optional<std::vector<Part>> withoutLoneSkips(const Part& whole) {
  Part rest = whole;
  rest.items.clear();
  Items lone;
  for (const Item* item : whole.items) {
    if (item->skip == nullptr || !item->head->amount) {
      rest.items.push_back(item);
      continue;
    }
    bool isUnknown = false;
    bool isAnything = false;
    bool isEqual = false;
    bool isTied = false;
    for (const Item* done : whole.items) {
      if (done->isAttached) continue;
      if (done->skip == nullptr && same(done->head->opRef, item->head->opRef)) isTied = true;
      // An order's amount counts: what was to be done is not "something else".
      if (done->attempt == nullptr && done->intent == nullptr && !isForward(*done)) continue;
      isAnything = true;
      if (!done->head->amount) isUnknown = true;
      if (done->head->amount == item->head->amount) isEqual = true;
    }
    if (!isAnything || isEqual || isTied) {
      rest.items.push_back(item);
      continue;
    }
    if (isUnknown) return {};
    lone.push_back(item);
  }
  if (lone.size() > 1) return {};
  std::vector<Part> parts = {rest};
  for (const Item* skip : lone) parts.push_back({{skip}, false, true});
  return parts;
}

}  // namespace

std::optional<std::vector<Part>> splitByTheText(const std::vector<const Item*>& items,
                                                const std::vector<Lowering>& lowerings, const Policy& policy) {
  std::vector<Part> parts;
  const auto orders = byReference(items, lowerings, policy);
  if (!orders) return {};
  for (const Part& order : *orders) {
    const auto payloads = byFingerprint(order, lowerings, policy);
    if (!payloads) return {};
    for (const Part& payload : *payloads) {
      const auto deposits = byDeposit(payload, policy);
      if (!deposits) return {};
      for (const Part& deposit : *deposits) {
        const auto skips = withoutLoneSkips(deposit);
        if (!skips) return {};
        parts.insert(parts.end(), skips->begin(), skips->end());
      }
    }
  }
  return parts;
}

}  // namespace counterfoil::testing::reference
