// SPDX-License-Identifier: GPL-3.0-or-later
// Lists that were handed out to be acted on: of which cases, when, by whom. Knowing it moves nothing; it keeps
// people from acting twice.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/store/store_file.h"

namespace counterfoil {

/// One line of a list: the case and what is done about it (an effect, a message, a key).
using RemedyItem = std::pair<CaseId, std::string>;

struct RemedyExport {
  std::string kind;      ///< "refunds", "redrive", "rerun"
  Instant at{};
  std::string who;
  std::string digest;    ///< of the list: "sha256:…"
  std::vector<RemedyItem> items;
};

struct ExportedBefore {
  std::string kind;
  Instant at{};          ///< the newest time
  std::string who, digest;
  std::int64_t times = 0;
};

/// Keeps that a list was handed out. One transaction; waits some seconds for a run's commit.
Result<> recordRemedy(StoreFile& file, const RemedyExport& made);
/// Lines of earlier lists of this kind.
[[nodiscard]] Result<std::map<RemedyItem, ExportedBefore>> exportedBefore(StoreFile& file, const std::string& kind);
/// Everything that was handed out about a case, by time.
[[nodiscard]] Result<std::vector<std::pair<std::string, ExportedBefore>>> exportsOfCase(StoreFile& file,
                                                                                      const CaseId& caseId);

}  // namespace counterfoil
