// SPDX-License-Identifier: GPL-3.0-or-later
// What redis-cli prints without --json: the bare values, one a line, as it writes to a file; or
// numbered and in quotes, as it writes to a terminal. Neither says what the values are.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/text.h"
#include "importers/redis/dump_reader.h"
#include "importers/redis/value_cursor.h"
#include "importers/redis/values.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxFieldsCompared = 4096;
constexpr std::string_view kUseJson = "take it with redis-cli --json";

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// The text behind "12) " or "12# "; nothing: the line has no number.
std::optional<std::string_view> behindNumber(std::string_view line) {
  const std::size_t digits = line.find_first_not_of(' ');
  const std::size_t end = line.find_first_not_of("0123456789", std::min(digits, line.size()));
  if (digits == std::string_view::npos || end == std::string_view::npos || end == digits)
    return std::nullopt;
  if ((line[end] != ')' && line[end] != '#') || line.substr(end + 1, 1) != " ") return std::nullopt;
  return line.substr(end + 2);
}

bool isTypedItem(std::string_view text) {
  return startsWith(text, "\"") || startsWith(text, "(") || behindNumber(text).has_value();
}

/// "(empty array)" and what older versions say; "(nil)" of a key that is not there.
bool saysNothing(std::string_view line) {
  return startsWith(line, "(empty ") || line == "(nil)";
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char escaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    default:
      return c;
  }
}

/// Takes a text in quotes from the front of `rest`. False: there is none.
bool takeQuoted(std::string_view& rest, std::string& text) {
  text.clear();
  if (rest.empty() || rest.front() != '"') return false;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return true;
    }
    if (rest[i] != '\\') {
      text += rest[i];
      continue;
    }
    if (++i == rest.size()) return false;
    const int high = rest[i] == 'x' && i + 2 < rest.size() ? hexDigit(rest[i + 1]) : -1;
    const int low = high >= 0 ? hexDigit(rest[i + 2]) : -1;
    if (low < 0) {
      text += escaped(rest[i]);
    } else {
      text += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return false;
}

/// The values of an answer, one after the other.
class CliItems {
 public:
  explicit CliItems(ByteSource& source) : m_cursor(source) {}

  /// False: no more.
  Result<bool> next(Value& item) {
    if (m_second) {  // of a line of a hash
      item = std::move(*m_second);
      m_second.reset();
      return true;
    }
    if (m_isOver) return false;
    m_line = m_cursor.line();
    const Result<bool> read = m_cursor.lineText(m_text, kMaxElementBytes);
    if (!read) return fail(read.error());
    if (!*read) return false;
    if (m_count++ == 0) {
      if (const Result<> settled = settleForm(); !settled) return fail(settled.error());
      if (m_isOver) return false;
    }
    if (!m_isNumbered) {
      item = bytesOrText(m_text);
      return true;
    }
    return numbered(item);
  }
  /// Of the item given last.
  [[nodiscard]] std::uint64_t line() const { return m_line; }
  [[nodiscard]] std::uint64_t passed() const { return m_cursor.passed(); }
  /// "(integer) 7" alone: how many there are, not what they are.
  [[nodiscard]] bool isCount() const { return m_isCount; }
  /// A line that is a field and its value.
  [[nodiscard]] bool isHash() const { return m_isHash; }

 private:
  Result<> settleForm() {
    for (const std::string_view error : {"(error) ", "ERR ", "WRONGTYPE ", "NOAUTH ", "NOPERM "}) {
      if (startsWith(m_text, error))
        return fail(ErrorCode::Format,
                    "redis-cli answered with an error: " + forTerminal(m_text.substr(0, 200)));
    }
    m_isOver = saysNothing(m_text);
    if (startsWith(m_text, "(integer) ")) {
      m_text.erase(0, 10);
      m_isCount = true;
    }
    const std::optional<std::string_view> rest = behindNumber(m_text);
    m_isNumbered = rest && isTypedItem(*rest);
    return {};
  }

