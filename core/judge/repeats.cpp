// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/repeats.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/judge/job_views.h"
#include "core/record/shared_id.h"

namespace counterfoil::judging {

namespace {

using Indexes = std::vector<NodeIndex>;

/// Rows of one provider, or of one local source, can be the same row read twice.
struct Origin {
  std::string_view provider;
  int source = -1;  ///< where the provider has no name
  auto operator<=>(const Origin&) const = default;
};

constexpr int kEverySource = -2;

/// Sidekiq's dead jobs have no id but the job's.
std::string_view idOfDeadLetter(const RecordHead& head) { return head.messageId.empty() ? head.jobId : head.messageId; }

Origin originOf(const Node& node, const Policy& policy) {
  const std::string_view provider = node.isEffect() ? providerOf(*node.head, policy) : "";
  if (!provider.empty()) return {provider, -1};
  // Two exports of one dead-letter queue name the same message.
  const SourceId source = node.head->place.source;
  if (node.kind != RecordKind::DeadLetter) return {{}, source.value};
  return {{}, isSharedId(idOfDeadLetter(*node.head)) ? kEverySource : policy.jobSpaceOf(source).value};
}

/// What one view of a record says and the other leaves out: without it the kept one would lose its links.
void fillBlanks(RecordHead& kept, const RecordHead& other) {
  if (kept.key.empty() && !kept.keyDamaged) {
    kept.key = other.key;
    kept.keyText = other.keyText;
  }
  for (const auto field : {&RecordHead::opRef, &RecordHead::jobId, &RecordHead::customer, &RecordHead::fingerprint,
                           &RecordHead::queue, &RecordHead::task, &RecordHead::effectId}) {
    if ((kept.*field).empty()) kept.*field = other.*field;
  }
  if (!kept.amount) kept.amount = other.amount;
}

class RepeatFinder {
 public:
  RepeatFinder(std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement)
      : m_nodes(nodes), m_context(context), m_judgement(judgement), m_dropped(nodes.size(), false) {}

  void run() {
    for (NodeIndex first = 0; first < m_nodes.size();) {
      NodeIndex last = first;
      while (last < m_nodes.size() && m_nodes[last].kind == m_nodes[first].kind) ++last;
      if (last - first > 1) findAmong(first, last);
      first = last;
    }
    if (m_any) removeNodes(m_nodes, m_dropped);
  }

 private:
  void findAmong(NodeIndex first, NodeIndex last) {
    Indexes named;
    Indexes nameless;
    for (NodeIndex i = first; i < last; ++i) {
      (hasIdentity(m_nodes[i]) ? named : nameless).push_back(i);
    }
    dropNamedRepeats(named);
    dropNamelessRepeats(nameless);
    if (m_nodes[first].isEffect()) dropSuperseded(first, last);
    if (m_nodes[first].kind == RecordKind::Skip) dropSecondViews(first, last);
  }

  /// A skip stands in the worker's log and in the job's result: of a job that several sources tell of, the skips of
  /// the source that saw most of them count, of several that of the first.
  void dropSecondViews(NodeIndex first, NodeIndex last) {
    const Policy& policy = m_context.policy;
    std::map<std::pair<SourceId, std::string_view>, std::map<SourceId, Indexes>> jobs;
    for (NodeIndex i = first; i < last; ++i) {
      const RecordHead& head = *m_nodes[i].head;
      if (m_dropped[i] || !policy.isSharedJob(head)) continue;
      jobs[{sourceOfId(head, policy), head.jobId}][head.place.source].push_back(i);
    }
    for (const auto& [job, views] : jobs) {
      const auto most = std::max_element(views.begin(), views.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      });
      for (const auto& [source, skips] : views) {
        if (source == most->first) continue;
        for (const NodeIndex i : skips) {
          for (const NodeIndex kept : most->second) fillBlanks(*m_nodes[kept].head, *m_nodes[i].head);
          drop(i, most->second.front());
        }
      }
    }
  }

  static bool hasIdentity(const Node& node) {
    const RecordHead& head = *node.head;
    switch (node.kind) {
      case RecordKind::Attempt:
        return node.attempt().start.has_value() && !(head.jobId.empty() && head.messageId.empty());
      case RecordKind::Claim: return !head.key.empty() && node.claim().claimedAt.has_value();
      case RecordKind::Intent: return !node.intent().id.empty();
      case RecordKind::Outbox: return !node.outbox().id.empty();
      case RecordKind::ProcessedEvent: return !node.event().id.empty();
      case RecordKind::Effect: return !head.effectId.empty();
      case RecordKind::DeadLetter:
        return !head.messageId.empty() || (!head.jobId.empty() && node.deadLetter().diedAt.has_value());
      case RecordKind::Skip:
      case RecordKind::QueueDepth: return false;
    }
    return false;
  }

