// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/log/log_wrapper.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace counterfoil::logs {

namespace {

constexpr std::string_view kDockerStart = "{\"log\":\"";

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '-' || c == '_' || c == '.' || c == '/';
}

bool startsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// The first word, which is taken off together with one space behind it.
std::string_view takeWord(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  return word;
}

bool isName(std::string_view word) {
  constexpr std::size_t kMaxName = 255;
  return !word.empty() && word.size() <= kMaxName && std::all_of(word.begin(), word.end(), isNameByte);
}

/// "tag[123]:", "tag:": the tag's name, blank if it is none.
std::string_view tagOf(std::string_view word) {
  if (word.size() < 2 || word.back() != ':') return {};
  word.remove_suffix(1);
  if (word.back() == ']') {
    const std::size_t open = word.find('[');
    if (open == std::string_view::npos) return {};
    word = word.substr(0, open);
  }
  return isName(word) ? word : std::string_view();
}

/// "app[worker.1]:": the dyno, blank if it is none. A process number is none: that is a syslog tag.
std::string_view dynoOf(std::string_view word) {
  const std::size_t open = word.find('[');
  if (open == std::string_view::npos || word.size() < open + 4 || !isName(word.substr(0, open))) return {};
  if (word.substr(word.size() - 2) != "]:") return {};
  const std::string_view dyno = word.substr(open + 1, word.size() - open - 3);
  const bool isNumber = std::all_of(dyno.begin(), dyno.end(), isDigit);
  return isName(dyno) && !isNumber ? dyno : std::string_view();
}

/// "host tag[pid]: …" behind a time.
bool takeHostAndTag(std::string_view rest, LogLine& line) {
  const std::string_view host = takeWord(rest);
  if (!isName(host) || isLevelWord(host)) return false;
  const std::string_view tag = tagOf(takeWord(rest));
  if (tag.empty()) return false;
  line.origin = tag;
  line.text = rest;
  return true;
}

struct CriFrame {
  std::string_view text;
  Piece piece;
};

/// Behind the time: "stderr F …". Tags may follow the letter ("P:…").
bool takeCri(std::string_view rest, CriFrame& frame) {
  frame.piece.isStderr = startsWith(rest, "stderr ");
  if (!frame.piece.isStderr && !startsWith(rest, "stdout ")) return false;
  rest.remove_prefix(7);
  if (rest.empty() || (rest[0] != 'F' && rest[0] != 'P')) return false;
  if (rest.size() > 1 && rest[1] != ' ' && rest[1] != ':') return false;
  frame.piece.kind = rest[0] == 'P' ? Piece::Kind::Continued : Piece::Kind::Last;
  const std::size_t space = rest.find(' ');
  frame.text = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
  return true;
}

/// What begins with a date: CRI, Heroku, syslog as rsyslog and journald (short-iso) write it.
bool unwrapDated(LogLine& line) {
  LogTime time;
  const std::size_t end = readLogTime(line.text, time);
  if (end == 0 || end + 1 >= line.text.size() || line.text[end] != ' ') return false;
  const std::string_view rest = line.text.substr(end + 1);
  LogLine next = line;
  if (time.lacks == LogTime::Lacks::Nothing) {
    if (line.text[10] != 'T') return false;
    CriFrame frame;
    if (takeCri(rest, frame)) {
      line.text = frame.text;
      line.time = time;
      return true;
    }
    std::string_view behind = rest;
    const std::string_view dyno = dynoOf(takeWord(behind));
    if (!dyno.empty()) {
      line = {behind, time, dyno};
      return true;
    }
  } else if (time.lacks != LogTime::Lacks::Year) {
    return false;
  }
  if (!takeHostAndTag(rest, next)) return false;
  line = next;
  line.time = time;
  return true;
}

/// RFC 5424 behind its priority: "1 2026-…Z host app 123 id [data] …". Heroku's drains leave the data out.
bool unwrapModernSyslog(std::string_view rest, LogLine& line) {
  if (!startsWith(rest, "1 ")) return false;
  rest.remove_prefix(2);
  const std::optional<LogTime> time = wholeLogTime(takeWord(rest));
  if (!time) return false;
  (void)takeWord(rest);
  const std::string_view app = takeWord(rest);
  const std::string_view process = takeWord(rest);
  (void)takeWord(rest);
  const bool isDyno = !process.empty() && !isDigit(process.front()) && process != "-";
  line.origin = isDyno ? process : app;
  if (startsWith(rest, "[")) {
    const std::size_t close = rest.find("] ");
    rest = close == std::string_view::npos ? std::string_view() : rest.substr(close + 2);
  } else if (startsWith(rest, "- ")) {
    rest.remove_prefix(2);
  }
  if (startsWith(rest, "\xEF\xBB\xBF")) rest.remove_prefix(3);
  line.text = rest;
  line.time = *time;
  return true;
}

bool unwrapPriority(LogLine& line) {
  const std::size_t close = line.text.find('>');
  if (close == std::string_view::npos || close < 2 || close > 4) return false;
  const std::string_view digits = line.text.substr(1, close - 1);
  if (!std::all_of(digits.begin(), digits.end(), isDigit)) return false;
  const std::string_view rest = line.text.substr(close + 1);
  if (unwrapModernSyslog(rest, line)) return true;
  LogLine next = line;
  next.text = rest;
  if (!unwrapDated(next)) return false;
  line = next;
  return true;
}

