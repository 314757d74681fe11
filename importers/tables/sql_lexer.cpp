// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/sql_lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "importers/readers/text_reader.h"

namespace counterfoil::tables {

namespace {

constexpr std::size_t kMaxNameBytes = 1024;
constexpr std::size_t kCommentBytes = 256;   ///< of which it is looked at who wrote the file

bool isWordStart(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80; }
bool isDigit(int c) { return c >= '0' && c <= '9'; }
bool isWordByte(int c) { return isWordStart(c) || isDigit(c) || c == '$'; }
bool isBlank(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

int digitOf(int c, int base) {
  int value = base;
  if (isDigit(c)) value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

char capital(int c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); }

}  // namespace

Error sqlFault(std::uint64_t line, std::string_view what) {
  return {ErrorCode::Format, fmt::format("line {}: {}", line, what)};
}

bool SqlToken::is(std::string_view word) const { return kind == Kind::Word && equalsIgnoreCase(text, word); }

void SqlLexer::put(SqlToken& token, bool keep, std::string_view text) const {
  if (!keep) return;
  const std::size_t most = token.kind == SqlToken::Kind::Text ? kMaxFieldBytes : kMaxNameBytes;
  if (token.text.size() + text.size() > most) {
    token.isTooLong = true;
  } else {
    token.text.append(text);
  }
}

/// Dump programs say who they are in a comment, and at the end that they are done.
void SqlLexer::noteComment(std::string_view text) {
  const std::string_view said = trim(text.substr(std::min<std::size_t>(text.size(), 2)));
  const auto begins = [&](std::string_view start) { return said.substr(0, start.size()) == start; };
  if (said == "PostgreSQL database dump" || begins("MySQL dump ") || begins("MariaDB dump ")) ++m_begun;
  if (said == "PostgreSQL database dump complete" || begins("Dump completed")) ++m_completed;
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has("PostgreSQL database") || has("pg_dump")) setDialect(SqlDialect::Postgres);
  if (has("MySQL dump") || has("MariaDB dump") || has("phpMyAdmin SQL") || has("HeidiSQL") || has("mysqldump")) {
    setDialect(SqlDialect::MySql);
  }
}

Result<> SqlLexer::demandComplete() const {
  if (m_completed >= m_begun) return {};
  return fail(sqlFault(m_cursor.lineNumber(), "cut off: the dump does not say at its end that it is complete"));
}

void SqlLexer::lineComment() {
  bool tooLong = false;
  m_cursor.line(m_comment, kCommentBytes, tooLong);
  noteComment(m_comment);
}

Result<> SqlLexer::blockComment() {
  const std::uint64_t line = m_cursor.lineNumber();
  m_cursor.skip(2);
  m_comment.clear();
  for (int depth = 1; depth > 0;) {
    const int c = m_cursor.peek();
    if (c == TextCursor::kEnd) return fail(sqlFault(line, "cut off: the comment that begins here has no end"));
    if (c == '*' && m_cursor.peek(1) == '/') {
      --depth;
      m_cursor.skip(2);
      continue;
    }
    if (c == '/' && m_cursor.peek(1) == '*' && m_dialect != SqlDialect::MySql) {
      ++depth;
      m_cursor.skip(2);
      continue;
    }
    if (m_comment.size() < kCommentBytes) m_comment += static_cast<char>(c);
    m_cursor.skip(1);
  }
  noteComment(m_comment);
  return {};
}

Result<> SqlLexer::skipBlanks() {
  while (true) {
    const int c = m_cursor.peek();
    if (isBlank(c)) {
      m_cursor.skip(1);
    } else if (c == '-' && m_cursor.peek(1) == '-') {
      lineComment();
    } else if (c == '#' && m_dialect == SqlDialect::MySql) {
      lineComment();
    } else if (c == '/' && m_cursor.peek(1) == '*') {
      if (Result<> passed = blockComment(); !passed) return passed;
    } else {
      return {};
    }
  }
}

Result<bool> SqlLexer::clientLine(std::string& line) {
  if (Result<> blanks = skipBlanks(); !blanks) return fail(blanks.error());
  bool isOne = m_cursor.peek() == '\\';
  constexpr std::string_view delimiter = "DELIMITER";
  if (!isOne && capital(m_cursor.peek()) == 'D') {
    isOne = true;
    for (std::size_t i = 0; i < delimiter.size() && isOne; ++i) isOne = capital(m_cursor.peek(i)) == delimiter[i];
    isOne = isOne && isBlank(m_cursor.peek(delimiter.size()));
  }
  bool tooLong = false;
  if (isOne) m_cursor.line(line, kMaxNameBytes, tooLong);
  return isOne;
}

void SqlLexer::word(SqlToken& token) {
  token.kind = SqlToken::Kind::Word;
  for (std::string_view held = m_cursor.held(); !held.empty(); held = m_cursor.held()) {
    std::size_t size = 0;
    while (size < held.size() && isWordByte(static_cast<unsigned char>(held[size]))) ++size;
    put(token, true, held.substr(0, size));
    m_cursor.skip(size);
    if (size < held.size()) return;
  }
}

void SqlLexer::number(SqlToken& token) {
  token.kind = SqlToken::Kind::Number;
  int last = 0;
  for (int c = m_cursor.peek();; c = m_cursor.peek()) {
    const bool isHex = token.text.size() > 1 && capital(token.text[1]) == 'X';
    const bool isPower = (c == '+' || c == '-') && capital(last) == 'E' && !isHex;
    if (!isWordByte(c) && c != '.' && !isPower) return;
    const char byte = static_cast<char>(c);
    put(token, true, std::string_view(&byte, 1));
    last = c;
    m_cursor.skip(1);
  }
}

std::uint32_t SqlLexer::digits(int base, std::size_t most) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < most; ++i) {
    const int digit = digitOf(m_cursor.peek(), base);
    if (digit < 0) break;
    value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
    m_cursor.skip(1);
  }
  return value;
}

