// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/nodes.h"

#include <algorithm>
#include <tuple>

namespace counterfoil::judging {

namespace {

template <class T>
int compareTuples(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

auto headFields(const RecordHead& head) {
  return std::tie(head.effectId, head.jobId, head.messageId, head.key, head.opRef, head.account,
                  head.amount, head.keyText, head.live, head.operation, head.task, head.queue,
                  head.worker, head.customer, head.fingerprint, head.keyDamaged, head.place.source);
}

auto ownFields(const Attempt& r) { return std::tie(r.number, r.start, r.end, r.status, r.error); }
auto ownFields(const Skip& r) {
  return std::tie(r.time, r.reason, r.firstFingerprint, r.firstOpRef);
}
auto ownFields(const Claim& r) { return std::tie(r.claimedAt, r.expiresAt, r.state); }
auto ownFields(const Intent& r) { return std::tie(r.createdAt, r.id, r.dueAt, r.status); }
auto ownFields(const OutboxRow& r) {
  return std::tie(r.createdAt, r.id, r.topic, r.publishedAt, r.publishCount, r.dead);
}
auto ownFields(const ProcessedEvent& r) { return std::tie(r.processedAt, r.id); }
auto ownFields(const Effect& r) {
  return std::tie(r.kind, r.status, r.parentId, r.replaces, r.fee, r.feeMicro, r.feeCurrency, r.created,
                  r.createdSpan, r.effective);
}
auto ownFields(const DeadLetter& r) {
  return std::tie(r.enqueuedAt, r.diedAt, r.receiveCount, r.error, r.deadline, r.sampledAt);
}

int compareOwn(const Node& a, const Node& b) {
  switch (a.kind) {
    case RecordKind::Attempt: return compareTuples(ownFields(a.attempt()), ownFields(b.attempt()));
    case RecordKind::Skip: return compareTuples(ownFields(a.skip()), ownFields(b.skip()));
    case RecordKind::Claim: return compareTuples(ownFields(a.claim()), ownFields(b.claim()));
    case RecordKind::Intent: return compareTuples(ownFields(a.intent()), ownFields(b.intent()));
    case RecordKind::Outbox: return compareTuples(ownFields(a.outbox()), ownFields(b.outbox()));
    case RecordKind::ProcessedEvent: return compareTuples(ownFields(a.event()), ownFields(b.event()));
    case RecordKind::Effect: return compareTuples(ownFields(a.effect()), ownFields(b.effect()));
    case RecordKind::DeadLetter:
      return compareTuples(ownFields(a.deadLetter()), ownFields(b.deadLetter()));
    case RecordKind::QueueDepth: return 0;
  }
  return 0;
}

template <class Record>
void addNodes(std::vector<Node>& nodes, RecordKind kind, std::vector<Record>& records) {
  for (Record& record : records) nodes.push_back({kind, &record, timeOf(kind, record)});
}

}  // namespace

std::optional<Instant> timeOf(RecordKind kind, RecordHead& head) {
  const Node node{kind, &head, {}};
  switch (kind) {
    case RecordKind::Attempt:
      return node.attempt().start ? node.attempt().start : node.attempt().end;
    case RecordKind::Skip: return node.skip().time;
    case RecordKind::Claim:
      return node.claim().claimedAt ? node.claim().claimedAt : node.claim().expiresAt;
    case RecordKind::Intent: return node.intent().createdAt;
    case RecordKind::Outbox: return node.outbox().createdAt;
    case RecordKind::ProcessedEvent: return node.event().processedAt;
    case RecordKind::Effect: return node.effect().created;
    case RecordKind::DeadLetter: {
      const DeadLetter& letter = node.deadLetter();
      if (letter.diedAt) return letter.diedAt;
      return letter.enqueuedAt ? letter.enqueuedAt : letter.sampledAt;
    }
    case RecordKind::QueueDepth: return {};
  }
  return {};
}

std::vector<Node> nodesOf(Records& records) {
  std::vector<Node> nodes;
  nodes.reserve(records.size());
  addNodes(nodes, RecordKind::Attempt, records.attempts);
  addNodes(nodes, RecordKind::Skip, records.skips);
  addNodes(nodes, RecordKind::Claim, records.claims);
  addNodes(nodes, RecordKind::Intent, records.intents);
  addNodes(nodes, RecordKind::Outbox, records.outbox);
  addNodes(nodes, RecordKind::ProcessedEvent, records.processedEvents);
  addNodes(nodes, RecordKind::Effect, records.effects);
  addNodes(nodes, RecordKind::DeadLetter, records.deadLetters);
  std::sort(nodes.begin(), nodes.end(), canonicallyBefore);
  return nodes;
}

int compareContent(const Node& a, const Node& b) {
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.time != b.time) return a.time < b.time ? -1 : 1;
  const int heads = compareTuples(headFields(*a.head), headFields(*b.head));
  return heads != 0 ? heads : compareOwn(a, b);
}

void removeNodes(std::vector<Node>& nodes, const std::vector<bool>& marked) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!marked[i]) nodes[kept++] = nodes[i];
  }
  nodes.resize(kept);
  std::sort(nodes.begin(), nodes.end(), canonicallyBefore);
}

bool canonicallyBefore(const Node& a, const Node& b) {
  const int content = compareContent(a, b);
  if (content != 0) return content < 0;
  return a.head->place < b.head->place;
}

std::string scopeText(std::string_view account, bool test) {
  std::string scope(account);
  if (test) scope += "/test";
  return scope;
}

std::string_view providerOf(const RecordHead& head, const Policy& policy) {
  const std::size_t source = head.place.source.value;
  return source < policy.sources.size() ? std::string_view(policy.sources[source].provider)
                                        : std::string_view();
}

}  // namespace counterfoil::judging
