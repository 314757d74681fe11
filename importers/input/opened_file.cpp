// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/opened_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "importers/bank/bank_format.h"
#include "importers/celery/celery_events.h"
#include "importers/input/opened_redis.h"
#include "importers/input/opened_sheet.h"
#include "importers/input/opened_tables.h"
#include "importers/log/log_reader.h"
#include "importers/readers/csv_reader.h"
#include "importers/readers/line_reader.h"
#include "importers/source/file_handle.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

constexpr std::size_t kHeadBytes = 64u << 10;

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && equalsIgnoreCase(text.substr(text.size() - end.size()), end);
}

std::string_view withoutPacking(std::string_view path) {
  if (endsWith(path, ".gz")) return path.substr(0, path.size() - 3);
  if (endsWith(path, ".zst")) return path.substr(0, path.size() - 4);
  return path;
}

bool isJsonValue(std::string_view text) {
  Arena arena;
  std::vector<FieldView> fields;
  return !parseJsonRow(text, JsonPaths(std::vector<std::string>{}), fields, arena);
}

/// An object a line (or a list of them, as webhooks send events), against one document.
bool looksLikeNdjson(std::string_view path, std::string_view head) {
  const bool isList = head.front() == '[';
  path = withoutPacking(path);
  if (!isList && (endsWith(path, ".ndjson") || endsWith(path, ".jsonl"))) return true;
  const std::size_t lineEnd = head.find('\n');
  if (lineEnd == std::string_view::npos) return false;
  const std::string_view second = trim(head.substr(lineEnd + 1));
  const bool goesOn = !second.empty() && (second.front() == '{' || (isList && second.front() == '['));
  return goesOn && isJsonValue(trim(head.substr(0, lineEnd)));
}

BankFormat bankOf(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Mt940: return BankFormat::Mt940;
    case LayoutKind::Ofx: return BankFormat::Ofx;
    case LayoutKind::Bai2: return BankFormat::Bai2;
    default: return BankFormat::Camt;
  }
}

LayoutKind layoutKindOf(BankFormat format) {
  switch (format) {
    case BankFormat::Camt: return LayoutKind::Camt;
    case BankFormat::Mt940: return LayoutKind::Mt940;
    case BankFormat::Ofx: return LayoutKind::Ofx;
    case BankFormat::Bai2: return LayoutKind::Bai2;
  }
  return LayoutKind::Find;
}

std::string_view nameOf(BankFormat format) {
  switch (format) {
    case BankFormat::Camt: return "CAMT.052, .053 or .054 (XML)";
    case BankFormat::Mt940: return "MT940 or MT942";
    case BankFormat::Ofx: return "OFX";
    case BankFormat::Bai2: return "BAI2";
  }
  return "";
}

/// A bank's file is known by its text: one layout of a kind fits no other, and nothing fits those but them.
Result<> settleBankKind(OpenedFile& file, std::string_view head) {
  const bool isOpen = file.layout.kind == LayoutKind::Find && file.layout.patterns.empty();
  if (!isOpen && !isBank(file.layout.kind)) return {};
  const std::optional<BankFormat> found = bankFormatOf(head);
  if (isOpen) {
    if (found) file.layout.kind = layoutKindOf(*found);
    return {};
  }
  if (found && layoutKindOf(*found) == file.layout.kind) return {};
  return fail(ErrorCode::Format, fmt::format("{}: no {} file{}", file.path, nameOf(bankOf(file.layout.kind)),
                                             found ? fmt::format(", it looks like {}", nameOf(*found)) : ""));
}

/// The events are lines of JSON of their own kind.
Result<> settleEventKind(OpenedFile& file, std::string_view head, bool isEncodingOpen) {
  const bool isOpen = file.layout.kind == LayoutKind::Find && file.layout.patterns.empty();
  const bool isDeclared = file.layout.kind == LayoutKind::CeleryEvents;
  if (!isOpen && !isDeclared) return {};
  const bool isFound = looksLikeCeleryEvents(head);
  if (isDeclared && !isFound && !trim(head).empty()) {
    return fail(ErrorCode::Format, file.path + ": no event stream of Celery: lines of JSON with \"type\" (task-…, worker-…), "
                                               "\"timestamp\" and \"hostname\"");
  }
  if (isFound) file.layout.kind = LayoutKind::CeleryEvents;
  if (file.layout.kind != LayoutKind::CeleryEvents) return {};
  // JSON is UTF-8: lines with other bytes are broken ones.
  if (isEncodingOpen && file.encoding == "windows-1252") file.encoding = "utf-8";
  file.encodingIsGuess = false;
  return {};
}

