// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a list in one of the four formats, in constant memory: lines go through a buffer to the
// sink.
//   json    one array of objects, a line each
//   ndjson  an object a line
//   csv     a header line (also for no lines), then a row a line
//   table   for people: the columns a ListTable names, laid out in blocks of lines
// Not thread-safe. Nothing is printed before begin(), everything only after finish().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "reports/list/line.h"
#include "reports/sink.h"
#include "reports/text/text_table.h"

namespace counterfoil {

enum class ListFormat { Table, Json, Ndjson, Csv };
[[nodiscard]] std::optional<ListFormat> listFormatFromCode(std::string_view code);

class ListWriter {
 public:
  ListWriter(Sink& sink, ListFormat format, TextStyle style = {})
      : m_sink(sink), m_format(format), m_style(style) {}

  /// `shape`: describes any line of the list (an empty one will do), for the CSV header.
  /// `columns`: of the table; ignored by the other formats.
  void begin(const std::function<void(LineVisitor&)>& shape, std::vector<TextColumn> columns);

  /// `describeLine` gives the members, `cells` the row of the table (called for that format only).
  Result<> add(const std::function<void(LineVisitor&)>& describeLine,
               const std::function<std::vector<TextCell>()>& cells);

  Result<> finish();
  [[nodiscard]] std::uint64_t lineCount() const { return m_lineCount; }

 private:
  Result<> flushIfFull();
  Result<> flush();
  void printBlock();

  Sink& m_sink;
  ListFormat m_format;
  TextStyle m_style;
  std::string m_buffer;
  std::vector<TextColumn> m_columns;
  std::optional<TextTable> m_block;
  std::uint64_t m_lineCount = 0;
  bool m_titlesPrinted = false;
};

}  // namespace counterfoil