/// Behind the backslash of E'…'. `c` is not consumed yet.
void SqlLexer::postgresEscape(char c, std::string& out) {
  const auto plain = std::string_view("bfnrtv").find(c);
  if (plain != std::string_view::npos) {
    out += "\b\f\n\r\t\v"[plain];
    m_cursor.skip(1);
    return;
  }
  std::uint32_t value = 0;
  if (c >= '0' && c <= '7') {
    value = digits(8, 3) & 0xFF;
  } else if (c == 'x' && digitOf(m_cursor.peek(1), 16) >= 0) {
    m_cursor.skip(1);
    value = digits(16, 2);
  } else if (c == 'u' || c == 'U') {
    m_cursor.skip(1);
    value = digits(16, c == 'u' ? 4 : 8);
    const bool isCharacter = value < 0xD800 || (value > 0xDFFF && value <= 0x10FFFF);
    appendUtf8(out, isCharacter ? static_cast<char32_t>(value) : U'\uFFFD');
    return;
  } else {
    out += c;
    m_cursor.skip(1);
    return;
  }
  out += static_cast<char>(value);   // a byte of a character, perhaps
}

/// Behind a backslash that escapes.
void SqlLexer::escape(std::string& out) {
  const int next = m_cursor.peek();
  if (next == TextCursor::kEnd) return;
  const char c = static_cast<char>(next);
  if (m_dialect != SqlDialect::MySql) return postgresEscape(c, out);
  m_cursor.skip(1);
  switch (c) {
    case '0': out += '\0'; return;
    case 'b': out += '\b'; return;
    case 'n': out += '\n'; return;
    case 'r': out += '\r'; return;
    case 't': out += '\t'; return;
    case 'Z': out += '\x1A'; return;
    case '%':
    case '_':
      out += '\\';   // only LIKE reads them otherwise
      out += c;
      return;
    default: out += c;
  }
}

/// At a backslash inside of a text: true if it escaped something.
Result<bool> SqlLexer::backslash(SqlToken& token, bool keep) {
  if (!m_isEscaped && m_dialect == SqlDialect::Unknown) {
    return fail(ErrorCode::Ambiguous,
                fmt::format("line {}: a backslash in a text: MySQL takes it for an escape, PostgreSQL and SQLite do "
                            "not, and nothing in the file says who wrote it; a first line of \"-- MySQL dump\" or "
                            "\"-- PostgreSQL database dump\" does",
                            m_cursor.lineNumber()));
  }
  if (!m_isEscaped) return false;
  m_cursor.skip(1);
  std::string one;
  escape(one);
  put(token, keep, one);
  return true;
}

