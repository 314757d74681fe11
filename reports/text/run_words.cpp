// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/run_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace counterfoil {

namespace {

struct ClassPhrase {
  Class unitClass;
  std::string_view one, many;          ///< after the count
  std::string_view oneText, manyText;  ///< where no money is involved; blank: the same
  std::string_view money;              ///< after the sum
};

/// The worst first: critical classes, then high, medium and low ones.
constexpr std::array<ClassPhrase, 18> kPhrases = {{
    {Class::DuplicateEffect, "double charge", "double charges", "effect happened twice",
     "effects happened twice", " too much"},
    {Class::EffectDespiteFailure, "job counts as failed but took effect",
     "jobs count as failed but took effect", "", "", ""},
    {Class::UnacknowledgedEffect, "job took effect and never finished",
     "jobs took effect and never finished", "", "", ""},
    {Class::SuppressedWork, "skip swallowed real work", "skips swallowed real work", "", "", ""},
    {Class::LostAfterClaim, "skip relied on work that never happened",
     "skips relied on work that never happened", "", "", ""},
    {Class::FalseSuccess, "success was declined by the provider",
     "successes were declined by the provider", "", "", ""},
    {Class::MissingEffect, "finished job has no effect at the provider",
     "finished jobs have no effect at the provider", "", "", ""},
    {Class::UnrecordedEffect, "effect at the provider has no job",
     "effects at the provider have no job", "", "", ""},
    {Class::DuplicateBooking, "effect is booked twice", "effects are booked twice", "", "", ""},
    {Class::SplitMismatch, "split does not add up", "splits do not add up", "", "", ""},
    {Class::UnexplainedReversal, "reversal nobody recorded", "reversals nobody recorded", "", "",
     ""},
    {Class::UnpublishedIntent, "intent never became a job", "intents never became a job", "", "",
     ""},
    {Class::StalledAttempt, "job is stuck", "jobs are stuck", "", "", ""},
    {Class::StalePending, "effect is pending for too long", "effects are pending for too long", "",
     "", ""},
    {Class::CurrencyMismatch, "currency differs", "currencies differ", "", "", ""},
    {Class::AmountMismatch, "amount differs", "amounts differ", "", "", ""},
    {Class::FieldMismatch, "effect differs in a compared field",
     "effects differ in a compared field", "", "", ""},
    {Class::ProbableDuplicate, "probable duplicate", "probable duplicates", "", "", ""},
}};

std::string breakSentence(const ClassPhrase& phrase, std::uint64_t count,
                          const std::vector<Money>& money) {
  const bool plain = money.empty() && !phrase.oneText.empty();
  std::string out =
      counted(count, plain ? phrase.oneText : phrase.one, plain ? phrase.manyText : phrase.many);
  if (!money.empty()) out += fmt::format(", {}{}", moneyWords(money), phrase.money);
  return out + ".";
}

std::string agreementSentence(const RunResult& result) {
  const std::uint64_t closed = result.units - std::min(result.units, result.open);
  if (result.units == 0) return "There is nothing to compare.";
  if (closed == 0) return "Nothing could be judged yet.";
  std::string out = closed == 1 ? std::string("The one operation that could be judged agrees.")
                                : fmt::format("All {} operations that could be judged agree.",
                                              groupedNumber(closed));
  if (result.overdue > 0) {
    out += " " + counted(result.overdue, "open one is overdue.", "open ones are overdue.");
  }
  return out;
}

}  // namespace

std::string moneyWords(const std::vector<Money>& values) {
  constexpr std::size_t writtenOut = 3;
  std::string out;
  for (std::size_t i = 0; i < values.size() && i < writtenOut; ++i) {
    if (i > 0) out += " + ";
    out += formatForPeople(values[i]);
  }
  if (values.size() > writtenOut) {
    out += " + " + counted(values.size() - writtenOut, "more currency", "more currencies");
  }
  return out;
}

std::vector<Money> moneyOf(const std::map<Currency, std::int64_t>& sums) {
  std::vector<Money> values;
  for (const auto& [currency, minor] : sums) {
    if (minor != 0) values.push_back({minor, currency});
  }
  return values;
}

