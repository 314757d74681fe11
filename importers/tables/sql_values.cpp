// SPDX-License-Identifier: GPL-3.0-or-later
// The values of rows: lines of COPY sections, tuples of INSERT statements.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "importers/readers/text_reader.h"
#include "importers/tables/row_lines.h"
#include "importers/tables/sql_walker.h"

namespace counterfoil::tables {

namespace {

constexpr std::size_t kMaxCopyLine = 16u << 20;
constexpr std::size_t kPassedAtOnce = 4096;   ///< lines of sections that are not asked for
constexpr int kMaxNesting = 32;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool isOctal(char c) { return c >= '0' && c <= '7'; }

/// One character of COPY's text form behind a backslash; `at` is moved past it.
void copyEscape(std::string_view text, std::size_t& at, std::string& out) {
  const char c = text[at++];
  const auto plain = std::string_view("bfnrtv").find(c);
  if (plain != std::string_view::npos) {
    out += "\b\f\n\r\t\v"[plain];
    return;
  }
  int value = -1;
  if (isOctal(c)) {
    value = c - '0';
    for (int i = 0; i < 2 && at < text.size() && isOctal(text[at]); ++i) value = value * 8 + (text[at++] - '0');
  } else if (c == 'x' && at < text.size() && hexDigit(text[at]) >= 0) {
    value = hexDigit(text[at++]);
    if (at < text.size() && hexDigit(text[at]) >= 0) value = value * 16 + hexDigit(text[at++]);
  }
  if (value < 0) {
    out += c;
  } else {
    out += static_cast<char>(value & 0xFF);
  }
}

void copyValue(std::string_view text, SqlValue& out) {
  out.text.clear();
  out.kind = text == "\\N" ? SqlValue::Kind::Null : SqlValue::Kind::Text;
  if (out.kind == SqlValue::Kind::Null) return;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t slash = std::min(text.find('\\', at), text.size());
    out.text.append(text, at, slash - at);
    at = slash + 1;
    if (at < text.size()) copyEscape(text, at, out.text);
    if (at == text.size() && slash + 1 == text.size()) out.text += '\\';
  }
}

/// Kinds of literals that stand before a text: timestamp '…', _binary '…'.
bool isBeforeText(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords = {"timestamp", "timestamptz", "date", "time", "datetime",
                                                      "json",      "jsonb",       "uuid", "interval"};
  if (word.size() > 1 && word[0] == '_') return true;   // a character set of MySQL
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view known) { return equalsIgnoreCase(known, word); });
}

void setUnreadable(SqlValue& out, std::string_view text) {
  out.kind = SqlValue::Kind::Unreadable;
  out.text = std::string(text.substr(0, 200));
}

/// SQLite's unistr('a\u000ab').
bool unistr(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    if (++at == text.size()) return false;
    if (text[at] == '\\') {
      out += '\\';
      continue;
    }
    std::size_t count = 4;
    if (text[at] == 'u' || text[at] == '+' || text[at] == 'U') {
      count = text[at] == 'u' ? 4 : text[at] == '+' ? 6 : 8;
      ++at;
    }
    if (count > text.size() - at) return false;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int digit = hexDigit(text[at + i]);
      if (digit < 0) return false;
      value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    at += count - 1;
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return false;
    appendUtf8(out, static_cast<char32_t>(value));
  }
  return true;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  std::string replaced;
  std::size_t at = 0;
  for (std::size_t found = text.find(from); found != std::string::npos; found = text.find(from, at)) {
    replaced.append(text, at, found - at);
    replaced += to;
    at = found + from.size();
  }
  replaced.append(text, at);
  text = std::move(replaced);
}

/// What sqlite3 writes for texts with line ends: replace('a\nb','\n',char(10)), unistr('…'). Nothing else is
/// computed.
bool computed(std::string_view function, std::vector<SqlValue>& of, SqlValue& out) {
  const bool areTexts = std::all_of(of.begin(), of.end(), [](const SqlValue& value) {
    return value.kind == SqlValue::Kind::Text || value.kind == SqlValue::Kind::Number;
  });
  if (!areTexts || of.empty()) return false;
  out.kind = SqlValue::Kind::Text;
  if (equalsIgnoreCase(function, "char") && of.size() == 1) {
    if (of[0].text != "10" && of[0].text != "13") return false;
    out.text = of[0].text == "10" ? "\n" : "\r";
    return true;
  }
  if (equalsIgnoreCase(function, "replace") && of.size() == 3 && of[2].text.size() == 1) {
    out.text = std::move(of[0].text);
    replaceAll(out.text, of[1].text, of[2].text);
    return true;
  }
  return equalsIgnoreCase(function, "unistr") && of.size() == 1 && unistr(of[0].text, out.text);
}

}  // namespace

