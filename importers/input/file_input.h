// SPDX-License-Identifier: GPL-3.0-or-later
// The Input of a run that reads files: paths are expanded, layouts found, rows mapped, whatever cannot
// be read again by position is kept.
//
// The result does not depend on the order of rows, the size of chunks or the number of threads: facts
// about a file (encoding, decimal sign, order of day and month) are settled over the whole file before a
// row that depends on them is given to the sink.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/run/input.h"
#include "importers/input/source_spec.h"
#include "importers/mapping/operation_matcher.h"

namespace counterfoil {

struct FileInputOptions {
  std::string baseFolder;                          ///< relative paths of sources are below it
  std::size_t chunkBytes = 1u << 20;               ///< read and parsed at once by a thread
  std::size_t batchRows = 4096;                    ///< records handed to the sink at once
  std::size_t heldRows = 32768;                    ///< of a stream, before its facts are settled
  std::uint64_t payloadMemoryBytes = 64ull << 20;  ///< records kept in memory; more go to a temporary file
  std::string temporaryFolder;                     ///< "" = $TMPDIR, else /tmp
};

/// `operations` may be null (one operation for all) and has to outlive the input. Error (Config) for a
/// format that does not exist.
[[nodiscard]] Result<std::unique_ptr<Input>> makeFileInput(std::vector<SourceSpec> sources,
                                                           const OperationMatcher* operations,
                                                           FileInputOptions options = {});

}  // namespace counterfoil
