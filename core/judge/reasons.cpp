// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/judge/clock.h"
#include "core/judge/predicates.h"
#include "core/judge/why.h"

namespace counterfoil::judging {

namespace {

std::string amountText(const std::optional<Money>& amount) {
  return amount ? formatForPeople(*amount) : "an amount that is not known";
}

std::string exposureText(const Unit& unit) {
  std::string text;
  for (const Money& money : unit.exposure) {
    if (!text.empty()) text += " and ";
    text += formatForPeople(money);
  }
  return text;
}

std::string ageText(const UnitView& view, Instant since) {
  return formatDuration(std::max(view.context->asOf - since, Duration(0)));
}

std::string keysText(const UnitView& view) {
  std::set<std::string_view> keys;
  for (const EffectState& effect : view.effects) {
    if (effect.isLive() && !effect.row->key.empty()) keys.insert(effect.row->key);
  }
  if (keys.empty()) return "without a key";
  return keys.size() == 1 ? "under one key" : fmt::format("under {} keys", keys.size());
}

std::string retentionText(const UnitView& view) {
  const Effect& effect = *view.liveEffect().row;
  const std::string_view provider = providerOf(effect, view.context->policy);
  const std::string name = provider.empty() ? "the provider" : std::string(provider);
  const auto retention = keyRetentionOf(effect, view.context->policy);
  if (retention) {
    return fmt::format("{} forgets keys after {}", name, formatDuration(*retention));
  }
  return fmt::format("how long {} keeps keys is not known, 24 h is assumed", name);
}

std::string whyText(const Unit& unit, const UnitView& view) {
  switch (unit.why) {
    case Why::SameKeyInRetention: return "the provider did not recognise the key";
    case Why::SameKeyAfterRetention: return retentionText(view);
    case Why::KeyPerAttempt: return "each attempt had a key of its own";
    case Why::NoKey: return "the provider was given no key";
    case Why::OutsideQueue: return "some carry no key: made by hand or by another service";
    case Why::Refund:
    case Why::Void:
    case Why::Dispute:
    case Why::None: return "";
  }
  return "";
}

/// Two different amounts are both shown: which one was due is for a person to say.
std::string amountsText(const UnitView& view) {
  std::set<Money> amounts;
  for (const EffectState& effect : view.effects) {
    if (effect.isLive() && effect.row->amount) amounts.insert(*effect.row->amount);
  }
  if (amounts.size() < 2) return "";
  std::string text;
  for (const Money& amount : amounts) {
    if (!text.empty()) text += ", ";
    text += formatForPeople(amount);
  }
  return " (" + text + ")";
}

std::string duplicateReason(const Unit& unit, const UnitView& view) {
  std::string text = fmt::format("{} live {} {}{}, {} apart", view.live, nounOf(view, view.live),
                                 keysText(view), amountsText(view),
                                 formatDuration(widestLiveGap(view)));
  const std::string why = whyText(unit, view);
  if (!why.empty()) text += "; " + why;
  text += ".";
  if (unit.has(Flag::DespiteFailure)) text += " Locally all attempts failed.";
  return text;
}

std::string partsReason(const Unit& unit, const UnitView& view) {
  const PartSums sums = partSums(view);
  const Currency currency = view.expected ? view.expected->currency : Currency{};
  return fmt::format("The parts ({}) add up to {}, due was {}: {} off.", sums.parts,
                     formatForPeople({sums.netMinor, currency}), amountText(view.expected),
                     exposureText(unit));
}

std::string missingReason(const UnitView& view) {
  return fmt::format("Done locally, no {} at the provider; it was due {} ago.", nounOf(view, 1),
                     view.due ? ageText(view, *view.due) : "some time");
}

std::string presentAmount(const UnitView& view) {
  for (const EffectState& effect : view.effects) {
    if (effect.isLive() || effect.isPending()) return amountText(effect.row->amount);
  }
  for (const EffectState& effect : view.effects) {
    if (effect.becameLive()) return amountText(effect.row->amount);
  }
  return amountText({});
}

std::string unrecordedReason(const UnitView& view) {
  const std::string noun = nounOf(view, 1);
  const bool hasAmount = std::any_of(view.effects.begin(), view.effects.end(),
                                     [](const EffectState& effect) { return effect.row->amount.has_value(); });
  const std::string_view known = view.hasExpiredClaim ? "of which we know only a claim that was never completed"
                                                      : "of which there is no local record";
  return fmt::format("{} {} at the provider{} {}.", noun == "effect" ? "An" : "A", noun,
                     hasAmount ? " (" + presentAmount(view) + ")" : std::string(), known);
}

std::string mismatchReason(const Unit& unit, const UnitView& view) {
  if (view.hasCancelledIntentOnly()) {
    return fmt::format("The order was cancelled, {} was taken all the same.", presentAmount(view));
  }
  if (unit.unitClass == Class::CurrencyMismatch) {
    return fmt::format("Due was {}, the provider shows {}: another currency.",
                       amountText(view.expected), presentAmount(view));
  }
  std::string text = fmt::format("Due was {}, the provider shows {}: {} off.",
                                 amountText(view.expected), presentAmount(view),
                                 exposureText(unit));
  const bool isScale = std::find(unit.hints.begin(), unit.hints.end(), Hint::MinorUnitScale) !=
                       unit.hints.end();
  if (isScale) text += " The ratio is a power of ten: minor units mixed up?";
  return text;
}

std::string fieldReason(const UnitView& view) {
  const RecordHead* ours = view.lastSuccess;
  if (ours == nullptr && !view.attempts.empty()) ours = view.attempts.back();
  if (ours == nullptr) return "A compared field differs.";
  const RecordHead& theirs = *view.liveEffect().row;
  if (comparesField(view, CompareField::Customer) && ours->customer != theirs.customer &&
      !theirs.customer.empty()) {
    return fmt::format("Customer is {} locally and {} at the provider.", ours->customer,
                       theirs.customer);
  }
  return fmt::format("Reference is {} locally and {} at the provider.", ours->opRef, theirs.opRef);
}

std::string reversalReason(const Unit& unit, const UnitView& view) {
  std::string_view what = "taken back";
  if (unit.why == Why::Dispute) what = "disputed and lost";
  if (unit.why == Why::Void) what = "voided";
  const std::string amount = exposureText(unit);
  return fmt::format("{} of the {} was {}, nothing of it is recorded locally.",
                     amount.empty() ? "A part" : amount, nounOf(view, 1), what);
}

std::string stalledReason(const UnitView& view) {
  if (view.attempts.empty()) {
    return "A claim was never finished: nothing runs and nothing was done.";
  }
  const Attempt& last = *view.attempts.back();
  return fmt::format("Started {} ago and never finished; no {} at the provider.",
                     ageText(view, startOf(last)), nounOf(view, 1));
}

std::string backlogReason(const UnitView& view) {
  if (view.outbox.empty()) {
    return fmt::format("An order of {} waits for its job since {}.", amountText(view.expected),
                       ageText(view, view.intents.front()->createdAt));
  }
  const OutboxRow& row = *view.outbox.front();
  if (row.dead) return "The outbox gave the message up; no job ever saw it.";
  const std::string_view state = row.publishedAt ? "published, but no job ever saw it"
                                                 : "not published";
  return fmt::format("Outbox row written {} ago is {}.", ageText(view, row.createdAt), state);
}

std::string windowReason(const UnitView& view) {
  if (view.isSideRow) {
    return "A row beside the payments (dispute, fee or other) without its payment in this data.";
  }
  if (view.isOrphanReversal) return "A reversal whose payment is not in this data.";
  if (view.local == LocalSummary::Nothing ||
      (view.local == LocalSummary::KeptOut && view.live + view.pending > 0)) {
    return fmt::format("A {} at the provider ({}) outside the time our records cover, or too fresh.",
                       nounOf(view, 1), presentAmount(view));
  }
  if (!isSkipVerifiable(view)) {
    return "A skip without any trace of the original it relied on; not judged.";
  }
  return "The provider's data does not cover the time of the counterpart; not judged.";
}

std::string failureReason(const UnitView& view) {
  if (view.attempts.empty() && view.claims.empty()) {
    return view.effects.empty() ? "Nothing was to be done and nothing was done."
                                : "Only failed rows at the provider: nothing was taken.";
  }
  return view.effects.empty() ? "Failed locally, nothing at the provider."
                              : "Failed on both sides: nothing was taken.";
}

std::string falseSuccessReason(const UnitView& view) {
  return fmt::format("Done locally, but nothing of it stands at the provider: {} failed {}.",
                     view.failed, view.failed == 1 ? "row" : "rows");
}

std::string lostReason(const UnitView& view) {
  if (view.skips.empty()) {
    return fmt::format("Claimed as done, but nothing was ever done: {} lost.",
                       amountText(view.expected));
  }
  return fmt::format("Skipped as done, but nothing was ever done and nothing will run it: {} lost.",
                     amountText(view.expected));
}

std::string matchedReason(const Unit& unit, const UnitView& view) {
  if (unit.has(Flag::AbsorbedDuplicate)) {
    const auto runs = std::count_if(
        view.attempts.begin(), view.attempts.end(),
        [](const Attempt* attempt) { return attempt->status == AttemptStatus::Succeeded; });
    if (runs == 0) {
      return fmt::format("{} {} and one {}: the guard worked.", view.skips.size(),
                         view.skips.size() == 1 ? "skip" : "skips", nounOf(view, 1));
    }
    return fmt::format("{} successful {} and {} {} led to one {}: the guard worked.", runs,
                       runs == 1 ? "run" : "runs", view.skips.size(),
                       view.skips.size() == 1 ? "skip" : "skips", nounOf(view, 1));
  }
  if (view.effects.empty()) {
    return view.wasMatchedEarlier ? "The original matched in an earlier run."
                                  : "Nothing at the provider, as may be.";
  }
  return fmt::format("One operation, {} {}.", view.becameLive, nounOf(view, view.becameLive));
}

std::string dueText(const UnitView& view) {
  return view.due ? "; its counterpart is due at " + formatInstant(*view.due) : "";
}

std::string coreReason(const Unit& unit, const UnitView& view) {
  const std::string noun = nounOf(view, 1);
  switch (unit.unitClass) {
    case Class::DuplicateEffect: return duplicateReason(unit, view);
    case Class::DuplicateReversed:
      return fmt::format("{} {} were made, {} taken back in full; {} left.", view.becameLive,
                         nounOf(view, view.becameLive), view.fullyReversed, view.live);
    case Class::DuplicateBooking:
      return fmt::format("One {} of {} was booked {} times: {} too much in the books.", noun,
                         presentAmount(view),
                         std::count_if(view.attempts.begin(), view.attempts.end(),
                                       [](const Attempt* attempt) {
                                         return attempt->status == AttemptStatus::Succeeded;
                                       }),
                         exposureText(unit));
    case Class::SplitMismatch: return partsReason(unit, view);
    case Class::SuppressedWork:
      return fmt::format("Skipped because the key was used by other work: {} was never done.",
                         amountText(view.expected));
    case Class::LostAfterClaim: return lostReason(view);
    case Class::EffectDespiteFailure:
      return fmt::format("Locally failed, but {} is {} at the provider: a redrive would repeat it.",
                         presentAmount(view), view.live > 0 ? "live" : "pending");
    case Class::UnacknowledgedEffect:
      return fmt::format("The {} ({}) is live at the provider, the job never said it finished.",
                         noun, presentAmount(view));
    case Class::FalseSuccess: return falseSuccessReason(view);
    case Class::UnexplainedReversal: return reversalReason(unit, view);
    case Class::MissingEffect: return missingReason(view);
    case Class::UnrecordedEffect:
      return unrecordedReason(view);
    case Class::UnpublishedIntent: return backlogReason(view);
    case Class::StalledAttempt: return stalledReason(view);
    case Class::StalePending:
      return fmt::format("Pending at the provider for {}.",
                         ageText(view, view.pendingEffect().row->created));
    case Class::CurrencyMismatch:
    case Class::AmountMismatch: return mismatchReason(unit, view);
    case Class::FieldMismatch: return fieldReason(view);
    case Class::ProbableDuplicate: return "Probably the same work twice.";
    case Class::InFlight: return "Still running or about to be retried" + dueText(view) + ".";
    case Class::Expected:
      return (view.pending > 0 ? "Pending at the provider" : "Too fresh to be in the statement") +
             dueText(view) + ".";
    case Class::OutOfWindow: return windowReason(view);
    case Class::Unfulfilled:
      return fmt::format("Failed, nothing taken, and the work of {} is still undone.",
                         amountText(view.expected));
    case Class::MatchedTolerance:
      return fmt::format("Within tolerance: due was {}, the provider shows {}.",
                         amountText(view.expected), presentAmount(view));
    case Class::MatchedCompensated: return "What was taken was given back in full.";
    case Class::MatchedFailure: return failureReason(view);
    case Class::Matched: return matchedReason(unit, view);
    case Class::MatchedManual:
    case Class::Dismissed: return "Decided by a person.";
  }
  return "";
}

void addNotes(std::string& text, const Unit& unit, const UnitView& view) {
  if (unit.has(Flag::PendingTwin)) {
    text += " A pending row stands beside it and may become a second one.";
  }
  if (unit.has(Flag::DuplicateReversed)) text += " A second one was taken back.";
  if (unit.has(Flag::NoAttemptSeen)) {
    text += view.attempts.empty() ? " No attempt was seen." : " No attempt was seen to its end.";
  }
  const bool tellsReversal = unit.unitClass != Class::DuplicateReversed &&
                             unit.unitClass != Class::MatchedCompensated &&
                             unit.unitClass != Class::UnexplainedReversal;
  if (tellsReversal && unit.has(Flag::Reversed)) text += " Some or all of it was given back later.";
  if (tellsReversal && unit.has(Flag::Disputed)) text += " A dispute over it was lost.";
  const bool isPeriodic =
      std::find(unit.hints.begin(), unit.hints.end(), Hint::PeriodicGap) != unit.hints.end();
  if (!isPeriodic) return;
  const Duration gap = periodicGapOf(view);
  const std::string_view queue = view.attempts.empty()
                                     ? std::string_view()
                                     : std::string_view(view.attempts.front()->queue);
  const Timer timer = timerOf(gap, queue, view.context->policy);
  text += fmt::format(" Repeated every {}", formatDuration(gap));
  text += timer.name.empty() ? "." : fmt::format(": {}.", timer.name);
}

}  // namespace

std::string nounOf(const UnitView& view, std::size_t count) {
  const bool isRefund = view.operation->effect == OperationEffect::Reversal;
  const bool hasMoney = view.expected.has_value() ||
                        std::any_of(view.effects.begin(), view.effects.end(),
                                    [](const EffectState& e) { return e.row->amount.has_value(); });
  std::string noun = isRefund ? "refund" : hasMoney ? "charge" : "effect";
  if (count != 1) noun += "s";
  return noun;
}

std::string reasonOf(const Unit& unit, const UnitView& view) {
  std::string text = coreReason(unit, view);
  addNotes(text, unit, view);
  return text;
}

}  // namespace counterfoil::judging
