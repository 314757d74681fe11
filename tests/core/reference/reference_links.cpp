// SPDX-License-Identifier: GPL-3.0-or-later
// classes.md §1 and §3: what was read twice, which records are a case, where reversals go.
#include <algorithm>

#include "tests/core/reference/items.h"

namespace counterfoil::testing::reference {

namespace {

/// A replaced row -> the id that took its place.
using Aliases = std::map<const Effect*, std::string>;

std::string scopeText(const RecordHead& head) {
  return head.account + (head.live == Live::Test ? "/test" : "");
}

/// On a tie of the rows' times: final before pending, live before failed.
int rankOf(EffectStatus status) {
  if (status == EffectStatus::Live) return 2;
  return status == EffectStatus::Failed ? 1 : 0;
}

std::vector<const Effect*> withoutRepeats(const std::vector<Effect>& effects) {
  std::map<std::string, const Effect*> newest;
  for (const Effect& effect : effects) {
    const Effect*& held = newest[nameOf(effect) + "|" + scopeText(effect)];
    const bool isNewer = held == nullptr || held->created < effect.created ||
                         (held->created == effect.created && rankOf(held->status) < rankOf(effect.status));
    if (isNewer) held = &effect;
  }
  std::vector<const Effect*> kept;
  for (const auto& [name, effect] : newest) kept.push_back(effect);
  return kept;
}

/// `later` is the capture of the authorisation `earlier`, or the posted row of the pending one.
bool takesThePlaceOf(const Effect& later, const Effect& earlier) {
  if (&later == &earlier || earlier.status != EffectStatus::Pending) return false;
  if (later.kind != EffectKind::Forward || earlier.kind != EffectKind::Forward) return false;
  if (scopeText(later) != scopeText(earlier)) return false;
  if (later.replaces == earlier.effectId && !later.replaces.empty()) return true;
  const bool isCapture = !later.parentId.empty() &&
                         (later.parentId == earlier.parentId || later.parentId == earlier.effectId);
  // More than was held is no capture of it, but an effect beside one that still waits.
  const bool fits = !later.amount || !earlier.amount ||
                    (later.amount->currency == earlier.amount->currency && later.amount->minor <= earlier.amount->minor);
  return isCapture && fits && later.status == EffectStatus::Live && earlier.created <= later.created;
}

std::vector<const Effect*> withoutReplaced(const std::vector<const Effect*>& effects, Aliases& aliases) {
  std::vector<const Effect*> kept;
  for (const Effect* earlier : effects) {
    const auto later = std::find_if(effects.begin(), effects.end(),
                                    [&](const Effect* e) { return takesThePlaceOf(*e, *earlier); });
    if (later == effects.end()) kept.push_back(earlier);
    else aliases[earlier] = (*later)->effectId;
  }
  return kept;
}

std::string follow(std::string id, const RecordHead& of, const Aliases& aliases) {
  for (std::size_t steps = 0; steps <= aliases.size(); ++steps) {
    const auto at = std::find_if(aliases.begin(), aliases.end(), [&](const auto& alias) {
      const Effect& replaced = *alias.first;
      const bool fits = of.account.empty() || of.account == replaced.account;
      return replaced.effectId == id && fits && (of.live == Live::Test) == (replaced.live == Live::Test);
    });
    if (at == aliases.end()) return id;
    id = at->second;
  }
  return id;
}

std::vector<Item> itemsOf(const Records& records, const std::vector<const Effect*>& effects) {
  std::vector<Item> items;
  const auto take = [&](RecordKind kind, const auto& list, auto member) {
    for (const auto& record : list) {
      Item item;
      item.kind = kind;
      item.head = &record;
      item.*member = &record;
      item.operation = record.operation.value;
      item.name = nameOf(kind, record);
      items.push_back(item);
    }
  };
  take(RecordKind::Attempt, records.attempts, &Item::attempt);
  take(RecordKind::Skip, records.skips, &Item::skip);
  take(RecordKind::Claim, records.claims, &Item::claim);
  take(RecordKind::ProcessedEvent, records.processedEvents, &Item::event);
  take(RecordKind::Intent, records.intents, &Item::intent);
  take(RecordKind::Outbox, records.outbox, &Item::outbox);
  take(RecordKind::DeadLetter, records.deadLetters, &Item::letter);
  for (const Effect* effect : effects) {
    Item item;
    item.kind = RecordKind::Effect;
    item.head = effect;
    item.effect = effect;
    item.name = nameOf(*effect);
    items.push_back(item);
  }
  return items;
}

/// A blank account fits any, between our records and the provider's; test rows never meet live ones.
bool scopesFit(const Item& a, const Item& b) {
  if ((a.head->live == Live::Test) != (b.head->live == Live::Test)) return false;
  if (a.head->account == b.head->account) return true;
  return a.isLocal() != b.isLocal() && (a.head->account.empty() || b.head->account.empty());
}

bool same(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

/// An attempt recorded the effect (or the payment it is a capture of), or two attempts recorded the same one.
bool recordsIt(const Item& a, const Item& other) {
  const bool isForward = other.effect != nullptr && other.effect->kind == EffectKind::Forward;
  if (a.attempt != nullptr && isForward && same(a.head->effectId, other.effect->parentId)) return true;
  return a.attempt != nullptr && (other.effect != nullptr || other.attempt != nullptr) &&
         same(a.recorded, other.recorded);
}

std::string outboxId(const Item& item) {
  return item.outbox ? item.outbox->id : item.event ? item.event->id : std::string();
}

/// Links 1 to 4 of §3.
bool areLinked(const Item& a, const Item& b) {
  if (a.operation != b.operation || !scopesFit(a, b)) return false;
  if (recordsIt(a, b) || recordsIt(b, a)) return true;
  if (same(a.head->key, b.head->key) || same(a.head->opRef, b.head->opRef)) return true;
  if (!a.isLocal() || !b.isLocal() || a.head->place.source != b.head->place.source) return false;
  return same(a.head->jobId, b.head->jobId) || same(a.head->messageId, b.head->messageId) ||
         same(outboxId(a), outboxId(b));
}

bool isRefundOperation(const Policy& policy, int index) {
  return policy.operations[static_cast<std::size_t>(index)].effect == OperationEffect::Reversal;
}

/// Records that name no operation: the first of the configuration that has the key, else the first.
void giveOperations(std::vector<Item>& items, const Policy& policy) {
  for (Item& item : items) {
    if (!item.isLocal() || item.operation >= 0) continue;
    int first = 0;
    for (int index = static_cast<int>(policy.operations.size()) - 1; index >= 0; --index) {
      const bool hasKey = std::any_of(items.begin(), items.end(), [&](const Item& other) {
        return other.isLocal() && other.operation == index && same(other.head->key, item.head->key) &&
               scopesFit(item, other);
      });
      if (hasKey) first = index;
    }
    item.operation = first;
  }
}

int refundOperation(const Policy& policy) {
  for (std::size_t i = 0; i < policy.operations.size(); ++i) {
    if (isRefundOperation(policy, static_cast<int>(i))) return static_cast<int>(i);
  }
  return -1;
}

/// Refund rows that our refunds name are effects of the refund operation; others hang on a charge.
void sortReversals(std::vector<Item>& items, const Policy& policy) {
  const int refunds = refundOperation(policy);
  for (Item& item : items) {
    if (item.isLocal() || item.effect->kind == EffectKind::Forward) continue;
    item.isAttached = true;
    if (refunds < 0 || item.effect->kind != EffectKind::Reversal) continue;
    item.operation = refunds;
    const bool isOurs = std::any_of(items.begin(), items.end(), [&](const Item& local) {
      return local.isLocal() && local.operation == refunds && areLinked(local, item);
    });
    if (isOurs) item.isAttached = false;
    else item.operation = 0;
  }
}

void join(std::vector<Item>& items, int from, int to) {
  for (Item& item : items) {
    if (item.caseNumber == from) item.caseNumber = to;
  }
}

void linkAll(std::vector<Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) items[i].caseNumber = static_cast<int>(i);
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (items[i].isAttached || items[j].isAttached || items[i].caseNumber == items[j].caseNumber) continue;
      if (areLinked(items[i], items[j])) join(items, items[i].caseNumber, items[j].caseNumber);
    }
  }
}

