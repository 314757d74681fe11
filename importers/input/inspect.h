// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is taken to be and what is in it, for `counterfoil inspect` and `init`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/run/input.h"
#include "importers/input/source_spec.h"

namespace counterfoil {

struct InspectTotal {
  std::string kind;          ///< "forward", "reversal", … of effects; else the kind of record
  Money amount;              ///< without sign; excluded rows are not in it
  std::uint64_t count = 0;
  std::vector<std::pair<Currency, std::string>> fees;   ///< of effects: exact decimals; above zero is cost
};

struct InspectReport {
  std::string format;                         ///< "stripe.balance", or "mapping"
  std::string layout;                         ///< "csv, delimiter ';', header in line 6, encoding windows-1252"
  std::vector<std::string> columns;           ///< of the file, where it has a header
  FileReport file;
  std::vector<QuarantinedRow> quarantined;    ///< the first 20 by place
  std::vector<InspectTotal> totals;           ///< by kind, then currency
  std::vector<std::pair<std::uint64_t, AnyRecord>> records;   ///< the first ones by place, with their lines
};

/// `source` has the path, and a format or mappings where they are known. Error: the file cannot be read, or
/// is not identified (Ambiguous names the candidates).
[[nodiscard]] Result<InspectReport> inspectFile(const SourceSpec& source, Executor& executor,
                                                const CancelToken* cancel = nullptr,
                                                std::size_t firstRecords = 5);

}  // namespace counterfoil
