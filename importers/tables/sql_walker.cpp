// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/sql_walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "importers/readers/text_reader.h"

namespace counterfoil::tables {

namespace {

bool isOneOf(const SqlToken& token, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return token.is(word); });
}

/// The first of an item of CREATE TABLE ( … ): words that begin a constraint in every dialect.
bool beginsConstraint(const std::array<SqlToken, 4>& first, SqlDialect dialect) {
  if (isOneOf(first[0], {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "LIKE"})) return true;
  if (first[0].is("EXCLUDE")) return first[1].is("USING") || first[1].isSign('(');
  if (first[0].is("PERIOD")) return first[1].is("FOR");
  if (!isOneOf(first[0], {"KEY", "INDEX", "FULLTEXT", "SPATIAL"})) return false;
  // A column may be called so: `key varchar(64)`. An index has names in its parentheses, and MySQL's dumps
  // quote all names.
  return dialect == SqlDialect::MySql || first[1].isSign('(') || first[3].isName();
}

}  // namespace

Result<bool> SqlWalker::took(std::string_view word) {
  if (!m_token.is(word)) return false;
  const Result<> read = next();
  if (!read) return fail(read.error());
  return true;
}

/// schema.name; the token behind it is read.
Result<SqlName> SqlWalker::name() {
  std::vector<std::string> parts;
  while (m_token.isName() && parts.size() < 4) {
    parts.push_back(toValidUtf8(m_token.text));
    if (Result<> read = next(); !read) return fail(read.error());
    if (!m_token.isSign('.')) break;
    if (Result<> read = next(); !read) return fail(read.error());
  }
  SqlName name{m_database, m_schema, parts.empty() ? "" : parts.back()};
  if (parts.size() >= 2) name.schema = parts[parts.size() - 2];
  if (parts.size() >= 3) name.database = parts[parts.size() - 3];
  return name;
}

/// True at the end of the statement (consumed); the end of the text inside of one is a fault.
Result<bool> SqlWalker::end() {
  if (m_token.isEnd()) {
    if (m_lexer.cursor().fault()) return fail(*m_lexer.cursor().fault());
    return fail(sqlFault(m_statementLine, "cut off: the statement that begins here has no end"));
  }
  return m_token.isSign(';');
}

Result<> SqlWalker::skipStatement() {
  while (true) {
    const Result<bool> ended = end();
    if (!ended) return fail(ended.error());
    if (*ended) return {};
    if (Result<> read = next(false); !read) return read;
  }
}

/// A routine or trigger: the semicolons between BEGIN and END are its own.
Result<> SqlWalker::skipBody() {
  for (int depth = 0;;) {
    if (m_token.is("BEGIN") || (depth > 0 && m_token.is("CASE"))) ++depth;
    if (m_token.is("END") && depth > 0) --depth;
    const Result<bool> ended = end();
    if (!ended) return fail(ended.error());
    if (*ended && depth == 0) return {};
    if (Result<> read = next(); !read) return read;
  }
}

/// From the opening one on, to behind the closing one.
Result<> SqlWalker::skipParentheses() {
  for (int depth = 0;;) {
    if (m_token.isSign('(')) ++depth;
    if (m_token.isSign(')') && --depth == 0) return next();
    if (Result<bool> ended = end(); !ended) return fail(ended.error());
    if (Result<> read = next(false); !read) return read;
  }
}

void SqlWalker::clientLine(const std::string& line) {
  const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view command = std::string_view(line).substr(0, blank);
  std::string_view rest = trim(std::string_view(line).substr(blank));
  if (command == "\\connect" || command == "\\c") {
    m_lexer.setDialect(SqlDialect::Postgres);
    constexpr std::string_view options = "-reuse-previous=on ";
    if (rest.substr(0, options.size()) == options) rest.remove_prefix(options.size());
    if (rest.size() >= 2 && (rest.front() == '"' || rest.front() == '\'')) rest = rest.substr(1, rest.size() - 2);
    m_database = toValidUtf8(rest);
    m_schema.clear();
  }
  if (equalsIgnoreCase(command, "DELIMITER")) m_delimiter = std::string(rest);
}

/// Between DELIMITER lines there are routines and triggers.
void SqlWalker::passRoutines() {
  bool tooLong = false;
  while (m_delimiter != ";" && m_lexer.cursor().line(m_line, 1024, tooLong)) {
    const std::string_view text = trim(m_line);
    if (!tooLong && equalsIgnoreCase(text.substr(0, 10), "DELIMITER ")) clientLine(std::string(text));
  }
}

Result<bool> SqlWalker::step() {
  Result<> done;
  switch (m_mode) {
    case Mode::Copy: done = copyRow(); break;
    case Mode::PassedCopy: done = passCopy(); break;
    case Mode::Values: done = tuple(); break;
    case Mode::Statement: {
      const Result<bool> isClients = m_lexer.clientLine(m_line);
      if (!isClients) return fail(isClients.error());
      if (*isClients) {
        clientLine(m_line);
        passRoutines();
        return true;
      }
      m_statementLine = m_lexer.cursor().lineNumber();
      done = next();
      if (done && m_token.isEnd()) {
        if (m_lexer.cursor().fault()) return fail(*m_lexer.cursor().fault());
        if (Result<> whole = m_lexer.demandComplete(); !whole) return fail(whole.error());
        return false;
      }
      if (done) done = statement();
    }
  }
  if (!done) return fail(done.error());
  return true;
}

