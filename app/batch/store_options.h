// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that read a store share: their positional, filters and how a store is opened.
#pragma once

#include <string>
#include <vector>

#include "app/batch/command.h"
#include "core/store/store.h"

namespace counterfoil {

/// Which filters a list takes.
struct FilterSet {
  bool units = false;       ///< --class, --state, --severity, --notable, --all, --sort
  bool severity = false;    ///< --severity alone
  bool key = false;         ///< --key, --operation, --since
  bool codes = false;       ///< --code (findings), --verdict (skips, dead letters)
  std::string_view codeName = {};
};

[[nodiscard]] PositionalSpec storePositional();
/// The filters, and --run and --limit, which every list has.
[[nodiscard]] std::vector<OptionSpec> filterSpecs(const FilterSet& set);
/// Error (Usage) names the option and the nearest known word.
[[nodiscard]] Result<ListFilter> filterOf(const Arguments& arguments, const FilterSet& set);

/// Opens for reading and says on standard error where it can only be read.
[[nodiscard]] Result<Store> openStore(const Arguments& arguments, Session& session);

}  // namespace counterfoil
