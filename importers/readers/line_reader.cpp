// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/text.h"
#include "importers/readers/json_row.h"

namespace counterfoil {

namespace {

/// A line as the kinds see it: valid UTF-8, or marked not to be.
struct Line {
  std::string_view text;
  bool valid = true;
};

struct LineScratch : TextReader::Scratch {
  RowView place;
  JsonRowShaper::Scratch json;
  Arena converted;
  std::string repaired;
  bool isRepaired = false;   ///< the line at hand is `repaired`, and a row all the same
  std::string marked;
  std::vector<std::string_view> groups;
};

/// Splits a block into lines; what a line means is the derived class's.
class LineReader : public TextReader {
 public:
  explicit LineReader(LineOptions options) : m_options(std::move(options)) {}

  [[nodiscard]] std::unique_ptr<Scratch> makeScratch() const final {
    auto scratch = std::make_unique<LineScratch>();
    scratch->place.fields.resize(m_options.wanted.size());
    return scratch;
  }
  [[nodiscard]] char lineEnd() const final { return '\n'; }
  [[nodiscard]] std::size_t likelyRowStart(std::string_view text, std::size_t from) const final {
    const std::size_t found = text.find('\n', from - 1);
    return found == std::string_view::npos ? text.size() : found + 1;
  }

  BlockOutcome parse(const TextBlock& block, RowSink& sink, Scratch& scratch) const final {
    auto& own = static_cast<LineScratch&>(scratch);
    std::size_t start = 0;
    while (start < block.text.size() && start < block.limit) {
      const void* const found = std::memchr(block.text.data() + start, '\n', block.text.size() - start);
      const bool ended = found != nullptr;
      if (!ended && !block.last) return notEnded(block, start, sink, own);
      const std::size_t end = ended ? static_cast<std::size_t>(static_cast<const char*>(found) - block.text.data())
                                    : block.text.size();
      const std::size_t next = ended ? end + 1 : end;
      if (!ended && isCutOff(block.text.substr(start))) {
        setPlace(own.place, block, start, end, next);
        RowDefect defect{"", "", "cut_off", "the file ends in the middle of this line: it was not written or copied in whole"};
        return {next, false, true, !sink.onDefect(own.place, std::move(defect))};
      }
      if (!giveLine(block, start, end, next, sink, own)) return {next, false, false, true};
      start = next;
    }
    return {start, false, false, false};
  }

 protected:
  virtual bool give(const Line& line, RowSink& sink, LineScratch& scratch) const = 0;
  /// Of a last line without line end: whether it shows that the file was cut.
  [[nodiscard]] virtual bool isCutOff(std::string_view line) const = 0;
  [[nodiscard]] const LineOptions& options() const { return m_options; }

 private:
  static void setPlace(RowView& row, const TextBlock& block, std::size_t start, std::size_t end, std::size_t next) {
    row.offset = block.baseOffset + start;
    row.length = next - start;
    row.line = 0;
    row.raw = block.text.substr(start, end - start);
  }

  static BlockOutcome notEnded(const TextBlock& block, std::size_t start, RowSink& sink, LineScratch& own) {
    if (block.text.size() - start <= kMaxRowBytes) return {start, true, false, false};
    setPlace(own.place, block, start, block.text.size(), block.text.size());
    RowDefect defect{"", "", "row_too_long", fmt::format("a line of more than {} bytes", kMaxRowBytes)};
    return {block.text.size(), false, true, !sink.onDefect(own.place, std::move(defect))};
  }

  bool giveLine(const TextBlock& block, std::size_t start, std::size_t end, std::size_t next, RowSink& sink,
                LineScratch& own) const {
    if (end > start && block.text[end - 1] == '\r') --end;
    Line line{block.text.substr(start, end - start), true};
    if (trim(line.text).empty()) return true;
    setPlace(own.place, block, start, end, next);
    own.isRepaired = false;
    if (!isAscii(line.text)) convert(line, own);
    if (m_options.footer != nullptr && m_options.footer->fits(line.text)) return true;
    return give(line, sink, own);
  }

