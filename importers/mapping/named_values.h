// SPDX-License-Identifier: GPL-3.0-or-later
// "names" of a mapping: columns such as "args.0" that are places inside a value the mapping names.
// What is left after this is columns, decode chains and paths. Internal to importers/mapping.
#pragma once

#include <string>
#include <vector>

#include "importers/mapping/mapping_model.h"

namespace counterfoil {

/// The model with every reference to a name replaced by what the name stands for. A dotted column
/// that the file has (`fileColumns`, the header as read; empty for JSON) is that column and no name.
/// Error (Config): a sum of names, or more alternatives than an expression may have.
[[nodiscard]] Result<MappingModel> withNamesReplaced(const MappingModel& model,
                                                     const std::vector<std::string>& fileColumns);

}  // namespace counterfoil