Result<> SqlWalker::statement() {
  if (m_token.is("CREATE")) return create();
  if (m_token.is("INSERT") || m_token.is("REPLACE")) return insert();
  if (m_token.is("COPY")) return copy();
  if (m_token.is("ALTER")) return alter();
  if (m_token.is("SET")) return set();
  if (isOneOf(m_token, {"UPDATE", "DELETE", "TRUNCATE", "MERGE"})) return change();
  return other();
}

Result<> SqlWalker::other() {
  if (m_token.is("PRAGMA")) m_lexer.setDialect(SqlDialect::Sqlite);
  const bool isUse = m_token.is("USE");
  const bool isLock = m_token.is("LOCK");
  const bool isSelect = m_token.is("SELECT");
  if (!isUse && !isLock && !isSelect) return skipStatement();
  if (Result<> read = next(); !read) return read;
  if (isLock && m_token.is("TABLES")) m_lexer.setDialect(SqlDialect::MySql);
  if (isSelect && m_token.is("pg_catalog")) m_lexer.setDialect(SqlDialect::Postgres);
  if (isUse && m_token.isName()) m_schema = toValidUtf8(m_token.text);
  return skipStatement();
}

Result<> SqlWalker::create() {
  for (int words = 0; words < 12; ++words) {
    if (Result<> read = next(); !read) return read;
    if (m_token.is("TABLE")) return createTable();
    if (isOneOf(m_token, {"TRIGGER", "FUNCTION", "PROCEDURE", "EVENT", "PACKAGE"})) return skipBody();
    if (m_token.kind != SqlToken::Kind::Word || isOneOf(m_token, {"VIEW", "INDEX", "TYPE", "SEQUENCE"})) break;
  }
  return skipStatement();
}

Result<> SqlWalker::createTable() {
  if (Result<> read = next(); !read) return read;
  for (const std::string_view word : {"IF", "NOT", "EXISTS"}) {
    if (Result<bool> passed = took(word); !passed) return fail(passed.error());
  }
  SqlTable table;
  const Result<SqlName> named = name();
  if (!named) return fail(named.error());
  table.name = *named;
  if (m_token.is("PARTITION")) {
    if (Result<> read = next(); !read) return read;
    if (Result<bool> of = took("OF"); !of) return fail(of.error());
    const Result<SqlName> parent = name();
    if (!parent) return fail(parent.error());
    m_sink.onTable(table);
    m_sink.onPartition(table.name, *parent);
    return skipStatement();
  }
  if (!m_token.isSign('(')) return skipStatement();
  do {
    if (Result<> item = columnItem(table); !item) return item;
  } while (m_token.isSign(','));
  m_sink.onTable(std::move(table));
  return skipStatement();
}

/// From behind '(' or ',' to the next ',' or the closing parenthesis.
Result<> SqlWalker::columnItem(SqlTable& table) {
  std::array<SqlToken, 4> first;
  SqlColumn column;
  int depth = 0;
  for (std::size_t i = 0;; ++i) {
    if (Result<> read = next(); !read) return read;
    const Result<bool> ended = end();
    if (!ended) return fail(ended.error());
    if (*ended) return fail(sqlFault(m_statementLine, "a CREATE TABLE whose parentheses do not close"));
    if (depth == 0 && (m_token.isSign(',') || m_token.isSign(')'))) break;
    if (m_token.isSign('(')) ++depth;
    if (m_token.isSign(')')) --depth;
    column.isBytes = column.isBytes || (depth == 0 && i == 1 && m_token.is("bytea"));
    column.isGenerated = column.isGenerated || (depth == 0 && (m_token.is("GENERATED") || m_token.is("AS")));
    if (i < first.size()) first[i] = m_token;
  }
  if (!first[0].isName() || beginsConstraint(first, m_lexer.dialect())) return {};
  column.name = toValidUtf8(first[0].text);
  if (table.columns.size() < kMaxColumns) table.columns.push_back(std::move(column));
  return {};
}

/// ALTER TABLE ONLY parent ATTACH PARTITION part …
Result<> SqlWalker::alter() {
  if (Result<> read = next(); !read) return read;
  if (!m_token.is("TABLE")) return skipStatement();
  if (Result<> read = next(); !read) return read;
  for (const std::string_view word : {"IF", "EXISTS", "ONLY"}) {
    if (Result<bool> passed = took(word); !passed) return fail(passed.error());
  }
  const Result<SqlName> table = name();
  if (!table) return fail(table.error());
  if (!m_token.is("ATTACH")) return skipStatement();
  if (Result<> read = next(); !read) return read;
  if (Result<bool> partition = took("PARTITION"); !partition) return fail(partition.error());
  const Result<SqlName> part = name();
  if (!part) return fail(part.error());
  m_sink.onPartition(*part, *table);
  return skipStatement();
}

