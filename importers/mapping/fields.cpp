// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/fields.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::uint16_t bit(RecordKind kind) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
}
template <class... Kinds>
constexpr std::uint16_t bits(Kinds... kinds) {
  return static_cast<std::uint16_t>((bit(kinds) | ...));
}

constexpr std::uint16_t kAttempt = bit(RecordKind::Attempt);
constexpr std::uint16_t kSkip = bit(RecordKind::Skip);
constexpr std::uint16_t kClaim = bit(RecordKind::Claim);
constexpr std::uint16_t kIntent = bit(RecordKind::Intent);
constexpr std::uint16_t kOutbox = bit(RecordKind::Outbox);
constexpr std::uint16_t kProcessed = bit(RecordKind::ProcessedEvent);
constexpr std::uint16_t kEffect = bit(RecordKind::Effect);
constexpr std::uint16_t kDead = bit(RecordKind::DeadLetter);
constexpr std::uint16_t kDepth = bit(RecordKind::QueueDepth);
constexpr std::uint16_t kLocal = kAttempt | kSkip | kClaim | kIntent | kOutbox | kProcessed | kDead;
constexpr std::uint16_t kAll = kLocal | kEffect;

using M = FieldMeaning;

constexpr FieldRow kFields[] = {
    {"key", Field::Key, M::Key, kAll},
    {"job_id", Field::JobId, M::Link, kLocal},
    {"message_id", Field::MessageId, M::Link, kLocal},
    {"op_ref", Field::OpRef, M::Link, kAll},
    {"effect_id", Field::EffectId, M::Link, kAll},
    {"parent_id", Field::ParentId, M::Link, kEffect},
    {"replaces", Field::Replaces, M::Link, kEffect},
    {"id", Field::Id, M::Link, kIntent | kOutbox | kProcessed},
    {"account", Field::Account, M::Text, kAll},
    {"live", Field::Live, M::Live, kAll},
    {"operation", Field::Operation, M::Text, kLocal},
    {"task", Field::Task, M::Text, kLocal},
    {"queue", Field::Queue, M::Text, kLocal | kDepth},
    {"worker", Field::Worker, M::Text, kLocal},
    {"customer", Field::Customer, M::Text, kAll},
    {"topic", Field::Topic, M::Text, kOutbox},
    {"error", Field::Error, M::Text, kAttempt | kDead},
    {"dead_letter_queue", Field::DeadLetterQueue, M::Text, kDepth},
    {"part", Field::Part, M::Text, kDepth},
    {"fingerprint", Field::Fingerprint, M::Fingerprint, kLocal},
    {"first_fingerprint", Field::FirstFingerprint, M::Fingerprint, kSkip},
    {"first_op_ref", Field::FirstOpRef, M::Link, kSkip},
    {"currency", Field::Currency, M::Currency, kAll},
    {"fee_currency", Field::FeeCurrency, M::FeeCurrency, kEffect},
    {"amount", Field::Amount, M::Amount, kAll},
    {"fee", Field::Fee, M::Fee, kEffect},
    {"kind", Field::Kind, M::Word, kEffect | kDepth},
    {"status", Field::Status, M::Word, kAttempt | kEffect | kIntent},
    {"state", Field::Status, M::Word, kClaim},
    {"reason", Field::Reason, M::Word, kSkip | kAttempt},
    {"attempt", Field::Attempt, M::Integer, kAttempt},
    {"publish_count", Field::PublishCount, M::Integer, kOutbox},
    {"receive_count", Field::ReceiveCount, M::Integer, kDead},
    {"depth", Field::Depth, M::Integer, kDepth},
    {"ready", Field::Ready, M::Integer, kDepth},
    {"in_flight", Field::InFlight, M::Integer, kDepth},
    {"delayed", Field::Delayed, M::Integer, kDepth},
    {"from", Field::From, M::Integer, kDepth},
    {"to", Field::To, M::Integer, kDepth},
    {"offset", Field::Offset, M::Integer, kDepth},
    {"dead", Field::Dead, M::Flag, kOutbox},
    {"dead_letter", Field::DeadLetter, M::Flag, kDepth},
    {"oldest", Field::Oldest, M::Age, kDepth},
    {"start", Field::Start, M::Time, kAttempt},
    {"end", Field::End, M::Time, kAttempt},
    {"created", Field::Created, M::Time, kEffect},
    {"effective", Field::Effective, M::Time, kEffect},
    {"time", Field::Time, M::Time, kSkip},
    {"claimed_at", Field::ClaimedAt, M::Time, kClaim},
    {"expires_at", Field::ExpiresAt, M::Time, kClaim},
    {"created_at", Field::CreatedAt, M::Time, kIntent | kOutbox},
    {"due_at", Field::DueAt, M::Time, kIntent},
    {"published_at", Field::PublishedAt, M::Time, kOutbox},
    {"processed_at", Field::ProcessedAt, M::Time, kProcessed},
    {"enqueued_at", Field::EnqueuedAt, M::Time, kDead},
    {"died_at", Field::DiedAt, M::Time, kDead},
    {"deadline", Field::Deadline, M::Time, kDead},
    {"sampled_at", Field::SampledAt, M::Time, kDead | kDepth},
};

