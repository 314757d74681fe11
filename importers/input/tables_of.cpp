// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/tables_of.h"

#include "importers/input/opened_file.h"
#include "importers/readers/sqlite_reader.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

namespace {

Result<std::vector<TableSeen>> sqliteTables(const FilePlace& place, const CancelToken* cancel) {
  if (place.member != nullptr) return fail(memberDatabaseFault(place));
  const Result<std::unique_ptr<SqliteReader>> reader = SqliteReader::open(place.path, cancel);
  if (!reader) return fail(reader.error());
  const Result<std::vector<std::string>> names = (*reader)->tables();
  if (!names) return fail(names.error().within(place.path));
  std::vector<TableSeen> tables;
  for (const std::string& name : *names) {
    Result<std::vector<std::string>> columns = (*reader)->columns({name, "", {}});
    if (!columns && columns.error().code == ErrorCode::Cancelled) return fail(columns.error());
    if (columns) tables.push_back({name, std::move(*columns)});   // else a view that does not work
  }
  return tables;
}

}  // namespace

Result<std::vector<TableSeen>> tablesOf(const FilePlace& place, const CancelToken* cancel) {
  const Result<std::unique_ptr<ByteSource>> source = openFile(place);
  if (!source) return fail(source.error());
  if ((*source)->nature().isSqlite) return sqliteTables(place, cancel);
  return std::vector<TableSeen>{};
}

}  // namespace counterfoil
