// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/link_values.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/judge/clock.h"
#include "core/record/shared_id.h"

namespace counterfoil::judging {

namespace {

/// Of ids that mean the same in all of them.
constexpr std::uint16_t kEverySource = 0xFFFF;

using LocalKeys = std::vector<std::pair<std::string_view, NodeIndex>>;

/// First node of each local key, sorted by key.
LocalKeys localKeys(const std::vector<Node>& nodes) {
  LocalKeys keys;
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    if (nodes[i].isLocal() && !nodes[i].head->key.empty()) keys.emplace_back(nodes[i].head->key, i);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Bytes of the first `characters` code points of `text`; all of it when it is shorter.
std::size_t bytesOfCharacters(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  while (at < text.size() && characters > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) ++at;
    --characters;
  }
  return at;
}

bool isCutAt(std::string_view key, std::size_t length) {
  return bytesOfCharacters(key, length) == key.size() && length > 0 &&
         bytesOfCharacters(key, length - 1) < key.size();
}

bool isAllDigits(std::string_view key) {
  return !key.empty() &&
         std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view withoutLeadingZeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? digits.substr(digits.size() - 1) : digits.substr(first);
}

/// How well a local record explains an effect: same amount, and the effect inside its time.
bool fitsByAmountAndTime(const Node& local, const Node& effect, const JudgeContext& context) {
  const auto& asked = local.head->amount;
  const auto& taken = effect.head->amount;
  if (asked && taken && *asked != *taken) return false;
  return isPlausibleTime(local, effect, context);
}

class KeyReader {
 public:
  KeyReader(const std::vector<Node>& nodes, const JudgeContext& context)
      : m_nodes(nodes), m_context(context) {}

  EffectiveKeys run() {
    m_result.key.reserve(m_nodes.size());
    for (const Node& node : m_nodes) {
      m_result.key.push_back(node.head->keyDamaged ? std::string_view() : node.head->key);
    }
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      if (!m_nodes[i].isEffect() || m_result.key[i].empty()) continue;
      if (standsForSeveralNumbers(i)) m_result.key[i] = {};
      else if (mayBeCut(i)) resolveCut(i);
    }
    return std::move(m_result);
  }

 private:
  bool standsForSeveralNumbers(NodeIndex i) {
    const RecordHead& head = *m_nodes[i].head;
    if (m_context.run == nullptr || m_context.run->damagedSources.count(head.place.source) == 0 ||
        !isAllDigits(head.key)) {
      return false;
    }
    std::set<std::string_view> spellings;
    for (const auto& [key, node] : keys()) {
      if (isAllDigits(key) && withoutLeadingZeros(key) == withoutLeadingZeros(head.key)) {
        spellings.insert(key);
      }
    }
    return spellings.size() > 1;
  }

  bool mayBeCut(NodeIndex i) const {
    const ProviderProfile* profile =
        m_context.policy.provider(providerOf(*m_nodes[i].head, m_context.policy));
    return profile != nullptr && profile->keyLength &&
           isCutAt(m_result.key[i], *profile->keyLength);
  }

  /// The cut key goes to the one local key that fits by amount and time.
  void resolveCut(NodeIndex effect) {
    const std::string_view cut = m_nodes[effect].head->key;
    auto at = std::lower_bound(keys().begin(), keys().end(), std::pair(cut, NodeIndex{0}));
    std::vector<NodeIndex> groups;    // first record of each key
    std::vector<NodeIndex> fitting;
    std::string_view previous;
    bool isFirst = true;
    for (; at != keys().end() && at->first.substr(0, cut.size()) == cut; ++at) {
      const Node& local = m_nodes[at->second];
      if (!scopesFit(*local.head, *m_nodes[effect].head)) continue;
      if (isFirst || at->first != previous) groups.push_back(at->second);
      previous = at->first;
      isFirst = false;
      const bool fits = fitsByAmountAndTime(local, m_nodes[effect], m_context);
      const bool isKnown = !fitting.empty() && m_nodes[fitting.back()].head->key == at->first;
      if (fits && !isKnown) fitting.push_back(at->second);
    }
    if (groups.empty()) return;
    if (groups.size() > 1) m_result.coarse.emplace_back(cut);
    if (groups.size() == 1) {
      m_result.key[effect] = m_nodes[groups.front()].head->key;
    } else if (fitting.size() == 1) {
      m_result.key[effect] = m_nodes[fitting.front()].head->key;
    } else {
      m_result.key[effect] = {};
      m_result.undecidedCuts.emplace_back(effect, fitting.empty() ? groups : fitting);
    }
  }

  const LocalKeys& keys() {
    if (!m_hasKeys) m_keys = localKeys(m_nodes);
    m_hasKeys = true;
    return m_keys;
  }

  const std::vector<Node>& m_nodes;
  const JudgeContext& m_context;
  EffectiveKeys m_result;
  LocalKeys m_keys;
  bool m_hasKeys = false;
};

}  // namespace

std::string_view nameOf(LinkField field) {
  switch (field) {
    case LinkField::EffectId: return "effect_id";
    case LinkField::Key: return "key";
    case LinkField::OpRef: return "op_ref";
    case LinkField::JobId: return "job_id";
    case LinkField::MessageId: return "message_id";
    case LinkField::OutboxId: return "outbox_id";
  }
  return "";
}

std::vector<LinkEntry> linkEntries(const std::vector<Node>& nodes,
                                   const std::vector<std::string_view>& keys, const Policy& policy) {
  std::vector<LinkEntry> entries;
  entries.reserve(nodes.size() * 4);
  const auto add = [&](LinkField field, std::uint16_t source, std::string_view value, NodeIndex i) {
    if (!value.empty() && !isNoValue(value)) entries.push_back({field, source, value, i});
  };
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    const RecordHead& head = *nodes[i].head;
    if (!keys[i].empty()) entries.push_back({LinkField::Key, 0, keys[i], i});
    add(LinkField::EffectId, 0, head.effectId, i);
    add(LinkField::OpRef, 0, head.opRef, i);
    if (nodes[i].isEffect()) {
      const Effect& effect = nodes[i].effect();
      add(LinkField::EffectId, 0, effect.replaces, i);
      if (nodes[i].isForward()) add(LinkField::EffectId, 0, effect.parentId, i);
      continue;
    }
    const std::uint16_t source = policy.jobSpaceOf(head.place.source).value;
    const auto within = [&](std::string_view id) { return isSharedId(id) ? kEverySource : source; };
    add(LinkField::JobId, within(head.jobId), head.jobId, i);
    add(LinkField::MessageId, within(head.messageId), head.messageId, i);
    if (nodes[i].kind == RecordKind::Outbox) {
      add(LinkField::OutboxId, within(nodes[i].outbox().id), nodes[i].outbox().id, i);
    }
    if (nodes[i].kind == RecordKind::ProcessedEvent) {
      add(LinkField::OutboxId, within(nodes[i].event().id), nodes[i].event().id, i);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const LinkEntry& a, const LinkEntry& b) {
    if (a.field != b.field) return a.field < b.field;
    if (a.source != b.source) return a.source < b.source;
    const int value = a.value.compare(b.value);
    return value != 0 ? value < 0 : a.node < b.node;
  });
  return entries;
}

EffectiveKeys effectiveKeys(const std::vector<Node>& nodes, const JudgeContext& context) {
  return KeyReader(nodes, context).run();
}

}  // namespace counterfoil::judging
