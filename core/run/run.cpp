// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run.h"

#include "core/run/bad_night.h"
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

struct Judged {
  KeyMeeting keys;
  bool isBad = false;               ///< keys do not meet
  std::uint64_t unitsNotListed = 0;
};

Result<Judged> judgeAll(NightState& night, Sifted& sifted, const UnitSinks& sinks) {
  Judged judged;
  judged.keys = meetingOf(sifted.tally);
  judged.isBad = keysDoNotMeet(sifted.tally, night.policy.thresholds);
  if (judged.isBad) {
    auto bad = judgeBadNight(night, *sifted.left, sinks, judged.keys);
    if (!bad) return fail(bad.error());
    judged.keys = bad->keys;
    judged.unitsNotListed = bad->unitsNotListed;
    return judged;
  }
  if (auto done = judgeLeft(night, *sifted.left, sifted.tally, sinks); !done) return fail(done.error());
  auto done = weighWaiting(night, night.context, sinks.waiting,
                           [&](const Unit& unit) { return settle(unit, sinks, 0); });
  if (!done) return fail(done.error());
  return judged;
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
  auto judged = judgeAll(night, *sifted, sinks);
  if (!judged) return fail(judged.error());
  night.progress.tell("sorting", 0, listed->size());
  listed->finish();

  Verdicts verdicts = mergeAll(byWorker);
  if (auto done = addSlimTotals(night, sifted->tally, verdicts); !done) return fail(done.error());
  std::optional<Finding> finding;
  if (judged->isBad) finding = keysDoNotMeetFinding(judged->keys);
  auto result = makeResult(night, verdicts, finding);
  if (!result) return fail(result.error());
  result->keys = judged->keys;
  result->listsBounded = judged->isBad;
  result->unitsNotListed = judged->unitsNotListed;
  return RunOutcome{std::move(*result), std::move(listed)};
}

}  // namespace counterfoil
