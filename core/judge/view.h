// SPDX-License-Identifier: GPL-3.0-or-later
// What the decision list looks at: one unit's records with everything derived from them that more than
// one rule needs. Built once per unit; plain values and views into the group.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/judge/reversals.h"

namespace counterfoil::judging {

/// One effect of the operation and what was taken back of it.
struct EffectState {
  const Effect* row = nullptr;
  std::int64_t reversedMinor = 0;   ///< in the effect's own currency
  bool isFullyReversed = false;
  bool isPartlyReversed = false;
  bool hasRefund = false;           ///< lowered by a refund or void
  bool hasDispute = false;          ///< lowered by a lost dispute
  bool isUnexplained = false;       ///< lowered by something that no record of ours names
  Instant reversedAt{};             ///< of the latest row that lowers it

  [[nodiscard]] bool becameLive() const { return row->status == EffectStatus::Live; }
  [[nodiscard]] bool isLive() const { return becameLive() && !isFullyReversed; }
  [[nodiscard]] bool isPending() const { return row->status == EffectStatus::Pending; }
  [[nodiscard]] bool isFailed() const { return row->status == EffectStatus::Failed; }
  [[nodiscard]] std::int64_t netMinor() const {
    return row->amount ? row->amount->minor - reversedMinor : 0;
  }
};

struct UnitView {
  const JudgeContext* context = nullptr;
  const Operation* operation = nullptr;
  OperationId operationId;
  bool isSideRow = false;        ///< a dispute, fee or other row by itself: no effect of an operation
  bool isOrphanReversal = false; ///< a reversal without a unit where refunds are no operation

  std::vector<const Attempt*> attempts;   ///< each list in order of time
  std::vector<const Attempt*> openRuns;   ///< those that nothing later has closed
  std::vector<const Skip*> skips;
  std::vector<const Claim*> claims;
  std::vector<const Intent*> intents;
  std::vector<const OutboxRow*> outbox;
  std::vector<const ProcessedEvent*> events;
  std::vector<const DeadLetter*> deadLetters;
  std::vector<EffectState> effects;       ///< of the operation's own kind

  LocalSummary local = LocalSummary::Nothing;
  std::optional<Money> expected;
  const Attempt* lastSuccess = nullptr;
  std::optional<Instant> earliest;   ///< of the records that make the summary: for P0
  std::optional<Instant> due;        ///< counterpart must be there
  bool isOlderThanRuntime = true;    ///< ρ is over for everything that may still run
  bool hasCompletedClaim = false;    ///< a processed event counts as one
  bool hasClaimInProgress = false;   ///< and it is not past its end
  bool hasExpiredClaim = false;      ///< in progress past its end
  bool wasMatchedEarlier = false;
  bool siblingIsActive = false;      ///< another sub-operation of a key of ours is S or has an effect
  int activeSiblings = 0;            ///< sub-operations of our keys with an effect, this one included
  bool isAmbiguous = false;
  bool sharesReference = false;

  std::size_t becameLive = 0;
  std::size_t live = 0;
  std::size_t pending = 0;
  std::size_t failed = 0;
  std::size_t fullyReversed = 0;

  void count();                      ///< the five numbers above, from `effects`
  [[nodiscard]] bool isDue() const { return due && *due <= context->asOf; }
  [[nodiscard]] bool hasEffect() const { return live + pending + fullyReversed > 0; }
  [[nodiscard]] bool hasOpenIntent() const;
  [[nodiscard]] bool hasCancelledIntentOnly() const;
  [[nodiscard]] bool isBacklogOnly() const { return local == LocalSummary::Backlog; }
  /// First effect that is live, and first pending one. Requires there is one.
  [[nodiscard]] const EffectState& liveEffect() const;
  [[nodiscard]] const EffectState& pendingEffect() const;
};

/// Everything but the sibling members. `lowerings` are the rows that lower this unit's effects.
[[nodiscard]] UnitView viewOf(const SubOperation& sub, const std::vector<Lowering>& lowerings,
                              const std::vector<Node>& nodes, const Links& links,
                              const JudgeContext& context);
/// The view of one row that belongs to no unit.
[[nodiscard]] UnitView viewOfUnattached(const std::vector<NodeIndex>& rows,
                                        const std::vector<Node>& nodes,
                                        const JudgeContext& context);

}  // namespace counterfoil::judging
