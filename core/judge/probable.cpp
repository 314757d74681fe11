// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/probable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/judge/clock.h"
#include "core/judge/nodes.h"
#include "core/judge/stakes.h"

namespace counterfoil::judging {

namespace {

/// From each unit at most so many later ones are compared.
constexpr std::size_t kCompared = 32;

struct Entry {
  Unit* unit = nullptr;
  const Effect* effect = nullptr;
  bool isMatched = false;
};

const Effect* liveEffect(const Unit& unit) {
  const Effect* live = nullptr;
  for (const Effect& effect : unit.records.effects) {
    const bool counts = (effect.kind == EffectKind::Forward || effect.kind == EffectKind::Reversal) &&
                        effect.status == EffectStatus::Live;
    if (counts && live == nullptr) live = &effect;
  }
  return live;
}

std::string_view destinationOf(const Entry& entry) {
  if (!entry.effect->customer.empty()) return entry.effect->customer;
  for (const Attempt& attempt : entry.unit->records.attempts) {
    if (!attempt.customer.empty()) return attempt.customer;
  }
  return {};
}

bool haveDifferentKeys(const Unit& a, const Unit& b) { return a.key != b.key || a.key.empty(); }

bool haveConflictingReferences(const Unit& a, const Unit& b) {
  return !a.opRef.empty() && !b.opRef.empty() && a.opRef != b.opRef;
}

/// An attempt of the matched unit that failed or was lost and has no effect of its own explains the
/// other unit's effect.
bool explainsAsAttempt(const Unit& matched, const Effect& stray, const JudgeContext& context) {
  const Operation& operation = context.policy.operation(matched.operation);
  return std::any_of(
      matched.records.attempts.begin(), matched.records.attempts.end(), [&](const Attempt& attempt) {
        const bool leftNothing = attempt.status == AttemptStatus::FailedFinal ||
                                 attempt.status == AttemptStatus::Lost ||
                                 attempt.status == AttemptStatus::Unknown;
        const bool hasOwn =
            std::any_of(matched.records.effects.begin(), matched.records.effects.end(),
                        [&](const Effect& effect) {
                          return !attempt.effectId.empty() && effect.effectId == attempt.effectId;
                        });
        const Duration skew = context.policy.clockSkew;
        const Instant from = startOf(attempt) - skew;
        const Instant to =
            endOf(attempt, operation) + statementLagOf(stray, context.policy) + skew;
        return leftNothing && !hasOwn && from <= stray.created && stray.created <= to;
      });
}

std::string nameOf(const Entry& entry) {
  return entry.effect->effectId.empty() ? entry.unit->id : entry.effect->effectId;
}

class Finder {
 public:
  explicit Finder(const JudgeContext& context) : m_context(context) {}

  void run(const std::vector<Unit*>& units) {
    using Likeness = std::tuple<OperationId, std::string, Money, std::string_view>;
    std::map<Likeness, std::vector<Entry>> alike;
    for (Unit* unit : units) {
      const bool isAsked =
          m_context.policy.operation(unit->operation).probableDuplicateWithin.has_value();
      const bool isMatched =
          unit->unitClass == Class::Matched || unit->unitClass == Class::MatchedTolerance;
      if (!isAsked || (!isMatched && unit->unitClass != Class::UnrecordedEffect)) continue;
      const Entry entry{unit, liveEffect(*unit), isMatched};
      if (entry.effect == nullptr || !entry.effect->amount) continue;
      const std::string_view destination = destinationOf(entry);
      if (destination.empty()) continue;
      alike[{unit->operation, unit->scope, *entry.effect->amount, destination}].push_back(entry);
    }
    std::vector<std::pair<Entry, Entry>> pairs;
    for (auto& [likeness, entries] : alike) collect(entries, pairs);
    for (const auto& [a, b] : pairs) {
      mark(a, b);
      mark(b, a);
    }
  }

 private:
  void collect(std::vector<Entry>& entries, std::vector<std::pair<Entry, Entry>>& pairs) const {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.effect->created, a.unit->id) < std::tie(b.effect->created, b.unit->id);
    });
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::size_t end = std::min(entries.size(), i + 1 + kCompared);
      for (std::size_t j = i + 1; j < end; ++j) {
        if (areAlike(entries[i], entries[j])) pairs.emplace_back(entries[i], entries[j]);
      }
    }
  }

  bool areAlike(const Entry& a, const Entry& b) const {
    if (!haveDifferentKeys(*a.unit, *b.unit) || haveConflictingReferences(*a.unit, *b.unit)) {
      return false;
    }
    if (a.isMatched && b.isMatched) {
      const Duration within =
          *m_context.policy.operation(a.unit->operation).probableDuplicateWithin;
      return b.effect->created - a.effect->created <= within;
    }
    if (a.isMatched) return explainsAsAttempt(*a.unit, *b.effect, m_context);
    return b.isMatched && explainsAsAttempt(*b.unit, *a.effect, m_context);
  }

  void mark(const Entry& entry, const Entry& other) const {
    Unit& unit = *entry.unit;
    if (unit.unitClass != Class::ProbableDuplicate) {
      unit.unitClass = Class::ProbableDuplicate;
      unit.exposure = {*entry.effect->amount};
      unit.severity = severityOf(unit, m_context);
      const Duration apart = other.effect->created > entry.effect->created
                                 ? other.effect->created - entry.effect->created
                                 : entry.effect->created - other.effect->created;
      unit.reason = fmt::format(
          "{} to the same destination twice under different keys, {} apart, and nothing says that "
          "they are different orders; the other one is {}.",
          formatForPeople(*entry.effect->amount), formatDuration(apart), nameOf(other));
    }
    unit.raise(Flag::SuggestedMatch);
    const std::string name = nameOf(other);
    const auto at = std::lower_bound(unit.candidates.begin(), unit.candidates.end(), name);
    if (at != unit.candidates.end() && *at == name) return;
    if (unit.candidates.size() >= m_context.policy.thresholds.maxCandidates) ++unit.moreCandidates;
    else unit.candidates.insert(at, name);
  }

  const JudgeContext& m_context;
};

}  // namespace

void findProbableDuplicates(const std::vector<Unit*>& units, const JudgeContext& context) {
  const bool isAsked = std::any_of(
      context.policy.operations.begin(), context.policy.operations.end(),
      [](const Operation& operation) { return operation.probableDuplicateWithin.has_value(); });
  if (isAsked) Finder(context).run(units);
}

}  // namespace counterfoil::judging
