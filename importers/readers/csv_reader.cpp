// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::uint32_t kWindowBytes = 64u << 10;

struct CsvScratch final : TextReader::Scratch {
  CsvMarks marks;
  RowView row;
  Arena values;   ///< what had to be written anew: unescaped or converted
};

/// Where the parse of a block stands.
struct Cursor {
  std::size_t rowStart = 0;        ///< of the row at hand
  std::size_t firstSeparator = 0;  ///< index into marks.separators
  std::size_t nextRowEnd = 0;      ///< index into marks.rowEnds
};

class CsvReader final : public TextReader {
 public:
  explicit CsvReader(CsvOptions options) : m_options(std::move(options)) {
    if (m_options.scan == nullptr) m_options.scan = bestCsvScan();
    for (const std::string& name : m_options.wanted) {
      std::vector<std::size_t> indexes = columnIndexes(m_options.header, name);
      m_first.push_back(indexes.empty() ? kNoPosition : indexes.front());
      if (indexes.size() > 1) m_repeated.emplace_back(m_first.size() - 1, std::move(indexes));
    }
  }

  [[nodiscard]] std::unique_ptr<Scratch> makeScratch() const override {
    auto scratch = std::make_unique<CsvScratch>();
    scratch->row.fields.resize(m_first.size());
    return scratch;
  }
  [[nodiscard]] char lineEnd() const override { return m_options.dialect.lineEnd; }
  [[nodiscard]] std::size_t likelyRowStart(std::string_view text, std::size_t from) const override {
    const void* found = std::memchr(text.data() + from - 1, lineEnd(), text.size() - from + 1);
    if (found == nullptr) return text.size();
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
  }

  BlockOutcome parse(const TextBlock& block, RowSink& sink, Scratch& scratch) const override {
    auto& own = static_cast<CsvScratch&>(scratch);
    CsvMarks& marks = own.marks;
    marks.separatorCount = marks.rowEndCount = 0;
    marks.state = CsvState::FieldStart;
    Cursor at;
    std::size_t scanned = 0;
    const std::size_t size = block.text.size();
    while (scanned < size && at.rowStart < block.limit) {
      dropDoneMarks(marks, at);
      marks.sawNul = marks.sawHighBit = at.rowStart < scanned && (marks.sawNul || marks.sawHighBit);
      const std::size_t to = std::min(size, scanned + kWindowBytes);
      m_options.scan(block.text.data(), static_cast<std::uint32_t>(scanned), static_cast<std::uint32_t>(to),
                     m_options.dialect, marks);
      scanned = to;
      own.sawNonAscii = own.sawNonAscii || marks.sawHighBit;
      if (!giveRows(block, at, sink, own)) return {at.rowStart, false, false, true};
      if (scanned - at.rowStart > kMaxRowBytes) return cutRow(block, at, sink, own, false);
    }
    if (at.rowStart >= block.limit || at.rowStart == size) return {at.rowStart, false, false, false};
    if (!block.last) return {at.rowStart, true, false, false};
    return finish(block, at, sink, own);
  }

 private:
  /// Keeps only the separators of the row at hand; of a row with far too many, the first ones.
  static void dropDoneMarks(CsvMarks& marks, Cursor& at) {
    const std::size_t left = std::min(marks.separatorCount - at.firstSeparator, kMaxColumns + 1);
    if (at.firstSeparator > 0 && left > 0) {
      std::memmove(marks.separators.data(), marks.separators.data() + at.firstSeparator,
                   left * sizeof(marks.separators[0]));
    }
    marks.separatorCount = left;
    marks.rowEndCount = 0;
    at.firstSeparator = at.nextRowEnd = 0;
  }

  bool giveRows(const TextBlock& block, Cursor& at, RowSink& sink, CsvScratch& own) const {
    const CsvMarks& marks = own.marks;
    while (at.nextRowEnd < marks.rowEndCount && at.rowStart < block.limit) {
      const std::size_t last = marks.rowEnds[at.nextRowEnd];
      const std::size_t end = marks.separators[last];
      const bool go = giveRow(block, at, last - at.firstSeparator + 1, end, end + 1, sink, own);
      at.rowStart = end + 1;
      at.firstSeparator = last + 1;
      ++at.nextRowEnd;
      if (!go) return false;
    }
    return true;
  }

