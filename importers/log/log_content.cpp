// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/log/log_content.h"

#include <array>

#include "core/base/text.h"

namespace counterfoil::logs {

namespace {

// Names that every line is asked for; those of one meaning lie together, the first that is there counts.
constexpr std::array<std::string_view, 20> kExtras = {
    "msg", "message", "event",
    "ts", "time", "timestamp", "@timestamp", "asctime",
    "level", "lvl", "severity", "levelname",
    "log", "stream",
    "MESSAGE", "__REALTIME_TIMESTAMP", "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "CONTAINER_NAME", "_HOSTNAME"};
constexpr std::size_t kMessage = 0, kMessages = 3;
constexpr std::size_t kTime = 3, kTimes = 5;
constexpr std::size_t kLevel = 8, kLevels = 4;
constexpr std::size_t kDockerLog = 12, kDockerStream = 13, kDockerTime = 4;
constexpr std::size_t kJournalMessage = 14, kJournalTime = 15, kJournalUnit = 16, kJournalUnits = 3;
constexpr int kMostWrappings = 4;

std::vector<std::string> withExtras(std::vector<std::string> names) {
  names.insert(names.end(), kExtras.begin(), kExtras.end());
  return names;
}

bool isScalar(const FieldView& field) {
  return field.type == FieldType::Text || field.type == FieldType::Number || field.type == FieldType::Boolean;
}

std::string_view withoutLineEnd(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

int lackOf(const LogTime& time) {
  switch (time.lacks) {
    case LogTime::Lacks::Nothing: return 0;
    case LogTime::Lacks::Year: return 1;
    case LogTime::Lacks::Date: return 2;
  }
  return 0;
}

/// A time that a member holds: a text in a form that is known, or a number of seconds or the like.
LogTime timeOfValue(const FieldView& value, Arena& arena) {
  if (value.type == FieldType::Text) {
    if (const auto time = wholeLogTime(value.text)) return *time;
  }
  LogTime time;
  if (value.type == FieldType::Text || value.type == FieldType::Number) time.text = isoOfEpoch(value.text, arena);
  if (!time.isBlank()) {
    const auto full = wholeLogTime(time.text);
    return full ? *full : time;
  }
  return {};
}

}  // namespace

LogShape::LogShape(const std::vector<std::string>& wanted)
    : m_names(withExtras(wanted)), m_extras(wanted.size()), m_paths(m_names) {}

void LogShape::clear(LogContent& content) const {
  content.arena.clear();
  content.form = LogContent::Form::Text;
  content.line = {};
  content.message = content.level = {};
  content.pairs.clear();
  content.hasInner = content.hasOuter = content.hasSearched = false;
  content.prefixTime = {};
}

void LogShape::take(std::string_view line, LogContent& content) const {
  clear(content);
  content.line.text = line;
  unwrap(content);
  takeForm(content);
}

void LogShape::takeJoined(std::string_view first, std::string_view text, LogContent& content) const {
  clear(content);
  content.line.text = first;
  if (!unwrapJson(content)) (void)unwrapText(content.line);
  content.line.text = text;
  unwrap(content);
  takeForm(content);
}

std::string_view LogShape::pieceText(std::string_view line, LogContent& content) const {
  clear(content);
  content.line.text = line;
  if (!unwrapJson(content) && !unwrapText(content.line)) return {};
  return content.line.text;
}

void LogShape::unwrap(LogContent& content) const {
  for (int i = 0; i < kMostWrappings; ++i) {
    content.line.text = withoutColours(withoutLineEnd(content.line.text), content.arena);
    if (!unwrapJson(content) && !unwrapText(content.line)) break;
  }
  content.line.text = withoutColours(withoutLineEnd(content.line.text), content.arena);
}

/// Takes Docker's or journald's object off. Leaves `own` filled where the text is another object.
bool LogShape::unwrapJson(LogContent& content) const {
  content.form = LogContent::Form::Text;
  const std::string_view text = trim(content.line.text);
  if (text.empty() || text.front() != '{') return false;
  if (parseJsonRow(text, m_paths, content.own, content.arena)) {
    // A program's own braces are text; an object that is begun and not well ended is a line that was damaged.
    if (text.size() > 1 && text[1] == '"') content.form = LogContent::Form::BrokenJson;
    return false;
  }
  const FieldView log = extra(kDockerLog, content), stream = extra(kDockerStream, content);
  const FieldView journal = extra(kJournalMessage, content), micros = extra(kJournalTime, content);
  const bool isDocker = log.type == FieldType::Text && (stream.text == "stdout" || stream.text == "stderr");
  const bool isJournal = journal.type == FieldType::Text && !micros.isBlank();
  if (!isDocker && !isJournal) {
    content.form = LogContent::Form::Json;
    return false;
  }
  content.line.text = isDocker ? log.text : journal.text;
  const LogTime time = timeOfValue(isDocker ? extra(kDockerTime, content) : micros, content.arena);
  if (!time.isBlank()) content.line.time = time;
  const FieldView unit = firstOf(kJournalUnit, kJournalUnits, content);
  if (isJournal && !unit.isBlank()) content.line.origin = unit.text;
  std::swap(content.own, content.outer);
  content.hasOuter = true;
  return true;
}

void LogShape::takeForm(LogContent& content) const {
  if (content.form == LogContent::Form::Json) {
    content.message = withoutColours(firstOf(kMessage, kMessages, content).text, content.arena);
    content.level = firstOf(kLevel, kLevels, content).text;
    return;
  }
  const Prefix prefix = readPrefix(content.line.text);
  content.prefixTime = prefix.time;
  content.level = prefix.level;
  content.message = prefix.message;
  if (content.form == LogContent::Form::BrokenJson || !isLogfmt(content.line.text)) return;
  content.form = LogContent::Form::Logfmt;
  appendPairs(content.line.text, PairStyle::Logfmt, content.arena, content.pairs);
  const FieldView message = firstOf(kMessage, kMessages, content);
  if (!message.isBlank()) content.message = withoutColours(message.text, content.arena);
  const FieldView level = firstOf(kLevel, kLevels, content);
  if (!level.isBlank()) content.level = level.text;
}

/// What lies inside the text, or inside the message of an object.
void LogShape::search(LogContent& content) const {
  if (content.hasSearched) return;
  content.hasSearched = true;
  const bool isObject = content.form == LogContent::Form::Json;
  const std::string_view text = isObject ? content.message : content.line.text;
  for (const std::string_view tail : jsonTails(text)) {
    content.hasInner = !parseJsonRow(tail, m_paths, content.inner, content.arena);
    if (content.hasInner) break;
  }
  if (content.form != LogContent::Form::Logfmt && content.form != LogContent::Form::BrokenJson) {
    appendPairs(text, PairStyle::Prose, content.arena, content.pairs);
  }
}

FieldView LogShape::member(std::size_t i, LogContent& content) const {
  if (content.form == LogContent::Form::Json && content.own[i].type != FieldType::Absent) return content.own[i];
  search(content);
  if (content.hasInner && content.inner[i].type != FieldType::Absent) return content.inner[i];
  for (std::size_t p = content.pairs.size(); p > 0; --p) {   // the last of equal names counts
    if (content.pairs[p - 1].name == m_names[i]) return {FieldType::Text, content.pairs[p - 1].value};
  }
  return content.hasOuter ? content.outer[i] : FieldView();
}

/// Of the line itself: what it holds inside its message is no name of the line.
FieldView LogShape::extra(std::size_t place, const LogContent& content) const {
  if (content.form != LogContent::Form::Logfmt) return content.own[m_extras + place];
  for (std::size_t p = content.pairs.size(); p > 0; --p) {
    if (content.pairs[p - 1].name == kExtras[place]) return {FieldType::Text, content.pairs[p - 1].value};
  }
  return {};
}

FieldView LogShape::firstOf(std::size_t from, std::size_t count, const LogContent& content) const {
  for (std::size_t i = from; i < from + count; ++i) {
    const FieldView field = extra(i, content);
    if (isScalar(field) && !field.text.empty()) return field;
  }
  return {};
}

LogTime LogShape::timeOf(LogContent& content) const {
  if (!content.prefixTime.isBlank() && content.prefixTime.lacks == LogTime::Lacks::Nothing) return content.prefixTime;
  LogTime own = content.prefixTime;
  std::string_view asWritten;
  const bool hasMembers = content.form == LogContent::Form::Json || content.form == LogContent::Form::Logfmt;
  for (std::size_t i = kTime; hasMembers && own.isBlank() && i < kTime + kTimes; ++i) {
    const FieldView field = extra(i, content);
    if (!isScalar(field) || field.text.empty()) continue;
    own = timeOfValue(field, content.arena);
    if (asWritten.empty()) asWritten = field.text;
  }
  // What lacks least; of two alike the line's own.
  const LogTime& carrier = content.line.time;
  if (!own.isBlank() && (carrier.isBlank() || lackOf(own) <= lackOf(carrier))) return own;
  if (!carrier.isBlank()) return carrier;
  LogTime unknown;
  unknown.text = asWritten;
  return unknown;
}

}  // namespace counterfoil::logs
