// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <thread>

namespace counterfoil {
namespace {

constexpr int kBusyWaitMs = 10'000;
constexpr int kCheckpointWaitMs = 1'000;
/// A block of some thousand records with fields of their full length stays below this.
constexpr int kMaxValueBytes = 256 << 20;
constexpr int kMaxSqlBytes = 100'000;

ErrorCode codeFor(int extended) {
  switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ErrorCode::Locked;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
    case SQLITE_SCHEMA:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH: return ErrorCode::StoreBroken;
    case SQLITE_INTERRUPT: return ErrorCode::Cancelled;
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM: return ErrorCode::Limit;
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return ErrorCode::WriteFailed;
    case SQLITE_IOERR: return extended == SQLITE_IOERR_READ || extended == SQLITE_IOERR_SHORT_READ
                                  ? ErrorCode::Io : ErrorCode::WriteFailed;
    default: return ErrorCode::Internal;
  }
}

constexpr const char* kDiskFull = "the disk is full; free some space and run again (nothing was changed)";

std::string explain(sqlite3* database, int extended) {
  switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another program is writing to the store; try again when it has finished";
    case SQLITE_FULL: return kDiskFull;
    case SQLITE_IOERR:   // the index of the WAL grows too, and says only that it could not
      if (extended == SQLITE_IOERR_SHMSIZE || extended == SQLITE_IOERR_SHMMAP ||
          (database != nullptr && sqlite3_system_errno(database) == ENOSPC)) {
        return kDiskFull;
      }
      break;
    case SQLITE_READONLY: return "the store cannot be written (read-only file, folder or medium)";
    case SQLITE_NOTADB: return "not a SQLite file, or a damaged one";
    case SQLITE_CORRUPT: return "the store is damaged; restore it from a backup";
    default: break;
  }
  return database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(extended);
}

tl::unexpected<Error> failure(sqlite3* database) {
  const int extended = sqlite3_extended_errcode(database);
  return fail(codeFor(extended), explain(database, extended));
}

void harden(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, kMaxSqlBytes);
  sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0);
}