  /// Everything that has to agree for two rows to be one record; the account is compared apart.
  using Identity = std::tuple<Origin, bool, std::string_view, std::string_view, std::string_view,
                              std::string_view, std::int64_t, std::int64_t>;

  static std::int64_t micros(const std::optional<Instant>& at) {
    return at ? at->time_since_epoch().count() : INT64_MIN;
  }

  Identity identityOf(const Node& node) const {
    const RecordHead& head = *node.head;
    const Origin origin = originOf(node, m_context.policy);
    const bool test = isTest(head);
    const std::int64_t amount = head.amount ? head.amount->minor : -1;
    switch (node.kind) {
      case RecordKind::Attempt:
        return {origin, test, head.jobId, head.messageId, head.key, head.worker,
                micros(node.attempt().start), node.attempt().number.value_or(-1)};
      case RecordKind::Claim:
        return {origin, test, head.key, {}, {}, {}, micros(node.claim().claimedAt), 0};
      case RecordKind::Intent:
        return {origin, test, node.intent().id, head.key, head.opRef, {},
                micros(node.intent().createdAt), amount};
      case RecordKind::Outbox:
        return {origin, test, node.outbox().id, head.key, {}, {}, 0, 0};
      case RecordKind::ProcessedEvent:
        return {origin, test, node.event().id, head.key, {}, {}, 0, 0};
      case RecordKind::Effect:
        return {origin, test, head.effectId, {}, {}, {}, 0, static_cast<int>(node.effect().kind)};
      case RecordKind::DeadLetter:
        return {origin, test, idOfDeadLetter(head), head.queue, head.key, {},
                head.messageId.empty() ? micros(node.deadLetter().diedAt) : 0, 0};
      case RecordKind::Skip:
      case RecordKind::QueueDepth: break;
    }
    return {};
  }

  void dropNamedRepeats(Indexes& named) {
    if (named.size() < 2) return;
    std::vector<std::pair<Identity, NodeIndex>> order;
    order.reserve(named.size());
    for (NodeIndex i : named) order.emplace_back(identityOf(m_nodes[i]), i);
    std::sort(order.begin(), order.end());
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first + 1;
      while (last < order.size() && order[last].first == order[first].first) ++last;
      if (last - first > 1) {
        Indexes same;
        for (std::size_t i = first; i < last; ++i) same.push_back(order[i].second);
        dropAllButBestByAccount(same);
      }
      first = last;
    }
  }

  /// A blank account fits the one that is named; of several accounts each keeps its own record.
  void dropAllButBestByAccount(const Indexes& same) {
    std::map<std::string_view, Indexes> byAccount;
    for (NodeIndex i : same) byAccount[m_nodes[i].head->account].push_back(i);
    if (byAccount.size() == 2 && byAccount.begin()->first.empty()) {
      dropAllButBest(same);
      return;
    }
    for (const auto& [account, members] : byAccount) dropAllButBest(members);
  }

  void dropAllButBest(const Indexes& same) {
    NodeIndex best = same.front();
    for (NodeIndex i : same) {
      if (i != best && isBetterReading(m_nodes[i], m_nodes[best])) best = i;
    }
    for (NodeIndex i : same) {
      if (i != best) drop(i, best);
    }
  }

  static int statusRank(EffectStatus status) {
    switch (status) {
      case EffectStatus::Live: return 2;
      case EffectStatus::Failed: return 1;
      case EffectStatus::Pending: return 0;
    }
    return 0;
  }
  static int statusRank(AttemptStatus status) {
    switch (status) {
      case AttemptStatus::Succeeded: return 5;
      case AttemptStatus::FailedFinal: return 4;
      case AttemptStatus::Lost: return 3;
      case AttemptStatus::RetryPending: return 2;
      case AttemptStatus::Unknown: return 1;
      case AttemptStatus::Running: return 0;
    }
    return 0;
  }

