// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/list/list_writer.h"

#include <array>

#include "reports/csv/csv_writer.h"
#include "reports/json/json_writer.h"

namespace counterfoil {

namespace {

constexpr std::size_t kBufferBytes = 256u << 10;
constexpr std::size_t kBlockRows = 500;  ///< the widths of a table hold for a block of rows

}  // namespace

std::optional<ListFormat> listFormatFromCode(std::string_view code) {
  static constexpr std::array<std::pair<std::string_view, ListFormat>, 4> formats = {
      {{"table", ListFormat::Table},
       {"json", ListFormat::Json},
       {"ndjson", ListFormat::Ndjson},
       {"csv", ListFormat::Csv}}};
  for (const auto& [name, format] : formats) {
    if (name == code) return format;
  }
  return std::nullopt;
}

void ListWriter::begin(const std::function<void(LineVisitor&)>& shape,
                       std::vector<TextColumn> columns) {
  m_columns = std::move(columns);
  if (m_format == ListFormat::Csv) {
    CsvHeader header(m_buffer);
    shape(header);
    header.endLine();
  }
  if (m_format == ListFormat::Json) m_buffer += '[';
  if (m_format == ListFormat::Table) m_block.emplace(m_columns);
}

Result<> ListWriter::add(const std::function<void(LineVisitor&)>& describeLine,
                         const std::function<std::vector<TextCell>()>& cells) {
  switch (m_format) {
    case ListFormat::Table:
      m_block->add(cells());
      if (m_block->rowCount() >= kBlockRows) printBlock();
      break;
    case ListFormat::Csv: {
      CsvWriter csv(m_buffer);
      describeLine(csv);
      csv.endLine();
      break;
    }
    case ListFormat::Json:
    case ListFormat::Ndjson: {
      if (m_format == ListFormat::Json) m_buffer += m_lineCount == 0 ? "\n  " : ",\n  ";
      JsonWriter json(m_buffer);
      json.beginObject();
      describeLine(json);
      json.endObject();
      if (m_format == ListFormat::Ndjson) m_buffer += '\n';
      break;
    }
  }
  ++m_lineCount;
  return flushIfFull();
}

void ListWriter::printBlock() {
  m_block->print(m_style, !m_titlesPrinted, m_buffer);
  m_titlesPrinted = true;
  m_block.emplace(m_columns);
}

Result<> ListWriter::finish() {
  if (m_format == ListFormat::Json) m_buffer += m_lineCount == 0 ? "]\n" : "\n]\n";
  if (m_format == ListFormat::Table && !m_block->isEmpty()) printBlock();
  return flush();
}

Result<> ListWriter::flushIfFull() {
  return m_buffer.size() < kBufferBytes ? Result<>{} : flush();
}

Result<> ListWriter::flush() {
  Result<> written = m_sink.write(m_buffer);
  m_buffer.clear();
  return written;
}

}  // namespace counterfoil
