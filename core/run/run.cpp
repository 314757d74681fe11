// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run.h"

#include "core/run/judging.h"
#include "core/run/night.h"
#include "core/run/reading_findings.h"
#include "core/run/result.h"
#include "core/run/scan.h"
#include "core/run/sift.h"
#include "core/run/special_links.h"
#include "core/run/suggestions.h"
#include "core/run/unit_store.h"

namespace counterfoil {

namespace {

/// Which groups belong together, and what only the whole run knows of them.
Result<> resolveLinks(NightState& night) {
  if (auto done = addSpecialLinks(night); !done) return done;
  auto components = night.ledger.links().resolve(night.executor, night.policy.thresholds.commonLinkValueLimit,
                                                 night.options.cancel);
  if (!components) return fail(components.error());
  night.components = std::move(*components);
  night.ledger.dropLinks();
  if (night.components.hasCommonOpRefs()) {
    night.knowledge.isCommonOpRef = [&night](std::string_view opRef, OperationId operation) {
      return night.components.isCommonOpRef(linkHash(night.hash, opRef, HashSpace::OpRef), operation);
    };
  }
  return {};
}

KeyMeeting meetingOf(const SiftTally& tally) {
  KeyMeeting keys;
  keys.localKeys = tally.localKeys;
  keys.providerKeys = tally.providerKeys;
  keys.meeting = tally.meetingKeys;
  return keys;
}

Verdicts mergeAll(std::vector<Verdicts>& all) {
  Verdicts merged = std::move(all.front());
  for (std::size_t i = 1; i < all.size(); ++i) merged.merge(std::move(all[i]));
  return merged;
}

}  // namespace

Result<RunOutcome> runEngine(Input& input, const Policy& policy, const RunOptions& options, Executor& executor,
                             SpillSpace& spill) {
  NightState night(input, policy, options, executor, spill);
  if (auto done = scanInputs(night); !done) return fail(done.error());
  if (auto done = resolveLinks(night); !done) return fail(done.error());
  auto sifted = siftLedger(night);
  if (!sifted) return fail(sifted.error());

  const std::uint64_t listBytes = options.memoryBytes / 8;
  auto listed = std::make_unique<UnitStore>(spill, listBytes);
  UnitStore waiting(spill, listBytes);
  std::vector<Verdicts> byWorker;
  for (unsigned i = 0; i < executor.threadCount(); ++i) byWorker.emplace_back(night.context);
  const UnitSinks sinks{byWorker, *listed, waiting, options.detail};
  if (auto done = judgeLeft(night, *sifted->left, sifted->tally, sinks); !done) return fail(done.error());
  if (auto done = settleWaiting(night, night.context, sinks); !done) return fail(done.error());
  night.progress.tell("sorting", 0, listed->size());
  listed->finish();

  Verdicts verdicts = mergeAll(byWorker);
  if (auto done = addSlimTotals(night, sifted->tally, verdicts); !done) return fail(done.error());
  auto result = makeResult(night, verdicts, std::nullopt);
  if (!result) return fail(result.error());
  result->keys = meetingOf(sifted->tally);
  return RunOutcome{std::move(*result), std::move(listed)};
}

}  // namespace counterfoil