  /// How late and how final a reading is: the greater one stands for the record.
  static std::tuple<std::int64_t, std::int64_t, std::int64_t> readingRank(const Node& node) {
    switch (node.kind) {
      case RecordKind::Attempt: {
        const Attempt& attempt = node.attempt();
        return {attempt.end.has_value(), statusRank(attempt.status), micros(attempt.end)};
      }
      case RecordKind::Claim:
        return {node.claim().state != ClaimState::InProgress, micros(node.claim().expiresAt), 0};
      case RecordKind::Intent: return {node.intent().status != IntentStatus::Open, 0, 0};
      case RecordKind::Outbox:
        return {node.outbox().publishCount, node.outbox().publishedAt.has_value(),
                node.outbox().dead};
      case RecordKind::Effect: {
        const Effect& effect = node.effect();
        return {effect.effective.value_or(effect.created).time_since_epoch().count(),
                statusRank(effect.status), 0};
      }
      case RecordKind::DeadLetter:
        return {micros(node.deadLetter().sampledAt), micros(node.deadLetter().diedAt),
                node.deadLetter().receiveCount.value_or(0)};
      case RecordKind::Skip:
      case RecordKind::ProcessedEvent:
      case RecordKind::QueueDepth: break;
    }
    return {};
  }

  static bool isBetterReading(const Node& candidate, const Node& best) {
    return readingRank(candidate) > readingRank(best);
  }

  /// Rows without an id: equal rows of one file are several records; equal rows of several files are one
  /// as far as the files cover that time.
  void dropNamelessRepeats(Indexes& nameless) {
    if (nameless.size() < 2) return;
    std::sort(nameless.begin(), nameless.end(), [this](NodeIndex a, NodeIndex b) {
      return contentOrder(a, b) != 0 ? contentOrder(a, b) < 0 : fileOf(a) < fileOf(b);
    });
    for (std::size_t first = 0; first < nameless.size();) {
      std::size_t last = first + 1;
      while (last < nameless.size() && contentOrder(nameless[first], nameless[last]) == 0) ++last;
      if (last - first > 1) dropEqualRows({nameless.begin() + first, nameless.begin() + last});
      first = last;
    }
  }

  FileId fileOf(NodeIndex i) const { return m_nodes[i].head->place.file; }

  int contentOrder(NodeIndex a, NodeIndex b) const {
    return compareContent(m_nodes[a], m_nodes[b]);
  }

