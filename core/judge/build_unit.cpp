// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/build_unit.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/judge/case_id.h"
#include "core/judge/classify.h"
#include "core/judge/job_views.h"
#include "core/judge/reasons.h"
#include "core/judge/redrive.h"
#include "core/judge/skips.h"
#include "core/judge/stakes.h"
#include "core/judge/why.h"

namespace counterfoil::judging {

namespace {

class UnitBuilder {
 public:
  UnitBuilder(const UnitParts& parts, std::vector<Node>& nodes, const Links& links)
      : m_parts(parts), m_view(*parts.view), m_nodes(nodes), m_links(links) {}

  Unit run() {
    nameIt();
    judgeIt();
    judgeSkipsAndLetters();
    m_unit.reason = reasonOf(m_unit, m_view);
    moveRecords();
    return std::move(m_unit);
  }

 private:
  void nameIt() {
    m_unit.operation = m_view.operationId;
    m_unit.operationName = m_view.operation->name;
    m_unit.mark = m_parts.mark;
    std::set<std::string_view> keys;
    std::string_view account;
    bool hasSeveralAccounts = false;
    for (NodeIndex i : m_parts.nodes) {
      const RecordHead& head = *m_nodes[i].head;
      if (showsKey(i)) keys.insert(head.keyText.empty() ? head.key : head.keyText);
      if (m_unit.opRef.empty()) m_unit.opRef = m_links.opRef[i];
      if (!head.account.empty() && account.empty()) account = head.account;
      hasSeveralAccounts = hasSeveralAccounts || (!head.account.empty() && head.account != account);
      const auto at = m_nodes[i].time;
      if (at && (!m_unit.firstSeen || *at < *m_unit.firstSeen)) m_unit.firstSeen = at;
    }
    for (std::string_view key : keys) m_unit.keys.emplace_back(key);
    m_unit.key = firstKey();
    const bool test = isTest(*m_nodes[m_parts.nodes.front()].head);
    m_unit.scope = scopeText(hasSeveralAccounts ? std::string_view() : account, test);
    m_unit.id = caseIdOf(m_unit.scope, m_unit.operationName, identityKey(), m_unit.mark);
  }

  /// A number of a damaged column that stands for several of our keys is none of them.
  [[nodiscard]] bool showsKey(NodeIndex i) const {
    const RecordHead& head = *m_nodes[i].head;
    const RunKnowledge* run = m_view.context->run;
    const bool isRejected = m_nodes[i].isEffect() && m_links.key[i].empty() && !head.key.empty() &&
                            run != nullptr && run->damagedSources.count(head.place.source) != 0;
    if (isRejected) return false;
    return !head.key.empty() || (!head.keyText.empty() && !isNoValue(head.keyText));
  }

  [[nodiscard]] std::string firstKey() const {
    for (const Attempt* attempt : m_view.attempts) {
      if (!attempt->key.empty()) return attempt->keyText.empty() ? attempt->key : attempt->keyText;
    }
    return m_unit.keys.empty() ? std::string() : m_unit.keys.front();
  }

  /// What names the unit: its key in normal form, else the strongest other value it has.
  [[nodiscard]] std::string identityKey() const {
    for (const Attempt* attempt : m_view.attempts) {
      if (!attempt->key.empty()) return attempt->key;
    }
    std::string_view key;
    for (NodeIndex i : m_parts.nodes) {
      const std::string_view own = m_links.key[i];
      if (!own.empty() && (key.empty() || own < key)) key = own;
    }
    if (!key.empty()) return std::string(key);
    return substituteKey();
  }

  [[nodiscard]] std::string substituteKey() const {
    if (!m_unit.opRef.empty()) return "op_ref|" + m_unit.opRef;
    const Node& first = m_nodes[m_parts.nodes.front()];
    const RecordHead& head = *first.head;
    const std::string source = "|" + std::to_string(head.place.source.value) + "|";
    if (!head.jobId.empty()) return "job" + source + head.jobId;
    if (!head.messageId.empty()) return "message" + source + head.messageId;
    if (!head.effectId.empty()) return "effect" + source + head.effectId;
    std::string bytes(codeOf(first.kind));
    bytes += source + head.keyText + "|" + head.customer + "|" + head.task + "|" + head.queue;
    if (head.amount) bytes += "|" + formatPlain(*head.amount) + head.amount->currency.text();
    if (first.time) bytes += "|" + formatInstant(*first.time);
    return bytes;
  }