/// Bytes that are no UTF-8 are told line by line.
Result<std::unique_ptr<ByteSource>> openEvents(const OpenedFile& file) {
  OpenOptions options;
  options.encoding = file.encoding;
  options.passesInvalidUtf8 = true;
  return transcodeCeleryEvents([place = file.place, options] { return openFile(place, options); }, file.headOnly);
}

/// The text may name its encoding. Where it has letters that say UTF-8 they are right.
void takeNamedEncoding(OpenedFile& file, std::string_view head) {
  const bool isSql = file.layout.kind == LayoutKind::Sql;
  if ((!isBank(file.layout.kind) && !isSql) || file.nature.bomBytes > 0) return;
  const std::string named = isSql ? sqlEncoding(head) : encodingNamedBy(bankOf(file.layout.kind), head);
  const bool isXml = trim(head).substr(0, 5) == "<?xml";
  // XML that names none is UTF-8: letters that are not are a fault of the file, no other encoding.
  if (named.empty() && isXml && file.encoding == "utf-8") file.encodingIsGuess = false;
  if (named.empty() || (file.encoding == "utf-8" && !isAscii(head))) return;
  OpenOptions options;
  options.encoding = named;
  if (!openFile(file.place, options)) return;   // a name that nobody knows
  file.encoding = named;
  file.encodingIsGuess = false;
}

LayoutKind kindByLooking(const OpenedFile& file, std::string_view head) {
  if (file.nature.isSqlite) return LayoutKind::Sqlite;
  if (!file.layout.patterns.empty()) return LayoutKind::Lines;
  const std::string_view text = trim(head);
  if (!text.empty() && (text.front() == '{' || text.front() == '[' || text.front() == '\x1E')) {
    return looksLikeNdjson(file.path, text) ? LayoutKind::Ndjson : LayoutKind::Json;
  }
  if (!text.empty() && endsWith(withoutPacking(file.path), ".jsonl")) return LayoutKind::Ndjson;
  return LayoutKind::Csv;
}

Result<std::string> readHead(ByteSource& source) {
  std::string head;
  while (head.size() < kHeadBytes) {
    const Result<std::size_t> got = source.read(head, kHeadBytes - head.size());
    // A fault after the first bytes is met again by reading.
    if (!got && head.empty()) return fail(got.error());
    if (!got || *got == 0) break;
  }
  return head;
}

/// The head as its bytes lie in the file, behind the byte order mark.
Result<std::string> readRawHead(const OpenedFile& file) {
  const Result<FileHandle> handle = FileHandle::open(file.path);
  if (!handle) return fail(handle.error());
  std::string head(kHeadBytes, '\0');
  const Result<std::size_t> got = handle->readAt(file.nature.bomBytes, head.data(), head.size());
  if (!got) return fail(got.error());
  head.resize(*got);
  return head;
}

Result<> openCsv(OpenedFile& file, std::string_view head, const std::vector<std::string>& known) {
  Result<CsvHead> found = sniffCsv(head, file.layout, known, file.table);
  if (!found) return fail(found.error());
  file.csv = std::move(*found);
  file.layout.delimiter = file.csv.dialect.delimiter;
  file.columns = file.csv.columns;
  if (file.columns.size() > kMaxColumns) return fail(ErrorCode::Limit, fmt::format("more than {} columns", kMaxColumns));
  file.dataOffset = file.csv.dataStart + (file.byPosition ? file.nature.bomBytes : 0);
  file.dataLine = file.csv.dataLine;
  return {};
}

/// The first of the places that the layout names and the document has; "": to be found.
Result<std::string> placeOfRows(const OpenedFile& file) {
  const Layout& layout = file.layout;
  if (layout.rowsElse.empty()) return layout.rows;
  std::vector<std::string> places{layout.rows};
  places.insert(places.end(), layout.rowsElse.begin(), layout.rowsElse.end());
  const bool isFoundElse = places.back().empty();
  if (isFoundElse) places.pop_back();
  const Result<std::unique_ptr<ByteSource>> source = file.openSource();
  if (!source) return fail(source.error());
  const Result<std::optional<std::size_t>> first = firstJsonPlace(**source, places);
  if (!first) return fail(first.error());
  if (*first) return places[**first];
  return isFoundElse ? std::string() : layout.rows;
}

