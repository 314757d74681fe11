// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of columns for people: aligned, within the width, one column may wrap. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "reports/text/text_style.h"

namespace counterfoil {

struct TextColumn {
  enum class Align { Left, Right };
  enum class Fit {
    Whole,   ///< never cut
    Middle,  ///< ids: cut in the middle down to `least` columns
    End,     ///< cut at the end down to `least` columns
    Wrap,    ///< takes what is left of the width and goes on in the next line
    Below    ///< lines of their own under the row
  };

  std::string title;
  Align align = Align::Left;
  Fit fit = Fit::Whole;
  std::size_t least = 8;
  Ink ink = Ink::Plain;
};

/// A cell's text must be harmless already; `ink` Plain means the column's.
struct TextCell {
  std::string text;
  Ink ink = Ink::Plain;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns, std::size_t indent = 0)
      : m_columns(std::move(columns)), m_indent(indent) {}

  void add(std::vector<TextCell> row) { m_rows.push_back(std::move(row)); }
  [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
  [[nodiscard]] std::size_t rowCount() const { return m_rows.size(); }

  /// Appends all rows, and the titles where a column has one and `withTitles`. Columns that are
  /// blank in every row are left out.
  void print(const TextStyle& style, bool withTitles, std::string& out) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(const TextStyle& style, bool withTitles) const;
  void printRow(const std::vector<TextCell>& row, const std::vector<std::size_t>& widths,
                const TextStyle& style, std::string& out) const;
  void printBelow(const std::vector<TextCell>& row, const TextStyle& style, std::string& out) const;

  std::vector<TextColumn> m_columns;
  std::vector<std::vector<TextCell>> m_rows;
  std::size_t m_indent;
};

}  // namespace counterfoil
