// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/redis/value_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "importers/readers/json_row.h"
#include "importers/readers/text_reader.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kBlockBytes = 256u << 10;

/// Where a quote, a backslash or a control character is; eight bytes at a time over what needs no
/// look.
std::size_t behindPlain(std::string_view text, std::size_t at) {
  constexpr std::uint64_t ones = 0x0101010101010101ull, highs = 0x8080808080808080ull;
  while (text.size() - at >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    const std::uint64_t quote = word ^ (ones * '"');
    const std::uint64_t slash = word ^ (ones * '\\');
    const std::uint64_t hit =
        ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * 0x20) & ~word);
    if ((hit & highs) != 0) break;
    at += 8;
  }
  while (at < text.size() && text[at] != '"' && text[at] != '\\' &&
         static_cast<unsigned char>(text[at]) >= 0x20)
    ++at;
  return at;
}

/// Follows a value by brackets and quotes; what it consists of is judged by the row parser.
class ValueEnd {
 public:
  enum class State : std::uint8_t { Inside, Done, TooDeep, Mismatch, LineEnd };

  ValueEnd(bool oneLine, bool isName) : m_oneLine(oneLine), m_isName(isName) {}

  /// Moves `at` behind what belongs to the value.
  State go(std::string_view text, std::size_t& at) {
    while (at < text.size()) {
      const State state = m_inString ? insideString(text, at) : outside(text[at], at);
      if (state != State::Inside) return state;
    }
    return State::Inside;
  }
  /// A scalar may end with the text.
  [[nodiscard]] bool mayEndHere() const { return !m_inString && m_depth == 0 && m_started; }

 private:
  State insideString(std::string_view text, std::size_t& at) {
    if (m_escaped) {  // the backslash was the last byte there was
      m_escaped = false;
      if (m_oneLine && text[at] == '\n') return State::LineEnd;
      ++at;
      return State::Inside;
    }
    at = behindPlain(text, at);
    if (at == text.size()) return State::Inside;
    if (text[at] == '\n' && m_oneLine) return State::LineEnd;
    if (text[at] != '"' && text[at] != '\\') {  // what is wrong with it is told by the row parser
      ++at;
      return State::Inside;
    }
    m_escaped = text[at] == '\\';
    m_inString = m_escaped;
    ++at;
    return m_inString || m_depth > 0 ? State::Inside : State::Done;
  }

  State outside(char c, std::size_t& at) {
    if (c == '\n' && m_oneLine && m_depth > 0) return State::LineEnd;
    if (c == '}' || c == ']') return closing(c == '}', at);
    if (m_depth == 0 && m_started && endsScalar(c)) return State::Done;
    m_started = true;
    ++at;
    m_inString = c == '"';
    if (c != '{' && c != '[') return State::Inside;
    if (m_depth == kMaxJsonDepth) return State::TooDeep;
    m_isObject[m_depth++] = c == '{';
    return State::Inside;
  }
  State closing(bool isObject, std::size_t& at) {
    if (m_depth == 0) return m_started ? State::Done : State::Mismatch;
    if (m_isObject[m_depth - 1] != isObject) return State::Mismatch;
    ++at;
    return --m_depth == 0 ? State::Done : State::Inside;
  }
  [[nodiscard]] bool endsScalar(char c) const {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || (m_isName && c == ':');
  }

  bool m_isObject[kMaxJsonDepth] = {};
  int m_depth = 0;
  bool m_oneLine;
  bool m_isName;
  bool m_inString = false;
  bool m_escaped = false;
  bool m_started = false;
};

}  // namespace

void ValueCursor::drop() {
  if (m_at < kBlockBytes) return;
  (void)line();
  m_buffer.erase(0, m_at);
  m_base += m_at;
  m_counted -= m_at;
  m_at = 0;
}

Result<bool> ValueCursor::fill() {
  if (m_ended) return false;
  const Result<std::size_t> got = m_source.read(m_buffer, kBlockBytes);
  if (!got) return fail(got.error());
  m_ended = *got == 0;
  return !m_ended;
}

std::uint64_t ValueCursor::line() {
  if (m_at > m_counted) {
    const std::string_view passed(m_buffer.data() + m_counted, m_at - m_counted);
    m_line += countByte(passed, '\n');
    m_counted = m_at;
  }
  return m_line;
}

std::string_view ValueCursor::ahead(std::size_t most) {
  while (m_buffer.size() - m_at < most) {
    const Result<bool> more = fill();
    if (!more || !*more) break;  // a fault is met again
  }
  const std::string_view text = std::string_view(m_buffer).substr(m_at, most);
  return text.substr(0, text.find('\n'));
}

Error ValueCursor::faultHere(std::string_view what) {
  return {ErrorCode::Format, fmt::format("line {}, byte {}: {}", line(), m_base + m_at, what)};
}