Result<> SqlWalker::set() {
  if (Result<> read = next(); !read) return read;
  if (m_token.isSign('@')) m_lexer.setDialect(SqlDialect::MySql);
  const bool isPath = m_token.is("search_path");
  const bool isStrings = m_token.is("standard_conforming_strings");
  if (m_token.is("client_encoding") || isPath || isStrings) m_lexer.setDialect(SqlDialect::Postgres);
  if (!isPath && !isStrings) return skipStatement();
  for (int i = 0; i < 2; ++i) {   // behind '=' or TO
    if (Result<> read = next(); !read) return read;
  }
  if (isStrings) m_lexer.setBackslashEscapes(m_token.is("off") || m_token.text == "off");
  if (isPath) m_schema = m_token.is("pg_catalog") ? "" : toValidUtf8(m_token.text);
  return skipStatement();
}

Result<> SqlWalker::change() {
  const std::string how = m_token.text;
  const std::uint64_t line = m_statementLine;
  if (Result<> read = next(); !read) return read;
  for (const std::string_view word : {"LOW_PRIORITY", "QUICK", "IGNORE", "INTO", "FROM", "TABLE", "ONLY"}) {
    if (Result<bool> passed = took(word); !passed) return fail(passed.error());
  }
  const Result<SqlName> table = name();
  if (!table) return fail(table.error());
  m_sink.onChange(*table, line, how);
  return skipStatement();
}

/// From '(' on to behind the closing parenthesis; blank if these are no names.
Result<std::vector<std::string>> SqlWalker::columnList() {
  std::vector<std::string> columns;
  do {
    if (Result<> read = next(); !read) return fail(read.error());
    if (!m_token.isName() || m_token.is("SELECT") || m_token.is("WITH")) return std::vector<std::string>();
    if (columns.size() >= kMaxColumns) return fail(ErrorCode::Limit, "a table of more than 4096 columns");
    columns.push_back(toValidUtf8(m_token.text));
    if (Result<> read = next(); !read) return fail(read.error());
  } while (m_token.isSign(','));
  if (!m_token.isSign(')')) return std::vector<std::string>();
  if (Result<> read = next(); !read) return fail(read.error());
  return columns;
}

Result<> SqlWalker::copy() {
  if (Result<> read = next(); !read) return read;
  const Result<SqlName> table = name();
  if (!table) return fail(table.error());
  std::vector<std::string> columns;
  if (m_token.isSign('(')) {
    Result<std::vector<std::string>> list = columnList();
    if (!list) return fail(list.error());
    if (list->empty()) return fail(sqlFault(m_statementLine, "a COPY whose columns cannot be told"));
    columns = std::move(*list);
  }
  const Result<bool> from = took("FROM");
  if (!from) return fail(from.error());
  if (!*from || !m_token.is("STDIN")) return skipStatement();
  m_lexer.setDialect(SqlDialect::Postgres);
  m_sectionLine = m_statementLine;
  bool hasOptions = false;
  for (;;) {
    if (Result<> read = next(); !read) return read;
    const Result<bool> ended = end();
    if (!ended) return fail(ended.error());
    if (*ended) break;
    hasOptions = hasOptions || isOneOf(m_token, {"CSV", "BINARY", "DELIMITER", "NULL", "HEADER", "FORMAT"});
  }
  m_lexer.cursor().skipLine();
  if (hasOptions) m_sink.onChange(*table, m_statementLine, "COPY with a form of its own");
  m_mode = !hasOptions && m_sink.onSection(*table, columns) ? Mode::Copy : Mode::PassedCopy;
  return {};
}

Result<> SqlWalker::insert() {
  const std::uint64_t line = m_statementLine;
  for (int words = 0; words < 6 && !m_token.is("INTO"); ++words) {
    if (Result<> read = next(); !read) return read;
    if (!m_token.isName()) return skipStatement();
  }
  if (Result<bool> into = took("INTO"); !into) return fail(into.error());
  const Result<SqlName> table = name();
  if (!table) return fail(table.error());
  return insertInto(*table, line);
}

Result<> SqlWalker::insertInto(const SqlName& table, std::uint64_t line) {
  if (m_token.is("PARTITION")) {
    if (Result<> read = next(); !read) return read;
    if (Result<> passed = skipParentheses(); !passed) return passed;
  }
  std::vector<std::string> columns;
  if (m_token.isSign('(')) {
    Result<std::vector<std::string>> list = columnList();
    if (!list) return fail(list.error());
    columns = std::move(*list);
  }
  for (const std::string_view word : {"OVERRIDING", "SYSTEM", "USER", "VALUE"}) {
    if (Result<bool> passed = took(word); !passed) return fail(passed.error());
  }
  if (!m_token.is("VALUES") && !m_token.isSign('(')) {   // VALUE, as MySQL allows, was passed
    m_sink.onChange(table, line, "INSERT of what is not written there");
    return skipStatement();
  }
  m_sectionLine = line;
  if (!m_sink.onSection(table, columns)) return skipStatement();
  m_mode = Mode::Values;
  if (m_token.is("VALUES")) return next();
  return {};
}

}  // namespace counterfoil::tables
