// SPDX-License-Identifier: GPL-3.0-or-later
// Closed periods: accounts that were handed in. What changes later about their cases is a restatement.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/store/store_file.h"

namespace counterfoil {

struct ClosedPeriod {
  Instant through{};      ///< what happened before this instant is closed
  Instant at{};
  std::string who, note;
};

struct Restatement {
  RunNumber run = 0;
  Instant asOf{};         ///< of that run
  Instant through{};      ///< of the closed period
  CaseId caseId;
  std::string key, operation;
  std::string classBefore, classNow;             ///< blank before: not listed then; "matched" now: in order
  std::vector<Money> exposureBefore, exposureNow;
};

/// One transaction, durable. Usage: not after the period that is closed already, or beyond the latest night.
Result<> closePeriod(StoreFile& file, const ClosedPeriod& period);
/// Takes back the newest; nothing where none is closed.
Result<std::optional<ClosedPeriod>> reopenPeriod(StoreFile& file);
[[nodiscard]] Result<std::vector<ClosedPeriod>> closedPeriods(StoreFile& file);
/// By run, then case; of one case (or those it took in) where it is not blank.
Result<> forEachRestatement(StoreFile& file, const CaseId& caseId, const std::function<bool(const Restatement&)>& fn);

/// Inside the transaction that commits a night, when its units and cases are written: notes which cases of closed
/// periods this run judges otherwise than before. A run before the latest as-of changes nothing.
[[nodiscard]] Result<> noteRestatements(Database& database, RunNumber run, Instant asOf);

}  // namespace counterfoil
