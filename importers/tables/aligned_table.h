// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as psql and mysql print them on a terminal, which people paste into files:
//    id | key          +----+-----+
//   ----+-----         | id | key |
//     1 | k1           +----+-----+
//   (1 row)
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/source/byte_source.h"

namespace counterfoil {

/// By the first bytes of the decoded text.
[[nodiscard]] bool looksLikeAlignedTable(std::string_view head);
/// The names of its columns; blank if the head holds no table.
[[nodiscard]] std::vector<std::string> alignedColumns(std::string_view head);
/// NDJSON of the rows, all values texts without their padding. A row whose cells cannot be told apart is given
/// to onDefect. Error Format: the file says that there are more rows, or holds a second, other table.
[[nodiscard]] std::unique_ptr<ByteSource> transcodeAlignedTable(std::unique_ptr<ByteSource> source);

}  // namespace counterfoil