Result<> SqlWalker::copyRow() {
  TextCursor& cursor = m_lexer.cursor();
  const std::uint64_t line = cursor.lineNumber();
  bool tooLong = false;
  if (!cursor.line(m_line, kMaxCopyLine, tooLong)) {
    if (cursor.fault()) return fail(*cursor.fault());
    return fail(sqlFault(m_sectionLine, "cut off: the rows of the COPY that begins here have no end (\\.)"));
  }
  if (m_line == "\\.") {
    m_mode = Mode::Statement;
    return {};
  }
  if (!cursor.sawLineEnd()) {
    m_sink.onBroken(line, m_line, "the dump ends in the middle of this row");
    return {};
  }
  if (tooLong) {
    m_sink.onBroken(line, m_line, fmt::format("a row of more than {} bytes", kMaxCopyLine));
    return {};
  }
  std::size_t count = 0;
  const std::string_view text = m_line;
  for (std::size_t at = 0; at <= text.size() && count < kMaxColumns; ++count) {
    const std::size_t tab = std::min(text.find('\t', at), text.size());
    if (m_values.size() <= count) m_values.emplace_back();
    copyValue(text.substr(at, tab - at), m_values[count]);
    at = tab + 1;
  }
  m_values.resize(count);
  m_sink.onRow(line, m_values);
  return {};
}

Result<> SqlWalker::passCopy() {
  TextCursor& cursor = m_lexer.cursor();
  bool tooLong = false;
  for (std::size_t i = 0; i < kPassedAtOnce; ++i) {
    if (!cursor.line(m_line, 4, tooLong)) {
      if (cursor.fault()) return fail(*cursor.fault());
      return fail(sqlFault(m_sectionLine, "cut off: the rows of the COPY that begins here have no end (\\.)"));
    }
    if (tooLong || m_line != "\\.") continue;
    m_mode = Mode::Statement;
    break;
  }
  return {};
}

/// The opening parenthesis is at hand. Behind the tuple the next one, or the end of the statement.
Result<> SqlWalker::tuple() {
  if (!m_token.isSign('(')) {
    m_mode = Mode::Statement;
    if (Result<bool> ended = end(); !ended) return fail(ended.error());
    m_sink.onBroken(m_token.line, m_token.text, "no row in parentheses where one has to be");
    return skipStatement();
  }
  const std::uint64_t line = m_token.line;
  std::size_t count = 0;
  do {
    if (Result<> read = next(); !read) return read;
    if (m_values.size() <= count) m_values.emplace_back();
    m_depth = 0;
    if (Result<> done = value(m_values[count]); !done) return done;
    if (++count > kMaxColumns) return fail(ErrorCode::Limit, fmt::format("line {}: a row of more than 4096 values", line));
  } while (m_token.isSign(','));
  m_values.resize(count);
  m_sink.onRow(line, m_values);
  if (Result<> read = next(); !read) return read;   // behind ')'
  if (m_token.isSign(',')) return next();
  m_mode = Mode::Statement;
  return skipStatement();
}

/// The first token of the value is at hand; behind it ',' or ')' is.
Result<> SqlWalker::value(SqlValue& out) {
  if (++m_depth > kMaxNesting) return fail(sqlFault(m_token.line, "a value that is nested too deep"));
  out.text.clear();
  if (Result<> done = plainValue(out); !done) return done;
  --m_depth;
  return behindValue(out);
}

Result<> SqlWalker::plainValue(SqlValue& out) {
  std::string sign;
  while (m_token.isSign('-') || m_token.isSign('+')) {
    if (m_token.isSign('-')) sign += '-';
    if (Result<> read = next(); !read) return read;
  }
  if (m_token.kind == SqlToken::Kind::Number) {
    const bool isHex = m_token.text.size() > 2 && (m_token.text[1] == 'x' || m_token.text[1] == 'X');
    out.kind = isHex && sign.empty() ? SqlValue::Kind::Bytes : SqlValue::Kind::Number;
    out.text = isHex && sign.empty() ? m_token.text.substr(2) : sign + m_token.text;
    if (sign.size() > 1) setUnreadable(out, out.text);
    return next();
  }
  if (!sign.empty()) {
    setUnreadable(out, sign + m_token.text);
    return {};
  }
  if (m_token.kind == SqlToken::Kind::Text) {
    out.kind = m_token.prefix == 'X' ? SqlValue::Kind::Bytes : SqlValue::Kind::Text;
    if (m_token.isTooLong) {
      setUnreadable(out, m_token.text);
    } else if (m_token.prefix == 'B') {
      bits(m_token.text, out);
    } else {
      out.text = std::move(m_token.text);
    }
    return next();
  }
  if (m_token.kind == SqlToken::Kind::Word) return wordValue(out);
  setUnreadable(out, m_token.text);
  return {};
}