/// The whole document is looked at: once for all the formats that are asked about it.
Result<JsonRowsFound> rowsOfDocument(const OpenedFile& file) {
  BookShelf* const shelf = file.place.shelf.get();
  if (shelf != nullptr) {
    const auto known = shelf->jsonRows.find(file.encoding);
    if (known != shelf->jsonRows.end()) return known->second;
  }
  const Result<std::unique_ptr<ByteSource>> source = file.openSource();
  if (!source) return fail(source.error());
  Result<JsonRowsFound> found = findJsonRows(**source);
  if (shelf != nullptr) shelf->jsonRows.emplace(file.encoding, found);
  return found;
}

Result<> openJson(OpenedFile& file) {
  if (!file.layout.rows.empty()) {
    Result<std::string> place = placeOfRows(file);
    if (!place) return fail(place.error());
    if (!place->empty()) {
      file.jsonRows = {*place, false, false, file.layout.optional};
      return {};
    }
  }
  Result<JsonRowsFound> found = rowsOfDocument(file);
  if (!found) return fail(found.error());
  file.jsonRows = std::move(*found);
  if (file.jsonRows.isNdjson) file.layout.kind = LayoutKind::Ndjson;
  file.layout.rows = file.jsonRows.pointer;
  return {};
}

Result<> compilePatterns(OpenedFile& file) {
  for (const std::string& text : file.layout.patterns) {
    Result<Pattern> pattern = Pattern::compile(text);
    if (!pattern) return fail(pattern.error());
    file.patterns.push_back(std::make_shared<const Pattern>(std::move(*pattern)));
  }
  return {};
}

Result<> openLines(OpenedFile& file) {
  if (file.layout.patterns.empty()) return fail(ErrorCode::Config, "a layout of lines needs a \"pattern\"");
  if (Result<> compiled = compilePatterns(file); !compiled) return compiled;
  file.columns = patternColumns(file.patterns);
  return {};
}

/// Where times have no date the lines are read in their order, each with those before it in mind.
Result<> openLog(OpenedFile& file, std::string_view head) {
  if (file.layout.date == "name") {
    file.layout.date = dateInName(file.path);
    if (file.layout.date.empty()) return fail(ErrorCode::Format, file.path + ": no date in the file's name, as the layout says");
  }
  file.keepsDate = !file.layout.date.empty() || hasTimesWithoutDate(head);
  if (file.keepsDate) {
    file.byPosition = false;
    file.dataOffset = 0;
    file.table.reset();   // streams come converted
  }
  return compilePatterns(file);
}

Result<> openSqlite(OpenedFile& file, const std::vector<std::string>& known, const CancelToken* cancel) {
  const Result<std::unique_ptr<SqliteReader>> reader = SqliteReader::open(file.path, cancel);
  if (!reader) return fail(reader.error());
  if (file.layout.table.empty() && file.layout.query.empty()) {
    const Result<std::vector<TableSeen>> tables = tablesOf(**reader);
    if (!tables) return fail(tables.error());
    Result<std::string> table = tableWith(*tables, known);
    if (!table) return fail(table.error());
    file.layout.table = std::move(*table);
  }
  file.sqlite = {file.layout.table, file.layout.query, {}};
  Result<std::vector<std::string>> columns = (*reader)->columns(file.sqlite);
  if (!columns) return fail(columns.error());
  file.columns = std::move(*columns);
  return {};
}

Result<> openKind(OpenedFile& file, const std::string& head, const std::vector<std::string>& known,
                  const CancelToken* cancel) {
  const bool hasTables = file.layout.kind == LayoutKind::Sqlite || file.layout.kind == LayoutKind::Sql ||
                         file.layout.kind == LayoutKind::Dumpdata;
  if (!file.layout.table.empty() && !hasTables) {
    return fail(ErrorCode::Format, file.path + ": \"table\" names one of an SQLite database, an SQL dump or Django's "
                                               "dumpdata, and the file is none of them");
  }
  switch (file.layout.kind) {
    case LayoutKind::Find:
    case LayoutKind::Csv: return openCsv(file, head, known);
    case LayoutKind::Json: return openJson(file);
    case LayoutKind::Ndjson:
    case LayoutKind::Logfmt:
    case LayoutKind::Camt:
    case LayoutKind::Mt940:
    case LayoutKind::Ofx:
    case LayoutKind::Bai2:
    case LayoutKind::CeleryEvents: return {};
    case LayoutKind::Sql:
    case LayoutKind::Psql:
    case LayoutKind::Dumpdata:
    case LayoutKind::SqsXml: return openTableText(file, head, known, cancel);
    case LayoutKind::Redis: return openRedis(file, head);
    case LayoutKind::Lines: return openLines(file);
    case LayoutKind::Log: return openLog(file, head);
    case LayoutKind::Sqlite:
      if (!file.nature.isSqlite) return fail(ErrorCode::Format, "no SQLite database");
      if (file.place.member != nullptr) return fail(memberDatabaseFault(file.place));
      return openSqlite(file, known, cancel);
    case LayoutKind::Xlsx: return openSheet(file, known);
  }
  return fail(ErrorCode::Internal, "unknown layout kind");
}

