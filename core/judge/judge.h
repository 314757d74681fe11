// SPDX-License-Identifier: GPL-3.0-or-later
// judge(): the pure heart. Takes records that may belong together, links them exactly (links 1-4 of
// classes.md §3), splits cases into sub-operations, and gives each unit its class. No store, no clock,
// no globals; thread-safe; the result does not depend on the order of the records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/unit.h"
#include "core/policy/policy.h"

namespace counterfoil {

/// What earlier nights know about a group (filled by the history; empty for `match`).
struct EarlierKnowledge {
  std::vector<std::string> matchedKeys;   ///< normal forms of keys whose original matched in an earlier run
};

/// What only a look at the whole run tells about a group. All members are optional.
struct RunKnowledge {
  /// True for a business reference that joins too much in the whole run ("N/A", a tenant id).
  std::function<bool(std::string_view opRef, OperationId operation)> isCommonOpRef;
  /// Sources whose key column a spreadsheet damaged: a number there that stands for several local keys
  /// of the group is no key.
  std::set<SourceId> damagedSources;
  /// Files from this one on are of earlier nights: their records are evidence, and were counted then.
  FileId firstCarried{~0u};
  [[nodiscard]] bool isCarried(const Place& place) const { return place.file >= firstCarried; }
};

struct JudgeContext {
  const Policy& policy;
  const Coverage& coverage;
  Instant asOf{};
  const EarlierKnowledge* earlier = nullptr;
  const RunKnowledge* run = nullptr;
};

/// Rows that turned out to be one record read twice, by source: they leave `recorded` for `repeated`.
using RepeatCounts = std::map<SourceId, std::uint64_t>;

struct Judgement {
  std::vector<Unit> units;   ///< in outputBefore order; every record given lies in exactly one unit or is a repeat
  RepeatCounts repeats;
  /// The effects among the repeats, as read: a live one leaves the provider's total of the proof.
  std::vector<Effect> repeatedEffects;
  /// The same between two nights: tonight's row and an earlier one, or two earlier ones. No file of tonight holds both.
  std::vector<Effect> repeatedAcrossNights;
  /// Link values that joined too much and were ignored ("op_ref N/A"), for finding link_value_too_common.
  std::vector<std::string> commonLinkValues;
  /// Keys that named two or more different operations, for finding key_too_coarse.
  std::vector<std::string> coarseKeys;
  /// Keys that units of several accounts or operations share, for finding key_scope_collision.
  std::vector<std::string> collidingKeys;
};

/// `group` may hold records of several cases and even unrelated ones (same hash partition, common link
/// value): linking is done again, by text. Everything that links 1-4 join must be in one call.
[[nodiscard]] Judgement judge(Records group, const JudgeContext& context);

/// Fuzzy candidates (link 5): only proposes. Looks at one-sided units of a whole run.
/// Sets Flag::SuggestedMatch or AmbiguousMatch and `candidates` on both sides; also class
/// probable_duplicate where an operation asks for it. Order of `units` does not matter.
void suggestMatches(std::vector<Unit*>& oneSided, const JudgeContext& context);

/// True if suggestMatches looks at this unit for candidates.
[[nodiscard]] bool isOneSided(const Unit& unit);
/// The same, and matched units of operations that ask for probable_duplicate: what to hand to suggestMatches.
[[nodiscard]] bool wantsSuggestions(const Unit& unit, const Policy& policy);

}  // namespace counterfoil
