// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/skips.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/judge/clock.h"

namespace counterfoil::judging {

namespace {

/// The line itself, or the amount, says that other work was done than this skip asked for.
std::string contradiction(const Skip& skip, const UnitView& view) {
  if (!skip.firstOpRef.empty() && !skip.opRef.empty() && skip.firstOpRef != skip.opRef) {
    return fmt::format("The skip is for {}, the work done under its key was {}.", skip.opRef,
                       skip.firstOpRef);
  }
  if (!skip.amount) {
    const bool isOtherPayload = !skip.firstFingerprint.empty() && !skip.fingerprint.empty() &&
                                skip.firstFingerprint != skip.fingerprint;
    return isOtherPayload ? "The skipped payload is not the one that was done first." : "";
  }
  bool anyKnown = false;
  std::optional<Money> done;
  const auto look = [&](const std::optional<Money>& amount) {
    if (!amount) return false;
    anyKnown = true;
    done = done ? done : amount;
    return *amount == *skip.amount;
  };
  for (const Attempt* attempt : view.attempts) {
    if (look(attempt->amount)) return "";
  }
  for (const Intent* intent : view.intents) {
    if (look(intent->amount)) return "";
  }
  for (const EffectState& effect : view.effects) {
    if (look(effect.row->amount)) return "";
  }
  if (!anyKnown) return "";
  return fmt::format("{} was asked for and skipped, {} was done.", formatForPeople(*skip.amount),
                     formatForPeople(*done));
}

bool isStrandedClass(Class unitClass) {
  return unitClass == Class::LostAfterClaim || unitClass == Class::MissingEffect ||
         unitClass == Class::FalseSuccess || unitClass == Class::Unfulfilled ||
         unitClass == Class::StalledAttempt || unitClass == Class::MatchedFailure;
}

JudgedSkip verdict(SkipVerdict value, std::string reason) {
  JudgedSkip judged;
  judged.verdict = value;
  judged.reason = std::move(reason);
  return judged;
}

std::string strandedReason(const UnitView& view) {
  if (!view.deadLetters.empty()) return "The work it relied on lies in a dead-letter queue.";
  if (view.local == LocalSummary::Succeeded) {
    return "The job it relied on says done, the provider shows no effect.";
  }
  if (view.local == LocalSummary::Failed) return "The job it relied on failed.";
  if (!view.attempts.empty()) return "The job it relied on never finished.";
  return "Nothing was ever done under this key.";
}

/// The effect, or the whole operation, lies before everything our own sources cover.
bool isFromBeforeCoverage(const UnitView& view) {
  return view.attempts.empty() &&
         std::any_of(view.effects.begin(), view.effects.end(), [&](const EffectState& effect) {
           return effect.becameLive() &&
                  isBeforeLocalCoverage(effect.row->created, *view.context);
         });
}

/// Everything the skip relied on came in earlier nights.
bool isFromEarlierNight(const Skip& skip, const UnitView& view) {
  const RunKnowledge* run = view.context->run;
  if (run == nullptr || run->isCarried(skip.place)) return false;
  const auto attemptIsOld = [&](const Attempt* attempt) { return run->isCarried(attempt->place); };
  const auto effectIsOld = [&](const EffectState& effect) { return run->isCarried(effect.row->place); };
  return std::all_of(view.attempts.begin(), view.attempts.end(), attemptIsOld) &&
         std::all_of(view.effects.begin(), view.effects.end(), effectIsOld);
}

JudgedSkip legit(const Skip& skip, const UnitView& view) {
  JudgedSkip judged = verdict(SkipVerdict::Legit, "");
  judged.saved = skip.amount ? skip.amount : view.expected;
  if (view.live > 0) {
    judged.reason = judged.saved ? fmt::format("The work was done: {} was not taken a second time.",
                                               formatForPeople(*judged.saved))
                                 : "The work was done: the effect exists.";
  } else if (view.pending > 0) {
    judged.reason = "The work was done: the effect is pending at the provider.";
  } else {
    judged.reason = "The work was done: the effect was reversed later.";
  }
  return judged;
}

}  // namespace

JudgedSkip judgeSkip(const Skip& skip, const UnitView& view, const SkipContext& context) {
  if (context.unitClass == Class::SuppressedWork) {
    return verdict(SkipVerdict::Suppressing,
                   "The key was used by other work; what this skip asked for was never done.");
  }
  if (context.unitClass == Class::LostAfterClaim) {
    return verdict(SkipVerdict::Stranded, strandedReason(view));
  }
  const std::string against = contradiction(skip, view);
  if (!against.empty()) return verdict(SkipVerdict::Suppressing, against);
  if (isStrandedClass(context.unitClass)) {
    return verdict(SkipVerdict::Stranded, strandedReason(view));
  }
  if (!view.hasEffect()) {
    if (view.wasMatchedEarlier) {
      return verdict(SkipVerdict::LegitCarried, "The original matched in an earlier run.");
    }
    if (view.local == LocalSummary::KeptOut && view.attempts.empty()) {
      return verdict(SkipVerdict::Unverifiable,
                     "No trace of an original: log the original's order or job with the skip.");
    }
    return verdict(SkipVerdict::Unverifiable, "The work it relied on is not settled yet.");
  }
  if (context.isUnsure && view.activeSiblings != 1) {
    return verdict(SkipVerdict::Unverifiable,
                   "Several operations share the key and the line does not tell which: log the "
                   "order or the amount with the skip.");
  }
  if (isFromBeforeCoverage(view) || (view.wasMatchedEarlier && view.attempts.empty())) {
    return verdict(SkipVerdict::LegitCarried,
                   "The original ran before this window, its effect exists.");
  }
  JudgedSkip judged = legit(skip, view);
  if (isFromEarlierNight(skip, view)) judged.verdict = SkipVerdict::LegitCarried;
  return judged;
}

}  // namespace counterfoil::judging