  void judgeIt() {
    const Decision decision = decide(m_view);
    m_unit.unitClass = decision.unitClass;
    for (Flag flag : decision.flags) m_unit.raise(flag);
    m_unit.local = m_view.local;
    m_unit.due = m_view.due;
    m_unit.why = whyOf(m_view, m_unit.unitClass);
    for (Hint hint : hintsOf(m_view, m_unit.unitClass)) m_unit.raise(hint);
    m_unit.expectedAmount = expectedOf(m_view, m_unit.unitClass);
    m_unit.exposure = exposureOf(m_view, m_unit.unitClass);
    if (isOverdue(m_view, m_unit.unitClass)) m_unit.raise(Flag::Overdue);
    m_unit.severity = severityOf(m_unit, *m_view.context);
  }

  void judgeSkipsAndLetters() {
    std::size_t next = 0;
    for (NodeIndex i : m_parts.nodes) {
      if (m_nodes[i].kind != RecordKind::Skip) continue;
      const bool isUnsure = std::find(m_parts.unsureSkips.begin(), m_parts.unsureSkips.end(), i) !=
                            m_parts.unsureSkips.end();
      m_unit.skipVerdicts.push_back(
          judgeSkip(*m_view.skips[next++], m_view, {m_unit.unitClass, isUnsure}));
    }
    dropAbsorbedWithoutLegit();
    for (const DeadLetter* letter : m_view.deadLetters) {
      m_unit.deadLetterVerdicts.push_back(judgeDeadLetter(*letter, m_view));
    }
  }

  /// A skip that suppressed other work absorbed nothing.
  void dropAbsorbedWithoutLegit() {
    const auto& verdicts = m_unit.skipVerdicts;
    const bool suppressesOnly =
        !verdicts.empty() && std::all_of(verdicts.begin(), verdicts.end(), [](const JudgedSkip& s) {
          return s.verdict == SkipVerdict::Suppressing;
        });
    if (suppressesOnly && successesOf(m_view.attempts, m_view.context->policy) < 2) std::erase(m_unit.flags, Flag::AbsorbedDuplicate);
  }

  void moveRecords() {
    Records& records = m_unit.records;
    for (NodeIndex i : m_parts.nodes) {
      RecordHead* head = m_nodes[i].head;
      switch (m_nodes[i].kind) {
        case RecordKind::Attempt: records.attempts.push_back(take<Attempt>(head)); break;
        case RecordKind::Skip: records.skips.push_back(take<Skip>(head)); break;
        case RecordKind::Claim: records.claims.push_back(take<Claim>(head)); break;
        case RecordKind::Intent: records.intents.push_back(take<Intent>(head)); break;
        case RecordKind::Outbox: records.outbox.push_back(take<OutboxRow>(head)); break;
        case RecordKind::ProcessedEvent:
          records.processedEvents.push_back(take<ProcessedEvent>(head));
          break;
        case RecordKind::Effect: records.effects.push_back(take<Effect>(head)); break;
        case RecordKind::DeadLetter: records.deadLetters.push_back(take<DeadLetter>(head)); break;
        case RecordKind::QueueDepth: break;
      }
    }
  }

  template <class Record>
  static Record&& take(RecordHead* head) {
    return std::move(static_cast<Record&>(*head));
  }

  const UnitParts& m_parts;
  const UnitView& m_view;
  std::vector<Node>& m_nodes;
  const Links& m_links;
  Unit m_unit;
};

}  // namespace

Unit buildUnit(const UnitParts& parts, std::vector<Node>& nodes, const Links& links) {
  return UnitBuilder(parts, nodes, links).run();
}

}  // namespace counterfoil::judging
