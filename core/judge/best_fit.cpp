// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/best_fit.h"

#include <algorithm>
#include <tuple>

#include "core/judge/clock.h"

namespace counterfoil::judging {

namespace {

/// Up to this many sub-operations are all compared; beyond it only those that share something.
constexpr std::size_t kCompareAll = 64;

}  // namespace

struct BestFit::Score {
  int recordedId = 0;   ///< 2: the effect's own id, 1: that of its payment or of a row it replaced
  bool job = false;
  bool key = false;
  bool plausibleTime = false;
  bool amount = false;
  std::int64_t fewEffects = 0;
  std::int64_t nearness = 0;

  [[nodiscard]] auto ties() const { return std::tie(recordedId, job, key, amount); }
  [[nodiscard]] auto all() const {
    return std::tie(recordedId, job, key, plausibleTime, amount, fewEffects, nearness);
  }
};

BestFit::BestFit(std::size_t partCount, const std::vector<Node>& nodes, const Links& links,
                 const JudgeContext& context)
    : m_nodes(nodes), m_links(links), m_context(context), m_parts(partCount) {}

void BestFit::note(Index& index, std::string_view value, std::size_t part) {
  if (value.empty()) return;
  PartList& parts = index[value];
  const auto at = std::lower_bound(parts.begin(), parts.end(), part);
  if (at == parts.end() || *at != part) parts.insert(at, part);
}

bool BestFit::holds(const Index& index, std::string_view value, std::size_t part) {
  if (value.empty()) return false;
  const auto found = index.find(value);
  return found != index.end() &&
         std::binary_search(found->second.begin(), found->second.end(), part);
}

void BestFit::add(std::size_t partIndex, NodeIndex i) {
  const Node& node = m_nodes[i];
  const RecordHead& head = *node.head;
  Part& part = m_parts[partIndex];
  note(m_ids, head.effectId, partIndex);
  if (node.isForward()) {
    note(m_ids, node.effect().replaces, partIndex);
    note(m_ids, node.effect().parentId, partIndex);
  }
  part.hasLocal = part.hasLocal || node.isLocal();
  if (node.isLocal()) note(m_jobs, head.jobId, partIndex);
  note(m_keys, m_links.key[i], partIndex);
  if (node.isForward() || node.isReversal()) ++part.effects;
  if (node.isLocal() && head.amount && part.amounts.insert(*head.amount).second) {
    m_amounts[*head.amount].emplace(node.time.value_or(Instant{}), partIndex);
  }
  if (!node.time) return;
  const Instant end = node.kind == RecordKind::Attempt
                          ? endOf(node.attempt(), m_context.policy.operation(m_links.operation[i]))
                          : *node.time;
  if (node.isLocal() || !part.first) {
    if (!part.first) m_times.emplace(*node.time, partIndex);
    part.first = part.first ? std::min(*part.first, *node.time) : *node.time;
    part.last = part.last ? std::max(*part.last, end) : end;
  }
}

BestFit::Score BestFit::scoreOf(NodeIndex i, std::size_t partIndex) const {
  const Node& node = m_nodes[i];
  const RecordHead& head = *node.head;
  const Part& part = m_parts[partIndex];
  Score score;
  if (holds(m_ids, head.effectId, partIndex)) {
    score.recordedId = 2;
  } else if (node.isEffect()) {
    const bool isRelated = holds(m_ids, node.effect().parentId, partIndex) ||
                           holds(m_ids, node.effect().replaces, partIndex);
    score.recordedId = isRelated ? 1 : 0;
  }
  score.job = node.isLocal() && holds(m_jobs, head.jobId, partIndex);
  score.key = holds(m_keys, m_links.key[i], partIndex);
  score.amount = head.amount && part.amounts.count(*head.amount) != 0;
  score.fewEffects = node.isEffect() ? -part.effects : 0;
  if (!node.time || !part.first) return score;
  const Policy& policy = m_context.policy;
  const Duration lag = node.isEffect() ? statementLagOf(head, policy) : Duration(0);
  const Instant from = *part.first - policy.clockSkew;
  const Instant to = *part.last + lag + policy.clockSkew;
  // An effect is plausible in the time of a run; that another effect is near says nothing.
  const bool hasRun = part.hasLocal || node.isLocal();
  score.plausibleTime = hasRun && from <= *node.time && *node.time <= to;
  const Duration before = *part.first - *node.time;
  const Duration after = *node.time - *part.last;
  score.nearness = -std::max({before, after, Duration(0)}).count();
  return score;
}

BestFit::PartList BestFit::candidates(NodeIndex i) const {
  PartList result;
  if (m_parts.size() <= kCompareAll) {
    for (std::size_t part = 0; part < m_parts.size(); ++part) result.push_back(part);
    return result;
  }
  const RecordHead& head = *m_nodes[i].head;
  const auto take = [&](const PartList& parts) {
    for (std::size_t n = 0; n < parts.size() && n < kCompareAll; ++n) result.push_back(parts[n]);
  };
  const auto takeOf = [&](const Index& index, std::string_view value) {
    const auto found = index.find(value);
    if (!value.empty() && found != index.end()) take(found->second);
  };
  takeOf(m_ids, head.effectId);
  if (m_nodes[i].isLocal()) takeOf(m_jobs, head.jobId);
  const auto ofKey = m_keys.find(m_links.key[i]);
  const bool isKeyTelling = !m_links.key[i].empty() && ofKey != m_keys.end() &&
                            ofKey->second.size() <= kCompareAll;
  if (result.empty() && isKeyTelling) take(ofKey->second);
  if (!result.empty()) return unique(std::move(result));
  const Instant at = m_nodes[i].time.value_or(Instant{});
  if (head.amount) {
    const auto found = m_amounts.find(*head.amount);
    if (found != m_amounts.end()) takeNearest(result, found->second, at);
  }
  if (result.empty()) takeNearest(result, m_times, at);
  if (result.empty()) takeOf(m_keys, m_links.key[i]);
  if (result.empty()) {
    for (std::size_t part = 0; part < kCompareAll; ++part) result.push_back(part);
  }
  return unique(std::move(result));
}

void BestFit::takeNearest(PartList& result, const InTime& parts, Instant at) {
  auto after = parts.lower_bound({at, 0});
  auto before = after;
  for (std::size_t n = 0; n < kCompareAll / 2 && after != parts.end(); ++n) {
    result.push_back((after++)->second);
  }
  for (std::size_t n = 0; n < kCompareAll / 2 && before != parts.begin(); ++n) {
    result.push_back((--before)->second);
  }
}

BestFit::PartList BestFit::unique(PartList result) {
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Fit BestFit::of(NodeIndex node) const {
  Fit fit;
  Score best;
  bool isFirst = true;
  for (std::size_t part : candidates(node)) {
    const Score score = scoreOf(node, part);
    if (isFirst || score.all() > best.all()) {
      const bool isBetterTied = isFirst || score.ties() != best.ties();
      fit = {part, false, !isBetterTied};
      best = score;
    } else {
      if (score.all() == best.all()) fit.isTied = true;
      if (score.ties() == best.ties()) fit.isUnsure = true;
    }
    isFirst = false;
  }
  return fit;
}

}  // namespace counterfoil::judging
