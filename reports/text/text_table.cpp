// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/text_table.h"

#include <algorithm>

namespace counterfoil {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastWrap = 24;
constexpr std::size_t kBelowIndent = 4;

std::string fittedCell(const std::string& text, TextColumn::Fit fit, std::size_t width) {
  switch (fit) {
    case TextColumn::Fit::Middle:
      return fittedMiddle(text, width);
    case TextColumn::Fit::End:
      return fitted(text, width);
    case TextColumn::Fit::Whole:
    case TextColumn::Fit::Wrap:
    case TextColumn::Fit::Below:
      return text;
  }
  return text;
}

}  // namespace

std::vector<std::size_t> TextTable::widths(const TextStyle& style, bool withTitles) const {
  std::vector<std::size_t> widths(m_columns.size(), 0);
  for (const auto& row : m_rows) {
    for (std::size_t i = 0; i < widths.size() && i < row.size(); ++i) {
      if (m_columns[i].fit == TextColumn::Fit::Below) continue;
      widths[i] = std::max(widths[i], displayWidth(row[i].text));
    }
  }
  std::size_t used = m_indent;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] == 0) continue;
    if (withTitles) widths[i] = std::max(widths[i], displayWidth(m_columns[i].title));
    used += widths[i] + kGap;
  }
  used -= std::min(used, kGap);
  // The wrapping column gives way first, then the widest of those that may be cut.
  for (std::size_t i = 0; i < widths.size() && used > style.width; ++i) {
    if (m_columns[i].fit != TextColumn::Fit::Wrap || widths[i] <= kLeastWrap) continue;
    const std::size_t cut = std::min(used - style.width, widths[i] - kLeastWrap);
    widths[i] -= cut;
    used -= cut;
  }
  while (used > style.width) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto fit = m_columns[i].fit;
      const bool mayShrink = (fit == TextColumn::Fit::Middle || fit == TextColumn::Fit::End) &&
                             widths[i] > m_columns[i].least;
      if (mayShrink && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    --widths[widest];
    --used;
  }
  return widths;
}

void TextTable::printRow(const std::vector<TextCell>& row, const std::vector<std::size_t>& widths,
                         const TextStyle& style, std::string& out) const {
  std::vector<std::vector<std::string>> cells(row.size());
  std::size_t lineCount = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (widths[i] == 0) continue;
    if (m_columns[i].fit == TextColumn::Fit::Wrap) {
      cells[i] = wrapped(row[i].text, widths[i]);
    } else {
      cells[i] = {fittedCell(row[i].text, m_columns[i].fit, widths[i])};
    }
    lineCount = std::max(lineCount, cells[i].size());
  }
  for (std::size_t line = 0; line < lineCount; ++line) {
    std::size_t pending = m_indent;  // blanks owed before the next text: no blanks end a line
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string text = line < cells[i].size() ? cells[i][line] : std::string();
      const std::size_t width = displayWidth(text);
      const std::size_t blanks = widths[i] > width ? widths[i] - width : 0;
      const bool right = m_columns[i].align == TextColumn::Align::Right;
      if (!text.empty()) {
        out.append(pending + (right ? blanks : 0), ' ');
        out += paint(text, row[i].ink == Ink::Plain ? m_columns[i].ink : row[i].ink, style);
        pending = right ? 0 : blanks;
      } else {
        pending += blanks;
      }
      pending += kGap;
    }
    out += '\n';
  }
}

void TextTable::printBelow(const std::vector<TextCell>& row, const TextStyle& style,
                           std::string& out) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (m_columns[i].fit != TextColumn::Fit::Below || row[i].text.empty()) continue;
    const std::size_t indent = m_indent + kBelowIndent;
    for (const std::string& line :
         wrapped(row[i].text, style.width - std::min(indent, style.width))) {
      out.append(indent, ' ');
      out += paint(line, row[i].ink == Ink::Plain ? m_columns[i].ink : row[i].ink, style);
      out += '\n';
    }
  }
}

void TextTable::print(const TextStyle& style, bool withTitles, std::string& out) const {
  const std::vector<std::size_t> columnWidths = widths(style, withTitles);
  if (withTitles) {
    std::vector<TextCell> titles;
    for (const TextColumn& column : m_columns) titles.push_back({column.title, Ink::Dim});
    printRow(titles, columnWidths, style, out);
  }
  for (const auto& row : m_rows) {
    printRow(row, columnWidths, style, out);
    printBelow(row, style, out);
  }
}

}  // namespace counterfoil
