// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/list/record_fields.h"

#include <optional>
#include <type_traits>

namespace counterfoil {

namespace {

class Collector {
 public:
  RecordFields fields;

  void add(std::string_view name, std::string_view value) {
    if (!value.empty()) fields.emplace_back(name, std::string(value));
  }
  void add(std::string_view name, const std::optional<Instant>& at) {
    if (at) fields.emplace_back(name, formatInstant(*at));
  }
  void add(std::string_view name, const std::optional<std::int64_t>& number) {
    if (number) fields.emplace_back(name, std::to_string(*number));
  }
  void add(std::string_view name, bool value) {
    fields.emplace_back(name, value ? "true" : "false");
  }
  void add(std::string_view name, const std::optional<Duration>& duration) {
    if (duration) fields.emplace_back(name, formatShortDuration(*duration));
  }

  void addHead(const RecordHead& head) {
    add("key", head.keyText.empty() ? head.key : head.keyText);
    add("job_id", head.jobId);
    add("message_id", head.messageId);
    add("effect_id", head.effectId);
    add("op_ref", head.opRef);
    if (head.amount) {
      add("amount", formatPlain(*head.amount));
      add("currency", head.amount->currency.text());
    }
    add("customer", head.customer);
    add("task", head.task);
    add("queue", head.queue);
    add("worker", head.worker);
    add("fingerprint", head.fingerprint);
    add("account", head.account);
    if (head.live != Live::Unstated) add("live", head.live == Live::Live);
    if (head.keyDamaged) add("key_damaged", true);
  }
};

void collect(const Attempt& record, Collector& out) {
  out.add("status", codeOf(record.status));
  out.add("attempt", record.number);
  out.add("start", record.start);
  out.add("end", record.end);
  out.add("error", record.error);
}

void collect(const Skip& record, Collector& out) {
  out.add("time", std::optional(record.time));
  out.add("reason", codeOf(record.reason));
  out.add("first_fingerprint", record.firstFingerprint);
  out.add("first_op_ref", record.firstOpRef);
}

void collect(const Claim& record, Collector& out) {
  out.add("state", codeOf(record.state));
  out.add("claimed_at", record.claimedAt);
  out.add("expires_at", record.expiresAt);
}

void collect(const ProcessedEvent& record, Collector& out) {
  out.add("id", record.id);
  out.add("processed_at", record.processedAt);
}

void collect(const Intent& record, Collector& out) {
  out.add("id", record.id);
  out.add("status", codeOf(record.status));
  out.add("created_at", std::optional(record.createdAt));
  out.add("due_at", record.dueAt);
}

void collect(const OutboxRow& record, Collector& out) {
  out.add("id", record.id);
  out.add("topic", record.topic);
  out.add("created_at", std::optional(record.createdAt));
  out.add("published_at", record.publishedAt);
  out.add("publish_count", std::optional(record.publishCount));
  out.add("dead", record.dead);
}

void collect(const Effect& record, Collector& out) {
  out.add("kind", codeOf(record.kind));
  out.add("status", codeOf(record.status));
  out.add("parent_id", record.parentId);
  out.add("replaces", record.replaces);
  if (record.fee) {
    const Currency own = record.amount ? record.amount->currency : Currency();
    const Currency currency = record.feeCurrency.isNone() ? own : record.feeCurrency;
    out.add("fee", formatPlain({*record.fee, currency}, record.feeMicro));
    if (currency != own) out.add("fee_currency", currency.text());
  }
  out.add("created", std::optional(record.created));
  out.add("effective", record.effective);
}

void collect(const DeadLetter& record, Collector& out) {
  out.add("enqueued_at", record.enqueuedAt);
  out.add("died_at", record.diedAt);
  out.add("receive_count", record.receiveCount);
  out.add("error", record.error);
  out.add("deadline", record.deadline);
  out.add("sampled_at", record.sampledAt);
}

void collect(const QueueDepth& record, Collector& out) {
  out.add("queue", record.queue);
  out.add("kind", std::string(codeOf(record.kind)));
  if (record.kind != QueueKind::Unstated) out.add("dead_letter", record.kind == QueueKind::Dead);
  out.add("part", record.part);
  out.add("dead_letter_queue", record.deadLetterQueue);
  out.add("depth", record.depth);
  out.add("in_flight", record.inFlight);
  out.add("offset", record.offset);
  out.add("oldest", record.oldestAge);
  out.add("sampled_at", record.sampledAt);
}

}  // namespace

RecordFields fieldsOf(const AnyRecord& record) {
  Collector collector;
  std::visit(
      [&collector](const auto& value) {
        if constexpr (std::is_base_of_v<RecordHead, std::decay_t<decltype(value)>>)
          collector.addHead(value);
        collect(value, collector);
      },
      record);
  return std::move(collector.fields);
}

std::string_view codeOf(AttemptStatus status) {
  switch (status) {
    case AttemptStatus::Succeeded:
      return "succeeded";
    case AttemptStatus::FailedFinal:
      return "failed_final";
    case AttemptStatus::RetryPending:
      return "retry_pending";
    case AttemptStatus::Running:
      return "running";
    case AttemptStatus::Lost:
      return "lost";
    case AttemptStatus::Unknown:
      return "unknown";
  }
  return "";
}

std::string_view codeOf(EffectStatus status) {
  switch (status) {
    case EffectStatus::Live:
      return "live";
    case EffectStatus::Pending:
      return "pending";
    case EffectStatus::Failed:
      return "failed";
  }
  return "";
}

std::string_view codeOf(EffectKind kind) {
  switch (kind) {
    case EffectKind::Forward:
      return "forward";
    case EffectKind::Reversal:
      return "reversal";
    case EffectKind::Dispute:
      return "dispute";
    case EffectKind::Fee:
      return "fee";
    case EffectKind::Other:
      return "other";
  }
  return "";
}

std::string_view codeOf(SkipReason reason) {
  switch (reason) {
    case SkipReason::AlreadyDone:
      return "already_done";
    case SkipReason::InProgress:
      return "in_progress";
    case SkipReason::EnqueueSuppressed:
      return "enqueue_suppressed";
    case SkipReason::Unspecified:
      return "unspecified";
  }
  return "";
}

std::string_view codeOf(ClaimState state) {
  switch (state) {
    case ClaimState::InProgress:
      return "in_progress";
    case ClaimState::Completed:
      return "completed";
    case ClaimState::Failed:
      return "failed";
  }
  return "";
}

std::string_view codeOf(IntentStatus status) {
  switch (status) {
    case IntentStatus::Open:
      return "open";
    case IntentStatus::Done:
      return "done";
    case IntentStatus::Cancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace counterfoil