  /// The file's last row, which has no line end.
  BlockOutcome finish(const TextBlock& block, Cursor& at, RowSink& sink, CsvScratch& own) const {
    CsvMarks& marks = own.marks;
    if (marks.state == CsvState::Quoted) return cutRow(block, at, sink, own, true);
    if (marks.separators.size() <= marks.separatorCount) marks.separators.resize(marks.separatorCount + 1);
    marks.separators[marks.separatorCount++] = static_cast<std::uint32_t>(block.text.size());
    const bool go = giveRow(block, at, marks.separatorCount - at.firstSeparator, block.text.size(),
                            block.text.size(), sink, own);
    return {block.text.size(), false, false, !go};
  }

  BlockOutcome cutRow(const TextBlock& block, Cursor& at, RowSink& sink, CsvScratch& own, bool quote) const {
    setPlace(own.row, block, at.rowStart, block.text.size(), block.text.size());
    RowDefect defect;
    defect.rule = quote ? "unterminated_quote" : "row_too_long";
    defect.reason = quote ? "a quote that is opened in this row is never closed: the file is cut off, or the quote "
                            "should be doubled; export the file again"
                          : fmt::format("the row is longer than {} bytes: a quote is probably never closed",
                                        kMaxRowBytes);
    const bool go = sink.onDefect(own.row, std::move(defect));
    return {block.text.size(), false, true, !go};
  }

  static void setPlace(RowView& row, const TextBlock& block, std::size_t start, std::size_t end, std::size_t next) {
    row.offset = block.baseOffset + start;
    row.length = next - start;
    row.line = 0;
    row.raw = block.text.substr(start, end - start);
  }

  bool giveRow(const TextBlock& block, const Cursor& at, std::size_t fieldCount, std::size_t end, std::size_t next,
               RowSink& sink, CsvScratch& own) const {
    const char* const text = block.text.data();
    if (lineEnd() == '\n' && end > at.rowStart && text[end - 1] == '\r') --end;
    if (end == at.rowStart) return true;
    RowView& row = own.row;
    setPlace(row, block, at.rowStart, end, next);
    const CsvMarks& marks = own.marks;
    const std::uint32_t* const separators = marks.separators.data() + at.firstSeparator;
    own.values.clear();
    if (mayBeBlank(row.raw.front()) && fieldCount <= kMaxColumns &&
        isBlank(text, at.rowStart, end, separators, fieldCount, own.values)) {
      return true;
    }
    if (isNoRecord(row.raw)) return true;
    if (marks.sawNul && row.raw.find('\0') != std::string_view::npos) {
      return sink.onDefect(row, {"", "", "nul_byte", "the row holds NUL bytes: the file is damaged"});
    }
    if (fieldCount > m_options.header.size() || row.raw.size() > kMaxFieldBytes) {
      RowDefect defect = shapeDefect(text, at.rowStart, end, separators, fieldCount);
      if (!defect.rule.empty()) return sink.onDefect(row, std::move(defect));
    }
    for (std::size_t i = 0; i < m_first.size(); ++i) {
      row.fields[i] = fieldAt(text, at.rowStart, end, separators, fieldCount, m_first[i], own.values);
    }
    for (const auto& [index, sources] : m_repeated) {
      for (std::size_t k = 1; k < sources.size() && row.fields[index].isBlank(); ++k) {
        row.fields[index] = fieldAt(text, at.rowStart, end, separators, fieldCount, sources[k], own.values);
      }
    }
    if (marks.sawHighBit) {
      RowDefect defect = convertFields(row, own.values);
      if (!defect.rule.empty()) return sink.onDefect(row, std::move(defect));
    }
    return sink.onRow(row, 0);
  }

  /// A header that is repeated, or a footer.
  [[nodiscard]] bool isNoRecord(std::string_view raw) const {
    if (raw.size() == m_options.headerLine.size() && raw == m_options.headerLine) return true;
    return m_options.footer != nullptr && m_options.footer->fits(raw);
  }

  [[nodiscard]] bool mayBeBlank(char first) const {
    return first == m_options.dialect.delimiter || first == ' ' || first == '\t' || first == '"';
  }
  /// Every field is white space.
  static bool isBlank(const char* text, std::size_t rowStart, std::size_t rowEnd, const std::uint32_t* separators,
                      std::size_t fieldCount, Arena& values) {
    for (std::size_t i = 0; i < fieldCount; ++i) {
      const std::string_view value = csvValue(fieldText(text, rowStart, rowEnd, separators, fieldCount, i), values);
      if (value.find_first_not_of(" \t") != std::string_view::npos) return false;
    }
    return true;
  }

