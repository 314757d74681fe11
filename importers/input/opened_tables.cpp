// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/opened_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "importers/mapping/fields.h"
#include "importers/tables/aligned_table.h"
#include "importers/tables/sqs_xml.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxNamesTold = 40;

std::string_view nameOf(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Sql: return "SQL dump";
    case LayoutKind::Psql: return "table as psql or mysql print it";
    case LayoutKind::Dumpdata: return "Django dumpdata";
    case LayoutKind::SqsXml: return "XML answer of SQS";
    default: return "file of that kind";
  }
}

std::size_t knownAmong(const std::vector<std::string>& columns, const std::vector<std::string>& known) {
  return static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), [&](const std::string& column) {
    return std::any_of(known.begin(), known.end(), [&](const std::string& name) {
      return foldColumnName(name) == foldColumnName(column);
    });
  }));
}

Result<std::unique_ptr<ByteSource>> openText(const OpenedFile& file) {
  OpenOptions options;
  options.encoding = file.encoding;
  return openFile(file.place, options);
}

Result<SeenTables> readTables(const OpenedFile& file, const CancelToken* cancel) {
  const Result<std::unique_ptr<ByteSource>> source = openText(file);
  if (!source) return fail(source.error());
  SeenTables seen;
  seen.kind = file.layout.kind;
  seen.encoding = file.encoding;
  if (seen.kind == LayoutKind::Sql) {
    Result<SqlCatalog> catalog = sqlCatalog(**source, cancel);
    if (!catalog) return fail(catalog.error());
    seen.sql = std::move(*catalog);
  } else {
    Result<std::vector<DjangoModel>> models = djangoModels(**source, cancel);
    if (!models) return fail(models.error());
    seen.models = std::move(*models);
  }
  return seen;
}

/// The whole dump is read for it, so it is kept where several formats ask.
Result<std::shared_ptr<const SeenTables>> seenTables(OpenedFile& file, const CancelToken* cancel) {
  BookShelf* const shelf = file.place.shelf.get();
  const bool isKept = shelf != nullptr && shelf->tables != nullptr && shelf->tables->kind == file.layout.kind;
  if (isKept) {
    file.encodingIsGuess = file.encodingIsGuess && shelf->tables->encoding == file.encoding;
    file.encoding = shelf->tables->encoding;
    return shelf->tables;
  }
  Result<SeenTables> seen = readTables(file, cancel);
  if (!seen && seen.error().code == ErrorCode::Encoding && file.encodingIsGuess) {
    file.encoding = "windows-1252";
    file.encodingIsGuess = false;
    seen = readTables(file, cancel);
  }
  if (!seen) return fail(seen.error().within(file.path));
  auto kept = std::make_shared<const SeenTables>(std::move(*seen));
  if (shelf != nullptr) shelf->tables = kept;
  return kept;
}

std::vector<std::string> namesOf(const std::vector<SqlColumn>& columns) {
  std::vector<std::string> names;
  for (const SqlColumn& column : columns) names.push_back(column.name);
  return names;
}

std::vector<TableSeen> listed(const SeenTables& seen) {
  std::vector<TableSeen> tables;
  for (const SqlTable& table : seen.sql.tables) {
    if (!table.partitionOf) tables.push_back({seen.sql.shownName(table), namesOf(table.columns)});
  }
  for (const DjangoModel& model : seen.models) tables.push_back({model.name, model.columns});
  std::sort(tables.begin(), tables.end(), [](const TableSeen& a, const TableSeen& b) { return a.name < b.name; });
  return tables;
}

Result<> bindSql(OpenedFile& file, const SeenTables& seen) {
  auto chosen = seen.sql.named(file.layout.table);
  if (!chosen) return fail(chosen.error().within(file.path));
  file.columns = namesOf(chosen->front().columns);
  if (file.columns.empty()) file.columns = file.layout.columns;
  file.sql = {std::move(*chosen), file.layout.columns, seen.sql.dialect};
  return {};
}

}  // namespace

std::optional<LayoutKind> tableTextOf(std::string_view head) {
  if (looksLikeDumpdata(head)) return LayoutKind::Dumpdata;
  if (looksLikeSqsXml(head)) return LayoutKind::SqsXml;
  if (looksLikeSql(head)) return LayoutKind::Sql;
  if (looksLikeAlignedTable(head)) return LayoutKind::Psql;
  return std::nullopt;
}

