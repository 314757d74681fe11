// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/sql_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/text.h"
#include "importers/tables/row_lines.h"
#include "importers/tables/sql_walker.h"

namespace counterfoil {

namespace {

using tables::SqlValue;

constexpr std::size_t kMaxTables = 10'000;
constexpr std::size_t kMaxNamesTold = 40;
constexpr std::uint64_t kBytesBetweenSigns = 1u << 20;

bool startsWithWord(std::string_view text, std::string_view word) {
  return text.size() > word.size() && equalsIgnoreCase(text.substr(0, word.size()), word) &&
         std::string_view(" \t\r\n(`\"").find(text[word.size()]) != std::string_view::npos;
}

std::string_view firstLine(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = trim(rest.substr(0, end));
  rest.remove_prefix(std::min(rest.size(), end + 1));
  return line;
}

/// "public.orders", "public"."Order items", `shop`.`orders`: its parts.
std::vector<std::string> nameParts(std::string_view text) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        parts.back() += c;
      }
    } else if (c == '"' || c == '`') {
      quote = c;
    } else if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

template <class Equal>
bool fits(const SqlName& name, const std::vector<std::string>& parts, Equal equal) {
  const std::array<const std::string*, 3> own = {&name.name, &name.schema, &name.database};
  if (parts.size() > own.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!equal(*own[i], parts[parts.size() - 1 - i])) return false;
  }
  return true;
}

std::string joined(const SqlName& name, int parts) {
  std::string text = name.name;
  if (parts > 1) text = name.schema + "." + text;
  if (parts > 2) text = name.database + "." + text;
  return text;
}

/// Learns the tables of a dump.
class CatalogSink final : public tables::SqlSink {
 public:
  std::vector<SqlTable> tables;
  bool isFull = false;

  void onTable(SqlTable table) override {
    SqlTable& known = of(table.name);
    if (!table.columns.empty()) known.columns = std::move(table.columns);
  }
  void onPartition(const SqlName& part, const SqlName& whole) override {
    if (part != whole) of(part).partitionOf = whole;
  }
  bool onSection(const SqlName& table, const std::vector<std::string>& columns) override {
    SqlTable& known = of(table);
    known.hasRows = true;
    if (known.columns.empty()) {
      for (const std::string& name : columns) known.columns.push_back({name, false, false});
    }
    return false;
  }
  void onRow(std::uint64_t, std::vector<SqlValue>&) override {}
  void onBroken(std::uint64_t, std::string_view, std::string_view) override {}
  void onChange(const SqlName&, std::uint64_t, std::string_view) override {}

 private:
  SqlTable& of(const SqlName& name) {
    const auto [found, isNew] = m_places.emplace(name, tables.size());
    if (!isNew) return tables[found->second];
    if (tables.size() >= kMaxTables) {
      isFull = true;
      m_places.erase(found);
      m_spare = SqlTable();
      return m_spare;
    }
    tables.push_back({name, {}, {}, false});
    return tables.back();
  }
  std::map<SqlName, std::size_t> m_places;
  SqlTable m_spare;
};

/// Writes the rows of some tables.
class RowsMaker final : public tables::RowMaker, public tables::SqlSink {
 public:
  RowsMaker(ByteSource& source, SqlRows wanted)
      : m_wanted(std::move(wanted)), m_cursor(source), m_walker(m_cursor, m_wanted.dialect, *this) {}

  Result<bool> step() override {
    const std::uint64_t from = m_cursor.passedBytes();
    while (rows.text().empty()) {
      const Result<bool> more = m_walker.step();
      if (!more) return fail(more.error());
      if (!*more && m_late) return fail(*m_late);
      if (!*more) return false;
      if (m_cursor.passedBytes() - from > kBytesBetweenSigns) rows.blank();
    }
    return true;
  }

  void onTable(SqlTable) override {}
  void onPartition(const SqlName&, const SqlName&) override {}