  void convert(Line& line, LineScratch& own) const {
    own.sawNonAscii = true;
    if (m_options.encoding) {
      own.converted.clear();
      char* const out = own.converted.take(line.text.size() * 3);
      const SingleByteTable::Converted converted = m_options.encoding->convert(line.text, out);
      line = {{out, converted.size}, converted.complete};
      return;
    }
    const Utf8Check check = checkUtf8(line.text);
    if (check.firstInvalid == kNoPosition && check.incompleteTail == 0) return;
    own.repaired = toValidUtf8(line.text);
    own.isRepaired = m_options.replacesInvalid;
    line = {own.repaired, own.isRepaired};
  }

  LineOptions m_options;
};

RowDefect invalidEncoding() {
  return {"", "", "invalid_encoding",
          "the line is not valid in the file's encoding; declare the encoding the file is written in"};
}

RowDefect unmatchedLine(std::string_view what) {
  return {"", "", "unmatched_line", fmt::format("the line fits {}; correct the layout, or set \"unmatched\": \"pass\"", what)};
}

class NdjsonReader : public LineReader {
 public:
  NdjsonReader(LineOptions options, const JsonNesting& nesting)
      : LineReader(std::move(options)), m_shaper(this->options().wanted, nesting, true) {
    const std::vector<std::string>& wanted = this->options().wanted;
    m_wantsBytes = std::find(wanted.begin(), wanted.end(), "$bytes") != wanted.end();
  }

 protected:
  bool give(const Line& line, RowSink& sink, LineScratch& scratch) const override {
    if (!line.valid) return sink.onDefect(scratch.place, invalidEncoding());
    std::string_view text = line.text;
    if (text.front() == '\x1E') text.remove_prefix(1);   // the record separator of JSON text sequences
    if (scratch.isRepaired && trim(text).substr(0, 1) == "{") {
      const std::string_view object = trim(text).substr(1);
      const bool isEmpty = trim(object).substr(0, 1) == "}";
      scratch.marked = "{\"$repaired\":true";
      if (m_wantsBytes) appendBytes(scratch.place.raw, scratch.marked);
      scratch.marked += isEmpty ? "" : ",";
      scratch.marked += object;
      text = scratch.marked;
    }
    return m_shaper.give(text, scratch.place, "", sink, scratch.json);
  }

 private:
  [[nodiscard]] bool isCutOff(std::string_view line) const override {
    line = trim(line);
    if (line.empty()) return false;
    Arena arena;
    std::vector<FieldView> fields;
    return parseJsonRow(line, JsonPaths(std::vector<std::string>{}), fields, arena).has_value() && isAscii(line);
  }

  /// The line as a text of JSON with a character for each byte.
  static void appendBytes(std::string_view line, std::string& out) {
    out += ",\"$bytes\":\"";
    for (const char c : line) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') out += '\\';
      if (byte < 0x20) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
      } else if (byte < 0x80) {
        out += c;
      } else {
        out += static_cast<char>(0xC0 | byte >> 6);
        out += static_cast<char>(0x80 | (byte & 0x3F));
      }
    }
    out += '"';
  }

  JsonRowShaper m_shaper;
  bool m_wantsBytes = false;
};

class TranscodedReader final : public NdjsonReader {
 public:
  using NdjsonReader::NdjsonReader;

 private:
  bool give(const Line& line, RowSink& sink, LineScratch& scratch) const override {
    const Line own{takeLineNumber(line.text, scratch), line.valid};
    if (own.text.empty() || own.text.front() != '\x15') return NdjsonReader::give(own, sink, scratch);
    std::string_view rest = own.text.substr(1);
    const auto next = [&] {
      const std::string_view part = rest.substr(0, rest.find('\x1F'));
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      return part;
    };
    RowDefect defect{std::string(next()), std::string(next()), "bad_entry", std::string(next())};
    scratch.place.raw = next();
    return sink.onDefect(scratch.place, std::move(defect));
  }

