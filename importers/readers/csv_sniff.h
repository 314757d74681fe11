// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at the head of a CSV file: line end, delimiter, where the header is. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/mapping/layout.h"
#include "importers/readers/csv_scan.h"
#include "importers/source/encoding.h"

namespace counterfoil {

struct CsvHead {
  CsvDialect dialect;
  std::vector<std::string> columns;   ///< as read, as UTF-8
  std::string headerLine;             ///< as written, without line end; "" when the file has none
  std::uint64_t headerLineNumber = 0; ///< 1-based; 0 when the file has none
  std::size_t dataStart = 0;          ///< position in the head of the first byte behind the header
  std::uint64_t dataLine = 1;         ///< 1-based line of dataStart
  std::size_t hits = 0;               ///< known columns that the header holds
};

/// `head` starts behind a byte order mark. `known`: the names the mapping looks for. Error (Format) when no
/// line holds enough of them.
[[nodiscard]] Result<CsvHead> sniffCsv(std::string_view head, const Layout& layout,
                                       const std::vector<std::string>& known,
                                       const std::optional<SingleByteTable>& encoding = {});

}  // namespace counterfoil
