// SPDX-License-Identifier: GPL-3.0-or-later
// Settles what a mapping leaves open about columns (decimal sign, order of day and month) from what all
// rows of a file said. The order of rows does not matter.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "importers/input/row_mapper.h"

namespace counterfoil {

struct Settled {
  ColumnFacts facts;                             ///< where they differ from the defaults
  std::vector<std::string> undecidedDecimals;    ///< columns whose ambiguous amounts cannot be read
  std::string problem;                           ///< "" or the columns that cannot be settled, with both readings
  [[nodiscard]] bool isDefault() const {
    return facts.decimal.empty() && facts.dateOrder.empty() && undecidedDecimals.empty();
  }
};

/// `look`: evidence of all rows. `trial`: reads the rows that depend on it under given facts and tells
/// counts and checksum; where nothing decides, the reading under which more rows can be read is taken, and
/// both where they mean the same.
[[nodiscard]] Result<Settled> settleColumns(const ScanOutput& look,
                                            const std::function<Result<ScanOutput>(const ColumnFacts&)>& trial);

/// For FileView::undecidedColumns.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> placesOf(const FileView& view,
                                                              const std::vector<std::string>& columns);

}  // namespace counterfoil
