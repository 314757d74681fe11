// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/log/log_text.h"

#include <algorithm>

#include "core/base/text.h"
#include "importers/log/log_wrapper.h"

namespace counterfoil::logs {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t'; }
bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@'; }
bool isNameByte(char c) { return isNameStart(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

std::size_t behindSpaces(std::string_view text, std::size_t at) {
  while (at < text.size() && isSpace(text[at])) ++at;
  return at;
}

/// The name of a pair that begins at `at`; blank if none does.
std::string_view pairNameAt(std::string_view text, std::size_t at) {
  if (at >= text.size() || !isNameStart(text[at])) return {};
  std::size_t end = at;
  while (end < text.size() && isNameByte(text[end])) ++end;
  return end < text.size() && text[end] == '=' ? text.substr(at, end - at) : std::string_view();
}

std::string_view unescaped(std::string_view inner, Arena& arena) {
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

/// The value at `at`, which moves behind it.
std::string_view takeValue(std::string_view text, std::size_t& at, PairStyle style, Arena& arena) {
  const std::size_t start = at;
  const bool isQuoted = at < text.size() && (text[at] == '"' || (style == PairStyle::Prose && text[at] == '\''));
  if (isQuoted) {
    std::size_t end = start + 1;
    while (end < text.size() && text[end] != text[start]) end += text[end] == '\\' ? 2 : 1;
    if (end < text.size()) {
      at = end + 1;
      return unescaped(text.substr(start + 1, end - start - 1), arena);
    }
  }
  while (at < text.size() && !isSpace(text[at])) ++at;
  std::string_view value = text.substr(start, at - start);
  static constexpr std::string_view kProse = ",;:)]}";
  while (style == PairStyle::Prose && !value.empty() && kProse.find(value.back()) != std::string_view::npos) {
    value.remove_suffix(1);
  }
  if (style == PairStyle::Prose && at == text.size() && value.size() > 1 && value.back() == '.') value.remove_suffix(1);
  return value;
}

/// One part of a line after the other, as long as they are what stands before a message.
class PrefixReader {
 public:
  explicit PrefixReader(std::string_view text) : m_text(text) {}

  Prefix read() {
    constexpr int kMostParts = 12;
    takeRubyLetter();
    for (int i = 0; i < kMostParts; ++i) {
      if (!takeTime() && !takeBracket() && !takeLevel() && !takePairsBeforeMessage()) break;
    }
    m_prefix.message = trim(m_text.substr(std::min(m_at, m_text.size())));
    return m_prefix;
  }

 private:
  [[nodiscard]] std::string_view rest() const { return m_text.substr(std::min(m_at, m_text.size())); }
  [[nodiscard]] bool knowsBoth() const { return !m_prefix.time.isBlank() && !m_prefix.level.empty(); }

  /// Signs and blanks behind a part.
  void passSigns() {
    static constexpr std::string_view kSigns = " \t:|-";
    while (m_at < m_text.size() && kSigns.find(m_text[m_at]) != std::string_view::npos) ++m_at;
  }
  void moveBehind(std::size_t end) {
    m_at = end;
    passSigns();
  }

  /// Ruby's own logger begins with "I, [time #pid]".
  void takeRubyLetter() {
    if (m_text.size() > 4 && m_text.substr(1, 3) == ", [") m_at = 3;
  }

  bool takeTime() {
    if (!m_prefix.time.isBlank()) return false;
    LogTime time;
    const std::size_t size = readLogTime(rest(), time);
    if (size == 0) return false;
    const std::size_t end = m_at + size;
    if (end < m_text.size() && isNameByte(m_text[end])) return false;   // part of a longer word
    m_prefix.time = time;
    moveBehind(end);
    return true;
  }

  bool takeLevel() {
    if (!m_prefix.level.empty()) return false;
    std::size_t end = m_at;
    while (end < m_text.size() && isNameStart(m_text[end])) ++end;
    const std::string_view word = m_text.substr(m_at, end - m_at);
    if (!isLevelWord(word) || (end < m_text.size() && !isSpace(m_text[end]) && m_text[end] != ':')) return false;
    m_prefix.level = word;
    moveBehind(end);
    return true;
  }

  /// "[…]" with a time or a level in it, or one that stands before such a one.
  bool takeBracket() {
    if (knowsBoth() || m_at >= m_text.size() || m_text[m_at] != '[') return false;
    const std::size_t close = m_text.find(']', m_at);
    if (close == std::string_view::npos) return false;
    if (!takeInside(m_text.substr(m_at + 1, close - m_at - 1)) && !isBeforeLevel(close + 1)) return false;
    moveBehind(close + 1);
    return true;
  }

  bool takeInside(std::string_view inside) {
    LogTime time;
    bool isTaken = false;
    if (m_prefix.time.isBlank()) {
      const std::size_t size = readLogTime(inside, time);
      if (size > 0) {
        m_prefix.time = time;
        isTaken = true;
        inside.remove_prefix(size);
      }
    }
    // Celery's "time: INFO/MainProcess"; Ruby's "time #pid" has its level behind the bracket.
    inside.remove_prefix(std::min(inside.size(), inside.find_first_not_of(": ")));
    const std::string_view word = inside.substr(0, inside.find_first_of("/ "));
    if (m_prefix.level.empty() && isLevelWord(word)) {
      m_prefix.level = word;
      isTaken = true;
    }
    return isTaken;
  }

  /// Whether, behind further brackets, one of a level follows.
  [[nodiscard]] bool isBeforeLevel(std::size_t at) const {
    constexpr int kMostBrackets = 6;
    for (int i = 0; i < kMostBrackets; ++i) {
      at = behindSpaces(m_text, at);
      if (at >= m_text.size() || m_text[at] != '[') return false;
      const std::size_t close = m_text.find(']', at);
      if (close == std::string_view::npos) return false;
      if (isLevelWord(m_text.substr(at + 1, close - at - 1))) return true;
      at = close + 1;
    }
    return false;
  }

  /// "pid=1 tid=k class=Job jid=ab " before "INFO: …", or before ": …" where the level is known.
  bool takePairsBeforeMessage() {
    std::size_t at = m_at;
    bool isAny = false, endsWithColon = false;
    while (!pairNameAt(m_text, at).empty()) {
      const std::size_t end = std::min(m_text.find(' ', at), m_text.size());
      isAny = true;
      endsWithColon = end > at && m_text[end - 1] == ':';
      at = behindSpaces(m_text, end);
    }
    if (!isAny) return false;
    const std::string_view word = m_text.substr(at, m_text.substr(std::min(at, m_text.size())).find(':'));
    const bool isBeforeMessage = m_prefix.level.empty() ? isLevelWord(word) : endsWithColon;
    if (!isBeforeMessage) return false;
    m_at = at;
    return true;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  Prefix m_prefix;
};

}  // namespace

Prefix readPrefix(std::string_view text) { return PrefixReader(trim(text)).read(); }

bool isLogfmt(std::string_view text) { return !pairNameAt(text, behindSpaces(text, 0)).empty(); }

void appendPairs(std::string_view text, PairStyle style, Arena& arena, std::vector<Pair>& out) {
  static constexpr std::string_view kOpening = "([{";
  if (text.find('=') == std::string_view::npos) return;
  std::size_t at = 0;
  while (at < text.size() && out.size() < kMaxPairs) {
    at = behindSpaces(text, at);
    if (style == PairStyle::Prose && at < text.size() && kOpening.find(text[at]) != std::string_view::npos) ++at;
    const std::string_view name = pairNameAt(text, at);
    if (name.empty()) {
      while (at < text.size() && !isSpace(text[at])) ++at;
      continue;
    }
    at += name.size() + 1;
    out.push_back({name, takeValue(text, at, style, arena)});
  }
}

std::vector<std::string_view> jsonTails(std::string_view text) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string_view> tails;
  text = trim(text);
  if (text.empty() || text.back() != '}') return tails;
  for (std::size_t at = text.find('{'); at != std::string_view::npos && tails.size() < kMost; at = text.find('{', at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", at + 1);
    if (next != std::string_view::npos && (text[next] == '"' || text[next] == '}')) tails.push_back(text.substr(at));
  }
  return tails;
}

}  // namespace counterfoil::logs
