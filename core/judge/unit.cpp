// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/unit.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace counterfoil {

namespace {

struct ClassEntry {
  std::string_view code;
  ClassGroup group;
  std::string_view withMoney;
  std::string_view withoutMoney;
};

constexpr ClassGroup kBreak = ClassGroup::Break;
constexpr ClassGroup kOpen = ClassGroup::Open;
constexpr ClassGroup kClosed = ClassGroup::Closed;

/// In the order of the enum.
constexpr std::array<ClassEntry, kClassCount> kClasses = {{
    {"matched_manual", kClosed, "Matched by hand", "Matched by hand"},
    {"dismissed", kClosed, "Dismissed", "Dismissed"},
    {"duplicate_effect", kBreak, "Double charge", "Sent twice"},
    {"duplicate_reversed", kClosed, "Double charge, taken back", "Sent twice, taken back"},
    {"duplicate_booking", kBreak, "Booked twice", "Booked twice"},
    {"split_mismatch", kBreak, "Parts do not add up", "Parts do not add up"},
    {"suppressed_work", kBreak, "Work suppressed by a skip", "Work suppressed by a skip"},
    {"lost_after_claim", kBreak, "Work lost after a claim", "Work lost after a claim"},
    {"effect_despite_failure", kBreak, "Charged although failed", "Sent although failed"},
    {"unacknowledged_effect", kBreak, "Charged, never acknowledged", "Sent, never acknowledged"},
    {"false_success", kBreak, "Done locally, failed at the provider",
     "Done locally, failed at the provider"},
    {"unexplained_reversal", kBreak, "Unexplained reversal", "Unexplained reversal"},
    {"missing_effect", kBreak, "Missing charge", "Never sent"},
    {"unrecorded_effect", kBreak, "Charge without a job", "Sent without a job"},
    {"unpublished_intent", kBreak, "Order never sent out", "Intent never sent out"},
    {"stalled_attempt", kBreak, "Stalled job", "Stalled job"},
    {"stale_pending", kBreak, "Pending for too long", "Pending for too long"},
    {"currency_mismatch", kBreak, "Wrong currency", "Wrong currency"},
    {"amount_mismatch", kBreak, "Wrong amount", "Wrong amount"},
    {"field_mismatch", kBreak, "Fields differ", "Fields differ"},
    {"probable_duplicate", kBreak, "Probably a double charge", "Probably sent twice"},
    {"in_flight", kOpen, "In flight", "In flight"},
    {"expected", kOpen, "Expected", "Expected"},
    {"out_of_window", kOpen, "Outside the window", "Outside the window"},
    {"unfulfilled", kOpen, "Work undone", "Work undone"},
    {"matched_tolerance", kClosed, "Matched within tolerance", "Matched within tolerance"},
    {"matched_compensated", kClosed, "Matched, taken back on both sides",
     "Matched, taken back on both sides"},
    {"matched_failure", kClosed, "Failed on both sides", "Failed on both sides"},
    {"matched", kClosed, "Matched", "Matched"},
}};

constexpr std::array<std::string_view, 5> kSeverities = {"", "low", "medium", "high", "critical"};

template <class Enum, std::size_t n>
std::optional<Enum> fromCode(const std::array<std::string_view, n>& codes, std::string_view code) {
  const auto found = std::find(codes.begin(), codes.end(), code);
  if (found == codes.end() || code.empty()) return {};
  return static_cast<Enum>(found - codes.begin());
}

}  // namespace

std::string_view codeOf(Class value) { return kClasses[static_cast<std::size_t>(value)].code; }

std::optional<Class> classFromCode(std::string_view code) {
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    if (kClasses[i].code == code) return static_cast<Class>(i);
  }
  return {};
}

ClassGroup groupOf(Class value) { return kClasses[static_cast<std::size_t>(value)].group; }

