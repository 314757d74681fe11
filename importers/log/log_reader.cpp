// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/log/log_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "importers/log/log_content.h"
#include "importers/mapping/log_lines.h"

namespace counterfoil {

namespace {

using logs::LogContent;
using logs::LogTime;
using logs::Piece;

constexpr std::size_t kMaxJoinedBytes = 1u << 20;   ///< of a line in pieces, and of all lines between its pieces
constexpr std::size_t kMaxJoinedLines = 4096;

constexpr std::string_view kNotJsonReason = "an object that is not valid JSON: the line was cut or damaged";

struct LogScratch : TextReader::Scratch {
  RowView place;
  LogContent content;
  logs::LastDate date;
  Arena converted;
  std::string repaired, joined;
  std::vector<std::string_view> groups;
  std::vector<std::size_t> joinedLines;   ///< starts of lines that were given with an earlier one
};

/// A line of a block.
struct Span {
  std::size_t start = 0, end = 0, next = 0;
};

class LogReader final : public TextReader {
 public:
  LogReader(LineOptions lines, LogOptions log) : m_lines(std::move(lines)), m_log(std::move(log)), m_shape(m_lines.wanted) {
    for (const std::string& name : m_lines.wanted) {
      m_columns.push_back(columnOf(name));
      std::vector<std::vector<std::size_t>> groups;
      for (const auto& pattern : m_log.patterns) groups.push_back(groupsNamed(*pattern, name));
      m_groups.push_back(std::move(groups));
    }
    for (const auto& pattern : m_log.patterns) m_patternHasTime.push_back(!groupsNamed(*pattern, "time").empty());
    m_wantsTime = std::find(m_columns.begin(), m_columns.end(), Column::Time) != m_columns.end();
    m_givesFaults = std::find(m_columns.begin(), m_columns.end(), Column::Fault) != m_columns.end();
  }

  [[nodiscard]] std::unique_ptr<Scratch> makeScratch() const override {
    auto scratch = std::make_unique<LogScratch>();
    scratch->place.fields.resize(m_lines.wanted.size());
    scratch->date = logs::LastDate(m_log.firstDate);
    return scratch;
  }
  [[nodiscard]] char lineEnd() const override { return '\n'; }
  [[nodiscard]] std::size_t likelyRowStart(std::string_view text, std::size_t from) const override {
    const std::size_t found = text.find('\n', from - 1);
    return found == std::string_view::npos ? text.size() : found + 1;
  }

  BlockOutcome parse(const TextBlock& block, RowSink& sink, Scratch& scratch) const override {
    auto& own = static_cast<LogScratch&>(scratch);
    std::size_t start = 0;
    while (start < block.text.size() && start < block.limit) {
      Span line;
      if (!findLine(block, start, line)) return notEnded(block, start, sink, own);
      if (line.next == line.end && isCutOff(block.text.substr(start), own)) return cutOff(block, line, sink, own);
      if (logs::pieceOf(textOf(block, line)).kind == Piece::Kind::Continued) {
        const std::optional<std::size_t> end = endOfPieces(block, start);
        if (!end) return notEnded(block, start, sink, own);
        if (!givePieces(block, start, *end, sink, own)) return {*end, false, false, true};
        start = *end;
        continue;
      }
      own.content.isInvalid = false;
      if (!giveLine(block, line, sink, own)) return {line.next, false, false, true};
      start = line.next;
    }
    return {start, false, false, false};
  }

 private:
  enum class Column : std::uint8_t { Member, Text, Message, Time, Level, Origin, Line, Fits, Fault };

  static Column columnOf(std::string_view name) {
    if (name == "text") return Column::Text;
    if (name == "message") return Column::Message;
    if (name == "time") return Column::Time;
    if (name == "level") return Column::Level;
    if (name == "origin") return Column::Origin;
    if (name == "line") return Column::Line;
    if (name == kLineFitsColumn) return Column::Fits;
    return name == kLineFaultColumn ? Column::Fault : Column::Member;
  }

  static std::vector<std::size_t> groupsNamed(const Pattern& pattern, const std::string& name) {
    std::vector<std::size_t> groups;
    const std::vector<std::string>& names = pattern.groupNames();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) groups.push_back(i);
    }
    return groups;
  }

  // Lines of a block.

