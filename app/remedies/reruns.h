// SPDX-License-Identifier: GPL-3.0-or-later
// What was never done, to be run again under the key it had. A key protects only as long as the provider
// keeps it: every line says until when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/remedies/run_configs.h"

namespace counterfoil {

struct RerunLine {
  CaseId caseId;
  bool isSafe = false;                 ///< may be run again with its key now
  std::string operation, key, opRef, jobId, queue, task;
  std::optional<Money> amount;
  std::optional<Instant> keyUntil;     ///< the provider knows the key until then; none: not known, or never used
  std::string unitClass, reason;
  std::string exportedBefore;
};

/// Classes whose effect is missing.
[[nodiscard]] std::set<Class> rerunClasses();
/// The line of such a case at this moment.
[[nodiscard]] RerunLine rerunLineOf(const StoredUnit& stored, const Config* config, Instant now);

}  // namespace counterfoil