  static std::string_view fieldText(const char* text, std::size_t rowStart, std::size_t rowEnd,
                                    const std::uint32_t* separators, std::size_t fieldCount, std::size_t index) {
    const std::size_t begin = index == 0 ? rowStart : separators[index - 1] + std::size_t{1};
    const std::size_t end = index + 1 == fieldCount ? rowEnd : separators[index];
    return {text + begin, end - begin};
  }

  [[nodiscard]] FieldView fieldAt(const char* text, std::size_t rowStart, std::size_t rowEnd,
                                  const std::uint32_t* separators, std::size_t fieldCount, std::size_t index,
                                  Arena& values) const {
    if (index >= fieldCount) return {};
    const std::string_view field = fieldText(text, rowStart, rowEnd, separators, fieldCount, index);
    if (field.empty()) return {FieldType::Text, field};
    if (field.front() != '"' && field.front() != '=') return {FieldType::Text, field};
    return {FieldType::Text, csvValue(field, values)};
  }

  [[nodiscard]] RowDefect shapeDefect(const char* text, std::size_t rowStart, std::size_t rowEnd,
                                      const std::uint32_t* separators, std::size_t fieldCount) const {
    if (fieldCount > kMaxColumns) {
      return {"", "", "too_many_fields", fmt::format("the row has more than {} fields", kMaxColumns)};
    }
    for (std::size_t i = 0; i < fieldCount; ++i) {
      const std::string_view field = fieldText(text, rowStart, rowEnd, separators, fieldCount, i);
      if (field.size() > kMaxFieldBytes) {
        return {i < m_options.header.size() ? m_options.header[i] : "", "", "field_too_long",
                fmt::format("field {} is longer than {} bytes", i + 1, kMaxFieldBytes)};
      }
      if (i >= m_options.header.size() && !trim(field).empty() && field != "\"\"") {
        return {"", std::string(field.substr(0, 200)), "extra_fields",
                fmt::format("the row has {} fields, the header {}: a delimiter inside a value is probably not quoted",
                            fieldCount, m_options.header.size())};
      }
    }
    return {};
  }

  /// Fields that are not ASCII: converted, or checked to be UTF-8.
  RowDefect convertFields(RowView& row, Arena& values) const {
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      FieldView& field = row.fields[i];
      if (isAscii(field.text)) continue;
      bool valid = true;
      if (m_options.encoding) {
        char* const out = values.take(field.text.size() * 3);
        const SingleByteTable::Converted converted = m_options.encoding->convert(field.text, out);
        valid = converted.complete;
        field.text = {out, converted.size};
      } else {
        const Utf8Check check = checkUtf8(field.text);
        valid = check.firstInvalid == kNoPosition && check.incompleteTail == 0;
      }
      if (!valid) {
        return {m_options.wanted[i], toValidUtf8(field.text), "invalid_encoding",
                "the value is not valid in the file's encoding; declare the encoding the file is written in"};
      }
    }
    return {};
  }

  CsvOptions m_options;
  std::vector<std::size_t> m_first;   ///< by wanted column: its first place in the file
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> m_repeated;
};

}  // namespace

std::string_view csvValue(std::string_view field, Arena& arena) {
  if (field.empty()) return field;
  std::string_view value = field;
  if (field.front() == '"') {
    const std::size_t closing = field.find('"', 1);
    if (closing + 1 == field.size()) {
      value = field.substr(1, closing - 1);
    } else {
      char* const out = arena.take(field.size());
      std::size_t size = 0;
      std::size_t i = 1;
      for (; i < field.size(); ++i) {
        if (field[i] == '"') {
          if (i + 1 == field.size() || field[i + 1] != '"') break;
          ++i;
        }
        out[size++] = field[i];
      }
      for (++i; i < field.size(); ++i) out[size++] = field[i];   // text behind a closing quote, as it stands
      value = {out, size};
    }
  }
  // ="0012": how spreadsheets are told to leave a text alone.
  if (value.size() >= 3 && value[0] == '=' && value[1] == '"' && value.back() == '"') {
    value = value.substr(2, value.size() - 3);
  }
  return value;
}

std::vector<std::size_t> columnIndexes(const std::vector<std::string>& header, const std::string& name) {
  std::vector<std::size_t> indexes;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == name) indexes.push_back(i);
  }
  if (!indexes.empty()) return indexes;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (equalsIgnoreCase(trim(header[i]), trim(name))) indexes.push_back(i);
  }
  return indexes;
}

std::unique_ptr<TextReader> makeCsvReader(CsvOptions options) { return std::make_unique<CsvReader>(std::move(options)); }

}  // namespace counterfoil