/// The charge that a reversal lowers: its parent id, else its key, else its op_ref. A case without any
/// charge has nothing to lower and is no unit of it.
Lowering chargeOf(const Item& reversal, LinkedNight& night, const Aliases& aliases) {
  const std::vector<Item>& items = night.items;
  Lowering lowering;
  lowering.by = reversal.effect;
  const auto find = [&](auto fits) {
    std::set<int> found;
    if (lowering.caseNumber >= 0) return;
    for (const Item& item : items) {
      const bool isCharge = item.operation == 0 && !item.isAttached &&
                            std::any_of(items.begin(), items.end(), [&](const Item& other) {
                              return other.caseNumber == item.caseNumber && !other.isLocal() &&
                                     !other.isAttached && scopesFit(other, reversal);
                            });
      if (isCharge && scopesFit(item, reversal) && fits(item)) found.insert(item.caseNumber);
    }
    if (!found.empty()) lowering.caseNumber = *found.begin();
    if (found.size() > 1) night.openCases.insert(found.begin(), found.end());
  };
  const std::string parent = follow(reversal.effect->parentId, *reversal.head, aliases);
  find([&](const Item& item) { return !item.isLocal() && same(item.head->effectId, parent); });
  if (lowering.caseNumber >= 0) lowering.parent = parent;
  find([&](const Item& item) { return same(item.head->key, reversal.head->key); });
  find([&](const Item& item) { return same(item.head->opRef, reversal.head->opRef); });
  return lowering;
}