/// Lower case, blanks and dashes as underscores.
std::string foldWord(std::string_view word) {
  std::string folded = toLowerAscii(trim(word));
  std::replace_if(
      folded.begin(), folded.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return folded;
}

struct Vocabulary {
  std::string_view code;
  std::uint8_t value;
  std::string_view words;  ///< separated by blanks; the code itself is always one
};

template <class E>
constexpr std::uint8_t v(E value) {
  return static_cast<std::uint8_t>(value);
}

constexpr Vocabulary kAttemptStatus[] = {
    {"succeeded", v(AttemptStatus::Succeeded),
     "success successful done complete completed ok okay paid finished processed charged sent "
     "executed 200"},
    {"failed_final", v(AttemptStatus::FailedFinal),
     "failed failure fail error errored dead exhausted discarded rejected revoked cancelled "
     "canceled aborted "
     "dead_lettered deadlettered gave_up expired"},
    {"retry_pending", v(AttemptStatus::RetryPending),
     "retry retrying retries retryable retry_scheduled will_retry pending_retry rescheduled "
     "requeued up_for_retry "
     "conflict 409 scheduled delayed"},
    {"running", v(AttemptStatus::Running),
     "in_progress inprogress started active processing executing working pending queued waiting "
     "received "
     "available enqueued leased reserved"},
    {"lost", v(AttemptStatus::Lost),
     "worker_lost workerlost stalled crashed killed timed_out_lost abandoned orphaned rescued"},
    {"unknown", v(AttemptStatus::Unknown), ""},
    {"skipped", kSkippedStatus,
     "skip duplicate dupe deduplicated deduped suppressed already_done already_processed "
     "ignored_duplicate "
     "skipped_duplicate"},
};
constexpr Vocabulary kEffectStatus[] = {
    {"live", v(EffectStatus::Live),
     "succeeded success successful paid posted settled captured complete completed available done "
     "approved "
     "processed ok delivered lost finished confirmed"},
    {"pending", v(EffectStatus::Pending),
     "processing authorized authorised requires_capture in_transit in_progress created initiated "
     "submitted queued "
     "accepted pending_settlement open under_review needs_response held on_hold unsettled "
     "uncaptured scheduled "
     "requires_confirmation requires_payment_method requires_action incomplete deferred"},
    {"failed", v(EffectStatus::Failed),
     "failure declined canceled cancelled expired void voided rejected error denied refused "
     "blocked returned "
     "bounced bounce dropped undelivered unsuccessful abandoned won"},
};
constexpr Vocabulary kEffectKind[] = {
    {"forward", v(EffectKind::Forward),
     "charge payment sale capture captured purchase payment_intent card_payment subscription "
     "invoice_payment paybill "
     "till pay_in payin delivery message email mail sms"},
    {"reversal", v(EffectKind::Reversal),
     "refund refunded reversed reverse refunds partial_refund full_refund payment_refund "
     "charge_refund"},
    {"dispute", v(EffectKind::Dispute), "chargeback charge_back disputed"},
    {"fee", v(EffectKind::Fee),
     "fees commission stripe_fee application_fee network_fee processing_fee service_fee "
     "charge_fee"},
    {"other", v(EffectKind::Other),
     "payout payouts transfer adjustment withdrawal reserve authorization authorisation auth "
     "authorize void release "
     "hold contribution balance conversion currency_conversion opening_balance closing_balance "
     "transfer_reversal payout_failure payout_reversal reserve_release reserve_hold interest"},
};
constexpr Vocabulary kQueueKind[] = {
    {"work", v(QueueKind::Work), "waiting ready wait queue enqueued pending available main prioritized"},
    {"dead", v(QueueKind::Dead), "dead_letter dead_letters deadletter dlq dlt failed xq error morgue parked"},
    {"retry", v(QueueKind::Retry), "retries retrying"},
    {"delayed", v(QueueKind::Delayed), "scheduled schedule delay deferred dq"},
    {"in_flight", v(QueueKind::InFlight), "inflight active unacked unacknowledged processing running busy not_visible"},
};
constexpr Vocabulary kClaimState[] = {
    {"in_progress", v(ClaimState::InProgress),
     "inprogress processing running started pending locked leased claimed acquired active 0 false"},
    {"completed", v(ClaimState::Completed),
     "complete done finished processed success succeeded ok used 1 true"},
    {"failed", v(ClaimState::Failed), "failure error errored aborted cancelled canceled"},
};
constexpr Vocabulary kIntentStatus[] = {
    {"open", v(IntentStatus::Open),
     "pending new created unpaid due scheduled processing in_progress awaiting_payment overdue "
     "queued placed "
     "confirmed unfulfilled active approved requested todo payment_pending past_due"},
    {"done", v(IntentStatus::Done),
     "paid fulfilled complete completed succeeded success processed shipped closed settled charged "
     "delivered sent "
     "finished captured refunded"},
    {"cancelled", v(IntentStatus::Cancelled),
     "canceled void voided deleted abandoned expired rejected declined withdrawn uncollectible"},
};
constexpr Vocabulary kSkipReason[] = {
    {"already_done", v(SkipReason::AlreadyDone),
     "already_processed already_completed already_paid already_charged already_sent already_exists "
     "duplicate "
     "key_exists processed completed done exists seen replay idempotency_hit dedupe deduplicated "
     "cached"},
    {"in_progress", v(SkipReason::InProgress),
     "inprogress already_running running locked lock_held lock in_flight processing "
     "already_in_progress claimed busy "
     "conflict 409"},
    {"enqueue_suppressed", v(SkipReason::EnqueueSuppressed),
     "suppressed not_enqueued enqueue_skipped already_enqueued already_queued unique_job "
     "not_unique"},
    {"unspecified", v(SkipReason::Unspecified), ""},
};

std::span<const Vocabulary> vocabulary(RecordKind kind, Field field) {
  if (field == Field::Kind) return kind == RecordKind::QueueDepth ? std::span<const Vocabulary>(kQueueKind) : kEffectKind;
  if (field == Field::Reason) return kSkipReason;
  if (field != Field::Status) return {};
  switch (kind) {
    case RecordKind::Attempt:
      return kAttemptStatus;
    case RecordKind::Effect:
      return kEffectStatus;
    case RecordKind::Claim:
      return kClaimState;
    case RecordKind::Intent:
      return kIntentStatus;
    case RecordKind::Skip:
    case RecordKind::Outbox:
    case RecordKind::ProcessedEvent:
    case RecordKind::DeadLetter:
    case RecordKind::QueueDepth:
      return {};
  }
  return {};
}

bool contains(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

/// Claims often keep the HTTP status of the answer: any 2xx is a finished call.
std::optional<std::uint8_t> httpClaimState(std::string_view word) {
  if (word.size() != 3 || word[0] < '1' || word[0] > '5') return std::nullopt;
  if (word[1] < '0' || word[1] > '9' || word[2] < '0' || word[2] > '9') return std::nullopt;
  return v(word[0] == '2' ? ClaimState::Completed : ClaimState::Failed);
}

}  // namespace

const FieldRow* findField(RecordKind kind, std::string_view name) {
  for (const FieldRow& row : kFields) {
    if ((row.kinds & bit(kind)) != 0 && row.name == name) return &row;
  }
  return nullptr;
}

std::vector<std::string_view> fieldNames(RecordKind kind) {
  std::vector<std::string_view> names;
  for (const FieldRow& row : kFields) {
    if ((row.kinds & bit(kind)) != 0) names.push_back(row.name);
  }
  return names;
}

std::string_view nameOf(RecordKind kind, Field field) {
  for (const FieldRow& row : kFields) {
    if ((row.kinds & bit(kind)) != 0 && row.field == field) return row.name;
  }
  return "?";
}

std::vector<std::string_view> codesOf(RecordKind kind, Field field) {
  std::vector<std::string_view> codes;
  for (const Vocabulary& entry : vocabulary(kind, field)) codes.push_back(entry.code);
  return codes;
}

std::optional<std::uint8_t> valueOfCode(RecordKind kind, Field field, std::string_view word) {
  const std::string folded = foldWord(word);
  for (const Vocabulary& entry : vocabulary(kind, field)) {
    if (entry.code == folded) return entry.value;
  }
  return std::nullopt;
}

std::optional<std::uint8_t> valueOfWord(RecordKind kind, Field field, std::string_view word) {
  if (auto value = valueOfCode(kind, field, word)) return value;
  const std::string folded = foldWord(word);
  if (folded.empty()) return std::nullopt;
  for (const Vocabulary& entry : vocabulary(kind, field)) {
    if (contains(entry.words, folded)) return entry.value;
  }
  if (kind == RecordKind::Claim && field == Field::Status) return httpClaimState(folded);
  return std::nullopt;
}

std::optional<bool> flagOf(std::string_view word) {
  const std::string folded = foldWord(word);
  if (contains("true t yes y 1 on dead", folded)) return true;
  if (contains("false f no n 0 off", folded)) return false;
  return std::nullopt;
}

std::optional<Live> liveOf(std::string_view word) {
  const std::string folded = foldWord(word);
  if (contains("true t yes y 1 live prod production livemode", folded)) return Live::Live;
  if (contains("false f no n 0 test testing sandbox staging testmode", folded)) return Live::Test;
  return std::nullopt;
}

std::string foldColumnName(std::string_view name) {
  static constexpr std::string_view kDropped = " _-.()[]";
  std::string folded;
  for (const char c : toLowerAscii(trim(name))) {
    if (kDropped.find(c) == std::string_view::npos) folded += c;
  }
  return folded;
}

}  // namespace counterfoil