/// A head of ASCII or UTF-8 says nothing about what follows. Where it already has other letters the whole
/// file is asked; where it is ASCII the question waits for the first other letter.
Result<> settleEncoding(OpenedFile& file, std::string_view head, const CancelToken* cancel) {
  if (!file.encodingIsGuess || isAscii(head)) return {};
  BookShelf* const shelf = file.place.shelf.get();
  std::optional<bool> isUtf8 = shelf != nullptr ? shelf->isUtf8 : std::nullopt;
  if (!isUtf8) {
    const Result<bool> valid = isWholeFileUtf8(file.path, cancel);
    if (!valid) return fail(valid.error());
    isUtf8 = *valid;
    if (shelf != nullptr) shelf->isUtf8 = isUtf8;
  }
  file.encodingIsGuess = false;
  if (!*isUtf8) file.encoding = "windows-1252";
  return {};
}

/// A workbook is read as its sheet's text, also where the layout says csv: the same export, saved otherwise.
Result<> settleContainer(OpenedFile& file) {
  if (file.nature.isOle) return fail(oleFault(file.place));
  if (file.nature.isRdb) return fail(rdbFault(file.place));
  const LayoutKind kind = file.layout.kind;
  if (!file.nature.isZip) {
    if (kind != LayoutKind::Xlsx) return {};
    return fail(ErrorCode::Format, file.path + ": no Excel workbook (.xlsx), as the layout says; without \"kind\" and "
                                               "\"sheet\" it is found what it is");
  }
  if (kind != LayoutKind::Find && kind != LayoutKind::Csv && kind != LayoutKind::Xlsx) {
    return fail(ErrorCode::Format, file.path + ": a spreadsheet or zip archive; the layout says it is another kind of file");
  }
  file.layout.kind = LayoutKind::Xlsx;
  return {};
}

