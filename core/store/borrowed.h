// SPDX-License-Identifier: GPL-3.0-or-later
// Files that several runs read and one of them stored: a night judged again as of a later instant, a folder
// whose statements stay for weeks. Their records are in the blocks of the first run; later runs refer to it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/store/store.h"

namespace counterfoil {

class Database;

struct BorrowedFile {
  RunNumber run = 0;
  FileId file;
  SourceId source;
  RunNumber fromRun = 0;
  FileId fromFile;
  std::uint64_t records = 0;
};

/// Files that an earlier run has stored as tonight's would be: same content, source, configuration and program.
/// `sources`: their names, by SourceId. `records` stays 0.
[[nodiscard]] Result<std::vector<BorrowedFile>> findStoredFiles(Database& database, RunNumber run, const NightFacts& facts,
                                                                const std::vector<std::string>& sources,
                                                                const std::vector<FileReport>& reports);
[[nodiscard]] Result<> insertBorrowed(Database& database, const std::vector<BorrowedFile>& files);
/// What a run borrows.
[[nodiscard]] Result<std::vector<BorrowedFile>> borrowedBy(Database& database, RunNumber run);
/// What other runs borrow from a run.
[[nodiscard]] Result<std::vector<BorrowedFile>> borrowedFrom(Database& database, RunNumber run);

}  // namespace counterfoil