/// From the opening quote on. Two quotes are one inside.
Result<> SqlLexer::quoted(SqlToken& token, char quote, bool keep) {
  const std::uint64_t line = m_cursor.lineNumber();
  const bool isText = token.kind == SqlToken::Kind::Text;
  m_isEscaped = isText && (m_dialect == SqlDialect::MySql || token.prefix == 'E' ||
                           (m_dialect == SqlDialect::Postgres && m_backslashEscapes.value_or(false)));
  m_cursor.skip(1);
  while (true) {
    const std::string_view held = m_cursor.held();
    if (held.empty()) return fail(sqlFault(line, "cut off: the text that begins here has no end"));
    std::size_t plain = 0;
    while (plain < held.size() && held[plain] != quote && (held[plain] != '\\' || !isText)) ++plain;
    put(token, keep, held.substr(0, plain));
    m_cursor.skip(plain);
    if (plain == held.size()) continue;
    if (m_cursor.peek() == '\\') {
      const Result<bool> escaped = backslash(token, keep);
      if (!escaped) return fail(escaped.error());
      if (*escaped) continue;
      put(token, keep, "\\");
      m_cursor.skip(1);
      continue;
    }
    m_cursor.skip(1);
    if (m_cursor.peek() != static_cast<unsigned char>(quote)) return {};
    put(token, keep, std::string_view(&quote, 1));
    m_cursor.skip(1);
  }
}

/// $tag$ … $tag$, the bodies of functions.
Result<> SqlLexer::dollarQuoted(SqlToken& token, bool keep) {
  const std::uint64_t line = m_cursor.lineNumber();
  std::size_t length = 1;
  while (length < kMaxNameBytes && isWordByte(m_cursor.peek(length)) && m_cursor.peek(length) != '$') ++length;
  const bool isQuote = m_cursor.peek(length) == '$' && !isDigit(m_cursor.peek(1));
  if (!isQuote) {
    token.kind = SqlToken::Kind::Sign;
    token.text = "$";
    m_cursor.skip(1);
    return {};
  }
  std::string tag;
  for (std::size_t i = 0; i <= length; ++i) tag += static_cast<char>(m_cursor.peek(i));
  m_cursor.skip(tag.size());
  token.kind = SqlToken::Kind::Text;
  while (true) {
    const std::string_view held = m_cursor.held();
    if (held.empty()) return fail(sqlFault(line, "cut off: the text that begins here has no end"));
    const std::size_t plain = std::min(held.find('$'), held.size());
    put(token, keep, held.substr(0, plain));
    m_cursor.skip(plain);
    if (plain == held.size()) continue;
    std::size_t same = 0;
    while (same < tag.size() && m_cursor.peek(same) == static_cast<unsigned char>(tag[same])) ++same;
    if (same == tag.size()) {
      m_cursor.skip(tag.size());
      return {};
    }
    put(token, keep, "$");
    m_cursor.skip(1);
  }
}

Result<> SqlLexer::next(SqlToken& token, bool keep) {
  token = SqlToken();
  if (Result<> blanks = skipBlanks(); !blanks) return blanks;
  token.line = m_cursor.lineNumber();
  const int c = m_cursor.peek();
  if (c == TextCursor::kEnd) return {};
  const int after = m_cursor.peek(1);
  if (after == '\'' && std::string_view("ENXB").find(capital(c)) != std::string_view::npos) {
    token.kind = SqlToken::Kind::Text;
    token.prefix = capital(c);
    m_cursor.skip(1);
    return quoted(token, '\'', keep);
  }
  if (c == '\'' || (c == '"' && m_dialect == SqlDialect::MySql)) {
    token.kind = SqlToken::Kind::Text;
    return quoted(token, static_cast<char>(c), keep);
  }
  if (c == '"' || c == '`') {
    token.kind = SqlToken::Kind::Name;
    if (c == '`') setDialect(SqlDialect::MySql);
    return quoted(token, static_cast<char>(c), keep);
  }
  if (c == '$' && m_dialect != SqlDialect::MySql) return dollarQuoted(token, keep);
  if (isDigit(c) || (c == '.' && isDigit(after))) {
    number(token);
    return {};
  }
  if (isWordStart(c)) {
    word(token);
    return {};
  }
  token.kind = SqlToken::Kind::Sign;
  token.text.assign(1, static_cast<char>(c));
  m_cursor.skip(1);
  return {};
}

}  // namespace counterfoil::tables