Result<> settleTableText(OpenedFile& file, std::string_view head) {
  if (const auto archive = pgArchiveFault(head)) return fail(archive->within(file.path));
  const LayoutKind kind = file.layout.kind;
  const bool isOpen = kind == LayoutKind::Find && file.layout.patterns.empty();
  const bool isJsonTable = (kind == LayoutKind::Json || kind == LayoutKind::Ndjson) && !file.layout.table.empty();
  const bool isDeclared = isTableText(kind);
  if (!isOpen && !isJsonTable && !isDeclared) return {};
  const std::optional<LayoutKind> found = tableTextOf(head);
  // One column below a rule is a table where somebody says so.
  const bool isNarrow = kind == LayoutKind::Psql && !alignedColumns(head).empty();
  if (isDeclared && found != kind && !isNarrow) {
    return fail(ErrorCode::Format, fmt::format("{}: no {}{}", file.path, nameOf(kind),
                                               found ? fmt::format(", it looks like {}", nameOf(*found)) : ""));
  }
  if (isOpen && found) file.layout.kind = *found;
  if (isJsonTable && found == LayoutKind::Dumpdata) file.layout.kind = LayoutKind::Dumpdata;
  return {};
}

Result<std::vector<TableSeen>> tablesOfDump(OpenedFile& file, const CancelToken* cancel) {
  const auto seen = seenTables(file, cancel);
  if (!seen) return fail(seen.error());
  return listed(**seen);
}

Result<std::string> tableWith(const std::vector<TableSeen>& tables, const std::vector<std::string>& known) {
  std::vector<std::string> best;
  std::size_t most = 0;
  for (const TableSeen& table : tables) {
    const std::size_t hits = knownAmong(table.columns, known);
    if (hits < std::max<std::size_t>(most, std::min<std::size_t>(2, known.size()))) continue;
    if (hits > most) best.clear();
    most = hits;
    best.push_back(table.name);
  }
  if (best.size() == 1) return best.front();
  std::string names;
  std::size_t count = 0;
  for (const TableSeen& table : tables) {
    const bool isMeant = best.empty() || std::find(best.begin(), best.end(), table.name) != best.end();
    if (isMeant && count++ < kMaxNamesTold) names += (names.empty() ? "" : ", ") + forTerminal(table.name);
  }
  if (best.empty()) return fail(ErrorCode::Format, fmt::format("no table has the columns looked for (tables: {})", names));
  return fail(ErrorCode::Ambiguous,
              fmt::format("several tables could hold the rows: {}; say which with \"table\" in the layout", names));
}

Result<> openTableText(OpenedFile& file, std::string_view head, const std::vector<std::string>& known,
                       const CancelToken* cancel) {
  if (file.layout.kind == LayoutKind::SqsXml) return {};
  if (file.layout.kind == LayoutKind::Psql) {
    file.columns = alignedColumns(head);
    return {};
  }
  const auto seen = seenTables(file, cancel);
  if (!seen) return fail(seen.error());
  if (file.layout.table.empty()) {
    Result<std::string> table = tableWith(listed(**seen), known);
    if (!table) return fail(table.error());
    file.layout.table = std::move(*table);
  }
  if (file.layout.kind == LayoutKind::Sql) return bindSql(file, **seen);
  Result<std::string> model = djangoModelNamed((*seen)->models, file.layout.table);
  if (!model) return fail(model.error().within(file.path));
  file.layout.table = std::move(*model);
  return {};
}

std::unique_ptr<ByteSource> tableTextSource(const OpenedFile& file, std::unique_ptr<ByteSource> source) {
  switch (file.layout.kind) {
    case LayoutKind::Sql: return transcodeSql(std::move(source), file.sql);
    case LayoutKind::Psql: return transcodeAlignedTable(std::move(source));
    case LayoutKind::Dumpdata: return transcodeDumpdata(std::move(source), file.layout.table);
    case LayoutKind::SqsXml: return transcodeSqsXml(std::move(source));
    default: return source;
  }
}

}  // namespace counterfoil
