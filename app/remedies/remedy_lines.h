// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of `remedy`: everything it may name, gathered from a store, what can be acted on first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/remedies/redrives.h"
#include "app/remedies/refunds.h"
#include "app/remedies/reruns.h"
#include "core/store/remedies.h"

namespace counterfoil {

template <class Line>
struct RemedyList {
  std::vector<Line> lines;           ///< in the order of the store's lists, those to act on first
  std::uint64_t decided = 0;         ///< cases that a person resolved, dismissed or closed: left out
  std::uint64_t obsolete = 0;        ///< dead letters whose work was done: left out
};

/// What was handed out before, by line; empty for a store without such lists.
using EarlierExports = std::map<RemedyItem, ExportedBefore>;

[[nodiscard]] Result<RemedyList<RefundLine>> refundsOf(const Store& store, const ListFilter& filter,
                                                       const EarlierExports& earlier);
[[nodiscard]] Result<RemedyList<RedriveLine>> redrivesOf(const Store& store, const ListFilter& filter, Instant now,
                                                         const EarlierExports& earlier);
[[nodiscard]] Result<RemedyList<RerunLine>> rerunsOf(const Store& store, const ListFilter& filter, Instant now,
                                                     const EarlierExports& earlier);

[[nodiscard]] inline bool isToActOn(const RefundLine& line) { return line.isSafe; }
[[nodiscard]] inline bool isToActOn(const RedriveLine& line) { return line.verdict == RedriveVerdict::Safe; }
[[nodiscard]] inline bool isToActOn(const RerunLine& line) { return line.isSafe; }

/// What stands in the store for a line that was handed out.
[[nodiscard]] RemedyItem itemOf(const RefundLine& line);
[[nodiscard]] RemedyItem itemOf(const RedriveLine& line);
[[nodiscard]] RemedyItem itemOf(const RerunLine& line);

/// "sha256:…" over the items, in their order.
[[nodiscard]] std::string digestOf(const std::vector<RemedyItem>& items);

}  // namespace counterfoil
