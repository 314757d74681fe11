// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of databases as SQL text: pg_dump (COPY sections, --inserts), mysqldump, sqlite3 .dump. The rows of
// a table become NDJSON while the dump is read, one object a row; nothing of it is ever executed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"
#include "importers/tables/sql_lexer.h"

namespace counterfoil {

struct SqlName {
  std::string database;   ///< where the dump holds several
  std::string schema;     ///< MySQL: the database
  std::string name;
  auto operator<=>(const SqlName&) const = default;
};

struct SqlColumn {
  std::string name;
  bool isBytes = false;       ///< PostgreSQL's bytea
  bool isGenerated = false;   ///< computed from others: DEFAULT stands for it
};

struct SqlTable {
  SqlName name;
  std::vector<SqlColumn> columns;      ///< as declared, or as its rows name them; blank if neither does
  std::optional<SqlName> partitionOf;  ///< its rows are rows of that table
  bool hasRows = false;
};

struct SqlCatalog {
  std::vector<SqlTable> tables;   ///< in order of the dump
  tables::SqlDialect dialect = tables::SqlDialect::Unknown;

  /// As a layout's "table" names it: the shortest of name, schema.name, database.schema.name that no other
  /// table has.
  [[nodiscard]] std::string shownName(const SqlTable& table) const;
  /// The tables whose rows are those of the table so named: itself, and its partitions. Error Missing or
  /// Ambiguous with the names there are.
  [[nodiscard]] Result<std::vector<SqlTable>> named(std::string_view text) const;
};

/// By the first bytes of the decoded text.
[[nodiscard]] bool looksLikeSql(std::string_view head);
/// pg_dump's archive formats, which are no text: an Error that names the command which makes text of it.
[[nodiscard]] std::optional<Error> pgArchiveFault(std::string_view head);
/// The encoding that the dump says it is written in, as iconv names it; "" if it names none, or UTF-8.
[[nodiscard]] std::string sqlEncoding(std::string_view head);

/// All tables of a dump; it is read from its beginning to its end. A dump that is cut off gives what is
/// there (reading its rows tells the fault); Error Cancelled, Ambiguous, Limit or the source's own.
[[nodiscard]] Result<SqlCatalog> sqlCatalog(ByteSource& source, const CancelToken* cancel = nullptr);

struct SqlRows {
  std::vector<SqlTable> tables;        ///< of which the rows are given
  std::vector<std::string> columns;    ///< for tables of which nothing else names them
  tables::SqlDialect dialect = tables::SqlDialect::Unknown;
};
/// A row that cannot be read is a line that the reader of transcoded rows gives to onDefect. Error Format:
/// the dump is cut off, or changes rows of the tables after it wrote them.
[[nodiscard]] std::unique_ptr<ByteSource> transcodeSql(std::unique_ptr<ByteSource> source, SqlRows rows);

}  // namespace counterfoil