/// b'101' is a number.
void SqlWalker::bits(const std::string& digits, SqlValue& out) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    if ((c != '0' && c != '1') || value >> 62 != 0) return setUnreadable(out, digits);
    value = value << 1 | static_cast<std::uint64_t>(c - '0');
  }
  out.kind = SqlValue::Kind::Number;
  out.text = fmt::format("{}", value);
}

Result<> SqlWalker::wordValue(SqlValue& out) {
  const std::string word = m_token.text;
  if (Result<> read = next(); !read) return read;
  if (m_token.isSign('(')) return call(word, out);
  if (equalsIgnoreCase(word, "NULL")) {
    out.kind = SqlValue::Kind::Null;
  } else if (equalsIgnoreCase(word, "TRUE") || equalsIgnoreCase(word, "FALSE")) {
    out.kind = SqlValue::Kind::Boolean;
    out.text = toLowerAscii(word);
  } else if (equalsIgnoreCase(word, "DEFAULT")) {
    out.kind = SqlValue::Kind::Default;
  } else if (isBeforeText(word)) {
    for (int words = 0; words < 4 && m_token.kind == SqlToken::Kind::Word; ++words) {   // timestamp with time zone
      if (Result<> read = next(); !read) return read;
    }
    if (m_token.kind == SqlToken::Kind::Text || m_token.kind == SqlToken::Kind::Number) {
      if (Result<> done = plainValue(out); !done) return done;
      // MySQL's dumps write a BIT(1) as one byte.
      const bool isBit = equalsIgnoreCase(word, "_binary") && out.text.size() == 1 && (out.text[0] == 0 || out.text[0] == 1);
      if (isBit) out = {SqlValue::Kind::Number, out.text[0] == 0 ? "0" : "1"};
      return {};
    }
    setUnreadable(out, word);
  } else {
    setUnreadable(out, word);
  }
  return {};
}

/// The parenthesis behind the function's name is at hand.
Result<> SqlWalker::call(const std::string& function, SqlValue& out) {
  std::vector<SqlValue> of;
  do {
    if (Result<> read = next(); !read) return read;
    if (m_token.isSign(')')) break;
    if (of.size() >= 8) break;
    of.emplace_back();
    if (Result<> done = value(of.back()); !done) return done;
  } while (m_token.isSign(','));
  const bool isPlain = m_token.isSign(')') && computed(function, of, out);
  for (int depth = 1; !m_token.isSign(')') || depth > 1;) {   // what is left where there is too much
    if (m_token.isSign('(')) ++depth;
    if (m_token.isSign(')')) --depth;
    if (Result<> read = insideStatement(); !read) return read;
  }
  if (!isPlain) setUnreadable(out, function + "(…)");
  return next();
}

/// Casts are passed; anything else that stands there changes the value in a way that is not followed.
Result<> SqlWalker::behindValue(SqlValue& out) {
  constexpr std::string_view kOfTypes = ":.,()[]";
  int depth = 0;
  bool isCast = false;
  while (true) {
    if (depth == 0 && (m_token.isSign(',') || m_token.isSign(')'))) return {};
    if (m_token.isSign('(') || m_token.isSign('[')) ++depth;
    if (m_token.isSign(')') || m_token.isSign(']')) --depth;
    isCast = isCast || m_token.isSign(':');
    const bool isOfType = isCast && m_token.kind != SqlToken::Kind::Text &&
                          (m_token.kind != SqlToken::Kind::Sign || kOfTypes.find(m_token.text) != std::string_view::npos);
    if (!isOfType && out.kind != SqlValue::Kind::Unreadable) setUnreadable(out, out.text + " " + m_token.text);
    if (Result<> read = insideStatement(); !read) return read;
  }
}

/// The next token; that the statement or the text ends at the one at hand is a fault.
Result<> SqlWalker::insideStatement() {
  const Result<bool> ended = end();
  if (!ended) return fail(ended.error());
  if (*ended) return fail(sqlFault(m_token.line, "a statement that ends inside of a row"));
  return next();
}

}  // namespace counterfoil::tables