  bool onSection(const SqlName& name, const std::vector<std::string>& columns) override {
    const SqlTable* const table = find(name);
    if (table == nullptr) return false;
    m_columns.clear();
    for (const std::string& column : columns) m_columns.push_back(declared(*table, column));
    if (columns.empty()) m_columns = table->columns;
    if (m_columns.empty()) {
      for (const std::string& column : m_wanted.columns) m_columns.push_back({column, false, false});
    }
    m_names.clear();
    for (const SqlColumn& column : m_columns) {
      m_names.emplace_back();
      tables::appendJsonText(m_names.back(), column.name);
    }
    return true;
  }

  void onRow(std::uint64_t line, std::vector<SqlValue>& values) override {
    if (values.size() != m_columns.size()) return broken(line, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string_view reason = faultOf(values[i], m_columns[i]);
      if (reason.empty()) continue;
      rows.defect(line, m_columns[i].name, values[i].text, reason, rawOf(values));
      return;
    }
    rows.beginRow(line);
    std::string& out = rows.text();
    out += '{';
    bool isFirst = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].kind == SqlValue::Kind::Default) continue;   // computed from the others
      if (!isFirst) out += ',';
      isFirst = false;
      out += m_names[i];
      out += ':';
      append(values[i], m_columns[i], out);
    }
    out += '}';
    rows.endRow();
  }

  void onBroken(std::uint64_t line, std::string_view raw, std::string_view reason) override {
    rows.defect(line, "", "", reason, raw);
  }

  void onChange(const SqlName& table, std::uint64_t line, std::string_view how) override {
    if (m_late || find(table) == nullptr) return;
    m_late = tables::sqlFault(line, fmt::format("{} {}: only a database can follow that; export the table as it is",
                                                tables::shown(how), tables::shown(table.name)));
  }

 private:
  [[nodiscard]] const SqlTable* find(const SqlName& name) const {
    const auto found = std::find_if(m_wanted.tables.begin(), m_wanted.tables.end(),
                                    [&](const SqlTable& table) { return table.name == name; });
    return found == m_wanted.tables.end() ? nullptr : &*found;
  }

  static SqlColumn declared(const SqlTable& table, const std::string& name) {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&](const SqlColumn& column) { return column.name == name; });
    return found == table.columns.end() ? SqlColumn{name, false, false} : *found;
  }

  void broken(std::uint64_t line, const std::vector<SqlValue>& values) {
    const std::string reason =
        m_columns.empty() ? std::string("nothing in the dump names the table's columns: give \"columns\" in the layout, or "
                                        "dump it with its CREATE TABLE")
                          : fmt::format("a row of {} values in a table of {} columns", values.size(), m_columns.size());
    rows.defect(line, "", "", reason, rawOf(values));
  }

  static std::string_view faultOf(const SqlValue& value, const SqlColumn& column) {
    switch (value.kind) {
      case SqlValue::Kind::Unreadable: return "no plain value, but something to be computed (or too long)";
      case SqlValue::Kind::Default:
        return column.isGenerated ? std::string_view() : "DEFAULT: the dump does not say which value that is";
      case SqlValue::Kind::Text: return isValidUtf8(value.text) ? std::string_view() : "bytes that are no text (UTF-8)";
      default: return {};
    }
  }

  static std::string rawOf(const std::vector<SqlValue>& values) {
    std::string raw;
    for (std::size_t i = 0; i < values.size() && raw.size() < 4096; ++i) {
      raw += (i > 0 ? ", " : "");
      raw += values[i].kind == SqlValue::Kind::Null ? "NULL" : values[i].text;
    }
    return raw;
  }

  /// Bytes that are a text are given as one; others as \x and their hex digits, which "hex" decodes.
  static void appendBytes(std::string_view digits, std::string& out) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      const std::string_view pair = digits.substr(i, 2);
      int value = 0;
      for (const char c : pair) value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
      bytes += static_cast<char>(value);
    }
    const bool isText = isValidUtf8(bytes) && std::none_of(bytes.begin(), bytes.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
    });
    tables::appendJsonText(out, isText ? bytes : "\\x" + std::string(digits));
  }

  static bool isHex(std::string_view text) {
    return text.size() % 2 == 0 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  }

  static void append(const SqlValue& value, const SqlColumn& column, std::string& out) {
    switch (value.kind) {
      case SqlValue::Kind::Null:
        out += "null";
        return;
      case SqlValue::Kind::Boolean:
        out += value.text;
        return;
      case SqlValue::Kind::Bytes:
        if (isHex(value.text)) return appendBytes(value.text, out);
        break;
      case SqlValue::Kind::Number:
        if (!tables::isJsonNumber(value.text)) break;
        out += value.text;
        return;
      default: break;
    }
    const bool isBytes = column.isBytes && value.text.substr(0, 2) == "\\x" && isHex(std::string_view(value.text).substr(2));
    if (isBytes) return appendBytes(std::string_view(value.text).substr(2), out);
    tables::appendJsonText(out, value.text);
  }

  SqlRows m_wanted;
  tables::TextCursor m_cursor;
  tables::SqlWalker m_walker;
  std::vector<SqlColumn> m_columns;   ///< of the section at hand
  std::vector<std::string> m_names;   ///< as JSON
  std::optional<Error> m_late;        ///< told when all rows were given
};

}  // namespace

