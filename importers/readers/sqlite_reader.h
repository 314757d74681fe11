// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table or a query of an SQLite file that is not ours: opened read-only, no attaching, no
// writing, no extension, bounded cells. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/readers/text_reader.h"

namespace counterfoil {

struct SqliteRows {
  std::string table;                  ///< one of both
  std::string query;
  std::vector<std::string> wanted;    ///< field i of a row is wanted[i]; names the result lacks are Absent
};

class SqliteReader {
 public:
  /// Error Missing, Io, or Format (damaged, encrypted, no database).
  static Result<std::unique_ptr<SqliteReader>> open(const std::string& path, const CancelToken* cancel = nullptr);
  /// A database in memory, for fuzzing and tests.
  static Result<std::unique_ptr<SqliteReader>> openBytes(std::string_view bytes, const CancelToken* cancel = nullptr);
  virtual ~SqliteReader() = default;

  /// Tables and views, in order of their names, without SQLite's own.
  virtual Result<std::vector<std::string>> tables() = 0;
  /// Column names of a table, or of what a query gives. Error names what SQLite has against it.
  virtual Result<std::vector<std::string>> columns(const SqliteRows& rows) = 0;
  /// RowView::offset is the rowid where there is one, else the number of the row from 0; line is the
  /// number of the row from 1; raw is the row's values as JSON (bounded). Text that is not UTF-8 is a
  /// defect of its row. BLOBs that are UTF-8 text are Text, others Blob.
  virtual Result<> read(const SqliteRows& rows, RowSink& sink) = 0;
};

}  // namespace counterfoil
