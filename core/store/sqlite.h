// SPDX-License-Identifier: GPL-3.0-or-later
// A thin wrapper of SQLite: connections, statements, transactions. Errors come back as Result, nothing
// throws. One connection belongs to one thread at a time. Only the store uses it.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/instant.h"
#include "core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace counterfoil {

/// Bytes to bind as a BLOB (a std::string_view binds as TEXT). Not owned.
struct Blob {
  std::string_view bytes;
};

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement() = default;

  /// Binds all parameters from the first on. Texts and blobs must live until the next reset.
  template <class... Values>
  void bindAll(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
  }
  /// Binds, runs to the end, resets: for statements without result rows.
  template <class... Values>
  Result<> run(const Values&... values) {
    bindAll(values...);
    return finish();
  }
  /// True: there is a row. False: the end (the statement is reset).
  Result<bool> step();
  void reset();

  template <std::integral T>
  void bind(int index, T value) {
    bindInteger(index, static_cast<std::int64_t>(value));
  }
  template <class T>
    requires std::is_enum_v<T>
  void bind(int index, T value) {
    bindInteger(index, static_cast<std::int64_t>(value));
  }
  void bind(int index, std::string_view text);
  void bind(int index, const std::string& text) { bind(index, std::string_view(text)); }
  void bind(int index, const char* text) { bind(index, std::string_view(text)); }
  void bind(int index, Blob blob);
  void bind(int index, Instant at) { bindInteger(index, at.time_since_epoch().count()); }
  void bind(int index, Duration duration) { bindInteger(index, duration.count()); }
  void bind(int index, std::nullopt_t);
  template <class T>
  void bind(int index, const std::optional<T>& value) {
    if (value) {
      bind(index, *value);
    } else {
      bind(index, std::nullopt);
    }
  }

  [[nodiscard]] int columnCount() const;
  [[nodiscard]] std::string_view columnName(int column) const;
  enum class Kind : std::uint8_t { Null, Integer, Text, Blob };
  [[nodiscard]] Kind kind(int column) const;
  [[nodiscard]] bool isNull(int column) const { return kind(column) == Kind::Null; }
  [[nodiscard]] std::int64_t integer(int column) const;
  /// Valid until the next step or reset.
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::string_view blob(int column) const;
  [[nodiscard]] Instant instant(int column) const { return Instant(Duration(integer(column))); }
  [[nodiscard]] std::optional<Instant> maybeInstant(int column) const;
  [[nodiscard]] std::optional<std::int64_t> maybeInteger(int column) const;

 private:
  friend class Database;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  void bindInteger(int index, std::int64_t value);
  Result<> finish();

  std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
};

enum class OpenMode : std::uint8_t {
  ReadOnly,   ///< the file is not changed; a WAL beside it is read where the folder lets us
  Immutable,  ///< a medium that cannot be written: the file alone, no locks
  ReadWrite,
  Create      ///< ReadWrite, and made when it is not there
};

class Database {
 public:
  Database() = default;
  /// Opens and hardens: no extensions, no ATTACH, no trust in the schema, bounded lengths.
  static Result<Database> open(const std::string& path, OpenMode mode);

  [[nodiscard]] bool isOpen() const { return m_database != nullptr; }
  Result<> execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  /// Prepare, bind, run to the end.
  template <class... Values>
  Result<> run(std::string_view sql, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement) return fail(statement.error());
    return statement->run(values...);
  }
  /// The first column of the first row; nothing without a row.
  template <class... Values>
  Result<std::optional<std::int64_t>> integer(std::string_view sql, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement) return fail(statement.error());
    statement->bindAll(values...);
    return firstInteger(*statement);
  }
  [[nodiscard]] std::int64_t changes() const;
  /// Stops a running statement from another thread.
  void interrupt();
  /// Copies the whole database, page by page, to a file that must not exist. Readers and one writer may go on.
  Result<> copyTo(const std::string& path);
  /// Moves everything from the WAL into the file and empties the WAL; waits a second for readers, then leaves it.
  Result<> checkpoint();
  /// Writes the whole file anew, without free pages. Takes room for two more copies; not inside a transaction.
  Result<> rewrite();
  void close() { m_database.reset(); }

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  static Result<std::optional<std::int64_t>> firstInteger(Statement& statement);
  std::unique_ptr<sqlite3, Closer> m_database;
};

/// Rolls back when it goes out of scope without commit().
class Transaction {
 public:
  enum class Kind : std::uint8_t { Read, Write };
  /// Write waits some seconds for another writer, then is ErrorCode::Locked.
  static Result<Transaction> begin(Database& database, Kind kind);
  ~Transaction();
  Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Result<> commit();

 private:
  explicit Transaction(Database& database) : m_database(&database) {}
  Database* m_database;
};

}  // namespace counterfoil