Error ValueCursor::endFault() {
  m_at = m_buffer.size();
  return faultHere("the text ends in the middle of a value");
}

Result<std::optional<char>> ValueCursor::peek() {
  while (true) {
    while (m_at < m_buffer.size() && isBlank(m_buffer[m_at])) ++m_at;
    if (m_at < m_buffer.size()) return std::optional<char>(m_buffer[m_at]);
    drop();
    const Result<bool> more = fill();
    if (!more) return fail(more.error());
    if (!*more) return std::optional<char>();
  }
}

Result<std::optional<char>> ValueCursor::peekInLine() {
  const bool before = m_oneLine;
  m_oneLine = true;
  const Result<std::optional<char>> next = peek();
  m_oneLine = before;
  return next;
}

Result<char> ValueCursor::need() {
  const Result<std::optional<char>> next = peek();
  if (!next) return fail(next.error());
  if (!*next) return fail(endFault());
  return **next;
}

Result<> ValueCursor::take(char expected) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != expected) return fail(faultHere(fmt::format("expected '{}'", expected)));
  ++m_at;
  return {};
}

Result<> ValueCursor::pass(std::string* text, std::size_t maxBytes, bool isName) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (std::string_view(",:]}\n").find(*next) != std::string_view::npos)
    return fail(faultHere("expected a value"));
  drop();
  ValueEnd value(m_oneLine, isName);
  std::size_t at = m_at;
  while (true) {
    const ValueEnd::State state = value.go(m_buffer, at);
    if (text != nullptr && at - m_at > maxBytes) {
      return fail(ErrorCode::Limit,
                  fmt::format("line {}: a value of more than {} bytes", line(), maxBytes));
    }
    if (state == ValueEnd::State::Done) break;
    if (state != ValueEnd::State::Inside) {
      m_at = at;
      if (state == ValueEnd::State::TooDeep) return fail(faultHere("nested too deep"));
      return fail(faultHere(state == ValueEnd::State::LineEnd
                                ? "the line ends in the middle of a value"
                                : "brackets do not match"));
    }
    if (text == nullptr) {
      m_at = m_buffer.size();
      drop();
      at = m_at;
    }
    const Result<bool> more = fill();
    if (!more) return fail(more.error());
    if (*more) continue;
    if (value.mayEndHere()) break;
    return fail(endFault());
  }
  if (text != nullptr) text->assign(m_buffer, m_at, at - m_at);
  m_at = at;
  return {};
}

Result<> ValueCursor::value(std::string& text, std::size_t maxBytes) {
  return pass(&text, maxBytes, false);
}

Result<> ValueCursor::skipValue() {
  return pass(nullptr, 0, false);
}

Result<> ValueCursor::name(std::string& text, std::size_t maxBytes) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  const bool isNumber = *next == '-' || (*next >= '0' && *next <= '9');
  if (*next != '"' && !isNumber) return fail(faultHere("expected a member name in quotes"));
  const Result<> read = pass(&text, maxBytes, true);
  if (!read) return read;
  return take(':');
}

Result<bool> ValueCursor::another(char closing) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != ',' && *next != closing)
    return fail(faultHere(fmt::format("expected ',' or '{}'", closing)));
  ++m_at;
  return *next == ',';
}

Result<bool> ValueCursor::closesAtOnce(char closing) {
  const Result<char> next = need();
  if (!next) return fail(next.error());
  if (*next != closing) return false;
  ++m_at;
  return true;
}

Result<bool> ValueCursor::skipLine() {
  while (true) {
    const std::size_t end = m_buffer.find('\n', m_at);
    m_at = end == std::string::npos ? m_buffer.size() : end + 1;
    if (end != std::string::npos) return true;
    drop();
    const Result<bool> more = fill();
    if (!more) return fail(more.error());
    if (!*more) return false;
  }
}

Result<bool> ValueCursor::lineText(std::string& text, std::size_t maxBytes) {
  drop();
  std::size_t end = m_buffer.find('\n', m_at);
  while (end == std::string::npos) {
    if (m_buffer.size() - m_at > maxBytes) break;
    const std::size_t looked = m_buffer.size();
    const Result<bool> more = fill();
    if (!more) return fail(more.error());
    if (!*more) break;
    end = m_buffer.find('\n', looked);
  }
  const bool isEnded = end != std::string::npos;
  if (!isEnded) end = m_buffer.size();
  if (end - m_at > maxBytes) {
    return fail(ErrorCode::Limit, fmt::format("line {}: longer than {} bytes", line(), maxBytes));
  }
  if (!isEnded && end == m_at) return false;
  text.assign(m_buffer, m_at, end - m_at);
  if (!text.empty() && text.back() == '\r') text.pop_back();
  m_at = isEnded ? end + 1 : end;
  return true;
}

}  // namespace counterfoil::redis