/// "worker-1  | …", as docker-compose writes. A name of another form counts where what follows begins a line.
bool unwrapCompose(LogLine& line) {
  const std::size_t nameEnd = line.text.find_first_of(" |");
  if (nameEnd == std::string_view::npos || !isName(line.text.substr(0, nameEnd))) return false;
  const std::size_t bar = line.text.find_first_not_of(' ', nameEnd);
  if (bar == std::string_view::npos || bar == nameEnd || line.text[bar] != '|') return false;
  const std::string_view name = line.text.substr(0, nameEnd);
  std::string_view rest = line.text.substr(bar + 1);
  if (!rest.empty() && rest.front() != ' ') return false;
  rest.remove_prefix(rest.empty() ? 0 : 1);
  const std::size_t lastSign = name.find_last_of("-_");
  const bool isNumbered = lastSign != std::string_view::npos && lastSign + 1 < name.size() &&
                          std::all_of(name.begin() + static_cast<std::ptrdiff_t>(lastSign) + 1, name.end(), isDigit);
  LogTime time;
  const bool beginsLine = !rest.empty() && (rest.front() == '{' || rest.front() == '[' || readLogTime(rest, time) > 0);
  if (!isNumbered && !beginsLine) return false;
  line.text = rest;
  line.origin = name;
  return true;
}

/// "[pod/worker-5d4/worker] …".
bool unwrapPod(LogLine& line) {
  if (!startsWith(line.text, "[pod/")) return false;
  const std::size_t close = line.text.find("] ");
  if (close == std::string_view::npos || !isName(line.text.substr(1, close - 1))) return false;
  line.origin = line.text.substr(5, close - 5);
  line.text.remove_prefix(close + 2);
  return true;
}

Piece pieceOfCri(std::string_view line) {
  LogTime time;
  const std::size_t end = readLogTime(line, time);
  CriFrame frame;
  if (end == 0 || end >= line.size() || line[end] != ' ' || line[10] != 'T') return {};
  return takeCri(line.substr(end + 1), frame) ? frame.piece : Piece();
}

/// Docker cuts after 16 KiB and ends a text that is whole with a line feed. Others that write the same frame leave
/// the line feed out.
Piece pieceOfDocker(std::string_view line) {
  static constexpr std::string_view kStream = "\",\"stream\":\"std";
  constexpr std::size_t kCutBytes = 16u << 10;
  const std::size_t end = line.rfind(kStream);
  if (end == std::string_view::npos || end < kDockerStart.size() || end + kStream.size() + 3 > line.size()) return {};
  Piece piece;
  piece.isStderr = line[end + kStream.size()] == 'e';
  std::size_t slashes = 0;
  while (slashes + 2 <= end && line[end - 2 - slashes] == '\\') ++slashes;
  const bool isEnded = line[end - 1] == 'n' && slashes % 2 == 1;
  piece.kind = isEnded || end - kDockerStart.size() < kCutBytes ? Piece::Kind::Last : Piece::Kind::Continued;
  return piece;
}

}  // namespace

bool isLevelWord(std::string_view word) {
  static constexpr std::array<std::string_view, 14> kLevels = {"TRACE",  "DEBUG", "INFO",  "NOTICE", "WARN",
                                                               "WARNING", "ERROR", "FATAL", "CRITICAL", "SEVERE",
                                                               "PANIC",  "ERR",   "CRIT",  "ALERT"};
  if (word.size() < 3 || word.size() > 8) return false;
  return std::any_of(kLevels.begin(), kLevels.end(), [&](std::string_view level) { return equalsIgnoreCase(level, word); });
}

bool unwrapText(LogLine& line) {
  if (line.text.empty()) return false;
  const char first = line.text.front();
  if (isDigit(first)) return unwrapDated(line) || unwrapCompose(line);
  if (first == '<') return unwrapPriority(line);
  if (first == '[') return unwrapPod(line);
  if (first >= 'A' && first <= 'Z' && unwrapDated(line)) return true;
  return isNameByte(first) && unwrapCompose(line);
}

std::string_view withoutColours(std::string_view text, Arena& arena) {
  if (text.find('\x1B') == std::string_view::npos) return text;
  char* const start = arena.take(text.size());
  char* out = start;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1B') {
      *out++ = text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '[') {   // ends with a letter
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else if (i + 1 < text.size() && text[i + 1] == ']') {   // a title or a link: up to the bell or ESC \.
      i += 2;
      while (i < text.size() && text[i] != '\a' && text[i] != '\x1B') ++i;
      if (i + 1 < text.size() && text[i] == '\x1B') ++i;
    } else {
      ++i;
    }
  }
  return {start, static_cast<std::size_t>(out - start)};
}

Piece pieceOf(std::string_view line) {
  if (line.empty()) return {};
  if (isDigit(line.front())) return pieceOfCri(line);
  return startsWith(line, kDockerStart) ? pieceOfDocker(line) : Piece();
}

}  // namespace counterfoil::logs
