// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/findings.h"

#include <algorithm>
#include <tuple>

#include "core/base/text.h"
#include "core/judge/findings_state.h"

namespace counterfoil {

struct FindingsCollector::Impl {
  explicit Impl(const JudgeContext& of) : context(of) {
    state.mostExamples = of.policy.thresholds.maxExamples;
  }
  JudgeContext context;
  judging::FindingsState state;
};

FindingsCollector::FindingsCollector(const JudgeContext& context)
    : m_impl(std::make_unique<Impl>(context)) {}
FindingsCollector::~FindingsCollector() = default;
FindingsCollector::FindingsCollector(FindingsCollector&&) noexcept = default;

void FindingsCollector::addUnit(const Unit& unit) {
  judging::noteUnit(m_impl->state, unit, m_impl->context);
}

void FindingsCollector::addJudgement(const Judgement& judgement) {
  judging::FindingsState& state = m_impl->state;
  for (const std::string& value : judgement.commonLinkValues) {
    judging::Tally& tally = state.tally("link_value_too_common", value);
    tally.count = 1;   // a value is one finding however many groups hold it
  }
  for (const std::string& key : judgement.coarseKeys) {
    state.tally("key_too_coarse", "key " + keyTemplate(key)).add(key, state.mostExamples);
  }
  for (const std::string& key : judgement.collidingKeys) {
    state.tally("key_scope_collision", "key " + keyTemplate(key)).add(key, state.mostExamples);
  }
}

void FindingsCollector::addQueueTally(const std::string& queue, const QueueTally& tally) {
  judging::QueueFacts& facts = m_impl->state.queues[queue];
  facts.attempts += tally.attempts;
  facts.skips += tally.skips;
  facts.durations.merge(tally.durations);
  m_impl->state.skips += tally.skips;
}

void FindingsCollector::addQueueDepth(const QueueDepth& sample) {
  judging::QueueDepths& depth = m_impl->state.depths[sample.queue];
  if (sample.kind != QueueKind::Unstated) depth.kinds.insert(sample.kind);
  if (!sample.deadLetterQueue.empty()) depth.deadLetterQueues.insert(sample.deadLetterQueue);
  const Instant at = sample.sampledAt.value_or(m_impl->context.asOf);
  depth.samples[at][{sample.place.source, sample.part}].add(sample);
}

void FindingsCollector::addFinding(Finding finding) {
  const judging::FindingKey key{finding.code, finding.subject};
  const auto [known, isNew] = m_impl->state.fromOutside.emplace(key, finding);
  if (!isNew) known->second.count += finding.count;
}

void FindingsCollector::merge(FindingsCollector&& other) {
  m_impl->state.merge(std::move(other.m_impl->state));
}

std::vector<Finding> FindingsCollector::finish() const {
  std::vector<Finding> findings = judging::computeFindings(m_impl->state, m_impl->context);
  for (const auto& [codeAndSubject, finding] : m_impl->state.fromOutside) {
    const auto& key = codeAndSubject;   // a binding itself can't be captured with Clang 14
    const auto own = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
      return f.code == key.first && f.subject == key.second;
    });
    if (own == findings.end()) findings.push_back(finding);
    else own->count += finding.count;
  }
  for (Finding& finding : findings) {
    std::sort(finding.examples.begin(), finding.examples.end());
    const std::size_t most = m_impl->context.policy.thresholds.maxExamples;
    if (finding.examples.size() > most) finding.examples.resize(most);
  }
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.code, a.subject) < std::tie(b.code, b.subject);
  });
  return findings;
}

std::vector<FindingsCollector::QueueState> FindingsCollector::queues() const {
  return judging::queueStates(m_impl->state, m_impl->context);
}

}  // namespace counterfoil
