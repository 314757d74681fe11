// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/view.h"

#include <algorithm>

#include "core/judge/link_operations.h"
#include "core/judge/lower.h"
#include "core/judge/summary.h"

namespace counterfoil::judging {

namespace {

void addRecord(UnitView& view, const Node& node) {
  switch (node.kind) {
    case RecordKind::Attempt: view.attempts.push_back(&node.attempt()); return;
    case RecordKind::Skip: view.skips.push_back(&node.skip()); return;
    case RecordKind::Claim: view.claims.push_back(&node.claim()); return;
    case RecordKind::Intent: view.intents.push_back(&node.intent()); return;
    case RecordKind::Outbox: view.outbox.push_back(&node.outbox()); return;
    case RecordKind::ProcessedEvent: view.events.push_back(&node.event()); return;
    case RecordKind::DeadLetter: view.deadLetters.push_back(&node.deadLetter()); return;
    case RecordKind::Effect: {
      EffectState state;
      state.row = &node.effect();
      view.effects.push_back(state);
      return;
    }
    case RecordKind::QueueDepth: return;
  }
}

bool isKnownFromEarlier(const JudgeContext& context, std::string_view key) {
  if (context.earlier == nullptr || key.empty()) return false;
  const auto& keys = context.earlier->matchedKeys;
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

void UnitView::count() {
  becameLive = live = pending = failed = fullyReversed = 0;
  for (const EffectState& effect : effects) {
    becameLive += effect.becameLive() ? 1 : 0;
    live += effect.isLive() ? 1 : 0;
    pending += effect.isPending() ? 1 : 0;
    failed += effect.isFailed() ? 1 : 0;
    fullyReversed += effect.isFullyReversed ? 1 : 0;
  }
}

bool UnitView::hasOpenIntent() const {
  return std::any_of(intents.begin(), intents.end(), [](const Intent* intent) {
    return intent->status == IntentStatus::Open;
  });
}

bool UnitView::hasCancelledIntentOnly() const {
  return !intents.empty() && std::all_of(intents.begin(), intents.end(), [](const Intent* intent) {
    return intent->status == IntentStatus::Cancelled;
  });
}

const EffectState& UnitView::liveEffect() const {
  return *std::find_if(effects.begin(), effects.end(),
                       [](const EffectState& effect) { return effect.isLive(); });
}

const EffectState& UnitView::pendingEffect() const {
  return *std::find_if(effects.begin(), effects.end(),
                       [](const EffectState& effect) { return effect.isPending(); });
}

UnitView viewOf(const SubOperation& sub, const std::vector<Lowering>& lowerings,
                const std::vector<Node>& nodes, const Links& links, const JudgeContext& context) {
  UnitView view;
  view.context = &context;
  view.operationId = links.operation[sub.nodes.front()];
  view.operation = &context.policy.operation(view.operationId);
  view.isAmbiguous = sub.isAmbiguous;
  view.sharesReference = sub.sharesReference;
  for (NodeIndex i : sub.nodes) {
    addRecord(view, nodes[i]);
    view.wasMatchedEarlier = view.wasMatchedEarlier || isKnownFromEarlier(context, links.key[i]);
  }
  lowerEffects(view.effects, lowerings, nodes);
  view.count();
  summarise(view);
  return view;
}

UnitView viewOfUnattached(const std::vector<NodeIndex>& rows, const std::vector<Node>& nodes,
                          const JudgeContext& context) {
  UnitView view;
  view.context = &context;
  const Node& first = nodes[rows.front()];
  if (first.isReversal()) view.operationId = firstOperationOfItsKind(first, context.policy);
  view.isSideRow = !first.isReversal();
  view.isOrphanReversal = first.isReversal() && view.operationId.isNone();
  view.operation = &context.policy.operation(view.operationId);
  for (NodeIndex i : rows) addRecord(view, nodes[i]);
  view.count();
  summarise(view);
  return view;
}

}  // namespace counterfoil::judging
