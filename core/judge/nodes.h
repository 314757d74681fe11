// SPDX-License-Identifier: GPL-3.0-or-later
// A flat view of a group's records: one Node a record, in a canonical order that depends on what the
// records say and not on where they were read. Everything inside the judge works on indexes of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/judge/judge.h"

namespace counterfoil::judging {

using NodeIndex = std::uint32_t;

struct Node {
  RecordKind kind = RecordKind::Attempt;
  RecordHead* head = nullptr;   ///< of a record of the group, which the judge owns
  std::optional<Instant> time;  ///< attempt: start, else end; effect: created; others: their time

  [[nodiscard]] bool isEffect() const { return kind == RecordKind::Effect; }
  [[nodiscard]] bool isLocal() const { return kind != RecordKind::Effect; }
  [[nodiscard]] const Attempt& attempt() const { return static_cast<const Attempt&>(*head); }
  [[nodiscard]] const Skip& skip() const { return static_cast<const Skip&>(*head); }
  [[nodiscard]] const Claim& claim() const { return static_cast<const Claim&>(*head); }
  [[nodiscard]] const Intent& intent() const { return static_cast<const Intent&>(*head); }
  [[nodiscard]] const OutboxRow& outbox() const { return static_cast<const OutboxRow&>(*head); }
  [[nodiscard]] const ProcessedEvent& event() const {
    return static_cast<const ProcessedEvent&>(*head);
  }
  [[nodiscard]] Effect& effect() const { return static_cast<Effect&>(*head); }
  [[nodiscard]] const DeadLetter& deadLetter() const { return static_cast<const DeadLetter&>(*head); }
  [[nodiscard]] bool isForward() const { return isEffect() && effect().kind == EffectKind::Forward; }
  [[nodiscard]] bool isReversal() const { return isEffect() && effect().kind == EffectKind::Reversal; }
  [[nodiscard]] bool isDispute() const { return isEffect() && effect().kind == EffectKind::Dispute; }
};

/// The nodes of `records`, which must outlive them and stay where they are.
[[nodiscard]] std::vector<Node> nodesOf(Records& records);

/// Takes out the nodes that are marked; canonical order afterwards.
void removeNodes(std::vector<Node>& nodes, const std::vector<bool>& marked);

/// Total order by kind, time and content; the place decides only between equal records.
[[nodiscard]] bool canonicallyBefore(const Node& a, const Node& b);
/// Order by everything a record says but its place; equal when neither is before the other.
[[nodiscard]] int compareContent(const Node& a, const Node& b);

[[nodiscard]] std::optional<Instant> timeOf(RecordKind kind, RecordHead& head);

/// A blank account fits any; live and unstated are the same, test is another world.
[[nodiscard]] inline bool isTest(const RecordHead& head) { return head.live == Live::Test; }
[[nodiscard]] inline bool accountsFit(std::string_view a, std::string_view b) {
  return a.empty() || b.empty() || a == b;
}
[[nodiscard]] inline bool scopesFit(const RecordHead& a, const RecordHead& b) {
  return isTest(a) == isTest(b) && accountsFit(a.account, b.account);
}
/// "account", "account/test", "" or "/test".
[[nodiscard]] std::string scopeText(std::string_view account, bool test);

/// Name of the provider of an effect's source; "" if the configuration does not say.
[[nodiscard]] std::string_view providerOf(const RecordHead& head, const Policy& policy);

}  // namespace counterfoil::judging
