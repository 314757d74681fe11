// SPDX-License-Identifier: GPL-3.0-or-later
// Goes through the statements of a dump and says which tables it has and what their rows hold. Internal to
// importers/tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "importers/tables/sql_dump.h"
#include "importers/tables/sql_lexer.h"

namespace counterfoil::tables {

struct SqlValue {
  enum class Kind : std::uint8_t {
    Null, Text, Number, Boolean,
    Bytes,        ///< hex digits
    Default,      ///< the word DEFAULT
    Unreadable    ///< something that has to be computed
  };
  Kind kind = Kind::Null;
  std::string text;
};

class SqlSink {
 public:
  virtual ~SqlSink() = default;
  virtual void onTable(SqlTable table) = 0;
  virtual void onPartition(const SqlName& part, const SqlName& of) = 0;
  /// Rows of a table follow. `columns` as written there, blank if they are not. False: they are passed.
  virtual bool onSection(const SqlName& table, const std::vector<std::string>& columns) = 0;
  /// Of the last section; `values` may be taken.
  virtual void onRow(std::uint64_t line, std::vector<SqlValue>& values) = 0;
  /// A row of the last section that cannot be taken apart.
  virtual void onBroken(std::uint64_t line, std::string_view raw, std::string_view reason) = 0;
  /// Rows of a table are changed, or come from elsewhere, in a way that only a database can follow.
  virtual void onChange(const SqlName& table, std::uint64_t line, std::string_view how) = 0;
};

class SqlWalker {
 public:
  SqlWalker(TextCursor& cursor, SqlDialect dialect, SqlSink& sink) : m_lexer(cursor, dialect), m_sink(sink) {}

  /// One row or one statement; false at the end. An Error: the dump is cut off, or no dump.
  [[nodiscard]] Result<bool> step();
  [[nodiscard]] SqlDialect dialect() const { return m_lexer.dialect(); }

 private:
  enum class Mode : std::uint8_t { Statement, Copy, PassedCopy, Values };

  Result<> next(bool keep = true) { return m_lexer.next(m_token, keep); }
  /// Reads on if the token at hand is that word.
  Result<bool> took(std::string_view word);
  Result<SqlName> name();
  Result<bool> end();
  Result<> skipStatement();
  Result<> skipBody();
  Result<> skipParentheses();
  void clientLine(const std::string& line);
  void passRoutines();
  Result<> statement();
  Result<> other();

  Result<> create();
  Result<> createTable();
  Result<> columnItem(SqlTable& table);
  Result<> alter();
  Result<> set();
  Result<> change();
  Result<> copy();
  Result<> insert();
  Result<> insertInto(const SqlName& table, std::uint64_t line);
  Result<std::vector<std::string>> columnList();

  Result<> copyRow();
  Result<> passCopy();
  Result<> tuple();
  Result<> value(SqlValue& out);
  Result<> plainValue(SqlValue& out);
  Result<> wordValue(SqlValue& out);
  Result<> call(const std::string& function, SqlValue& out);
  Result<> behindValue(SqlValue& out);
  Result<> insideStatement();
  static void bits(const std::string& digits, SqlValue& out);

  SqlLexer m_lexer;
  SqlSink& m_sink;
  SqlToken m_token;
  Mode m_mode = Mode::Statement;
  std::string m_database, m_schema;     ///< of names without one
  std::string m_delimiter = ";";
  std::uint64_t m_statementLine = 0, m_sectionLine = 0;
  std::string m_line;
  std::vector<SqlValue> m_values;
  int m_depth = 0;
};

}  // namespace counterfoil::tables
