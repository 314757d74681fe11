// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "importers/readers/json_row.h"

namespace counterfoil {

namespace {

constexpr std::size_t kBlockBytes = 256u << 10;

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool endsScalar(char c) { return isSpace(c) || c == ',' || c == ']' || c == '}'; }

/// Which brackets are open, one bit each.
class BracketStack {
 public:
  bool push(bool isObject) {
    if (m_depth == kMaxJsonDepth) return false;
    m_isObject[m_depth++] = isObject;
    return true;
  }
  bool pop(bool isObject) {
    if (m_depth == 0 || m_isObject[m_depth - 1] != isObject) return false;
    --m_depth;
    return true;
  }
  [[nodiscard]] bool isEmpty() const { return m_depth == 0; }

 private:
  bool m_isObject[kMaxJsonDepth] = {};
  int m_depth = 0;
};

}  // namespace

void JsonCursor::drop() {
  if (m_at < kBlockBytes) return;
  (void)line();
  m_buffer.erase(0, m_at);
  m_base += m_at;
  m_counted -= m_at;
  m_at = 0;
}

Result<bool> JsonCursor::fill() {
  if (m_ended) return false;
  const Result<std::size_t> got = m_source.read(m_buffer, kBlockBytes);
  if (!got) return fail(got.error());
  m_ended = *got == 0;
  return !m_ended;
}

std::uint64_t JsonCursor::line() {
  if (m_at > m_counted) {
    m_line += countByte(std::string_view(m_buffer).substr(m_counted, m_at - m_counted), '\n');
    m_counted = m_at;
  }
  return m_line;
}

Error JsonCursor::faultHere(std::string_view what) {
  return {ErrorCode::Format, fmt::format("line {}, byte {}: {}", line(), offset(), what)};
}

Error JsonCursor::cutOff() {
  m_at = m_buffer.size();
  return {ErrorCode::Format, fmt::format("cut off: the document ends in the middle, in line {} at byte {}", line(), offset())};
}

Result<std::optional<char>> JsonCursor::peek() {
  while (true) {
    while (m_at < m_buffer.size() && isSpace(m_buffer[m_at])) ++m_at;
    if (m_at < m_buffer.size()) return std::optional<char>(m_buffer[m_at]);
    drop();
    const Result<bool> more = fill();
    if (!more) return fail(more.error());
    if (!*more) return std::optional<char>();
  }
}

Result<char> JsonCursor::need() {
  const Result<std::optional<char>> next = peek();
  if (!next) return fail(next.error());
  if (!*next) return fail(cutOff());
  return **next;
}

Result<> JsonCursor::take(char expected) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != expected) return fail(faultHere(fmt::format("expected '{}'", expected)));
  ++m_at;
  return {};
}

namespace {

/// Follows a value by brackets and quotes only: the row's own parser is strict.
class ValueEnd {
 public:
  enum class State : std::uint8_t { Inside, Done, TooDeep, Mismatch };

  /// Looks at text[at...]; moves `at` behind what belongs to the value.
  State go(std::string_view text, std::size_t& at) {
    while (at < text.size()) {
      const State state = m_inString ? insideString(text, at) : outside(text[at], at);
      if (state != State::Inside) return state;
    }
    return State::Inside;
  }
  /// A scalar may end with the document.
  [[nodiscard]] bool mayEndHere() const { return !m_inString && m_open.isEmpty() && m_started; }

 private:
  State insideString(std::string_view text, std::size_t& at) {
    std::size_t next = at;   // a plain loop: find_first_of() calls a function for each character
    while (next < text.size() && text[next] != '"' && text[next] != '\\') ++next;
    if (next == text.size()) {
      at = next;
    } else if (text[next] == '\\') {
      at = next + 2;   // may lie behind the text: the escaped character comes with the next block
    } else {
      at = next + 1;
      m_inString = false;
      if (m_open.isEmpty()) return State::Done;
    }
    return State::Inside;
  }
  State outside(char c, std::size_t& at) {
    if (c == '}' || c == ']') {
      if (m_open.isEmpty()) return m_started ? State::Done : State::Mismatch;
      if (!m_open.pop(c == '}')) return State::Mismatch;
      ++at;
      return m_open.isEmpty() ? State::Done : State::Inside;
    }
    if (m_open.isEmpty() && m_started && endsScalar(c)) return State::Done;
    m_started = true;
    ++at;
    if (c == '"') {
      m_inString = true;
    } else if ((c == '{' || c == '[') && !m_open.push(c == '{')) {
      return State::TooDeep;
    }
    return State::Inside;
  }

  BracketStack m_open;
  bool m_inString = false;
  bool m_started = false;
};

}  // namespace

Result<> JsonCursor::passValue(std::string* text, std::size_t maxBytes) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next == ',' || *next == ':' || *next == ']' || *next == '}') return fail(faultHere("expected a value"));
  drop();
  ValueEnd value;
  std::size_t at = m_at;
  while (true) {
    const ValueEnd::State state = value.go(m_buffer, at);
    if (text != nullptr && at - m_at > maxBytes) {
      return fail(ErrorCode::Limit, fmt::format("line {}: a value of more than {} bytes", line(), maxBytes));
    }
    if (state == ValueEnd::State::Done) break;
    if (state == ValueEnd::State::TooDeep) return fail(faultHere(fmt::format("nested deeper than {}", kMaxJsonDepth)));
    if (state == ValueEnd::State::Mismatch) {
      m_at = at;
      return fail(faultHere("brackets do not match"));
    }
    if (text == nullptr) {
      const std::size_t ahead = at - m_buffer.size();
      m_at = m_buffer.size();
      drop();
      at = m_at + ahead;
    }
    const Result<bool> more = fill();
    if (!more) return fail(more.error());
    if (*more) continue;
    if (value.mayEndHere()) break;
    return fail(cutOff());
  }
  at = std::min(at, m_buffer.size());
  if (text != nullptr) text->assign(m_buffer, m_at, at - m_at);
  m_at = at;
  return {};
}

Result<> JsonCursor::value(std::string& text, std::size_t maxBytes) { return passValue(&text, maxBytes); }

Result<> JsonCursor::skipValue() { return passValue(nullptr, 0); }

Result<> JsonCursor::memberName(std::string& name, std::string& written) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != '"') return fail(faultHere("expected a member name in quotes"));
  std::string quoted;
  Result<> read = value(quoted, 64u << 10);
  if (!read) return read;
  Arena arena;
  std::vector<FieldView> fields;
  const JsonPaths itself(std::vector<std::string>{});
  if (const auto fault = parseJsonRow(quoted, itself, fields, arena)) return fail(faultHere(fault->message));
  written = quoted.substr(1, quoted.size() - 2);
  name = std::string(jsonUnescaped(written, arena));
  return take(':');
}

Result<bool> JsonCursor::another(char closing) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != ',' && *next != closing) return fail(faultHere(fmt::format("expected ',' or '{}'", closing)));
  ++m_at;
  return *next == ',';
}

Result<bool> JsonCursor::closesAtOnce(char closing) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != closing) return false;
  ++m_at;
  return true;
}

}  // namespace counterfoil