/// A path as a "file:" URI, so that no character of it is taken for an option.
std::string asUri(const std::string& path, std::string_view query) {
  std::string uri = "file:";
  for (const char character : path) {
    const auto byte = static_cast<unsigned char>(character);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') || byte == '/' || byte == '.' || byte == '-' || byte == '_';
    if (plain) {
      uri += character;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return uri.append(query);
}

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bindInteger(int index, std::int64_t value) {
  sqlite3_bind_int64(m_statement.get(), index, value);
}

void Statement::bind(int index, std::string_view text) {
  const char* data = text.data() != nullptr ? text.data() : "";
  sqlite3_bind_text64(m_statement.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind(int index, Blob blob) {
  const char* data = blob.bytes.data() != nullptr ? blob.bytes.data() : "";
  sqlite3_bind_blob64(m_statement.get(), index, data, blob.bytes.size(), SQLITE_STATIC);
}

void Statement::bind(int index, std::nullopt_t) {
  sqlite3_bind_null(m_statement.get(), index);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(m_statement.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(m_statement.get());
    return false;
  }
  auto error = failure(sqlite3_db_handle(m_statement.get()));
  sqlite3_reset(m_statement.get());
  return error;
}

void Statement::reset() {
  sqlite3_reset(m_statement.get());
}

Result<> Statement::finish() {
  for (;;) {
    const auto row = step();
    if (!row) return fail(row.error());
    if (!*row) return {};
  }
}

int Statement::columnCount() const {
  return sqlite3_column_count(m_statement.get());
}

std::string_view Statement::columnName(int column) const {
  const char* name = sqlite3_column_name(m_statement.get(), column);
  return name != nullptr ? name : "";
}

Statement::Kind Statement::kind(int column) const {
  switch (sqlite3_column_type(m_statement.get(), column)) {
    case SQLITE_NULL: return Kind::Null;
    case SQLITE_INTEGER: return Kind::Integer;
    case SQLITE_BLOB: return Kind::Blob;
    default: return Kind::Text;
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(m_statement.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

std::string_view Statement::blob(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

std::optional<Instant> Statement::maybeInstant(int column) const {
  if (isNull(column)) return {};
  return instant(column);
}

std::optional<std::int64_t> Statement::maybeInteger(int column) const {
  if (isNull(column)) return {};
  return integer(column);
}

void Database::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Result<Database> Database::open(const std::string& path, OpenMode mode) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case OpenMode::ReadOnly:
    case OpenMode::Immutable: flags |= SQLITE_OPEN_READONLY; break;
    case OpenMode::ReadWrite: flags |= SQLITE_OPEN_READWRITE; break;
    case OpenMode::Create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE; break;
  }
  const std::string uri = path == ":memory:"
                              ? std::string("file::memory:")
                              : asUri(path, mode == OpenMode::Immutable ? "?immutable=1" : "");
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(uri.c_str(), &raw, flags, nullptr);
  Database database;
  database.m_database.reset(raw);
  if (code != SQLITE_OK) {
    return fail(raw == nullptr ? ErrorCode::Limit : codeFor(code), path + ": " + explain(raw, code));
  }
  sqlite3_busy_timeout(raw, kBusyWaitMs);
  harden(raw);
  if (auto ok = database.execute("PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY"); !ok) {
    return fail(ok.error().within(path));
  }
  return database;
}

Result<> Database::execute(const std::string& sql) {
  if (sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failure(m_database.get());
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(m_database.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr) != SQLITE_OK) {
    return failure(m_database.get());
  }
  Statement statement;
  statement.m_statement.reset(raw);
  return statement;
}

Result<std::optional<std::int64_t>> Database::firstInteger(Statement& statement) {
  const auto row = statement.step();
  if (!row) return fail(row.error());
  std::optional<std::int64_t> value;
  if (*row) value = statement.maybeInteger(0);
  statement.reset();
  return value;
}

std::int64_t Database::changes() const {
  return sqlite3_changes64(m_database.get());
}

void Database::interrupt() {
  sqlite3_interrupt(m_database.get());
}

Result<> Database::copyTo(const std::string& path) {
  auto target = open(path, OpenMode::Create);
  if (!target) return fail(target.error());
  sqlite3_backup* backup = sqlite3_backup_init(target->m_database.get(), "main", m_database.get(), "main");
  if (backup == nullptr) return failure(target->m_database.get());
  int code = SQLITE_OK;
  do {
    code = sqlite3_backup_step(backup, 4096);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  } while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
  sqlite3_backup_finish(backup);
  if (code == SQLITE_DONE) return {};
  return fail(codeFor(code), path + ": " + explain(nullptr, code));
}

Result<> Database::checkpoint() {
  sqlite3_busy_timeout(m_database.get(), kCheckpointWaitMs);
  const int code = sqlite3_wal_checkpoint_v2(m_database.get(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(m_database.get(), kBusyWaitMs);
  if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY) return {};
  return failure(m_database.get());
}

Result<> Database::rewrite() {
  // The copy is attached for a moment, and lies in a file, not in memory.
  sqlite3_limit(m_database.get(), SQLITE_LIMIT_ATTACHED, 2);
  auto ok = execute("PRAGMA temp_store=FILE");
  if (ok) ok = execute("VACUUM");
  sqlite3_limit(m_database.get(), SQLITE_LIMIT_ATTACHED, 0);
  const auto back = execute("PRAGMA temp_store=MEMORY");
  return ok ? back : ok;
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  if (auto ok = database.execute(kind == Kind::Write ? "BEGIN IMMEDIATE" : "BEGIN"); !ok) return fail(ok.error());
  return Transaction(database);
}

Transaction::~Transaction() {
  // A rollback that fails leaves nothing behind either: closing the connection rolls back too.
  if (m_database != nullptr) (void)m_database->execute("ROLLBACK");
}

Result<> Transaction::commit() {
  if (auto ok = m_database->execute("COMMIT"); !ok) return ok;
  m_database = nullptr;
  return {};
}

}  // namespace counterfoil
