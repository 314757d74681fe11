// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/aligned_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/text.h"
#include "importers/readers/text_reader.h"
#include "importers/source/encoding.h"
#include "importers/tables/row_lines.h"
#include "importers/tables/text_cursor.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxLine = 16u << 20;
constexpr std::size_t kMaxLinesBefore = 20;

std::string_view trimEnd(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// "----+-----" or "+----+-----+"
bool isRule(std::string_view line) {
  line = trimEnd(line);
  return line.size() >= 3 && line.find_first_not_of("-+") == std::string_view::npos &&
         line.find("--") != std::string_view::npos;
}

bool isBoxed(std::string_view rule) { return !rule.empty() && rule.front() == '+'; }

/// "(5 rows)" of psql in whatever language, "5 rows in set (0.00 sec)" of mysql.
std::optional<std::uint64_t> rowsSaid(std::string_view line) {
  line = trim(line);
  const bool isPsql = line.size() > 2 && line.front() == '(' && line.back() == ')';
  if (isPsql) line = line.substr(1, line.size() - 2);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), count);
  if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return std::nullopt;
  const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.data()));
  const bool isWord = rest.find_first_of("|,()") == std::string_view::npos;
  if (isPsql ? isWord : rest.find("in set") != std::string_view::npos) return count;
  return std::nullopt;
}

/// How the cells of a table are cut out of its lines.
class Grid {
 public:
  /// `rule` below the header (psql), or above it (mysql).
  explicit Grid(std::string_view rule) : m_isBoxed(isBoxed(rule)) {
    rule = trimEnd(rule);
    m_width = rule.size();
    for (std::size_t i = m_isBoxed ? 1 : 0; i + (m_isBoxed ? 1 : 0) < rule.size(); ++i) {
      if (rule[i] == '+') m_walls.push_back(i);
    }
  }
  [[nodiscard]] std::size_t columns() const { return m_walls.size() + 1; }
  /// psql marks a cell that goes on in the next line by a plus behind its padding, where else a blank is.
  [[nodiscard]] bool goesOn(std::size_t column, std::string_view cell) const {
    if (m_isBoxed || cell.size() < 2 || cell.back() != '+') return false;
    if (column + 1 < columns()) return true;
    const auto letters = static_cast<std::size_t>(
        std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    return letters + (m_walls.empty() ? 0 : m_walls.back() + 1) >= m_width;
  }

  /// False if the cells cannot be told apart.
  bool cut(std::string_view line, std::vector<std::string_view>& cells) const {
    cells.clear();
    line = trimEnd(line);
    if (m_isBoxed) {
      if (line.size() < 2 || line.front() != '|' || line.back() != '|') return false;
      line.remove_suffix(1);
    }
    // Walls stand below each other, unless letters are wider or narrower than their bytes.
    if (isAscii(line)) return byPlace(line, cells);
    std::size_t at = m_isBoxed ? 1 : 0;
    for (std::size_t wall = line.find('|', at);; wall = line.find('|', at)) {
      cells.push_back(line.substr(at, wall - at));
      if (wall == std::string_view::npos) break;
      at = wall + 1;
    }
    return cells.size() == columns();
  }

 private:
  bool byPlace(std::string_view line, std::vector<std::string_view>& cells) const {
    std::size_t at = m_isBoxed ? 1 : 0;
    for (const std::size_t wall : m_walls) {
      if (wall >= line.size() || line[wall] != '|') return false;
      cells.push_back(line.substr(at, wall - at));
      at = wall + 1;
    }
    cells.push_back(line.substr(std::min(at, line.size())));
    return true;
  }

  std::vector<std::size_t> m_walls;
  std::size_t m_width = 0;
  bool m_isBoxed;
};

struct Header {
  Grid grid;
  std::vector<std::string> columns;
  bool isBoxed = false;
};

std::vector<std::string> trimmedCells(const std::vector<std::string_view>& cells) {
  std::vector<std::string> texts;
  for (const std::string_view cell : cells) texts.emplace_back(trim(cell));
  return texts;
}

/// Of two lines behind each other, the header where they are one: names and rule, or rule and names.
std::optional<Header> headerOf(std::string_view first, std::string_view second) {
  const bool boxed = isRule(first) && isBoxed(first);
  const std::string_view rule = boxed ? first : second;
  const std::string_view names = boxed ? second : first;
  if (!isRule(rule) || (!boxed && isBoxed(rule)) || trim(names).empty() || isRule(names)) return std::nullopt;
  Header header{Grid(rule), {}, boxed};
  std::vector<std::string_view> cells;
  if (!header.grid.cut(names, cells) || cells.size() > kMaxColumns) return std::nullopt;
  header.columns = trimmedCells(cells);
  // psql rules off the header by its width: a Markdown heading or a ruled line of text has no such rule.
  if (!boxed && trimEnd(names).size() > trimEnd(rule).size() + 1 && isAscii(names)) return std::nullopt;
  if (std::any_of(header.columns.begin(), header.columns.end(), [](const std::string& name) { return name.empty(); })) {
    return std::nullopt;
  }
  return header;
}

class AlignedRows final : public tables::RowMaker {
 public:
  explicit AlignedRows(ByteSource& source) : m_cursor(source) {}

