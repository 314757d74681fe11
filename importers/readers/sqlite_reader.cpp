// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/sqlite_reader.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "importers/readers/csv_reader.h"
#include "importers/source/encoding.h"
#include "importers/source/file_handle.h"

namespace counterfoil {

namespace {

constexpr std::size_t kRawBytes = 4096;
constexpr int kProgressSteps = 20'000;   // virtual machine steps between looks at the cancel token: well under 100 ms
constexpr std::uint64_t kMaxLooksPerRow = 50'000;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// Reading only; and nothing that reaches out of the file.
int authorize(void*, int action, const char*, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != nullptr && sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

/// Ends a statement on request, or when it works too long for one row (a hostile view).
struct Watch {
  const CancelToken* cancel = nullptr;
  std::uint64_t looks = 0;   ///< since the last row
};

int looksStopped(void* context) {
  auto& watch = *static_cast<Watch*>(context);
  if (watch.cancel != nullptr && watch.cancel->isCancelled()) return 1;
  return ++watch.looks > kMaxLooksPerRow ? 1 : 0;
}

std::string quotedName(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void appendJsonText(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
    if (out.size() > kRawBytes) return;
  }
  out += '"';
}

class Reader final : public SqliteReader {
 public:
  Reader(Database database, const CancelToken* cancel) : m_database(std::move(database)), m_watch{cancel} {}

  void harden() {
    sqlite3* const db = m_database.get();
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, static_cast<int>(kMaxFieldBytes));
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, static_cast<int>(kMaxColumns));
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 50);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 250'000);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_busy_timeout(db, 2000);
    sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON; PRAGMA mmap_size=0;", nullptr, nullptr, nullptr);
    sqlite3_set_authorizer(db, authorize, nullptr);
    sqlite3_progress_handler(db, kProgressSteps, looksStopped, &m_watch);
  }