  Result<bool> numbered(Value& item) {
    const std::optional<std::string_view> behind = behindNumber(m_text);
    if (!behind) {
      if (trim(m_text).empty()) return next(item);
      return fail(fault("not numbered as the lines before it"));
    }
    std::string_view rest = *behind;
    if (behindNumber(rest)) {
      return fail(fault(fmt::format("an answer inside of an answer: {}", kUseJson)));
    }
    const Result<> taken = takeItem(rest, item);
    if (!taken) return fail(taken.error());
    if (startsWith(rest, " => ")) {
      rest.remove_prefix(4);
      m_isHash = true;
      m_second.emplace();
      if (const Result<> second = takeItem(rest, *m_second); !second) return fail(second.error());
    }
    if (!trim(rest).empty()) return fail(fault("more behind a value"));
    return true;
  }

  Result<> takeItem(std::string_view& rest, Value& item) {
    std::string text;
    if (takeQuoted(rest, text)) {
      item = bytesOrText(std::move(text));
      return {};
    }
    for (const std::string_view kind : {"(integer) ", "(double) "}) {
      if (!startsWith(rest, kind)) continue;
      rest.remove_prefix(kind.size());
      item = textValue(trim(rest));
      rest = {};
      return {};
    }
    if (!startsWith(rest, "(nil)")) return fail(fault("a value that is not closed"));
    item = Value();
    rest.remove_prefix(5);
    return {};
  }

  [[nodiscard]] Error fault(std::string_view what) const {
    return {ErrorCode::Format, fmt::format("line {}: {}", m_line, what)};
  }

  ValueCursor m_cursor;
  std::string m_text;
  std::optional<Value> m_second;
  std::uint64_t m_line = 1;
  std::uint64_t m_count = 0;  ///< of lines
  bool m_isNumbered = false;
  bool m_isCount = false;
  bool m_isHash = false;
  bool m_isOver = false;
};

/// What is seen of an answer, to tell what it is: first ones of pairs and second ones.
struct Seen {
  std::uint64_t count = 0;
  bool anyFirstJson = false, allFirstJson = true, firstsAreNames = true;
  bool anySecondJson = false, allSecondJson = true, secondsAreNumbers = true;
  std::set<std::string> firsts;

  void add(const Value& item) {
    const bool isJson = item.kind == Value::Kind::Text && isJsonContainer(item.text);
    if (count++ % 2 == 1) {
      anySecondJson = anySecondJson || isJson;
      allSecondJson = allSecondJson && isJson;
      secondsAreNumbers = secondsAreNumbers && plainScore(item.text).has_value();
      return;
    }
    anyFirstJson = anyFirstJson || isJson;
    allFirstJson = allFirstJson && isJson;
    const bool isName =
        !item.text.empty() && item.text.size() <= 256 && item.text.find(' ') == std::string::npos;
    const bool isNew =
        firsts.size() >= kMaxFieldsCompared || firsts.insert(item.text.substr(0, 256)).second;
    firstsAreNames = firstsAreNames && isName && isNew;
  }

  [[nodiscard]] Result<KeyType> type() const {
    const auto unclear = [](std::string_view why) {
      return fail(
          ErrorCode::Ambiguous,
          fmt::format(
              "{}; say what it is with \"type\" in the layout (hash, zset, list, set, string, "
              "count), or {}",
              why, kUseJson));
    };
    if (count == 0) return KeyType::None;
    if (count == 1) return unclear("one line may be a value or a number of elements");
    if (allFirstJson && allSecondJson) return KeyType::List;
    if (count % 2 == 1)
      return unclear("an odd number of lines are no pairs of a field and its value");
    if (secondsAreNumbers && anyFirstJson) return KeyType::Zset;
    if (!anyFirstJson && anySecondJson && firstsAreNames) return KeyType::Hash;
    return unclear(
        "the lines may be fields and their values, members and their scores, or elements");
  }
};

class CliText final : public DumpReader {
 public:
  CliText(std::unique_ptr<ByteSource> source, const std::string& name, KeyType type)
      : m_source(std::move(source)), m_items(*m_source), m_type(type) {
    key.line = 1;
    key.name = textValue(name);
    key.type = type;
    key.typeName = std::string(nameOf(type));
  }