/// Encoding, kind and where the rows can be cut out of the file; gives the head as bytes that readers take.
Result<std::string> readText(OpenedFile& file, ByteSource& source, bool undeclared, const CancelToken* cancel) {
  file.encoding = file.nature.encoding;
  // Members of archives are streams, whatever they hold.
  const bool isPlain = file.nature.packing == FileNature::Packing::Plain && file.place.member == nullptr;
  file.encodingIsGuess =
      undeclared && file.encoding == "utf-8" && file.nature.bomBytes == 0 && !file.nature.isSqlite;
  // Logs are UTF-8 with other bytes here and there: only the lines with them are none.
  if ((file.layout.kind == LayoutKind::Log || file.layout.replacesInvalid) && undeclared) {
    if (file.encoding == "windows-1252") file.encoding = "utf-8";
    file.encodingIsGuess = false;
  }
  Result<std::string> head = std::string();
  if (!file.nature.isSqlite) {
    head = readHead(source);
    if (!head) return fail(head.error().within(file.path));
    if (Result<> bank = settleBankKind(file, *head); !bank) return fail(bank.error());
    if (Result<> tables = settleTableText(file, *head); !tables) return fail(tables.error());
    if (Result<> redis = settleRedisKind(file, *head, undeclared); !redis) return fail(redis.error());
    if (Result<> events = settleEventKind(file, *head, undeclared); !events) return fail(events.error());
    if (undeclared) takeNamedEncoding(file, *head);
    if (isPlain) {
      const Result<> settled = settleEncoding(file, *head, cancel);
      if (!settled) return fail(settled.error());
    }
  }
  if (file.encoding != "utf-8") file.table = SingleByteTable::make(file.encoding);
  if (file.layout.kind == LayoutKind::Find) file.layout.kind = kindByLooking(file, *head);
  file.byPosition = isPlain && !file.nature.isSqlite && file.isText() && !isTranscoded(file.layout.kind) &&
                    (file.encoding == "utf-8" || file.table.has_value());
  file.dataOffset = file.byPosition ? file.nature.bomBytes : 0;
  if (file.byPosition) return readRawHead(file);
  file.table.reset();   // streams come converted
  return head;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenedFile::openSource() const {
  if (layout.kind == LayoutKind::Xlsx) return openSheetSource(*this);
  if (layout.kind == LayoutKind::Redis) return openRedisSource(*this);
  if (layout.kind == LayoutKind::CeleryEvents) return openEvents(*this);
  OpenOptions options;
  options.encoding = encoding;
  const bool areLines = layout.kind == LayoutKind::Ndjson || layout.kind == LayoutKind::Lines || layout.kind == LayoutKind::Logfmt;
  options.passesInvalidUtf8 = layout.kind == LayoutKind::Log || (layout.replacesInvalid && areLines);
  Result<std::unique_ptr<ByteSource>> source = openFile(place, options);
  if (!source) return source;
  if (isBank(layout.kind)) return transcodeBank(bankOf(layout.kind), std::move(*source));
  return tableTextSource(*this, std::move(*source));
}

bool OpenedFile::isText() const {
  return layout.kind == LayoutKind::Csv || layout.kind == LayoutKind::Xlsx || layout.kind == LayoutKind::Ndjson ||
         layout.kind == LayoutKind::Lines || layout.kind == LayoutKind::Logfmt || layout.kind == LayoutKind::Log ||
         isTranscoded(layout.kind);
}

std::unique_ptr<TextReader> OpenedFile::makeReader(const std::vector<std::string>& wanted) const {
  const std::optional<SingleByteTable> conversion = byPosition ? table : std::nullopt;
  if (layout.kind == LayoutKind::Csv || layout.kind == LayoutKind::Xlsx) {
    return makeCsvReader({csv.dialect, csv.columns, csv.headerLine, wanted, footer, conversion, nullptr});
  }
  LineOptions options{wanted, footer, conversion, layout.replacesInvalid};
  if (layout.kind == LayoutKind::Ndjson) {
    return makeNdjsonReader(std::move(options), {layout.each, layout.unwrap});
  }
  if (isTranscoded(layout.kind)) return makeTranscodedReader(std::move(options), {layout.each, layout.unwrap});
  if (layout.kind == LayoutKind::Log) {
    return makeLogReader(std::move(options), {patterns, layout.givesEveryLine, layout.quarantineUnmatched, keepsDate, layout.date});
  }
  if (layout.kind == LayoutKind::Logfmt) return makeLogfmtReader(std::move(options), layout.quarantineUnmatched);
  return makePatternReader(std::move(options), patterns, layout.quarantineUnmatched);
}

Result<OpenedFile> openWithLayout(const FilePlace& place, const Layout& layout, const std::vector<std::string>& known,
                                  const CancelToken* cancel, const std::string& encoding) {
  OpenedFile file;
  file.place = place;
  file.path = place.path;
  file.layout = layout;
  file.encoding = encoding.empty() ? layout.encoding : encoding;
  OpenOptions options;
  options.encoding = file.encoding;
  const bool undeclared = file.encoding.empty();
  Result<std::unique_ptr<ByteSource>> source = openFile(place, options);
  if (!source) return fail(source.error());
  file.nature = (*source)->nature();
  if (Result<> settled = settleContainer(file); !settled) return fail(settled.error());
  Result<std::string> head = std::string();
  if (file.layout.kind == LayoutKind::Xlsx) {
    file.encoding = "utf-8";
  } else {
    head = readText(file, **source, undeclared, cancel);
    if (!head) return fail(head.error());
  }
  if (!layout.footer.empty()) {
    Result<std::shared_ptr<const TextMatch>> footer = TextMatch::make(layout.footer);
    if (!footer) return fail(footer.error());
    file.footer = std::move(*footer);
  }
  const Result<> opened = openKind(file, *head, known, cancel);
  if (!opened) return fail(opened.error());
  file.byPosition = file.byPosition && file.isText();
  return file;
}

Error memberDatabaseFault(const FilePlace& place) {
  return {ErrorCode::Format, place.path + ": an SQLite database inside a zip archive; unpack it and name the file"};
}

Result<bool> isWholeFileUtf8(const std::string& path, const CancelToken* cancel) {
  const Result<FileHandle> handle = FileHandle::open(path);
  if (!handle) return fail(handle.error());
  constexpr std::size_t block = 1u << 20;
  std::string bytes(block, '\0');
  std::size_t kept = 0;
  std::uint64_t offset = 0;
  while (true) {
    if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const Result<std::size_t> got = handle->readAt(offset, bytes.data() + kept, block - kept);
    if (!got) return fail(got.error().within(path));
    const std::string_view text(bytes.data(), kept + *got);
    const Utf8Check check = checkUtf8(text);
    if (check.firstInvalid != kNoPosition) return false;
    if (*got == 0) return check.incompleteTail == 0;
    offset += *got;
    kept = check.incompleteTail;
    std::copy(text.end() - static_cast<std::ptrdiff_t>(kept), text.end(), bytes.begin());
  }
}

}  // namespace counterfoil