  Result<std::vector<std::string>> tables() override {
    Result<Statement> statement = prepare(
        "SELECT name FROM sqlite_schema WHERE type IN ('table','view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "ORDER BY name");
    if (!statement) return fail(statement.error());
    std::vector<std::string> names;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement->get())) == SQLITE_ROW && names.size() < 10'000) {
      names.push_back(toValidUtf8(textAt(statement->get(), 0)));
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW) return fail(faultNow());
    return names;
  }

  Result<std::vector<std::string>> columns(const SqliteRows& rows) override {
    bool hasRowid = false;
    Result<Statement> statement = prepareRows(rows, hasRowid);
    if (!statement) return fail(statement.error());
    return namesOf(statement->get(), hasRowid);
  }

  Result<> read(const SqliteRows& rows, RowSink& sink) override {
    bool hasRowid = false;
    Result<Statement> statement = prepareRows(rows, hasRowid);
    if (!statement) return fail(statement.error());
    const std::vector<std::string> names = namesOf(statement->get(), hasRowid);
    std::vector<std::size_t> places;
    for (const std::string& name : rows.wanted) {
      const std::vector<std::size_t> found = columnIndexes(names, name);
      places.push_back(found.empty() ? kNoPosition : found.front());
    }
    RowView row;
    row.fields.resize(rows.wanted.size());
    Arena arena;
    std::string raw;
    const int first = hasRowid ? 1 : 0;
    std::uint64_t number = 0;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement->get())) == SQLITE_ROW) {
      arena.clear();
      row.offset = hasRowid ? static_cast<std::uint64_t>(sqlite3_column_int64(statement->get(), 0)) : number;
      row.line = ++number;
      m_types.clear();
      for (std::size_t i = 0; i < names.size(); ++i) {
        m_types.push_back(sqlite3_column_type(statement->get(), static_cast<int>(i) + first));
      }
      describeRow(statement->get(), names, first, raw);
      row.raw = raw;
      if (!giveRow(statement->get(), places, first, rows.wanted, row, arena, sink)) return {};
      if (m_watch.cancel != nullptr && m_watch.cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
      m_watch.looks = 0;
    }
    if (code == SQLITE_DONE) return {};
    return fail(faultNow().within(fmt::format("after {} rows", number)));
  }

 private:
  Error faultNow() const {
    const int code = sqlite3_errcode(m_database.get());
    if (code == SQLITE_INTERRUPT && m_watch.looks <= kMaxLooksPerRow) return {ErrorCode::Cancelled, "stopped"};
    if (code == SQLITE_INTERRUPT) return {ErrorCode::Limit, "the query works too long for a single row"};
    const std::string message = forTerminal(sqlite3_errmsg(m_database.get()));
    if (code == SQLITE_CANTOPEN) {
      return {ErrorCode::Io, message + " (a database in WAL mode needs a folder that can be written; make a copy "
                                       "with: sqlite3 FILE \".backup COPY\")"};
    }
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return {ErrorCode::Io, message + "; another program holds it"};
    if (code == SQLITE_TOOBIG) return {ErrorCode::Limit, fmt::format("a cell of more than {} bytes", kMaxFieldBytes)};
    return {ErrorCode::Format, message};
  }

  Result<Statement> prepare(const std::string& sql) {
    sqlite3_stmt* raw = nullptr;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v2(m_database.get(), sql.c_str(), static_cast<int>(sql.size()), &raw, &rest);
    Statement statement(raw);
    if (code != SQLITE_OK) return fail(faultNow());
    if (statement == nullptr) return fail(ErrorCode::Config, "the query is empty");
    if (rest != nullptr && !trim(rest).empty()) return fail(ErrorCode::Config, "the query has to be one statement");
    if (sqlite3_stmt_readonly(statement.get()) == 0) return fail(ErrorCode::Config, "the query has to be a SELECT");
    return statement;
  }

  /// For a table the rowid comes first, where there is one that is not a column's alias by name only.
  Result<Statement> prepareRows(const SqliteRows& rows, bool& hasRowid) {
    hasRowid = false;
    if (!rows.query.empty()) {
      Result<Statement> statement = prepare(rows.query);
      if (!statement) return fail(statement.error().within("query"));
      return statement;
    }
    Result<Statement> withRowid = prepare("SELECT _rowid_, * FROM " + quotedName(rows.table));
    if (withRowid && rowidIsReal(rows.table)) {
      hasRowid = true;
      return withRowid;
    }
    Result<Statement> plain = prepare("SELECT * FROM " + quotedName(rows.table));
    if (!plain) return fail(plain.error().within(fmt::format("table {}", forTerminal(rows.table))));
    return plain;
  }

  /// A view has a rowid that is NULL; a column may be called _rowid_.
  bool rowidIsReal(const std::string& table) {
    Result<Statement> probe = prepare("SELECT count(*) FROM sqlite_schema WHERE type='table' AND name=?1 "
                                      "COLLATE NOCASE AND sql NOT LIKE '%rowid%'");
    if (!probe) return false;
    sqlite3_bind_text(probe->get(), 1, table.c_str(), static_cast<int>(table.size()), SQLITE_TRANSIENT);
    return sqlite3_step(probe->get()) == SQLITE_ROW && sqlite3_column_int(probe->get(), 0) == 1;
  }

  static std::vector<std::string> namesOf(sqlite3_stmt* statement, bool hasRowid) {
    std::vector<std::string> names;
    for (int i = hasRowid ? 1 : 0; i < sqlite3_column_count(statement); ++i) {
      const char* const name = sqlite3_column_name(statement, i);
      names.push_back(name != nullptr ? toValidUtf8(name) : "");
    }
    return names;
  }

  static std::string_view textAt(sqlite3_stmt* statement, int column) {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    if (text == nullptr) return {};
    return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
  }
  static std::string_view blobAt(sqlite3_stmt* statement, int column) {
    const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
  }
  static bool isText(std::string_view bytes) {
    const Utf8Check check = checkUtf8(bytes);
    return check.firstInvalid == kNoPosition && check.incompleteTail == 0;
  }

  /// Copied: SQLite may move a value when another is asked for.
  static std::string_view kept(std::string_view text, Arena& arena) {
    char* const copy = arena.take(text.size() + 1);
    if (!text.empty()) std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  static FieldView fieldAt(sqlite3_stmt* statement, int column, int type, Arena& arena) {
    switch (type) {
      case SQLITE_NULL: return {FieldType::Null, {}};
      case SQLITE_INTEGER:
      case SQLITE_FLOAT: return {FieldType::Number, kept(textAt(statement, column), arena)};
      case SQLITE_BLOB: {
        const std::string_view bytes = kept(blobAt(statement, column), arena);
        return {isText(bytes) ? FieldType::Text : FieldType::Blob, bytes};
      }
      default: return {FieldType::Text, kept(textAt(statement, column), arena)};
    }
  }

  bool giveRow(sqlite3_stmt* statement, const std::vector<std::size_t>& places, int first,
                      const std::vector<std::string>& wanted, RowView& row, Arena& arena, RowSink& sink) const {
    for (std::size_t i = 0; i < places.size(); ++i) {
      row.fields[i] = {};
      if (places[i] == kNoPosition) continue;
      row.fields[i] = fieldAt(statement, static_cast<int>(places[i]) + first, m_types[places[i]], arena);
      if (row.fields[i].type == FieldType::Text && !isText(row.fields[i].text)) {
        return sink.onDefect(row, {wanted[i], toValidUtf8(row.fields[i].text), "invalid_encoding",
                                   "the text is not valid UTF-8"});
      }
    }
    return sink.onRow(row, 0);
  }

  /// {"id":1,"key":"a"}, for people; cut at its bound.
  void describeRow(sqlite3_stmt* statement, const std::vector<std::string>& names, int first,
                   std::string& raw) const {
    raw = "{";
    for (std::size_t i = 0; i < names.size() && raw.size() < kRawBytes; ++i) {
      const int column = static_cast<int>(i) + first;
      if (i > 0) raw += ',';
      appendJsonText(raw, names[i]);
      raw += ':';
      switch (m_types[i]) {
        case SQLITE_NULL: raw += "null"; break;
        case SQLITE_INTEGER:
        case SQLITE_FLOAT: raw += textAt(statement, column); break;
        case SQLITE_BLOB: {
          const std::string_view bytes = blobAt(statement, column).substr(0, kRawBytes);
          appendJsonText(raw, toValidUtf8(bytes));
          break;
        }
        default: appendJsonText(raw, toValidUtf8(textAt(statement, column).substr(0, kRawBytes)));
      }
    }
    raw += '}';
  }

  Database m_database;
  Watch m_watch;
  std::vector<int> m_types;   ///< of the row's columns, asked before SQLite converts anything
};

