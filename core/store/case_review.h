// SPDX-License-Identifier: GPL-3.0-or-later
// A case as decisions find it, and which changes it allows. Inside of the store.
#pragma once

#include <optional>
#include <string>

#include "core/store/decisions.h"

namespace counterfoil {

struct ReviewedCase {
  CaseId id;
  ReviewState state{};
  std::string assignee, recordsDigest;
  bool isOpenByRules = false;   ///< the rules call it a break or open, whatever was decided
  bool wasCleared = false;      ///< a run found it in order
  std::int64_t ignoredBy = 0;
  std::string judged;           ///< class by the rules
};

/// By its id, or by that of a case it took in. Missing where there is none.
[[nodiscard]] Result<ReviewedCase> loadCase(Database& database, const CaseId& named);

/// What the change makes of the case; nothing where the case is like that already. Error (Usage) says why not.
struct NextReview {
  ReviewState state{};
  std::string assignee;
  int sets = 0;   ///< kSetsState, kSetsAssignee
};
[[nodiscard]] Result<std::optional<NextReview>> nextReview(Database& database, const ReviewedCase& of, const ReviewChange& change);

/// Writes state and assignee; a case that is open again by the rules stands again.
[[nodiscard]] Result<> writeReview(Database& database, const ReviewedCase& of, ReviewState state, const std::string& assignee);

}  // namespace counterfoil