  /// False: the line does not end in the block, and more may follow.
  static bool findLine(const TextBlock& block, std::size_t start, Span& line) {
    const void* const found = std::memchr(block.text.data() + start, '\n', block.text.size() - start);
    if (found == nullptr && !block.last) return false;
    const std::size_t size = block.text.size();
    line.start = start;
    line.end = found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - block.text.data()) : size;
    line.next = found != nullptr ? line.end + 1 : size;
    return true;
  }

  static std::string_view textOf(const TextBlock& block, const Span& line) {
    std::string_view text = block.text.substr(line.start, line.end - line.start);
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return text;
  }

  static void setPlace(RowView& row, const TextBlock& block, const Span& line) {
    row.offset = block.baseOffset + line.start;
    row.length = line.next - line.start;
    row.line = 0;
    row.raw = textOf(block, line);
  }

  static BlockOutcome notEnded(const TextBlock& block, std::size_t start, RowSink& sink, LogScratch& own) {
    if (block.text.size() - start <= kMaxRowBytes) return {start, true, false, false};
    setPlace(own.place, block, {start, block.text.size(), block.text.size()});
    RowDefect defect{"", "", "row_too_long", fmt::format("a line of more than {} bytes", kMaxRowBytes)};
    return {block.text.size(), false, true, !sink.onDefect(own.place, std::move(defect))};
  }

  /// Only an object shows that it was cut; a last line of text may be whole.
  bool isCutOff(std::string_view text, LogScratch& own) const {
    if (!isAscii(text)) return false;
    m_shape.take(trim(text), own.content);
    return own.content.form == LogContent::Form::BrokenJson;
  }

  static BlockOutcome cutOff(const TextBlock& block, const Span& line, RowSink& sink, LogScratch& own) {
    setPlace(own.place, block, line);
    RowDefect defect{"", "", "cut_off", "the file ends in the middle of this line: it was not written or copied in whole"};
    return {line.next, false, true, !sink.onDefect(own.place, std::move(defect))};
  }

  // Lines in pieces.

  /// Behind the line in which everything that was begun from `start` on has ended: rows are given from there
  /// only. Nothing: the block ends before.
  static std::optional<std::size_t> endOfPieces(const TextBlock& block, std::size_t start) {
    bool isOpen[2] = {false, false};
    std::size_t at = start;
    for (std::size_t count = 0; count < kMaxJoinedLines && at - start < kMaxJoinedBytes && at < block.text.size(); ++count) {
      Span line;
      if (!findLine(block, at, line)) return std::nullopt;
      const Piece piece = logs::pieceOf(textOf(block, line));
      if (piece.kind != Piece::Kind::None) isOpen[piece.isStderr ? 1 : 0] = piece.kind == Piece::Kind::Continued;
      at = line.next;
      if (!isOpen[0] && !isOpen[1]) return at;
    }
    const bool isAtBound = at < block.text.size() || block.last || at - start >= kMaxJoinedBytes;
    return isAtBound ? std::optional(at) : std::nullopt;
  }

  /// All rows of [start, end), in order of their first lines.
  bool givePieces(const TextBlock& block, std::size_t start, std::size_t end, RowSink& sink, LogScratch& own) const {
    own.joinedLines.clear();
    for (std::size_t at = start; at < end;) {
      Span line;
      if (!findLine(block, at, line)) return true;   // cannot be: the stretch ends with a line
      at = line.next;
      if (std::binary_search(own.joinedLines.begin(), own.joinedLines.end(), line.start)) continue;
      const Piece piece = logs::pieceOf(textOf(block, line));
      own.content.isInvalid = false;
      const bool goesOn = piece.kind == Piece::Kind::Continued
                              ? giveJoined(block, line, end, piece.isStderr, sink, own)
                              : giveLine(block, line, sink, own);
      if (!goesOn) return false;
    }
    return true;
  }

  bool giveJoined(const TextBlock& block, const Span& first, std::size_t end, bool isStderr, RowSink& sink,
                  LogScratch& own) const {
    own.joined.clear();
    appendPiece(block, first, own);
    for (std::size_t at = first.next; at < end;) {
      Span line;
      if (!findLine(block, at, line)) break;
      at = line.next;
      const Piece piece = logs::pieceOf(textOf(block, line));
      if (piece.kind == Piece::Kind::None || piece.isStderr != isStderr) continue;
      appendPiece(block, line, own);
      own.joinedLines.push_back(line.start);
      if (piece.kind == Piece::Kind::Last) break;
    }
    std::sort(own.joinedLines.begin(), own.joinedLines.end());
    setPlace(own.place, block, first);
    const std::string_view frame = converted(textOf(block, first), own);
    m_shape.takeJoined(frame, own.joined, own.content);
    return give(sink, own);
  }

  void appendPiece(const TextBlock& block, const Span& line, LogScratch& own) const {
    own.joined += m_shape.pieceText(converted(textOf(block, line), own), own.content);
  }

  // One line.

  bool giveLine(const TextBlock& block, const Span& line, RowSink& sink, LogScratch& own) const {
    const std::string_view text = textOf(block, line);
    if (trim(text).empty()) return true;
    setPlace(own.place, block, line);
    const std::string_view valid = converted(text, own);
    if (m_lines.footer != nullptr && m_lines.footer->fits(valid)) return true;
    m_shape.take(valid, own.content);
    return give(sink, own);
  }

  /// As valid UTF-8; marks the content where bytes had to be replaced.
  std::string_view converted(std::string_view text, LogScratch& own) const {
    if (isAscii(text)) return text;
    own.sawNonAscii = true;
    if (m_lines.encoding) {
      own.converted.clear();
      char* const out = own.converted.take(text.size() * 3);
      const SingleByteTable::Converted done = m_lines.encoding->convert(text, out);
      own.content.isInvalid = own.content.isInvalid || !done.complete;
      return {out, done.size};
    }
    const Utf8Check check = checkUtf8(text);
    if (check.firstInvalid == kNoPosition && check.incompleteTail == 0) return text;
    own.content.isInvalid = true;
    own.repaired = toValidUtf8(text);
    return own.repaired;
  }

  bool give(RowSink& sink, LogScratch& own) const {
    LogContent& content = own.content;
    LogTime time;
    if (m_log.keepsDate) {
      time = m_shape.timeOf(content);
      own.date.see(time);
      (void)own.date.complete(time, content.arena);
    }
    const std::size_t pattern = fittingPattern(own);
    const bool fits = pattern < m_log.patterns.size();
    const bool mayBeRow = fits || m_log.patterns.empty() || m_log.givesEveryLine;
    if (content.form == LogContent::Form::BrokenJson && mayBeRow) {
      return sink.onDefect(own.place, {"", "", "not_json", std::string(kNotJsonReason)});
    }
    const bool isNone = !fits && !m_log.givesEveryLine && !isRowByForm(content);
    if (isNone || isContinuation(content, pattern)) return unmatched(sink, own);
    if (m_wantsTime && !m_log.keepsDate) time = m_shape.timeOf(content);
    const std::string_view fault = faultOf(content, time);
    if (!fault.empty() && !m_givesFaults) return sink.onDefect(own.place, defectOf(fault));
    for (std::size_t i = 0; i < m_columns.size(); ++i) own.place.fields[i] = field(i, pattern, time, fault, own);
    return sink.onRow(own.place, 0);
  }

  /// Of a traceback or the like: text that nothing dates, and that does not even begin as dated lines do.
  [[nodiscard]] bool isContinuation(const LogContent& content, std::size_t pattern) const {
    if (!m_wantsTime || content.form != LogContent::Form::Text || !content.level.empty()) return false;
    if (!content.prefixTime.isBlank() || !content.line.time.isBlank() || !content.line.origin.empty()) return false;
    if (pattern < m_log.patterns.size() && m_patternHasTime[pattern]) return false;
    const char first = content.line.text.empty() ? ' ' : content.line.text.front();
    return first != '[' && (first < '0' || first > '9');
  }

  [[nodiscard]] bool isRowByForm(const LogContent& content) const {
    const bool isForm = content.form == LogContent::Form::Json || content.form == LogContent::Form::Logfmt;
    return m_log.patterns.empty() && isForm;
  }

  /// The number of the first pattern that fits the message or, if none does, the whole text. An object's other
  /// members are no text: conditions ask for them by name.
  std::size_t fittingPattern(LogScratch& own) const {
    const LogContent& content = own.content;
    const bool isSame = content.message.size() == content.line.text.size() ||
                        (content.form == LogContent::Form::Json && !content.message.empty());
    for (const std::string_view text : {content.message, content.line.text}) {
      for (std::size_t p = 0; p < m_log.patterns.size(); ++p) {
        if (m_log.patterns[p]->groups(text, own.groups)) return p;
      }
      if (isSame) break;
    }
    return m_log.patterns.size();
  }

  bool unmatched(RowSink& sink, LogScratch& own) const {
    if (m_log.quarantineUnmatched) {
      return sink.onDefect(own.place, {"", "", "unmatched_line",
                                       "the line is none of those that the layout names; correct the layout, or set "
                                       "\"unmatched\": \"pass\""});
    }
    sink.onUnmatched(own.place);
    return true;
  }

  /// The rule that the line breaks; blank if it breaks none.
  [[nodiscard]] std::string_view faultOf(const LogContent& content, const LogTime& time) const {
    if (content.isInvalid) return kInvalidLineRule;
    const bool lacksDate = m_wantsTime && !time.isBlank() && time.lacks != LogTime::Lacks::Nothing;
    return lacksDate ? kDateRule : std::string_view();
  }
  static RowDefect defectOf(std::string_view rule) {
    return {rule == kDateRule ? "time" : "", "", std::string(rule), std::string(reasonOfLineFault(rule))};
  }

  FieldView field(std::size_t i, std::size_t pattern, const LogTime& time, std::string_view fault, LogScratch& own) const {
    LogContent& content = own.content;
    if (pattern < m_log.patterns.size()) {
      for (const std::size_t group : m_groups[i][pattern]) {
        if (own.groups[group].data() != nullptr) return {FieldType::Text, own.groups[group]};
      }
    }
    switch (m_columns[i]) {
      case Column::Member: return m_shape.member(i, content);
      case Column::Text: return textField(content.line.text);
      case Column::Message: return textField(content.message);
      case Column::Time: return textField(time.text);
      case Column::Level: return textField(content.level);
      case Column::Origin:
        return content.line.origin.empty() ? m_shape.member(i, content) : textField(content.line.origin);
      case Column::Line: return textField(own.place.raw);
      case Column::Fits: return textField(pattern < m_log.patterns.size() ? "true" : "");
      case Column::Fault: return textField(fault);
    }
    return {};
  }
  static FieldView textField(std::string_view text) {
    return text.empty() ? FieldView() : FieldView{FieldType::Text, text};
  }

  LineOptions m_lines;
  LogOptions m_log;
  logs::LogShape m_shape;
  std::vector<Column> m_columns;
  std::vector<std::vector<std::vector<std::size_t>>> m_groups;   ///< by wanted column and pattern
  std::vector<bool> m_patternHasTime;
  bool m_wantsTime = false;
  bool m_givesFaults = false;   ///< the plan quarantines, so that the row is seen with its fields
};

}  // namespace