std::string healthSentence(const RunResult& result) {
  constexpr std::size_t mostSentences = 3;
  std::string out = result.complete ? "" : "The result is incomplete. ";
  if (result.breaks == 0) return out + agreementSentence(result);
  std::uint64_t named = 0;
  std::size_t sentences = 0;
  for (const ClassPhrase& phrase : kPhrases) {
    const auto count = result.classes.find(phrase.unitClass);
    if (count == result.classes.end() || count->second == 0 || sentences == mostSentences) continue;
    const auto sums = result.exposureByClass.find(phrase.unitClass);
    const auto money =
        sums == result.exposureByClass.end() ? std::vector<Money>{} : moneyOf(sums->second);
    if (sentences > 0) out += ' ';
    out += breakSentence(phrase, count->second, money);
    named += count->second;
    ++sentences;
  }
  if (named < result.breaks) {
    out += ' ' + counted(result.breaks - named, "more break.", "more breaks.");
  }
  return out;
}

std::string_view openWords(Class value) {
  switch (value) {
    case Class::InFlight:
      return "still running";
    case Class::Expected:
      return "not due yet";
    case Class::OutOfWindow:
      return "outside what the files cover";
    case Class::Unfulfilled:
      return "failed for good, waiting for a redrive";
    default:
      return "";
  }
}

std::string_view skipWords(SkipVerdict verdict) {
  switch (verdict) {
    case SkipVerdict::Legit:
      return "right";
    case SkipVerdict::LegitCarried:
      return "right (original before these files)";
    case SkipVerdict::Suppressing:
      return "swallowed other work";
    case SkipVerdict::Stranded:
      return "relied on work that never happened";
    case SkipVerdict::Unverifiable:
      return "cannot be judged";
  }
  return "";
}

std::string_view redriveWords(RedriveVerdict verdict) {
  switch (verdict) {
    case RedriveVerdict::Obsolete:
      return "obsolete";
    case RedriveVerdict::Unsafe:
      return "unsafe";
    case RedriveVerdict::CheckFirst:
      return "to check first";
    case RedriveVerdict::Safe:
      return "safe to redrive";
  }
  return "";
}

std::string_view bridgeWords(BridgeStep step) {
  switch (step) {
    case BridgeStep::Duplicates:
      return "duplicates";
    case BridgeStep::Unrecorded:
      return "unrecorded";
    case BridgeStep::DespiteFailure:
      return "despite failure";
    case BridgeStep::Unacknowledged:
      return "unacknowledged";
    case BridgeStep::AmountDifferences:
      return "amount differences";
    case BridgeStep::Missing:
      return "missing";
    case BridgeStep::FalseSuccess:
      return "false success";
    case BridgeStep::Expected:
      return "not due yet";
    case BridgeStep::OutOfWindow:
      return "out of window";
    case BridgeStep::Dismissed:
      return "dismissed";
    case BridgeStep::Other:
      return "other";
  }
  return "";
}

Ink inkOf(Severity severity) {
  switch (severity) {
    case Severity::Critical:
      return Ink::Red;
    case Severity::High:
      return Ink::Yellow;
    case Severity::Medium:
      return Ink::Bold;
    case Severity::Low:
    case Severity::None:
      return Ink::Plain;
  }
  return Ink::Plain;
}

std::string instantWords(Instant at) {
  std::string text = formatInstant(at);  // 2026-04-08T06:00:00Z, perhaps with a fraction
  if (text.size() < 20) return text;
  const bool onTheMinute = text.compare(16, std::string::npos, ":00Z") == 0;
  text.replace(10, 1, " ");
  return text.substr(0, onTheMinute ? 16 : 19) + " UTC";
}

std::string spanWords(Instant from, Instant to) {
  const std::string first = instantWords(from).substr(0, 16);
  const std::string last = instantWords(to).substr(0, 16);
  if (first == last) return first;
  const bool sameDay = first.compare(0, 10, last, 0, 10) == 0;
  return first + " to " + (sameDay ? last.substr(11) : last);
}

}  // namespace counterfoil