  bool coversItsTime(NodeIndex i) const {
    const auto found = m_context.coverage.byFile.find(fileOf(i));
    const bool isDeclared =
        m_context.coverage.declared.count(m_nodes[i].head->place.source) != 0;
    if (!isDeclared || found == m_context.coverage.byFile.end() || !m_nodes[i].time) return true;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](const Interval& covered) { return covered.contains(*m_nodes[i].time); });
  }

  /// `equal` is sorted by file. Of the files that cover the time the one with most rows counts.
  void dropEqualRows(const Indexes& equal) {
    std::size_t keepFirst = 0;
    std::size_t keepLast = 0;
    std::vector<std::pair<std::size_t, std::size_t>> covering;  // rows of one file
    for (std::size_t first = 0; first < equal.size();) {
      std::size_t last = first + 1;
      while (last < equal.size() && fileOf(equal[last]) == fileOf(equal[first])) ++last;
      if (coversItsTime(equal[first])) {
        covering.emplace_back(first, last);
        if (last - first > keepLast - keepFirst) keepFirst = first, keepLast = last;
      }
      first = last;
    }
    for (const auto& [first, last] : covering) {
      if (first == keepFirst) continue;
      for (std::size_t i = first; i < last; ++i) drop(equal[i], equal[keepFirst]);
    }
  }

  /// A row that names the pending one it replaces, and a capture with its authorisation's parent.
  void dropSuperseded(NodeIndex first, NodeIndex last) {
    std::vector<std::pair<std::string_view, NodeIndex>> byId;
    std::vector<std::pair<std::string_view, NodeIndex>> authorisations;
    for (NodeIndex i = first; i < last; ++i) {
      const Effect& effect = m_nodes[i].effect();
      if (!effect.effectId.empty()) byId.emplace_back(effect.effectId, i);
      if (!m_nodes[i].isForward() || effect.status != EffectStatus::Pending) continue;
      if (!effect.parentId.empty()) authorisations.emplace_back(effect.parentId, i);
      if (!effect.effectId.empty()) authorisations.emplace_back(effect.effectId, i);
    }
    std::sort(byId.begin(), byId.end());
    std::sort(authorisations.begin(), authorisations.end());
    for (NodeIndex i = first; i < last; ++i) {
      const Effect& effect = m_nodes[i].effect();
      if (!effect.replaces.empty()) {
        // A row may have been replaced in its turn: the last of the chain stands for all.
        forEachOf(byId, effect.replaces, [&](NodeIndex old) {
          if (!isReplaced(old, heirOf(i))) return;
          // Of a chain the oldest id is kept: it is the one that a job saw.
          if (heirOf(i) != i) m_nodes[heirOf(i)].effect().replaces = effect.replaces;
          drop(old, heirOf(i));
        });
      }
      if (m_dropped[i]) continue;
      const bool isCapture = m_nodes[i].isForward() && effect.status == EffectStatus::Live &&
                             !effect.parentId.empty();
      if (isCapture) {
        forEachOf(authorisations, effect.parentId, [&](NodeIndex old) {
          if (isAuthorisationOf(old, i)) drop(old, i);
        });
      }
    }
  }

  template <class Fn>
  static void forEachOf(const std::vector<std::pair<std::string_view, NodeIndex>>& index,
                        std::string_view value, const Fn& fn) {
    auto at = std::lower_bound(index.begin(), index.end(), std::pair(value, NodeIndex{0}));
    for (; at != index.end() && at->first == value; ++at) fn(at->second);
  }

  bool mayStandFor(NodeIndex old, NodeIndex successor) const {
    const Effect& a = m_nodes[old].effect();
    const Effect& b = m_nodes[successor].effect();
    return old != successor && !m_dropped[old] && !m_dropped[successor] && a.kind == b.kind &&
           scopesFit(a, b) &&
           originOf(m_nodes[old], m_context.policy) ==
               originOf(m_nodes[successor], m_context.policy);
  }
  /// Only what was not final is replaced: a live row that another one names is an effect of its own. The
  /// times do not matter: a posted row often has but a day.
  bool isReplaced(NodeIndex old, NodeIndex successor) const {
    return m_nodes[old].effect().status == EffectStatus::Pending && mayStandFor(old, successor);
  }
  bool isAuthorisationOf(NodeIndex old, NodeIndex capture) const {
    const Effect& taking = m_nodes[capture].effect();
    if (!mayStandFor(old, capture)) return false;
    if (taking.created + taking.createdSpan < m_nodes[old].effect().created) return false;
    const auto& held = m_nodes[old].head->amount;
    const auto& taken = m_nodes[capture].head->amount;
    return !held || !taken || (held->currency == taken->currency && held->minor >= taken->minor);
  }

  [[nodiscard]] bool isCarried(const RecordHead& head) const {
    return m_context.run != nullptr && m_context.run->isCarried(head.place);
  }

  /// The record that stands for this one. Only what still stands is ever an heir, so this ends.
  NodeIndex heirOf(NodeIndex i) const {
    while (m_dropped[i]) i = m_heir.at(i);
    return i;
  }

  void drop(NodeIndex repeat, NodeIndex kept) {
    if (m_dropped[repeat]) return;
    m_dropped[repeat] = true;
    m_heir[repeat] = kept;
    m_any = true;
    const RecordHead& lost = *m_nodes[repeat].head;
    if (m_nodes[repeat].kind == RecordKind::DeadLetter) fillBlanks(*m_nodes[kept].head, lost);
    if (!isCarried(lost)) ++m_judgement.repeats[lost.place.source];
    if (!m_nodes[repeat].isEffect()) return;
    const bool acrossNights = isCarried(lost) || isCarried(*m_nodes[kept].head);
    auto& repeated = acrossNights ? m_judgement.repeatedAcrossNights : m_judgement.repeatedEffects;
    repeated.push_back(m_nodes[repeat].effect());
    Effect& effect = m_nodes[kept].effect();
    const Effect& source = m_nodes[repeat].effect();
    if (effect.key.empty() && !effect.keyDamaged) {
      effect.key = source.key;
      effect.keyText = source.keyText;
    }
    if (effect.opRef.empty()) effect.opRef = source.opRef;
    if (effect.customer.empty()) effect.customer = source.customer;
    if (effect.parentId.empty()) effect.parentId = source.parentId;
  }

  std::vector<Node>& m_nodes;
  const JudgeContext& m_context;
  Judgement& m_judgement;
  std::vector<bool> m_dropped;
  std::map<NodeIndex, NodeIndex> m_heir;   ///< of what was dropped
  bool m_any = false;
};

}  // namespace

void dropRepeats(std::vector<Node>& nodes, const JudgeContext& context, Judgement& judgement) {
  if (nodes.size() < 2) return;
  RepeatFinder(nodes, context, judgement).run();
}

}  // namespace counterfoil::judging