std::unique_ptr<TextReader> makeLogReader(LineOptions lines, LogOptions log) {
  return std::make_unique<LogReader>(std::move(lines), std::move(log));
}

bool hasTimesWithoutDate(std::string_view head) {
  const logs::LogShape shape(std::vector<std::string>{});
  LogContent content;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    shape.take(trim(line), content);
    const LogTime time = shape.timeOf(content);
    if (!time.isBlank() && time.lacks != LogTime::Lacks::Nothing) return true;
  }
  return false;
}

bool looksLikeLog(std::string_view head) {
  constexpr std::size_t kMostLines = 2000, kFewest = 5;
  const logs::LogShape shape(std::vector<std::string>{});
  LogContent content;
  std::size_t lines = 0, ofLog = 0;
  while (!head.empty() && lines < kMostLines) {
    const std::string_view raw = head.substr(0, head.find('\n'));
    const std::string_view line = trim(raw);
    head.remove_prefix(raw.size());
    head.remove_prefix(head.empty() ? 0 : 1);
    if (line.empty()) continue;
    const bool goesOn = raw.front() == ' ' || raw.front() == '\t';
    if (goesOn && ofLog > 0) continue;   // tracebacks may be most of a log
    ++lines;
    shape.take(line, content);
    const std::string_view text = content.line.text;
    const bool isWrapped = content.hasOuter || !content.line.time.isBlank() || !content.line.origin.empty();
    // Behind a time that begins a row of a table stands the table's sign.
    const std::size_t behind = text.find(content.prefixTime.text) + content.prefixTime.text.size();
    const bool isDated = !content.prefixTime.isBlank() && behind < text.size() && (text[behind] == ' ' || text[behind] == ']' || text[behind] == ':');
    ofLog += isWrapped || isDated || !content.level.empty() ? 1 : 0;
  }
  return ofLog > 0 && ofLog * kFewest >= lines;
}

std::string dateInName(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const auto isDigitAt = [&](std::size_t at) { return at < name.size() && name[at] >= '0' && name[at] <= '9'; };
  for (std::size_t at = 0; at + 8 <= name.size(); ++at) {
    if (at > 0 && isDigitAt(at - 1)) continue;
    const std::size_t sign = name[at + 4] == '-' || name[at + 4] == '_' || name[at + 4] == '.' ? 1 : 0;
    if (sign == 1 && (at + 10 > name.size() || name[at + 7] != name[at + 4])) continue;
    std::string date = fmt::format("{}-{}-{}", name.substr(at, 4), name.substr(at + 4 + sign, 2),
                                         name.substr(at + 6 + 2 * sign, 2));
    const bool isEnd = !isDigitAt(at + 8 + 2 * sign);
    if (isEnd && logs::wholeLogTime(date + "T00:00:00")) return date;
  }
  return {};
}

}  // namespace counterfoil
