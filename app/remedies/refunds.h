// SPDX-License-Identifier: GPL-3.0-or-later
// What to give back: of each double charge every effect that is still live but the one that stands. Lists
// only; the amounts of a case never come to more than what is too much.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/remedies/run_configs.h"

namespace counterfoil {

struct RefundLine {
  CaseId caseId;
  bool isSafe = false;              ///< false: a person has to look first; `reason` says why
  std::string provider, account, effectId;
  std::optional<Money> amount;      ///< to give back; none where it is not known
  std::string refundKey;            ///< of case, effect and amount: the same line has the same key for ever
  std::string keep;                 ///< id of the effect that stands
  std::optional<Money> gross;
  std::optional<Money> reversed;    ///< given back already
  std::string operation, key, opRef;
  Instant created{};
  std::string reason;
  std::string exportedBefore;       ///< "2026-04-08T06:00:00Z by ann"; blank: never
};

/// Lines of one case of double charges, in order of time.
[[nodiscard]] std::vector<RefundLine> refundLinesOf(const StoredUnit& stored, const Config* config);

/// "cf-refund-" and 32 hex digits.
[[nodiscard]] std::string refundKeyOf(const CaseId& caseId, const std::string& effectId, const Money& amount);

}  // namespace counterfoil