bool looksLikeSql(std::string_view head) {
  head = trim(head);
  std::string_view rest = head;
  std::string_view line = firstLine(rest);
  if (line.substr(0, 9) == "\\restrict") return true;
  while (line.empty() || line.substr(0, 2) == "--" || line.substr(0, 2) == "/*") {
    const bool saysSo = line.find("PostgreSQL database") != std::string_view::npos ||
                        line.find("MySQL dump") != std::string_view::npos || line.find("MariaDB dump") != std::string_view::npos;
    if (saysSo) return true;
    if (rest.empty()) return false;
    line = firstLine(rest);
  }
  constexpr std::array<std::string_view, 10> kStarts = {"COPY", "INSERT", "CREATE", "DROP", "SET",
                                                        "BEGIN", "PRAGMA", "LOCK", "USE", "REPLACE"};
  const auto beginsLike = [](std::string_view text, std::string_view word) { return startsWithWord(text, word); };
  const bool starts = std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view word) {
    return beginsLike(line, word) || equalsIgnoreCase(line, std::string(word) + ";");
  });
  if (!starts) return false;
  while (true) {
    const bool isData = (beginsLike(line, "COPY") && line.find("stdin") != std::string_view::npos) ||
                        beginsLike(line, "INSERT INTO") || beginsLike(line, "CREATE TABLE") ||
                        beginsLike(line, "INSERT OR") || beginsLike(line, "INSERT IGNORE") || beginsLike(line, "REPLACE INTO");
    if (isData) return true;
    if (rest.empty()) return false;
    line = firstLine(rest);
  }
}

std::optional<Error> pgArchiveFault(std::string_view head) {
  if (head.substr(0, 5) != "PGDMP") return std::nullopt;
  return Error{ErrorCode::Format,
               "an archive of pg_dump (-Fc), which only pg_restore reads; make text of it: pg_restore -f dump.sql FILE"};
}

std::string sqlEncoding(std::string_view head) {
  constexpr std::string_view setting = "client_encoding = '";
  const std::size_t at = head.find(setting);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + setting.size());
  const std::string name = toLowerAscii(rest.substr(0, rest.find('\'')));
  if (name == "utf8" || name == "unicode" || name == "sql_ascii") return {};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kNames = {
      std::pair<std::string_view, std::string_view>{"latin1", "iso-8859-1"},
      {"latin2", "iso-8859-2"}, {"latin5", "iso-8859-9"}, {"latin9", "iso-8859-15"}, {"euc_jp", "euc-jp"},
      {"euc_kr", "euc-kr"},     {"euc_cn", "gb2312"},     {"sjis", "shift_jis"},     {"koi8r", "koi8-r"}, {"uhc", "uhc"}};
  for (const auto& [theirs, ours] : kNames) {
    if (name == theirs) return std::string(ours);
  }
  if (name.substr(0, 3) == "win") return "windows-" + name.substr(3);
  return name;
}

