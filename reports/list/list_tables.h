// SPDX-License-Identifier: GPL-3.0-or-later
// The tables people see of the lists: which members of a line, in which columns. For ListWriter.
#pragma once

#include <vector>

#include "reports/list/lines.h"
#include "reports/list/list_writer.h"

namespace counterfoil {

/// Columns and row of a line's table. Cells are harmless for a terminal.
template <class Line>
struct ListTable;

template <>
struct ListTable<CaseLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const CaseLine& line);
};
template <>
struct ListTable<SkipLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const SkipLine& line);
};
template <>
struct ListTable<QueueLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const QueueLine& line);
};
template <>
struct ListTable<MessageLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const MessageLine& line);
};
template <>
struct ListTable<Finding> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const Finding& line);
};
template <>
struct ListTable<ProofLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const ProofLine& line);
};

/// A list of one kind of line in any format: add() each, then finish().
template <class Line>
class ListPrinter {
 public:
  ListPrinter(Sink& sink, ListFormat format, TextStyle style) : m_writer(sink, format, style) {
    m_writer.begin([](LineVisitor& visitor) { describe(Line{}, visitor); },
                   ListTable<Line>::columns());
  }
  Result<> add(const Line& line) {
    return m_writer.add([&line](LineVisitor& visitor) { describe(line, visitor); },
                        [&line] { return ListTable<Line>::cells(line); });
  }
  Result<> finish() { return m_writer.finish(); }
  [[nodiscard]] std::uint64_t lineCount() const { return m_writer.lineCount(); }

 private:
  ListWriter m_writer;
};

}  // namespace counterfoil
