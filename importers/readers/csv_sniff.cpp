// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/csv_sniff.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "importers/mapping/fields.h"
#include "importers/readers/csv_reader.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxRowsLookedAt = 200;
constexpr std::size_t kMaxNamesTold = 12;

struct HeadRow {
  std::size_t start = 0, end = 0, next = 0;   ///< without and with line end
  std::uint64_t line = 1;
  std::vector<std::string> fields;
};

char lineEndOf(std::string_view head) {
  if (head.find('\n') != std::string_view::npos) return '\n';
  return head.find('\r') != std::string_view::npos ? '\r' : '\n';
}

std::vector<std::string> splitRow(std::string_view head, const HeadRow& row, const CsvMarks& marks, std::size_t first,
                                  std::size_t count, const std::optional<SingleByteTable>& encoding) {
  std::vector<std::string> fields;
  Arena arena;
  std::size_t begin = row.start;
  for (std::size_t i = 0; i < count && i < kMaxColumns; ++i) {
    const std::size_t end = i + 1 == count ? row.end : marks.separators[first + i];
    const std::string_view value = csvValue(head.substr(begin, end - begin), arena);
    fields.push_back(encoding ? encoding->toUtf8(value) : toValidUtf8(value));
    begin = end + 1;
  }
  return fields;
}

std::vector<HeadRow> splitHead(std::string_view head, const CsvDialect& dialect,
                               const std::optional<SingleByteTable>& encoding) {
  CsvMarks marks;
  bestCsvScan()(head.data(), 0, static_cast<std::uint32_t>(head.size()), dialect, marks);
  if (marks.state != CsvState::Quoted) {   // a last row without line end
    marks.separators[marks.separatorCount] = static_cast<std::uint32_t>(head.size());
    marks.rowEnds[marks.rowEndCount++] = static_cast<std::uint32_t>(marks.separatorCount++);
  }
  std::vector<HeadRow> rows;
  HeadRow row;
  std::size_t first = 0;
  for (std::size_t r = 0; r < marks.rowEndCount && rows.size() < kMaxRowsLookedAt; ++r) {
    const std::size_t last = marks.rowEnds[r];
    row.end = marks.separators[last];
    row.next = std::min(row.end + 1, head.size());
    if (row.end > row.start && dialect.lineEnd == '\n' && head[row.end - 1] == '\r') --row.end;
    row.fields = splitRow(head, row, marks, first, last - first + 1, encoding);
    rows.push_back(row);
    row.line += countByte(head.substr(row.start, row.next - row.start), dialect.lineEnd);
    row.start = row.next;
    first = last + 1;
  }
  return rows;
}

std::size_t hitsOf(const HeadRow& row, const std::set<std::string>& known) {
  std::set<std::string> found;
  for (const std::string& field : row.fields) {
    std::string folded = foldColumnName(field);
    if (!folded.empty() && known.count(folded) > 0) found.insert(std::move(folded));
  }
  return found.size();
}

std::size_t filledFields(const HeadRow& row) {
  return static_cast<std::size_t>(std::count_if(row.fields.begin(), row.fields.end(),
                                                [](const std::string& field) { return !trim(field).empty(); }));
}

CsvHead headFrom(const HeadRow& row, const CsvDialect& dialect, std::string_view head, std::size_t hits) {
  CsvHead found;
  found.dialect = dialect;
  found.columns = row.fields;
  found.headerLine = std::string(head.substr(row.start, row.end - row.start));
  found.headerLineNumber = row.line;
  found.dataStart = row.next;
  found.dataLine = row.line + countByte(head.substr(row.start, row.next - row.start), dialect.lineEnd);
  found.hits = hits;
  return found;
}

/// Which row is the header, for one delimiter.
std::optional<CsvHead> headerFor(std::string_view head, const CsvDialect& dialect, const Layout& layout,
                                 const std::set<std::string>& known, const std::optional<SingleByteTable>& encoding) {
  const std::vector<HeadRow> rows = splitHead(head, dialect, encoding);
  if (layout.header == Layout::Header::AtLine) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const HeadRow& r) { return r.line == layout.headerLine; });
    if (row == rows.end()) return std::nullopt;
    return headFrom(*row, dialect, head, hitsOf(*row, known));
  }
  const HeadRow* best = nullptr;
  std::size_t bestScore = 0, bestHits = 0;
  for (const HeadRow& row : rows) {
    const std::size_t hits = hitsOf(row, known);
    // Without names to look for, the first of the widest rows is taken to be the header.
    const std::size_t score = known.empty() ? filledFields(row) : hits;
    if (score > bestScore) {
      best = &row;
      bestScore = score;
      bestHits = hits;
    }
  }
  if (best == nullptr) return std::nullopt;
  return headFrom(*best, dialect, head, bestHits);
}

Error noHeader(const std::vector<std::string>& known) {
  std::string names;
  for (std::size_t i = 0; i < known.size() && i < kMaxNamesTold; ++i) names += (i > 0 ? ", " : "") + known[i];
  if (known.size() > kMaxNamesTold) names += ", …";
  return {ErrorCode::Format,
          fmt::format("no header line found: none of the first {} rows holds the columns looked for ({})",
                      kMaxRowsLookedAt, names)};
}

CsvHead withoutHeader(std::string_view head, const Layout& layout, const std::vector<char>& delimiters,
                      const std::optional<SingleByteTable>& encoding) {
  CsvHead found;
  found.columns = layout.columns;
  found.dialect = {delimiters.front(), lineEndOf(head)};
  std::size_t bestRows = 0;
  for (const char delimiter : delimiters) {
    const CsvDialect dialect{delimiter, found.dialect.lineEnd};
    const std::vector<HeadRow> rows = splitHead(head, dialect, encoding);
    const auto fitting = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const HeadRow& row) { return row.fields.size() == layout.columns.size(); }));
    if (fitting > bestRows) {
      bestRows = fitting;
      found.dialect = dialect;
    }
  }
  return found;
}

}  // namespace

Result<CsvHead> sniffCsv(std::string_view head, const Layout& layout, const std::vector<std::string>& known,
                         const std::optional<SingleByteTable>& encoding) {
  std::vector<char> delimiters = {',', ';', '\t', '|'};
  if (layout.delimiter != 0) delimiters = {layout.delimiter};
  if (layout.header == Layout::Header::None) return withoutHeader(head, layout, delimiters, encoding);

  std::set<std::string> folded;
  for (const std::string& name : known) folded.insert(foldColumnName(name));
  std::optional<CsvHead> best;
  for (const char delimiter : delimiters) {
    std::optional<CsvHead> found = headerFor(head, {delimiter, lineEndOf(head)}, layout, folded, encoding);
    if (!found) continue;
    const bool better = !best || found->hits > best->hits ||
                        (found->hits == best->hits && found->columns.size() > best->columns.size());
    if (better) best = std::move(found);
  }
  if (layout.header == Layout::Header::AtLine) {
    if (!best) return fail(ErrorCode::Format, fmt::format("there is no header in line {}", layout.headerLine));
    return *best;
  }
  const std::size_t needed = std::min<std::size_t>(2, folded.size());
  if (!best || best->hits < needed) return fail(noHeader(known));
  return *best;
}

}  // namespace counterfoil
