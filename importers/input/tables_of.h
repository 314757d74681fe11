// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a file that may hold several, for whoever has to say which of them a mapping reads.
#pragma once

#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/readers/sqlite_reader.h"
#include "importers/source/file_place.h"

namespace counterfoil {

struct TableSeen {
  std::string name;                   ///< as a layout's "table" takes it
  std::vector<std::string> columns;   ///< in the order of the table; may be empty where a table has no rows
  bool operator==(const TableSeen&) const = default;
};

/// Tables and views of an SQLite database, tables of an SQL dump (pg_dump, mysqldump, sqlite3 .dump), models of
/// Django's dumpdata, in order of their names. Empty for a file of any other kind. Error: the file cannot be read,
/// is damaged, or Cancelled. A dump is read to its end; the place's shelf keeps what was found.
[[nodiscard]] Result<std::vector<TableSeen>> tablesOf(const FilePlace& place,
                                                      const CancelToken* cancel = nullptr);
[[nodiscard]] Result<std::vector<TableSeen>> tablesOf(SqliteReader& reader);

}  // namespace counterfoil
