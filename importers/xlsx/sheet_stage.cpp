// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xlsx/sheet_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "importers/xlsx/xml_parser.h"

namespace counterfoil {

namespace {

constexpr std::size_t kPackedBlockBytes =
    8u << 10;  ///< small: a cell may name a long text by a few bytes
constexpr std::size_t kMaxValueBytes = 4u << 20;
constexpr std::size_t kMaxFormulaBytes = 200;
constexpr std::size_t kMaxRowTextBytes = 48u << 20;
constexpr std::uint64_t kRatioLookedAtFrom = 256ull << 20;
constexpr std::uint64_t kMaxRatio = 2000;

void appendCsv(std::string& out, std::string_view value) {
  if (value.find_first_of(",\"\n\r") == std::string_view::npos) {
    out += value;
    return;
  }
  out += '"';
  for (const char c : value) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

/// Rows and cells of a sheet, in the order of the file.
class SheetHandler final : public XmlHandler {
 public:
  SheetHandler(const Workbook& book, char decimal) : m_book(book), m_decimal(decimal) {}

  void onStart(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "sheetData") {
      m_inData = true;
    } else if (!m_inData) {
      return;
    } else if (name == "row") {
      startRow(attributes.find("r"));
    } else if (name == "c") {
      startCell(attributes);
    } else if (m_inCell) {
      startPart(name);
    }
  }

  void onEnd(std::string_view name) override {
    if (name == "sheetData") {
      m_inData = false;
      seenData = true;
    } else if (!m_inData) {
      return;
    } else if (name == "row") {
      endRow();
    } else if (name == "c" && m_inCell) {
      endCell();
    } else if (name == "rPh") {
      m_inReading = false;
    } else if (name == "v" || name == "t" || name == "f") {
      m_part = Part::None;
    }
  }

  void onText(std::string_view text) override {
    if (m_part == Part::Formula) {
      m_formula += text.substr(0, kMaxFormulaBytes - std::min(kMaxFormulaBytes, m_formula.size()));
    } else if (m_part != Part::None && !m_inReading) {
      if (m_value.size() + text.size() > kMaxValueBytes) {
        return stop(ErrorCode::Limit, fmt::format("a cell of more than {} bytes", kMaxValueBytes));
      }
      m_value += text;
    }
  }

  std::string out;             ///< text that is ready
  std::uint64_t outBytes = 0;  ///< of all of it
  bool seenData = false;
  [[nodiscard]] std::uint32_t lastRow() const { return m_lastRow; }

 private:
  enum class Part : std::uint8_t { None, Value, Text, Formula };

  void stop(ErrorCode code, std::string message) {
    if (!fault) fault = Error{code, std::move(message)};
  }

  void startRow(std::optional<std::string_view> number) {
    if (m_inRow) return stop(ErrorCode::Format, fmt::format("a row inside of row {}", m_row));
    m_inRow = true;
    m_row = m_lastRow + 1;
    if (number) {
      const auto parsed = std::from_chars(number->data(), number->data() + number->size(), m_row);
      if (parsed.ec != std::errc() || parsed.ptr != number->data() + number->size()) m_row = 0;
    }
    if (m_row > kMaxSheetRows || m_row == 0) {
      return stop(ErrorCode::Format,
                  fmt::format("a row numbered '{}'; rows go from 1 to {}",
                              forTerminal(number ? number->substr(0, 40) : "?"), kMaxSheetRows));
    }
    if (m_row <= m_lastRow)
      return stop(ErrorCode::Format, fmt::format("row {} stands behind row {}", m_row, m_lastRow));
    m_nextColumn = 0;
    m_line.clear();
    m_written = 0;
  }

  void endRow() {
    m_inRow = false;
    out.append(m_row - m_lastRow - 1, '\n');
    out += m_line;
    out += '\n';
    m_lastRow = m_row;
  }

  void startCell(const XmlAttributes& attributes) {
    if (!m_inRow || m_inCell) return stop(ErrorCode::Format, "a cell that is not in a row");
    m_column = m_nextColumn;
    if (const auto text = attributes.find("r")) {
      const auto ref = cellRef(*text);
      if (!ref || ref->row != m_row) {
        return stop(ErrorCode::Format, fmt::format("a cell named '{}' in row {}",
                                                   forTerminal(text->substr(0, 40)), m_row));
      }
      m_column = ref->column;
    }
    if (m_column >= kMaxSheetColumns || m_column < m_nextColumn) {
      return stop(ErrorCode::Format, fmt::format("the cells of row {} are not in order", m_row));
    }
    m_nextColumn = m_column + 1;
    m_type = attributes.get("t");
    m_style = 0;
    const std::string_view style = attributes.get("s");
    std::from_chars(style.data(), style.data() + style.size(), m_style);
    m_value.clear();
    m_formula.clear();
    m_hasFormula = false;
    m_inReading = false;
    m_part = Part::None;
    m_inCell = true;
  }

  void startPart(std::string_view name) {
    if (name == "v" && m_type != "inlineStr") {
      m_part = Part::Value;
    } else if (name == "t" && m_type == "inlineStr") {
      m_part = Part::Text;
    } else if (name == "f") {
      m_part = Part::Formula;
      m_hasFormula = true;
    } else if (name == "rPh") {
      m_inReading = true;
    }
  }

  void endCell() {
    m_inCell = false;
    if (m_type == "s") return endSharedCell();
    m_text.clear();
    if (m_type == "str" || m_type == "inlineStr") {
      appendCellText(m_text, m_value);
    } else if (m_type == "b") {
      m_text = m_value == "1" || m_value == "true" ? "TRUE" : m_value.empty() ? "" : "FALSE";
    } else if (m_type == "e" || m_type == "d") {
      appendCellText(m_text, m_value);
    } else {
      const auto number = cellText(m_value, m_book.formOf(m_style), m_book.is1904(), m_decimal);
      if (number) {
        m_text = *number;
      } else {
        appendCellText(m_text, m_value);
      }
    }
    // A formula whose result was never saved is no blank: it is shown, and no reader takes it for a
    // value.
    const bool isBlankText = m_type == "str" || m_type == "inlineStr";
    if (m_text.empty() && m_hasFormula && !isBlankText) appendCellText(m_text, "=" + m_formula);
    write(m_text);
  }

  void endSharedCell() {
    std::size_t index = 0;
    const auto parsed = std::from_chars(m_value.data(), m_value.data() + m_value.size(), index);
    if (m_value.empty()) return;
    if (parsed.ec != std::errc() || parsed.ptr != m_value.data() + m_value.size() ||
        index >= m_book.texts().size()) {
      return stop(ErrorCode::Format,
                  fmt::format("a cell of row {} names text '{}'; the workbook has {}", m_row,
                              forTerminal(m_value.substr(0, 40)), m_book.texts().size()));
    }
    write(m_book.texts()[index]);
  }

  void write(std::string_view text) {
    if (text.empty()) return;
    if (m_column > m_written) m_line.append(m_column - m_written, ',');
    m_written = m_column;
    const std::size_t before = m_line.size();
    appendCsv(m_line, text);
    outBytes += m_line.size() - before;
    if (m_line.size() > kMaxRowTextBytes) {
      return stop(ErrorCode::Limit,
                  fmt::format("row {} has more than {} bytes of text", m_row, kMaxRowTextBytes));
    }
    // A few bytes of a sheet may name a long text, again and again.
    if (outBytes > kRatioLookedAtFrom && outBytes / kMaxRatio > m_book.archiveBytes()) {
      stop(ErrorCode::Limit,
           fmt::format("the sheet's text is more than {} times the size of the workbook",
                       kMaxRatio));
    }
  }

  const Workbook& m_book;
  char m_decimal;
  bool m_inData = false, m_inRow = false, m_inCell = false, m_hasFormula = false,
       m_inReading = false;
  Part m_part = Part::None;
  std::uint32_t m_row = 0, m_lastRow = 0;
  std::uint32_t m_column = 0, m_nextColumn = 0, m_written = 0;
  std::string m_type, m_value, m_formula, m_text, m_line;
  std::size_t m_style = 0;
};

class SheetStage final : public ByteStage {
 public:
  SheetStage(std::shared_ptr<const Workbook> book, const std::string& name,
             std::unique_ptr<ByteStage> xml, char decimal)
      : m_book(std::move(book)),
        m_name(name),
        m_xml(std::move(xml)),
        m_handler(*m_book, decimal),
        m_parser(m_handler) {}

