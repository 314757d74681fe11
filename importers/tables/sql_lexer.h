// SPDX-License-Identifier: GPL-3.0-or-later
// The words of SQL text as dump programs write it: names, texts with their escapes, numbers, comments.
// Nothing is executed. Internal to importers/tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "importers/tables/text_cursor.h"

namespace counterfoil::tables {

/// Who wrote it: they differ in what a backslash means.
enum class SqlDialect : std::uint8_t { Unknown, Postgres, MySql, Sqlite };

struct SqlToken {
  enum class Kind : std::uint8_t { End, Word, Name, Text, Number, Sign };
  Kind kind = Kind::End;
  std::string text;          ///< of a Text its value; of a Name without quotes; of a Sign one character
  char prefix = 0;           ///< of a Text: 'E', 'N', 'X' (hex digits), 'B' (bits), or 0
  bool isTooLong = false;    ///< the text is only its beginning
  std::uint64_t line = 0;

  [[nodiscard]] bool isSign(char c) const { return kind == Kind::Sign && text[0] == c; }
  [[nodiscard]] bool isEnd() const { return kind == Kind::End; }
  /// A word of the language; `word` in capitals.
  [[nodiscard]] bool is(std::string_view word) const;
  [[nodiscard]] bool isName() const { return kind == Kind::Word || kind == Kind::Name; }
};

class SqlLexer {
 public:
  SqlLexer(TextCursor& cursor, SqlDialect dialect) : m_cursor(cursor), m_dialect(dialect) {}

  /// `keep` false: texts and names are passed without being kept. An Error: a text or comment that has no
  /// end, or a backslash that may mean two things.
  [[nodiscard]] Result<> next(SqlToken& token, bool keep = true);
  /// Whether the next thing is a line for the client ("\connect shop", "DELIMITER ;;"): it is put to `line`.
  [[nodiscard]] Result<bool> clientLine(std::string& line);

  [[nodiscard]] SqlDialect dialect() const { return m_dialect; }
  void setDialect(SqlDialect dialect) {
    if (m_dialect == SqlDialect::Unknown) m_dialect = dialect;
  }
  /// PostgreSQL before 9.1, or told so: a backslash escapes in each text.
  void setBackslashEscapes(bool escapes) { m_backslashEscapes = escapes; }
  [[nodiscard]] TextCursor& cursor() { return m_cursor; }
  /// At the end: a dump that says where it begins says also that it is complete.
  [[nodiscard]] Result<> demandComplete() const;

 private:
  Result<> skipBlanks();
  Result<> blockComment();
  void lineComment();
  void noteComment(std::string_view text);
  Result<> quoted(SqlToken& token, char quote, bool keep);
  Result<> dollarQuoted(SqlToken& token, bool keep);
  Result<bool> backslash(SqlToken& token, bool keep);
  void escape(std::string& out);
  void postgresEscape(char c, std::string& out);
  std::uint32_t digits(int base, std::size_t most);
  void word(SqlToken& token);
  void number(SqlToken& token);
  void put(SqlToken& token, bool keep, std::string_view text) const;

  TextCursor& m_cursor;
  SqlDialect m_dialect;
  std::optional<bool> m_backslashEscapes;
  bool m_isEscaped = false;      ///< of the text at hand: backslashes escape
  std::string m_comment;
  std::uint64_t m_begun = 0, m_completed = 0;   ///< dumps, by their comments
};

[[nodiscard]] Error sqlFault(std::uint64_t line, std::string_view what);

}  // namespace counterfoil::tables