std::string SqlCatalog::shownName(const SqlTable& table) const {
  for (int parts = 1; parts < 3; ++parts) {
    const std::string text = joined(table.name, parts);
    const auto same = std::count_if(tables.begin(), tables.end(),
                                    [&](const SqlTable& other) { return joined(other.name, parts) == text; });
    if (same <= 1) return text;
  }
  return joined(table.name, 3);
}

Result<std::vector<SqlTable>> SqlCatalog::named(std::string_view text) const {
  const std::vector<std::string> parts = nameParts(trim(text));
  std::vector<const SqlTable*> found;
  for (const SqlTable& table : tables) {
    if (fits(table.name, parts, std::equal_to<>()) || table.name.name == text) found.push_back(&table);
  }
  if (found.empty()) {
    for (const SqlTable& table : tables) {
      if (fits(table.name, parts, [](const std::string& a, const std::string& b) { return equalsIgnoreCase(a, b); })) {
        found.push_back(&table);
      }
    }
  }
  if (found.size() != 1) {
    std::string names;
    std::size_t count = 0;
    for (const SqlTable& table : tables) {
      const bool isMeant = found.empty() || std::find(found.begin(), found.end(), &table) != found.end();
      if (!isMeant || count++ >= kMaxNamesTold) continue;
      names += (names.empty() ? "" : ", ") + forTerminal(found.empty() ? shownName(table) : joined(table.name, 3));
    }
    if (found.empty()) return fail(ErrorCode::Missing, fmt::format("no table {} (tables: {})", forTerminal(text), names));
    return fail(ErrorCode::Ambiguous, fmt::format("several tables {}: {}", forTerminal(text), names));
  }
  std::vector<SqlTable> all = {*found.front()};
  for (std::size_t i = 0; i < all.size(); ++i) {   // partitions may have partitions
    const SqlName whole = all[i].name;
    for (const SqlTable& table : tables) {
      const bool isKnown = std::any_of(all.begin(), all.end(), [&](const SqlTable& t) { return t.name == table.name; });
      if (table.partitionOf == whole && !isKnown) all.push_back(table);
    }
  }
  for (SqlTable& table : all) {
    if (table.columns.empty()) table.columns = all.front().columns;
  }
  return all;
}

Result<SqlCatalog> sqlCatalog(ByteSource& source, const CancelToken* cancel) {
  tables::TextCursor cursor(source, cancel);
  CatalogSink sink;
  tables::SqlWalker walker(cursor, tables::SqlDialect::Unknown, sink);
  while (true) {
    const Result<bool> more = walker.step();
    const bool isTold = !more && more.error().code == ErrorCode::Format;
    if (!more && !isTold && more.error().code != ErrorCode::Io) return fail(more.error());
    if (sink.isFull) return fail(ErrorCode::Limit, fmt::format("more than {} tables", kMaxTables));
    if (!more || !*more) break;
  }
  std::erase_if(sink.tables, [](const SqlTable& table) { return table.name.name.rfind("sqlite_", 0) == 0; });
  return SqlCatalog{std::move(sink.tables), walker.dialect()};
}

std::unique_ptr<ByteSource> transcodeSql(std::unique_ptr<ByteSource> source, SqlRows rows) {
  return tables::sourceOfRows(std::move(source), [&](ByteSource& text) -> std::unique_ptr<tables::RowMaker> {
    return std::make_unique<RowsMaker>(text, std::move(rows));
  });
}

}  // namespace counterfoil