void setOurs(Lowering& lowering, const Item& reversal, const std::vector<Item>& items) {
  if (reversal.isAttached) return;
  lowering.isOursOpen = true;
  for (const Item& item : items) {
    const bool isSuccess = item.attempt != nullptr && item.attempt->status == AttemptStatus::Succeeded;
    if (item.caseNumber == reversal.caseNumber && isSuccess) lowering.isOurs = true;
  }
  if (lowering.isOurs) lowering.isOursOpen = false;
}

/// Rows without a unit: one each. Whether two that share a value are one, the text does not say.
void settleStrays(LinkedNight& night, const std::vector<std::size_t>& strays, const Policy& policy) {
  const int refunds = refundOperation(policy);
  for (std::size_t i : strays) {
    Item& stray = night.items[i];
    if (refunds >= 0 && stray.effect->kind == EffectKind::Reversal) stray.operation = refunds;
    for (std::size_t j : strays) {
      const Item& other = night.items[j];
      const bool share = same(stray.head->key, other.head->key) || same(stray.head->opRef, other.head->opRef) ||
                         same(stray.effect->parentId, other.effect->parentId);
      if (i == j || !share) continue;
      join(night.items, stray.caseNumber, other.caseNumber);
      night.openCases.insert(other.caseNumber);
    }
  }
}

}  // namespace

LinkedNight linkByTheText(const Records& records, const Policy& policy) {
  LinkedNight night;
  Aliases aliases;
  night.items = itemsOf(records, withoutReplaced(withoutRepeats(records.effects), aliases));
  for (Item& item : night.items) item.recorded = follow(item.head->effectId, *item.head, aliases);
  giveOperations(night.items, policy);
  sortReversals(night.items, policy);
  linkAll(night.items);
  std::vector<std::size_t> strays;
  for (std::size_t i = 0; i < night.items.size(); ++i) {
    Item& item = night.items[i];
    if (item.isLocal() || item.effect->kind == EffectKind::Forward) continue;
    Lowering lowering = chargeOf(item, night, aliases);
    setOurs(lowering, item, night.items);
    if (lowering.caseNumber >= 0) night.lowerings.push_back(lowering);
    if (!item.isAttached) continue;
    if (lowering.caseNumber >= 0) item.caseNumber = lowering.caseNumber;
    else strays.push_back(i);
  }
  settleStrays(night, strays, policy);
  return night;
}

}  // namespace counterfoil::testing::reference