  Result<bool> step() override {
    std::string text;
    bool tooLong = false;
    const std::uint64_t line = m_cursor.lineNumber();
    if (!m_cursor.line(text, kMaxLine, tooLong)) return ended();
    if (tooLong) {
      rows.defect(line, "", "", fmt::format("a line of more than {} bytes", kMaxLine), "");
      return true;
    }
    const Result<> read = m_header ? tableLine(line, text) : lineBefore(line, text);
    if (!read) return fail(read.error());
    rows.blank();
    return true;
  }

 private:
  Result<> lineBefore(std::uint64_t line, const std::string& text) {
    m_header = headerOf(m_before, text);
    if (m_header) {
      m_names.clear();
      for (const std::string& name : m_header->columns) {
        m_names.emplace_back();
        tables::appendJsonText(m_names.back(), toValidUtf8(name));
      }
      if (!m_first.empty() && m_first != m_header->columns) {
        return fail(ErrorCode::Format, fmt::format("line {}: a second table with other columns; put it into a file of its own", line));
      }
      m_first = m_header->columns;
      m_count = 0;
    }
    m_before = text;
    return {};
  }

  Result<> tableLine(std::uint64_t line, const std::string& text) {
    if (const auto said = rowsSaid(text)) return close(line, *said);
    if (isRule(text)) {
      m_rules += m_header->isBoxed ? 1 : 0;
      return {};
    }
    if (trim(text).empty()) {   // the count may come behind it
      flush();
      m_isOver = true;
      return {};
    }
    if (m_isOver || (m_header->isBoxed && m_rules >= 2)) {
      flush();
      restart(text);
      return {};
    }
    if (!m_header->grid.cut(text, m_cells)) {
      flush();
      // Behind the rows of a table without a count there may be text of any kind: it is told, not guessed at.
      rows.defect(line, "", "", "a line whose cells cannot be told apart", text);
      return {};
    }
    if (!continues()) flush();
    take(line, text);
    return {};
  }

  [[nodiscard]] bool continues() const {
    return !m_row.empty() && std::any_of(m_goesOn.begin(), m_goesOn.end(), [](bool goesOn) { return goesOn; });
  }

  void take(std::uint64_t line, const std::string& text) {
    const bool isFirst = m_row.empty();
    if (isFirst) {
      m_row.assign(m_cells.size(), {});
      m_goesOn.assign(m_cells.size(), false);
      m_rowLine = line;
      m_raw.clear();
    }
    m_raw += (isFirst ? "" : " ") + text;
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
      std::string_view cell = m_cells[i];
      const bool before = m_goesOn[i];
      m_goesOn[i] = m_header->grid.goesOn(i, cell);
      if (m_goesOn[i]) cell.remove_suffix(1);
      if (before) m_row[i] += '\n';
      m_row[i] += trim(cell);
    }
  }

  void flush() {
    if (m_row.empty()) return;
    ++m_count;
    rows.beginRow(m_rowLine);
    std::string& out = rows.text();
    out += '{';
    for (std::size_t i = 0; i < m_row.size(); ++i) {
      if (i > 0) out += ',';
      out += m_names[i];
      out += ':';
      tables::appendJsonText(out, m_row[i]);
    }
    out += '}';
    rows.endRow();
    m_row.clear();
  }

  Result<> close(std::uint64_t line, std::uint64_t said) {
    flush();
    const std::uint64_t count = m_count;
    restart("");
    if (count == said) return {};
    return fail(ErrorCode::Format, fmt::format("line {}: it says that there are {} rows, but {} could be read", line, said, count));
  }

  void restart(const std::string& text) {
    m_header.reset();
    m_before = text;
    m_rules = 0;
    m_isOver = false;
  }

  Result<bool> ended() {
    if (m_cursor.fault()) return fail(*m_cursor.fault());
    const bool wasOpen = m_header && m_header->isBoxed && m_rules < 2;
    flush();
    if (wasOpen) return fail(ErrorCode::Format, "cut off: the table has no line below it");
    if (m_first.empty()) return fail(ErrorCode::Format, "no table as psql or mysql print it");
    const bool more = !rows.text().empty();
    m_header.reset();
    return more;
  }

  tables::TextCursor m_cursor;
  std::optional<Header> m_header;
  std::vector<std::string> m_names, m_first;   ///< names as JSON; columns of the file's first table
  std::string m_before;
  std::vector<std::string_view> m_cells;
  std::vector<std::string> m_row;
  std::vector<bool> m_goesOn;
  std::string m_raw;
  std::uint64_t m_rowLine = 0, m_count = 0;
  int m_rules = 0;         ///< of a box: below its header and below its rows
  bool m_isOver = false;   ///< a blank line was behind the rows
};

}  // namespace

std::vector<std::string> alignedColumns(std::string_view head) {
  std::string_view before;
  for (std::size_t lines = 0; lines < kMaxLinesBefore && !head.empty(); ++lines) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(head.size(), end + 1));
    if (const auto header = headerOf(before, line)) return header->columns;
    before = line;
  }
  return {};
}

bool looksLikeAlignedTable(std::string_view head) {
  const std::vector<std::string> columns = alignedColumns(head);
  // A single column below a rule may be a heading of any text.
  return columns.size() >= 2;
}

std::unique_ptr<ByteSource> transcodeAlignedTable(std::unique_ptr<ByteSource> source) {
  return tables::sourceOfRows(std::move(source), [](ByteSource& text) -> std::unique_ptr<tables::RowMaker> {
    return std::make_unique<AlignedRows>(text);
  });
}

}  // namespace counterfoil