std::string_view labelOf(Class value, bool hasMoney) {
  const ClassEntry& entry = kClasses[static_cast<std::size_t>(value)];
  return hasMoney ? entry.withMoney : entry.withoutMoney;
}

std::string_view codeOf(Severity value) { return kSeverities[static_cast<std::size_t>(value)]; }

std::optional<Severity> severityFromCode(std::string_view code) {
  return fromCode<Severity>(kSeverities, code);
}

std::string_view codeOf(Why value) {
  switch (value) {
    case Why::None: return "";
    case Why::SameKeyInRetention: return "same_key_in_retention";
    case Why::SameKeyAfterRetention: return "same_key_after_retention";
    case Why::KeyPerAttempt: return "key_per_attempt";
    case Why::NoKey: return "no_key";
    case Why::OutsideQueue: return "outside_queue";
    case Why::Refund: return "refund";
    case Why::Void: return "void";
    case Why::Dispute: return "dispute";
  }
  return "";
}

std::string_view codeOf(Hint value) {
  switch (value) {
    case Hint::ClientRetry: return "client_retry";
    case Hint::CrashWindow: return "crash_window";
    case Hint::MinorUnitScale: return "minor_unit_scale";
    case Hint::OutboxDoublePublish: return "outbox_double_publish";
    case Hint::Overlap: return "overlap";
    case Hint::PeriodicGap: return "periodic_gap";
    case Hint::Redrive: return "redrive";
    case Hint::RetryBackoff: return "retry_backoff";
    case Hint::SeveralAccounts: return "several_accounts";
  }
  return "";
}

std::string_view codeOf(Flag value) {
  switch (value) {
    case Flag::AbsorbedDuplicate: return "absorbed_duplicate";
    case Flag::AmbiguousMatch: return "ambiguous_match";
    case Flag::AmountUnverified: return "amount_unverified";
    case Flag::Cancelled: return "cancelled";
    case Flag::DespiteFailure: return "despite_failure";
    case Flag::Disputed: return "disputed";
    case Flag::DuplicateReversed: return "duplicate_reversed";
    case Flag::NetZero: return "net_zero";
    case Flag::NoAttemptSeen: return "no_attempt_seen";
    case Flag::Overdue: return "overdue";
    case Flag::PendingTwin: return "pending_twin";
    case Flag::Provisional: return "provisional";
    case Flag::Reversed: return "reversed";
    case Flag::SameReference: return "same_reference";
    case Flag::SuggestedMatch: return "suggested_match";
    case Flag::WeakEvidence: return "weak_evidence";
  }
  return "";
}

std::string_view codeOf(SkipVerdict value) {
  switch (value) {
    case SkipVerdict::Legit: return "legit";
    case SkipVerdict::LegitCarried: return "legit_carried";
    case SkipVerdict::Suppressing: return "suppressing";
    case SkipVerdict::Stranded: return "stranded";
    case SkipVerdict::Unverifiable: return "unverifiable";
  }
  return "";
}

std::string_view codeOf(RedriveVerdict value) {
  switch (value) {
    case RedriveVerdict::Obsolete: return "obsolete";
    case RedriveVerdict::Unsafe: return "unsafe";
    case RedriveVerdict::CheckFirst: return "check_first";
    case RedriveVerdict::Safe: return "safe";
  }
  return "";
}

bool Unit::has(Flag flag) const { return std::find(flags.begin(), flags.end(), flag) != flags.end(); }

namespace {

template <class Value>
void insertSorted(std::vector<Value>& values, Value value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at == values.end() || *at != value) values.insert(at, value);
}

}  // namespace

void Unit::raise(Flag flag) { insertSorted(flags, flag); }
void Unit::raise(Hint hint) { insertSorted(hints, hint); }

bool outputBefore(const Unit& a, const Unit& b) {
  return std::tie(a.unitClass, a.key, a.scope, a.operation, a.id) <
         std::tie(b.unitClass, b.key, b.scope, b.operation, b.id);
}

}  // namespace counterfoil
