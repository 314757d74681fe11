// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/tables_of.h"

#include "importers/input/opened_tables.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

namespace {

constexpr std::size_t kHeadBytes = 64u << 10;

Result<std::vector<TableSeen>> sqliteTables(const FilePlace& place, const CancelToken* cancel) {
  if (place.member != nullptr) return fail(memberDatabaseFault(place));
  const Result<std::unique_ptr<SqliteReader>> reader = SqliteReader::open(place.path, cancel);
  if (!reader) return fail(reader.error());
  auto tables = tablesOf(**reader);
  if (!tables) return fail(tables.error().within(place.path));
  return tables;
}

/// A layout that leaves everything open, as far as the kind.
Result<OpenedFile> settled(const FilePlace& place, const FileNature& nature, ByteSource& source) {
  std::string head;
  while (head.size() < kHeadBytes) {
    const Result<std::size_t> got = source.read(head, kHeadBytes - head.size());
    if (!got && head.empty()) return fail(got.error());
    if (!got || *got == 0) break;
  }
  OpenedFile file;
  file.place = place;
  file.path = place.path;
  file.nature = nature;
  file.encoding = nature.encoding;
  file.encodingIsGuess = nature.encoding == "utf-8" && nature.bomBytes == 0;
  if (Result<> kind = settleTableText(file, head); !kind) return fail(kind.error());
  const std::string named = file.layout.kind == LayoutKind::Sql ? sqlEncoding(head) : std::string();
  if (!named.empty() && nature.bomBytes == 0) file.encoding = named;
  return file;
}

}  // namespace

Result<std::vector<TableSeen>> tablesOf(SqliteReader& reader) {
  const Result<std::vector<std::string>> names = reader.tables();
  if (!names) return fail(names.error());
  std::vector<TableSeen> tables;
  for (const std::string& name : *names) {
    Result<std::vector<std::string>> columns = reader.columns({name, "", {}});
    if (!columns && columns.error().code == ErrorCode::Cancelled) return fail(columns.error());
    if (columns) tables.push_back({name, std::move(*columns)});   // else a view that does not work
  }
  return tables;
}

Result<std::vector<TableSeen>> tablesOf(const FilePlace& place, const CancelToken* cancel) {
  const Result<std::unique_ptr<ByteSource>> source = openFile(place);
  if (!source) return fail(source.error());
  const FileNature nature = (*source)->nature();
  if (nature.isSqlite) return sqliteTables(place, cancel);
  if (nature.isZip || nature.isOle) return std::vector<TableSeen>{};
  Result<OpenedFile> file = settled(place, nature, **source);
  if (!file) return fail(file.error());
  const bool hasTables = file->layout.kind == LayoutKind::Sql || file->layout.kind == LayoutKind::Dumpdata;
  if (!hasTables) return std::vector<TableSeen>{};
  return tablesOfDump(*file, cancel);
}

}  // namespace counterfoil