  Result<Event> next() override {
    if (m_fault) return fail(*m_fault);
    Result<Event> event = step();
    if (!event) m_fault = event.error();
    return event;
  }
  void skipElements() override { m_skips = true; }
  [[nodiscard]] std::uint64_t passed() const override { return m_items.passed(); }

 private:
  Result<Event> step() {
    if (m_isOver) return Event::End;
    if (!m_isBegun) {
      m_isBegun = true;
      return Event::Key;
    }
    Value item;
    bool more = !m_skips;
    while (more) {
      const Result<bool> read = m_items.next(item);
      if (!read) return fail(read.error());
      more = *read;
      if (!more) break;
      const Result<std::optional<Event>> event = give(std::move(item));
      if (!event) return fail(event.error());
      if (*event) return **event;
    }
    return end();
  }

  Result<std::optional<Event>> give(Value item) {
    if (m_type == KeyType::String) {  // its lines
      if (m_text.size() + item.content().size() > kMaxElementBytes)
        return fail(ErrorCode::Limit,
                    fmt::format("a value of more than {} bytes", kMaxElementBytes));
      m_text += (m_hasFirst ? "\n" : "") + item.content();
      m_hasFirst = true;
      return std::optional<Event>();
    }
    const bool isPaired = m_type == KeyType::Hash || m_type == KeyType::Zset;
    if (isPaired && !m_hasFirst) {
      m_first = std::move(item);
      m_firstLine = m_items.line();
      m_hasFirst = true;
      return std::optional<Event>();
    }
    element = Element();
    element.line = isPaired ? m_firstLine : m_items.line();
    m_hasFirst = false;
    element.value = std::move(item);
    if (m_type == KeyType::Hash) element.field = std::move(m_first);
    if (m_type != KeyType::Zset) return std::optional(Event::Element);
    const std::optional<std::string> score = plainScore(element.value.text);
    if (!score)
      return fail(ErrorCode::Format,
                  fmt::format("line {}: a score that is no number", m_items.line()));
    element.score = *score;
    element.value = std::move(m_first);
    return std::optional(Event::Element);
  }

  Result<Event> end() {
    if (m_hasFirst && m_type == KeyType::String) {
      m_hasFirst = false;
      element = Element();
      element.line = 1;
      element.value = bytesOrText(std::move(m_text));
      m_skips = true;
      return Event::Element;
    }
    // A last blank line is the end of what was copied.
    if (m_hasFirst && !m_first.content().empty()) {
      return fail(ErrorCode::Format,
                  fmt::format("line {}: nothing beside it: the lines are no pairs, or a value "
                              "goes over several lines; {}",
                              m_firstLine, kUseJson));
    }
    m_isOver = true;
    return Event::KeyEnd;
  }

  std::unique_ptr<ByteSource> m_source;
  CliItems m_items;
  KeyType m_type;
  std::optional<Error> m_fault;
  Value m_first;
  std::uint64_t m_firstLine = 1;
  std::string m_text;
  bool m_hasFirst = false;
  bool m_isBegun = false;
  bool m_isOver = false;
  bool m_skips = false;
};

}  // namespace

std::unique_ptr<DumpReader> readCliText(std::unique_ptr<ByteSource> source, const std::string& key,
                                        KeyType type) {
  return std::make_unique<CliText>(std::move(source), key, type);
}

Result<KeyType> typeOfCliText(ByteSource& source) {
  CliItems items(source);
  Seen seen;
  Value item;
  bool lastIsBlank = false;
  while (true) {
    const Result<bool> more = items.next(item);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (lastIsBlank) seen.add(Value{Value::Kind::Text, {}, {}});
    lastIsBlank = item.content().empty();
    if (!lastIsBlank) seen.add(item);
  }
  if (items.isCount() && seen.count == 1) return KeyType::Count;
  if (items.isHash()) return KeyType::Hash;
  // A blank last line is a value where it makes a pair, else the end of what was copied.
  if (lastIsBlank && seen.count % 2 == 1) seen.add(Value{Value::Kind::Text, {}, {}});
  return seen.type();
}

}  // namespace counterfoil::redis