  /// The text behind the number, which becomes the row's.
  static std::string_view takeLineNumber(std::string_view text, LineScratch& scratch) {
    if (text.front() != '\x16') return text;
    const std::size_t end = std::min(text.find('\x1F'), text.size());
    std::uint64_t line = 0;
    std::from_chars(text.data() + 1, text.data() + end, line);
    scratch.place.line = line;
    text.remove_prefix(std::min(end + 1, text.size()));
    scratch.place.raw = text;
    return text;
  }
};

class PatternReader final : public LineReader {
 public:
  PatternReader(LineOptions options, std::vector<std::shared_ptr<const Pattern>> patterns, bool quarantineUnmatched)
      : LineReader(std::move(options)), m_patterns(std::move(patterns)), m_quarantineUnmatched(quarantineUnmatched) {
    for (const std::string& name : this->options().wanted) {
      m_wholeLine.push_back(name == "line");
      std::vector<std::vector<std::size_t>> places;
      for (const auto& pattern : m_patterns) places.push_back(groupsNamed(*pattern, name));
      m_groups.push_back(std::move(places));
    }
  }

 private:
  static std::vector<std::size_t> groupsNamed(const Pattern& pattern, const std::string& name) {
    std::vector<std::size_t> groups;
    const std::vector<std::string>& names = pattern.groupNames();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) groups.push_back(i);
    }
    return groups;
  }

  bool give(const Line& line, RowSink& sink, LineScratch& scratch) const override {
    for (std::size_t p = 0; p < m_patterns.size(); ++p) {
      if (!m_patterns[p]->groups(line.text, scratch.groups)) continue;
      if (!line.valid) return sink.onDefect(scratch.place, invalidEncoding());
      setFields(line.text, p, scratch);
      return sink.onRow(scratch.place, 0);
    }
    if (m_quarantineUnmatched) return sink.onDefect(scratch.place, unmatchedLine("none of the patterns"));
    sink.onUnmatched(scratch.place);
    return true;
  }
  void setFields(std::string_view line, std::size_t pattern, LineScratch& scratch) const {
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
      FieldView& field = scratch.place.fields[i];
      field = {};
      if (m_wholeLine[i]) field = {FieldType::Text, line};
      if (scratch.isRepaired && options().wanted[i] == "$repaired") field = {FieldType::Boolean, "true"};
      for (const std::size_t group : m_groups[i][pattern]) {
        const std::string_view text = scratch.groups[group];
        if (text.data() != nullptr) field = {FieldType::Text, text};
      }
    }
  }
  [[nodiscard]] bool isCutOff(std::string_view) const override { return false; }

  std::vector<std::shared_ptr<const Pattern>> m_patterns;
  bool m_quarantineUnmatched;
  std::vector<bool> m_wholeLine;
  std::vector<std::vector<std::vector<std::size_t>>> m_groups;   ///< by wanted column and pattern
};

class LogfmtReader final : public LineReader {
 public:
  LogfmtReader(LineOptions options, bool quarantineUnmatched)
      : LineReader(std::move(options)), m_quarantineUnmatched(quarantineUnmatched) {}

 private:
  bool give(const Line& line, RowSink& sink, LineScratch& scratch) const override {
    for (std::size_t i = 0; i < options().wanted.size(); ++i) {
      scratch.place.fields[i] = {};
      if (options().wanted[i] == "line") scratch.place.fields[i] = {FieldType::Text, line.text};
      if (scratch.isRepaired && options().wanted[i] == "$repaired") scratch.place.fields[i] = {FieldType::Boolean, "true"};
    }
    scratch.json.arena.clear();
    const std::size_t pairs = takePairs(line.text, scratch);
    if (pairs > 0 && !line.valid) return sink.onDefect(scratch.place, invalidEncoding());
    if (pairs > 0) return sink.onRow(scratch.place, 0);
    if (m_quarantineUnmatched) return sink.onDefect(scratch.place, unmatchedLine("no key=value form"));
    sink.onUnmatched(scratch.place);
    return true;
  }