  Result<std::size_t> read(std::string& out, std::size_t count) override {
    std::size_t made = take(out, count);
    while (made == 0 && count > 0 && !m_fault && !m_ended) {
      step();
      made = take(out, count);
    }
    if (made == 0 && count > 0 && m_fault) return fail(*m_fault);
    return made;
  }

 private:
  void step() {
    m_block.clear();
    const Result<std::size_t> got = m_xml->read(m_block, kPackedBlockBytes);
    if (!got) return stopWith(got.error());
    m_ended = *got == 0;
    if (const Result<> fed = m_parser.feed(m_block, m_ended); !fed) return stopWith(fed.error());
    if (m_ended && !m_handler.seenData)
      stopWith({ErrorCode::Format, "it has no rows element: it is no worksheet"});
  }

  void stopWith(const Error& error) {
    m_fault = error.within(
        m_handler.lastRow() == 0
            ? fmt::format("sheet \"{}\"", forTerminal(m_name))
            : fmt::format("sheet \"{}\", behind row {}", forTerminal(m_name), m_handler.lastRow()));
  }

  std::size_t take(std::string& out, std::size_t count) {
    const std::size_t size = std::min(count, m_handler.out.size() - m_taken);
    out.append(m_handler.out, m_taken, size);
    m_taken += size;
    if (m_taken == m_handler.out.size()) {
      m_handler.out.clear();
      m_taken = 0;
    }
    return size;
  }

  std::shared_ptr<const Workbook> m_book;
  std::string m_name;
  std::unique_ptr<ByteStage> m_xml;
  SheetHandler m_handler;
  XmlParser m_parser;
  std::string m_block;
  std::size_t m_taken = 0;
  bool m_ended = false;
  std::optional<Error> m_fault;
};

}  // namespace

Result<std::unique_ptr<ByteStage>> makeSheetStage(std::shared_ptr<const Workbook> book,
                                                  std::size_t sheet, char decimal) {
  const SheetInfo& info = book->sheets()[sheet];
  auto xml = book->openPart(info.part);
  if (!xml) return fail(xml.error());
  return std::make_unique<SheetStage>(std::move(book), info.name, std::move(*xml), decimal);
}

}  // namespace counterfoil
