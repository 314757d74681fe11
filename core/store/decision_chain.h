// SPDX-License-Identifier: GPL-3.0-or-later
// The table of decisions as a chain: each row seals what it says and the seal of the row before it (SHA-256), so that
// a row that was changed, taken out, put in or moved shows. Rows are only ever added.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/judge/unit.h"
#include "core/store/sqlite.h"

namespace counterfoil {

inline constexpr int kSetsState = 1;
inline constexpr int kSetsAssignee = 2;

struct Decision {
  std::int64_t number = 0;      ///< from 1, without gaps
  std::string action;           ///< "review", "undo", "ignore", "unignore"
  CaseId caseId;                ///< "" for rules
  Instant at{};
  std::string who;
  int sets = 0;                 ///< kSetsState, kSetsAssignee
  std::string state, assignee;  ///< of the case behind it
  std::string note, reason;     ///< for rules, `note` is the rule
  std::string judged;           ///< the class the rules gave the case then
  std::string recordsDigest;    ///< of the records that were decided on
  std::optional<std::int64_t> bulk, undoes, rule;
  std::string previous, digest;
};

/// SHA-256 of the JSON array of all members but the digest itself, as texts, blank where there is none.
[[nodiscard]] std::string digestOf(const Decision& decision);

/// Adds a row behind the last; fills number, previous and digest. Requires a write transaction.
[[nodiscard]] Result<Decision> appendDecision(Database& database, Decision decision);
[[nodiscard]] Result<std::optional<Decision>> loadDecision(Database& database, std::int64_t number);

/// The newest decision that sets `what` about a case or those it took in and is not undone; `but`: leaving out that one.
[[nodiscard]] Result<std::optional<Decision>> standingDecision(Database& database, const CaseId& caseId, int what,
                                                               std::int64_t but = 0);

struct ChainReport {
  std::int64_t decisions = 0;
  std::string head;                 ///< seal of the last row; "" where there is none
  std::vector<std::string> faults;  ///< in order of the chain, bounded; empty: whole
};
/// Goes over the whole chain, and looks whether cases and rules are as it says. `expected`: a seal that was noted
/// earlier and must be in it; "" for none.
[[nodiscard]] Result<ChainReport> verifyChain(Database& database, const std::string& expected);

}  // namespace counterfoil
