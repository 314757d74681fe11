// SPDX-License-Identifier: GPL-3.0-or-later
// classes.md §4 from top to bottom.
#include "tests/core/reference/reference_judge.h"

#include <algorithm>

#include "tests/core/reference/facts.h"

namespace counterfoil::testing::reference {

namespace {

using Answer = std::optional<Class>;
constexpr std::nullopt_t kOpen = std::nullopt;   ///< the text leaves it open

bool same(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

class Judging {
 public:
  Judging(const Part& part, const std::vector<Part>& parts, const std::vector<Lowering>& lowerings,
          const Policy& policy, const Window& window, Instant now)
      : m_part(part), m_policy(policy), m_window(window), m_now(now), m_facts(factsOf(part, parts, lowerings, policy, now)),
        m_operation(policy.operation(OperationId{static_cast<std::int16_t>(part.items[0]->operation)})),
        m_isAlone(parts.size() == 1) {
    for (const Part& other : parts) lookAt(other, parts, lowerings);
  }

  Opinion opinion() {
    Opinion opinion;
    opinion.unitClass = decide(opinion);
    addFlags(opinion);
    if (!opinion.unitClass) return opinion;
    opinion.why = whyOf(*opinion.unitClass);
    opinion.exposure = exposureOf(*opinion.unitClass);
    for (const Item* item : m_part.items) {
      if (item->skip != nullptr) addSkip(*item, opinion);
      if (item->letter != nullptr) addLetter(*item, opinion);
    }
    return opinion;
  }

 private:
  void lookAt(const Part& other, const std::vector<Part>& parts, const std::vector<Lowering>& lowerings) {
    if (&other == &m_part) return;
    bool sharesKey = false;
    for (const Item* mine : m_part.items) {
      for (const Item* item : other.items) sharesKey = sharesKey || same(mine->head->key, item->head->key);
    }
    if (!sharesKey) return;
    const Facts facts = factsOf(other, parts, lowerings, m_policy, m_now);
    if (!facts.live.empty() || !facts.pending.empty() || !facts.gone.empty() || facts.local == LocalSummary::Succeeded) m_otherActs = true;
    if (!facts.hasNone()) m_keyHasEffect = true;
  }

  // --- Clock (§2)
  [[nodiscard]] bool isReached() const { return m_facts.due && *m_facts.due <= m_now; }
  [[nodiscard]] bool isCovered() const {
    const Instant from = *m_facts.earliest - (m_window.isProviderDeclared ? Duration{0} : m_policy.clockSkew);
    return *m_facts.due <= m_window.provider.to && from >= m_window.provider.from;
  }
  [[nodiscard]] bool isDue() const { return isReached() && isCovered(); }
  [[nodiscard]] Answer waitingOr(Class judged) const {
    if (!isReached()) return Class::Expected;
    return isCovered() ? judged : Class::OutOfWindow;
  }
  [[nodiscard]] bool isInLocalCoverage(Instant at) const {
    const Instant from = at - (m_window.isLocalDeclared ? Duration{0} : m_policy.clockSkew);
    return from >= m_window.local.from && at + m_policy.clockSkew <= m_window.local.to;
  }
  [[nodiscard]] bool isOldEnough(Instant at) const { return at < m_now - lagOf(m_policy) - m_policy.clockSkew; }
  [[nodiscard]] bool isSurelyUnrecorded(const Effect& effect) const {
    return isInLocalCoverage(effect.created) && isOldEnough(effect.created);
  }
  /// One live or pending effect is enough.
  [[nodiscard]] Answer unrecorded(const Facts& f) const {
    bool isSure = false;
    for (const Charge& charge : f.live) isSure = isSure || isSurelyUnrecorded(*charge.effect);
    for (const Effect* effect : f.pending) isSure = isSure || isSurelyUnrecorded(*effect);
    return isSure ? Class::UnrecordedEffect : Class::OutOfWindow;
  }

  // --- Decision list
  Answer decide(Opinion& opinion) {
    const Facts& f = m_facts;
    if (f.isOpen) return kOpen;
    if (f.hasStray) return stray();
    if (m_operation.expect == Expect::Split) return split();
    if (f.live.size() >= 2) return Class::DuplicateEffect;
    if (f.live.size() + f.gone.size() < 2) return plain(f);
    if (f.live.empty()) {
      if (!f.pending.empty()) return kOpen;
      opinion.flags.insert(Flag::NetZero);
      return Class::DuplicateReversed;
    }
    Facts rest = f;
    rest.gone.clear();
    const Answer ofRest = plain(rest);
    if (!ofRest || groupOf(*ofRest) == ClassGroup::Closed) return ofRest ? Answer(Class::DuplicateReversed) : kOpen;
    opinion.flags.insert(Flag::DuplicateReversed);
    return ofRest;
  }

  [[nodiscard]] Answer stray() const {
    const Effect& effect = *m_part.items[0]->effect;
    const bool isRefund = effect.kind == EffectKind::Reversal;
    const bool hasRefunds = std::any_of(m_policy.operations.begin(), m_policy.operations.end(),
                                        [](const Operation& o) { return o.effect == OperationEffect::Reversal; });
    if (!isRefund || !hasRefunds) return effect.status == EffectStatus::Live ? Answer(Class::OutOfWindow) : kOpen;
    if (effect.status == EffectStatus::Failed) return Class::MatchedFailure;
    return isSurelyUnrecorded(effect) ? Class::UnrecordedEffect : Class::OutOfWindow;
  }

  [[nodiscard]] Answer split() const {
    const Facts& f = m_facts;
    if (f.live.empty() && f.gone.empty()) return plain(f);
    if (f.local != LocalSummary::Succeeded || f.isReversed || f.isDisputed || !f.expected) return kOpen;
    if (f.isExpectedOpen || !f.pending.empty() || f.hasCancelledOnly) return kOpen;
    std::int64_t sum = 0;
    for (const Charge& charge : f.live) {
      if (!charge.effect->amount || charge.effect->amount->currency != f.expected->currency) return kOpen;
      sum += charge.effect->amount->minor;
    }
    const std::int64_t excess = sum - f.expected->minor;
    const auto times = std::count_if(f.live.begin(), f.live.end(), [&](const Charge& charge) {
      return excess != 0 && charge.effect->amount->minor == excess;
    });
    if (times >= 2) return Class::DuplicateEffect;
    if (excess == 0) return Class::Matched;
    if (std::abs(excess) <= m_operation.tolerance.allowed(*f.expected)) return Class::MatchedTolerance;
    return excess > 0 ? Answer(Class::SplitMismatch) : waitingOr(Class::SplitMismatch);
  }

  /// At most one live effect.
  [[nodiscard]] Answer plain(const Facts& f) const {
    const bool relied = !f.skips.empty() || f.hasCompletedClaim;
    if (f.local == LocalSummary::KeptOut && f.hasNone() && m_otherActs && !f.skips.empty()) {
      if (f.hasRunningClaim && !isDue()) return keptOut(f);
      return waitingOr(Class::SuppressedWork);
    }
    if (f.local == LocalSummary::KeptOut && f.hasNone()) return keptOut(f);
    const bool willRun = !f.letters.empty() || f.hasRetryPending;
    const bool isLost = relied && f.hasNone() && !willRun && f.successes == 0;
    // Under a key that is too coarse another operation's effect says nothing of this one's work.
    if (isLost && (f.local == LocalSummary::Succeeded || m_keyHasEffect)) return kOpen;
    // The table puts "in flight" before it: what may still run is not lost.
    const bool isOver = f.local == LocalSummary::Failed || (f.local == LocalSummary::Open && *f.runsUntil < m_now);
    if (isLost && f.local == LocalSummary::Open && *f.runsUntil == m_now) return kOpen;
    if (isLost && isOver && isDue()) return Class::LostAfterClaim;
    if (!f.gone.empty() && !f.pending.empty()) return kOpen;
    switch (f.local) {
      case LocalSummary::Failed: return failed(f);
      case LocalSummary::Open: return open(f);
      case LocalSummary::Succeeded: return succeeded(f);
      case LocalSummary::Backlog: return backlog(f);
      case LocalSummary::KeptOut: return kept(f);
      case LocalSummary::Nothing: return nothing(f);
    }
    return kOpen;
  }

  [[nodiscard]] Answer failed(const Facts& f) const {
    if (!f.live.empty() || !f.pending.empty()) return Class::EffectDespiteFailure;
    if (!f.gone.empty()) return Class::MatchedCompensated;
    return !f.letters.empty() || f.hasOpenIntent ? Class::Unfulfilled : Class::MatchedFailure;
  }

  [[nodiscard]] Answer open(const Facts& f) const {
    const bool isOlder = f.runsUntil && *f.runsUntil < m_now;
    if (!f.runsUntil || *f.runsUntil == m_now) return kOpen;
    if (!f.live.empty()) return isOlder ? Class::UnacknowledgedEffect : Class::InFlight;
    if (!isOlder || !isReached()) return f.gone.empty() ? Answer(Class::InFlight) : kOpen;
    if (!f.gone.empty()) return Class::MatchedCompensated;
    if (isCovered()) return Class::StalledAttempt;
    return f.hasNone() ? Answer(Class::OutOfWindow) : kOpen;
  }

  [[nodiscard]] Answer succeeded(const Facts& f) const {
    if (!f.live.empty()) return compare(f, f.live[0], true);
    if (!f.gone.empty()) return compare(f, f.gone[0], true);
    if (!f.pending.empty()) return pendingOnly(f);
    if (!f.failed.empty()) return allFailed(f);
    if (f.hasCancelledOnly) return kOpen;
    // Where none may come, nothing is due.
    return m_operation.expect == Expect::ZeroOrOne ? Answer(Class::Matched) : waitingOr(Class::MissingEffect);
  }

  [[nodiscard]] Answer allFailed(const Facts& f) const {
    for (const Effect* effect : f.failed) {
      const bool isRecorded = std::any_of(f.attempts.begin(), f.attempts.end(), [&](const Attempt* a) {
        return a->status == AttemptStatus::Succeeded && endOf(*a, m_policy) == f.lastSuccess &&
               same(a->effectId, effect->effectId);
      });
      if (isRecorded || (f.lastSuccess && effect->created >= *f.lastSuccess - m_policy.clockSkew)) return Class::FalseSuccess;
    }
    return waitingOr(Class::FalseSuccess);
  }

  [[nodiscard]] Answer pendingOnly(const Facts& f) const {
    std::set<Class> answers;
    for (const Effect* effect : f.pending) {
      const Duration age = m_now - effect->created;
      const Duration limit = m_policy.providers[0].pendingLimit;
      if (age == limit) return kOpen;
      answers.insert(age > limit ? Class::StalePending : Class::Expected);
    }
    return answers.size() == 1 ? Answer(*answers.begin()) : kOpen;
  }

  [[nodiscard]] Answer backlog(const Facts& f) const {
    if (!f.live.empty()) return compare(f, f.live[0], false);
    if (!f.gone.empty()) return Class::MatchedCompensated;
    if (!f.pending.empty()) return pendingOnly(f);
    return f.failed.empty() ? waitingOr(Class::UnpublishedIntent) : Class::MatchedFailure;
  }

  /// Only skips and claims, and no effect; nothing else was done under the key.
  [[nodiscard]] Answer keptOut(const Facts& f) const {
    const bool hasFailed = std::any_of(f.claims.begin(), f.claims.end(), [](const Claim* c) { return c->state == ClaimState::Failed; });
    if (f.hasOpenIntent || f.hasCancelledOnly || f.hasOutbox) return kOpen;
    if (m_keyHasEffect && f.hasCompletedClaim) return kOpen;
    if (hasFailed) return !f.hasClaim() && f.skips.empty() ? Answer(Class::MatchedFailure) : kOpen;
    if (f.hasCompletedClaim) return f.hasRunningClaim ? kOpen : waitingOr(Class::LostAfterClaim);
    if (f.hasRunningClaim && (f.skips.empty() || !isDue())) return runningClaim(f);
    // A claim past its end may still run within the longest run.
    if (f.hasRunningClaim) return runningClaim(f) == Class::StalledAttempt ? Answer(Class::LostAfterClaim) : kOpen;
    if (!isReached()) return kOpen;
    if (!m_window.isLocalDeclared) return Class::OutOfWindow;
    const bool inside = std::all_of(f.skips.begin(), f.skips.end(), [&](const Skip* s) { return isInLocalCoverage(s->time); });
    return inside && isCovered() ? Answer(Class::LostAfterClaim) : kOpen;
  }

  [[nodiscard]] Answer runningClaim(const Facts& f) const {
    if (f.claims.size() != 1) return kOpen;
    const Claim& claim = *f.claims[0];
    if (*claim.claimedAt + m_operation.maxRuntime == m_now) return kOpen;
    const bool isOlder = *claim.claimedAt + m_operation.maxRuntime < m_now;
    if (!isOlder || !isReached()) return Class::InFlight;
    if (!claim.expiresAt || *claim.expiresAt >= m_now) return kOpen;
    return isCovered() ? Class::StalledAttempt : Class::OutOfWindow;
  }

  [[nodiscard]] Answer kept(const Facts& f) const {
    const bool hasSkipAmount = std::any_of(f.skips.begin(), f.skips.end(), [](const Skip* s) { return s->amount.has_value(); });
    if (!f.gone.empty()) return Class::MatchedCompensated;
    if (f.hasCompletedClaim && (f.hasOpenIntent || f.hasOutbox || hasSkipAmount)) return kOpen;
    if (f.hasCompletedClaim && !f.live.empty()) return compare(f, f.live[0], false);
    if (f.hasCompletedClaim && !f.pending.empty()) return pendingOnly(f);
    if (!f.live.empty() || !f.pending.empty()) return unrecorded(f);
    if (f.hasCompletedClaim) return isReached() && !isCovered() ? kOpen : waitingOr(Class::FalseSuccess);
    return f.hasRunningClaim ? kOpen : Answer(Class::MatchedFailure);
  }

  [[nodiscard]] Answer nothing(const Facts& f) const {
    if (!f.live.empty() || !f.pending.empty()) return unrecorded(f);
    return f.gone.empty() ? Class::MatchedFailure : Class::MatchedCompensated;
  }

  /// Our word against one effect: classes 11, 17, 18, 25, 26 and 28.
  [[nodiscard]] Answer compare(const Facts& f, const Charge& charge, bool hasSuccess) const {
    const bool isKnown = charge.reversed == charge.reversedByUs;
    if (charge.reversed > 0 && (charge.hasAnswerOpen || (!isKnown && charge.reversedByUs > 0))) return kOpen;
    if (charge.reversed > 0 && m_operation.reversalsRecordedLocally && !isKnown) {
      return hasSuccess ? Answer(Class::UnexplainedReversal) : kOpen;
    }
    if (charge.isFull() && isKnown) return Class::MatchedCompensated;
    if (f.isExpectedOpen) return kOpen;
    const Effect& effect = *charge.effect;
    if (f.expected && effect.amount && f.expected->currency != effect.amount->currency) return Class::CurrencyMismatch;
    if (f.hasCancelledOnly && (charge.isFull() || !effect.amount || effect.amount->minor == 0)) return kOpen;
    if (f.hasCancelledOnly) return Class::AmountMismatch;
    if (!f.expected || !effect.amount) return Class::Matched;
    const std::int64_t difference = std::abs(effect.amount->minor - f.expected->minor);
    if (difference > m_operation.tolerance.allowed(*f.expected)) return Class::AmountMismatch;
    return difference == 0 ? Class::Matched : Class::MatchedTolerance;
  }

  // --- Beside the class
  void addFlags(Opinion& opinion) const {
    const Facts& f = m_facts;
    if (f.isReversed) opinion.flags.insert(Flag::Reversed);
    if (f.isDisputed) opinion.flags.insert(Flag::Disputed);
    if (m_part.hasSameReference) opinion.flags.insert(Flag::SameReference);
    if (!opinion.unitClass) return;
    const Class unitClass = *opinion.unitClass;
    const bool isSplit = m_operation.expect == Expect::Split;
    if (unitClass == Class::DuplicateEffect && f.local == LocalSummary::Failed) opinion.flags.insert(Flag::DespiteFailure);
    if (f.live.size() == 1 && !f.pending.empty()) opinion.flags.insert(Flag::PendingTwin);
    if (f.live.size() > 1 || f.gone.size() > 0 || isSplit) opinion.openFlags.insert(Flag::PendingTwin);
    const bool isQuiet = f.local == LocalSummary::Backlog || (f.local == LocalSummary::KeptOut && (f.hasCompletedClaim || !f.attempts.empty()));
    if (isQuiet && (!f.live.empty() || !f.pending.empty())) opinion.flags.insert(Flag::NoAttemptSeen);
    if (f.live.size() + f.gone.size() > 1) opinion.openFlags.insert(Flag::NoAttemptSeen);
    const bool isMatched = unitClass == Class::Matched || unitClass == Class::MatchedTolerance;
    const bool hasGuard = f.successes >= 2 || !f.skips.empty();
    if (isMatched && hasGuard && !f.live.empty()) opinion.flags.insert(Flag::AbsorbedDuplicate);
    const bool mayContradict = std::any_of(f.skips.begin(), f.skips.end(), [](const Skip* s) { return s->amount.has_value(); });
    if (mayContradict || isSplit || f.hasNone() || !f.gone.empty() || !isMatched) opinion.openFlags.insert(Flag::AbsorbedDuplicate);
    if (unitClass == Class::MatchedFailure && f.local == LocalSummary::Failed && !isReached()) opinion.flags.insert(Flag::Provisional);
    if (f.local != LocalSummary::Failed || !f.failed.empty() || (isReached() && !isCovered())) opinion.openFlags.insert(Flag::Provisional);
  }

  [[nodiscard]] std::optional<Why> whyOf(Class unitClass) const {
    if (unitClass == Class::UnexplainedReversal) return {};
    if (unitClass != Class::DuplicateEffect) return Why::None;
    std::set<std::string> keys;
    std::set<std::string> accounts;
    for (const Charge& charge : m_facts.live) {
      keys.insert(charge.effect->key);
      accounts.insert(charge.effect->account);
    }
    if (accounts.size() > 1) return {};
    if (keys.contains("")) return keys.size() == 1 ? Why::NoKey : Why::OutsideQueue;
    if (keys.size() > 1) return Why::KeyPerAttempt;
    if (m_facts.live.size() != 2) return {};
    const Duration gap = m_facts.live[0].effect->created - m_facts.live[1].effect->created;
    const Duration retention = m_policy.providers[0].keyRetention.value_or(24h);
    return std::max(gap, -gap) >= retention ? Why::SameKeyAfterRetention : Why::SameKeyInRetention;
  }

  static std::vector<Money> shown(const std::optional<Money>& money) {
    return money && money->minor != 0 ? std::vector<Money>{*money} : std::vector<Money>{};
  }

  [[nodiscard]] std::optional<std::vector<Money>> expectedOrSkip() const {
    if (m_facts.isExpectedOpen) return {};
    if (m_facts.local != LocalSummary::KeptOut) return m_facts.expected ? std::optional(shown(m_facts.expected)) : std::nullopt;
    if (m_part.isLoneSkip) return shown(m_facts.skips[0]->amount);
    return {};
  }

  [[nodiscard]] std::optional<std::vector<Money>> ofTheEffect() const {
    const auto rows = m_facts.live.empty() ? m_facts.pending.size() : m_facts.live.size();
    if (rows != 1 || !m_facts.gone.empty() || m_facts.isReversed || m_facts.isDisputed) return {};
    return shown(m_facts.live.empty() ? m_facts.pending[0]->amount : m_facts.live[0].effect->amount);
  }

  [[nodiscard]] std::optional<std::vector<Money>> difference() const {
    if (m_facts.hasCancelledOnly) return ofTheEffect();
    if (!m_facts.expected || m_facts.isExpectedOpen || m_facts.isReversed || m_facts.isDisputed) return {};
    Money sum = {-m_facts.expected->minor, m_facts.expected->currency};
    for (const Charge& charge : m_facts.live) {
      if (!charge.effect->amount || charge.effect->amount->currency != sum.currency) return {};
      sum.minor += charge.effect->amount->minor;
    }
    return shown(sum);
  }

  [[nodiscard]] std::optional<std::vector<Money>> excess() const {
    if (!m_facts.expected || m_facts.isExpectedOpen) return {};
    Money sum = {-m_facts.expected->minor, m_facts.expected->currency};
    for (const Charge& charge : m_facts.live) {
      if (!charge.effect->amount || charge.effect->amount->currency != sum.currency) return {};
      sum.minor += charge.net();
    }
    if (sum.minor <= 0) return {};
    return shown(sum);
  }

  [[nodiscard]] std::optional<std::vector<Money>> exposureOf(Class unitClass) const {
    switch (unitClass) {
      case Class::DuplicateEffect: return excess();
      case Class::SuppressedWork: case Class::LostAfterClaim: case Class::FalseSuccess: case Class::MissingEffect:
      case Class::UnpublishedIntent: case Class::StalledAttempt: case Class::Unfulfilled: return expectedOrSkip();
      case Class::EffectDespiteFailure: case Class::UnacknowledgedEffect: case Class::UnrecordedEffect:
      case Class::StalePending: case Class::CurrencyMismatch: return m_facts.hasStray ? std::nullopt : ofTheEffect();
      case Class::SplitMismatch: case Class::AmountMismatch: return difference();
      case Class::UnexplainedReversal: case Class::DuplicateBooking: case Class::FieldMismatch:
      case Class::ProbableDuplicate: return {};
      case Class::MatchedManual: case Class::Dismissed: case Class::DuplicateReversed: case Class::InFlight:
      case Class::Expected: case Class::OutOfWindow: case Class::MatchedTolerance: case Class::MatchedCompensated:
      case Class::MatchedFailure: case Class::Matched: return std::vector<Money>{};
    }
    return {};
  }

  [[nodiscard]] std::optional<SkipVerdict> verdictOf(const Item& item, Class unitClass) const {
    const Facts& f = m_facts;
    if (unitClass == Class::SuppressedWork) return SkipVerdict::Suppressing;
    if (item.head->amount || !item.head->fingerprint.empty() || !m_isAlone) return {};
    const bool acted = !f.live.empty() || !f.pending.empty() || !f.gone.empty();
    switch (unitClass) {
      case Class::LostAfterClaim: case Class::MissingEffect: case Class::FalseSuccess: case Class::Unfulfilled:
        return SkipVerdict::Stranded;
      case Class::StalledAttempt: case Class::MatchedFailure: return acted ? std::nullopt : std::optional(SkipVerdict::Stranded);
      case Class::InFlight: case Class::Expected:
        if (!acted) return SkipVerdict::Unverifiable;
        return isFromBeforeCoverage() ? SkipVerdict::LegitCarried : SkipVerdict::Legit;
      case Class::OutOfWindow: return acted ? std::nullopt : std::optional(SkipVerdict::Unverifiable);
      default: break;
    }
    if (f.live.size() + f.gone.size() > 1 || !acted) return {};
    return isFromBeforeCoverage() ? SkipVerdict::LegitCarried : SkipVerdict::Legit;
  }

  /// The original ran before anything we would see of it.
  [[nodiscard]] bool isFromBeforeCoverage() const {
    const auto before = [&](const Charge& charge) { return charge.effect->created < m_window.local.from; };
    return m_facts.attempts.empty() && (std::any_of(m_facts.live.begin(), m_facts.live.end(), before) ||
                                        std::any_of(m_facts.gone.begin(), m_facts.gone.end(), before));
  }

  void addSkip(const Item& item, Opinion& opinion) const {
    const auto verdict = verdictOf(item, *opinion.unitClass);
    if (verdict) opinion.skips[item.name] = *verdict;
  }

  /// `obsolete`, `unsafe`, `check_first`, `safe`: the first that fits.
  void addLetter(const Item& item, Opinion& opinion) const {
    const Facts& f = m_facts;
    const bool isSuccess = f.local == LocalSummary::Succeeded;
    const bool acted = !f.live.empty() || !f.pending.empty();
    if (isSuccess && !f.gone.empty() && !acted) return;
    RedriveVerdict& verdict = opinion.letters[item.name];
    verdict = RedriveVerdict::CheckFirst;
    if (isSuccess && acted) verdict = RedriveVerdict::Obsolete;
    else if (acted) verdict = RedriveVerdict::Unsafe;
    else if (item.head->key.empty()) opinion.letters.erase(item.name);
    else if (!isSuccess && f.gone.empty() && !isRetentionPast(*item.letter)) verdict = RedriveVerdict::Safe;
  }

  [[nodiscard]] bool isRetentionPast(const DeadLetter& letter) const {
    if (!m_policy.providers[0].keyRetention) return true;
    std::optional<Instant> first;
    for (const Attempt* attempt : m_facts.attempts) first = std::min(first.value_or(startOf(*attempt)), startOf(*attempt));
    if (!first) first = letter.enqueuedAt;
    return !first || m_now - *first >= *m_policy.providers[0].keyRetention;
  }

  const Part& m_part;
  const Policy& m_policy;
  const Window& m_window;
  Instant m_now;
  Facts m_facts;
  const Operation& m_operation;
  bool m_isAlone = true;
  bool m_otherActs = false;
  bool m_keyHasEffect = false;
};

}  // namespace

std::string nameOf(RecordKind kind, const RecordHead& head) {
  return std::string(codeOf(kind)) + ":" + std::to_string(head.place.offset);
}
std::string nameOf(const Effect& effect) {
  return "effect:" + std::to_string(static_cast<int>(effect.kind)) + ":" + effect.effectId + ":" + effect.account +
         (effect.live == Live::Test ? ":test" : "");
}

const std::set<Flag>& comparedFlags() {
  static const std::set<Flag> flags = {Flag::DespiteFailure, Flag::PendingTwin, Flag::NetZero, Flag::DuplicateReversed,
                                       Flag::NoAttemptSeen, Flag::Reversed, Flag::Disputed, Flag::AbsorbedDuplicate,
                                       Flag::Provisional, Flag::SameReference};
  return flags;
}

Opinion opinionOf(const Part& part, const std::vector<Part>& parts, const std::vector<Lowering>& lowerings,
                  const Policy& policy, const Window& window, Instant asOf) {
  return Judging(part, parts, lowerings, policy, window, asOf).opinion();
}

std::vector<ReferenceCase> judgeByTheText(const Records& records, const Policy& policy, const Window& window,
                                          Instant asOf) {
  const LinkedNight night = linkByTheText(records, policy);
  std::map<int, std::vector<const Item*>> byCase;
  for (const Item& item : night.items) byCase[item.caseNumber].push_back(&item);
  std::vector<ReferenceCase> cases;
  for (const auto& [number, items] : byCase) {
    ReferenceCase found;
    for (const Item* item : items) found.records.insert(item->name);
    const auto parts = splitByTheText(items, night.lowerings, policy);
    found.isOpen = !parts || night.openCases.contains(number);
    for (std::size_t i = 0; !found.isOpen && i < parts->size(); ++i) {
      ReferenceUnit unit;
      for (const Item* item : (*parts)[i].items) unit.records.insert(item->name);
      unit.opinion = opinionOf((*parts)[i], *parts, night.lowerings, policy, window, asOf);
      found.units.push_back(unit);
    }
    cases.push_back(found);
  }
  return cases;
}

}  // namespace counterfoil::testing::reference