Result<std::unique_ptr<SqliteReader>> hardened(Database database, const CancelToken* cancel) {
  auto reader = std::make_unique<Reader>(std::move(database), cancel);
  reader->harden();
  // The first look at the schema tells whether it is a database at all.
  const Result<std::vector<std::string>> tables = reader->tables();
  if (!tables) return fail(tables.error());
  return reader;
}

}  // namespace

Result<std::unique_ptr<SqliteReader>> SqliteReader::open(const std::string& path, const CancelToken* cancel) {
  // SQLite would create nothing read-only, but it would open a FIFO and wait.
  const Result<FileHandle> file = FileHandle::open(path);
  if (!file) return fail(file.error());
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (code != SQLITE_OK || raw == nullptr) {
    return fail(ErrorCode::Io, fmt::format("{}: {}", path, raw != nullptr ? sqlite3_errmsg(raw) : "out of memory"));
  }
  Result<std::unique_ptr<SqliteReader>> reader = hardened(std::move(database), cancel);
  if (!reader) return fail(reader.error().within(path));
  return reader;
}

Result<std::unique_ptr<SqliteReader>> SqliteReader::openBytes(std::string_view bytes, const CancelToken* cancel) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (code != SQLITE_OK) return fail(ErrorCode::Internal, "no database in memory");
  const std::size_t size = bytes.size();
  auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(size + 1));
  if (copy == nullptr) return fail(ErrorCode::Limit, "out of memory");
  std::memcpy(copy, bytes.data(), size);
  // The connection frees the copy, also when this fails.
  const int loaded = sqlite3_deserialize(raw, "main", copy, static_cast<sqlite3_int64>(size),
                                         static_cast<sqlite3_int64>(size),
                                         SQLITE_DESERIALIZE_READONLY | SQLITE_DESERIALIZE_FREEONCLOSE);
  if (loaded != SQLITE_OK) return fail(ErrorCode::Format, "no SQLite database");
  return hardened(std::move(database), cancel);
}

}  // namespace counterfoil