  /// Returns the number of key=value pairs; the last of equal keys wins.
  std::size_t takePairs(std::string_view text, LineScratch& scratch) const {
    std::size_t pairs = 0, at = 0;
    while (at < text.size()) {
      if (isBlank(text[at])) {
        ++at;
        continue;
      }
      const std::size_t nameStart = at;
      while (at < text.size() && !isBlank(text[at]) && text[at] != '=') ++at;
      const std::string_view name = text.substr(nameStart, at - nameStart);
      if (at == text.size() || text[at] != '=') {
        set(name, {FieldType::Boolean, "true"}, scratch);
        continue;
      }
      ++at;
      const std::string_view value = takeValue(text, at, scratch.json.arena);
      if (name.empty()) continue;
      ++pairs;
      set(name, {FieldType::Text, value}, scratch);
    }
    return pairs;
  }

  static bool isBlank(char c) { return c == ' ' || c == '\t'; }

  static std::string_view takeValue(std::string_view text, std::size_t& at, Arena& arena) {
    const std::size_t start = at;
    if (at == text.size() || text[at] != '"') {
      while (at < text.size() && !isBlank(text[at])) ++at;
      return text.substr(start, at - start);
    }
    std::size_t end = start + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) {   // never closed: the text as it stands
      at = text.size();
      return text.substr(start);
    }
    at = end + 1;
    return unescaped(text.substr(start + 1, end - start - 1), arena);
  }

  static std::string_view unescaped(std::string_view inner, Arena& arena) {
    if (inner.find('\\') == std::string_view::npos) return inner;
    char* const out = arena.take(inner.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      char c = inner[i];
      if (c == '\\' && i + 1 < inner.size()) {
        c = inner[++i];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
        if (c == 'r') c = '\r';
      }
      out[size++] = c;
    }
    return {out, size};
  }

  void set(std::string_view name, FieldView value, LineScratch& scratch) const {
    for (std::size_t i = 0; i < options().wanted.size(); ++i) {
      if (options().wanted[i] == name) scratch.place.fields[i] = value;
    }
  }
  [[nodiscard]] bool isCutOff(std::string_view) const override { return false; }

  bool m_quarantineUnmatched;
};

}  // namespace

std::unique_ptr<TextReader> makeNdjsonReader(LineOptions options, const JsonNesting& nesting) {
  return std::make_unique<NdjsonReader>(std::move(options), nesting);
}

std::unique_ptr<TextReader> makeTranscodedReader(LineOptions options, const JsonNesting& nesting) {
  return std::make_unique<TranscodedReader>(std::move(options), nesting);
}

std::unique_ptr<TextReader> makePatternReader(LineOptions options,
                                              std::vector<std::shared_ptr<const Pattern>> patterns,
                                              bool quarantineUnmatched) {
  return std::make_unique<PatternReader>(std::move(options), std::move(patterns), quarantineUnmatched);
}

std::unique_ptr<TextReader> makeLogfmtReader(LineOptions options, bool quarantineUnmatched) {
  return std::make_unique<LogfmtReader>(std::move(options), quarantineUnmatched);
}

std::vector<std::string> patternColumns(const std::vector<std::shared_ptr<const Pattern>>& patterns) {
  std::vector<std::string> columns;
  for (const auto& pattern : patterns) {
    for (const std::string& name : pattern->groupNames()) {
      if (!name.empty() && std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
    }
  }
  if (std::find(columns.begin(), columns.end(), "line") == columns.end()) columns.emplace_back("line");
  return columns;
}

}  // namespace counterfoil
