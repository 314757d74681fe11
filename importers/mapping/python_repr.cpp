// SPDX-License-Identifier: GPL-3.0-or-later
// Python literals. A recursive descent with a depth bound; every byte is looked at once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/utf8.h"
#include "importers/mapping/decoders.h"

namespace counterfoil {

namespace {

constexpr std::uint32_t kMaxDepth = 64;
constexpr std::size_t kMaxBytes = 16u << 20;
constexpr std::size_t kMaxValues = 1u << 18;
constexpr std::uint32_t kCutOff =
    0;  // as the line of a node: nodes of rows have no line of their own

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || isDigit(c);
}

JsonNode textNode(std::string text) {
  JsonNode node;
  node.type = JsonNode::Type::String;
  // A shortened string ends in three dots inside its quotes: it must not pass for the whole.
  if (text.size() >= 3 && text.compare(text.size() - 3, 3, "...") == 0) node.line = kCutOff;
  node.text = std::move(text);
  return node;
}

JsonNode plainNode(JsonNode::Type type, std::string_view text) {
  JsonNode node;
  node.type = type;
  node.text = text;
  return node;
}

class ReprParser {
 public:
  explicit ReprParser(std::string_view text) : m_text(text) {}

  Result<JsonNode> parse() {
    auto node = value(0);
    if (!node) return node;
    skipBlanks();
    if (m_at < m_text.size()) return wrong("more text after the value");
    return node;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view what) const {
    return fail(ErrorCode::Format,
                fmt::format("not a Python literal at character {}: {}", m_at + 1, what));
  }
  [[nodiscard]] tl::unexpected<Error> cutOff() {
    m_isCut = true;
    return fail(ErrorCode::Format, "the Python literal is cut off");
  }
  /// Where the text was cut inside of a list or a dict, that keeps what stands wholly before the cut.
  bool keepsWhatItHas(JsonNode& node) {
    if (!m_isCut) return false;
    node.line = kCutOff;
    m_at = m_text.size();
    return true;
  }
  [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
  [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
  void skipBlanks() {
    while (!atEnd() && (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t'))
      ++m_at;
  }
  bool take(std::string_view word) {
    if (m_text.substr(m_at, word.size()) != word) return false;
    m_at += word.size();
    return true;
  }

  Result<JsonNode> value(std::uint32_t depth) {
    if (depth > kMaxDepth) return wrong("nested too deep");
    if (++m_values > kMaxValues) return wrong("too many values");
    skipBlanks();
    if (atEnd()) return cutOff();
    const char c = peek();
    if (c == '[') return sequence(']', depth);
    if (c == '(') return sequence(')', depth);
    if (c == '{') return braces(depth);
    if (c == '\'' || c == '"') return quoted(false);
    if (isDigit(c) || c == '-' || c == '+' || (c == '.' && m_text.substr(m_at, 3) != "..."))
      return number(depth);
    if (c == '.') return cutOff();
    if (c == '<') return angled();
    return named(depth);
  }

  Result<JsonNode> sequence(char close, std::uint32_t depth) {
    ++m_at;
    JsonNode node;
    node.type = JsonNode::Type::Array;
    if (auto ok = elements(close, depth, node); !ok && !keepsWhatItHas(node)) return fail(ok.error());
    return node;
  }

  Result<> elements(char close, std::uint32_t depth, JsonNode& node) {
    for (;;) {
      skipBlanks();
      if (atEnd()) return cutOff();
      if (peek() == close) break;
      if (take("...")) {
        node.line = kCutOff;
        continue;
      }
      auto item = value(depth + 1);
      if (!item) return fail(item.error());
      node.items.push_back(std::move(*item));
      if (auto ok = separator(close); !ok) return ok;
    }
    ++m_at;
    return {};
  }

  Result<> separator(char close) {
    skipBlanks();
    if (atEnd()) return cutOff();
    if (peek() == ',') {
      ++m_at;
      return {};
    }
    if (peek() == close) return {};
    return wrong("a comma is missing");
  }

  /// A dict, or a set (read as an array).
  Result<JsonNode> braces(std::uint32_t depth) {
    ++m_at;
    JsonNode node;
    node.type = JsonNode::Type::Object;
    if (auto ok = members(depth, node); !ok && !keepsWhatItHas(node)) return fail(ok.error());
    return node;
  }

  Result<> members(std::uint32_t depth, JsonNode& node) {
    std::unordered_set<std::string> names;
    for (;;) {
      skipBlanks();
      if (atEnd()) return cutOff();
      if (peek() == '}') break;
      if (take("...")) {
        node.line = kCutOff;
        continue;
      }
      if (auto ok = member(node, names, depth); !ok) return ok;
    }
    ++m_at;
    return {};
  }

  Result<> member(JsonNode& node, std::unordered_set<std::string>& names, std::uint32_t depth) {
    auto name = value(depth + 1);
    if (!name) return fail(name.error());
    skipBlanks();
    if (atEnd()) return cutOff();
    if (peek() != ':') {
      if (!node.members.empty()) return wrong("a colon is missing");
      node.type = JsonNode::Type::Array;
      node.items.push_back(std::move(*name));
      return separator('}');
    }
    ++m_at;
    auto item = value(depth + 1);
    if (!item) return fail(item.error());
    if (node.type == JsonNode::Type::Array) return wrong("a set with a colon");
    if (!names.insert(name->text).second) return wrong("a member is given twice");
    node.members.emplace_back(std::move(name->text), std::move(*item));
    return separator('}');
  }

  Result<JsonNode> quoted(bool raw) {
    const char quote = m_text[m_at++];
    std::string out;
    while (!atEnd()) {
      const char c = m_text[m_at++];
      if (c == quote) return textNode(std::move(out));
      if (c != '\\' || raw) {
        out += c;
        continue;
      }
      if (atEnd()) break;
      if (auto ok = escape(out); !ok) return fail(ok.error());
    }
    return cutOff();
  }

  Result<> escape(std::string& out) {
    const char c = m_text[m_at++];
    switch (c) {
      case 'n':
        out += '\n';
        return {};
      case 't':
        out += '\t';
        return {};
      case 'r':
        out += '\r';
        return {};
      case 'a':
        out += '\a';
        return {};
      case 'b':
        out += '\b';
        return {};
      case 'f':
        out += '\f';
        return {};
      case 'v':
        out += '\v';
        return {};
      case '\\':
      case '\'':
      case '"':
        out += c;
        return {};
      case '\n':
        return {};
      case 'x':
        return codePoint(2, out);
      case 'u':
        return codePoint(4, out);
      case 'U':
        return codePoint(8, out);
      default:
        break;
    }
    if (c < '0' || c > '7') return wrong("an escape that is not known");
    std::uint32_t code = static_cast<std::uint32_t>(c - '0');
    for (int i = 0; i < 2 && peek() >= '0' && peek() <= '7'; ++i) {
      code = code * 8 + static_cast<std::uint32_t>(m_text[m_at++] - '0');
    }
    appendUtf8(out, static_cast<char32_t>(code));
    return {};
  }

  Result<> codePoint(std::size_t digits, std::string& out) {
    if (m_text.size() - m_at < digits) return cutOff();
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const char c = m_text[m_at++];
      const std::string_view kDigits = "0123456789abcdef";
      const std::size_t value = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (value == std::string_view::npos) return wrong("an escape with too few digits");
      code = code * 16 + static_cast<std::uint32_t>(value);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
      return wrong("an escape that is no character");
    appendUtf8(out, static_cast<char32_t>(code));
    return {};
  }

  Result<JsonNode> number(std::uint32_t depth) {
    const std::size_t begin = m_at;
    if (peek() == '-' || peek() == '+') ++m_at;
    if (take("inf") || take("nan")) return plainNode(JsonNode::Type::Null, {});
    while (isDigit(peek())) ++m_at;
    if (peek() == '.' && m_text.substr(m_at, 3) != "...") ++m_at;
    while (isDigit(peek())) ++m_at;
    if (peek() == 'e' || peek() == 'E') {
      ++m_at;
      if (peek() == '-' || peek() == '+') ++m_at;
      if (!isDigit(peek())) return atEnd() ? cutOff() : wrong("a number without its exponent");
      while (isDigit(peek())) ++m_at;
    }
    if (m_at == begin || !isDigit(m_text[m_at - 1])) {
      if (m_at == begin || m_text[m_at - 1] != '.') return wrong("a number without digits");
    }
    if (depth > 0 && atEnd()) return cutOff();   // there may have been more digits
    JsonNode node = plainNode(JsonNode::Type::Number, m_text.substr(begin, m_at - begin));
    if (take("...")) node.line = kCutOff;
    (void)take("L");   // a long number of Python 2
    if (isNameChar(peek())) return wrong("a number that does not end");
    return node;
  }

  /// <Order: 5>, as text.
  Result<JsonNode> angled() {
    const std::size_t begin = m_at;
    std::size_t open = 0;
    do {
      if (atEnd()) return cutOff();
      const char c = m_text[m_at++];
      open += c == '<' ? 1 : 0;
      open -= c == '>' ? 1 : 0;
    } while (open > 0);
    const std::string_view text = m_text.substr(begin, m_at - begin);
    JsonNode node = textNode(std::string(text));
    if (text.size() > 4 && text.substr(text.size() - 4) == "...>") node.line = kCutOff;
    return node;
  }

  /// None, True, False, b'…', and the constructors whose repr is a call with a literal.
  Result<JsonNode> named(std::uint32_t depth) {
    const bool isPrefix = peek() == 'b' || peek() == 'u';
    if (isPrefix && m_at + 1 < m_text.size() && (m_text[m_at + 1] == '\'' || m_text[m_at + 1] == '"')) {
      ++m_at;
      return quoted(false);
    }
    const std::size_t begin = m_at;
    while (isNameChar(peek())) ++m_at;
    const std::string_view name = m_text.substr(begin, m_at - begin);
    if (depth > 0 && atEnd()) return cutOff();   // there may have been more of it
    if (name == "None") return plainNode(JsonNode::Type::Null, {});
    if (name == "True") return plainNode(JsonNode::Type::Boolean, "true");
    if (name == "False") return plainNode(JsonNode::Type::Boolean, "false");
    if (name == "nan" || name == "inf") return plainNode(JsonNode::Type::Null, {});
    if (atEnd()) return name.empty() ? wrong("no value") : cutOff();
    if (peek() != '(' && m_calls > 0 && !name.empty()) return textNode(std::string(name));
    if (peek() != '(') return wrong(fmt::format("'{}' is no literal", name.substr(0, 40)));
    if (name == "Decimal" || name == "decimal.Decimal" || name == "UUID" || name == "uuid.UUID")
      return wrapped(depth);
    if (name == "datetime.datetime" || name == "datetime.date") {
      const std::size_t arguments = m_at;
      if (auto date = dateTime(name == "datetime.datetime")) return std::move(*date);
      m_at = arguments;
    }
    if (name.empty()) return wrong("a bracket where a value is expected");
    return call(begin, depth);
  }

  /// Money('5.00', currency='USD'): a text as written. Its arguments are only read to find its end.
  Result<JsonNode> call(std::size_t begin, std::uint32_t depth) {
    ++m_at;
    ++m_calls;
    bool isShortened = false;
    for (;;) {
      skipBlanks();
      if (atEnd()) return cutOff();
      if (peek() == ')') break;
      const std::size_t argument = m_at;
      while (isNameChar(peek())) ++m_at;
      if (peek() != '=') m_at = argument;
      if (m_at != argument) ++m_at;
      auto item = value(depth + 1);
      if (!item) return item;
      isShortened = isShortened || hasCut(*item);
      if (auto ok = separator(')'); !ok) return fail(ok.error());
    }
    ++m_at;
    --m_calls;
    JsonNode node = textNode(std::string(m_text.substr(begin, m_at - begin)));
    if (isShortened) node.line = kCutOff;
    return node;
  }

  Result<JsonNode> wrapped(std::uint32_t depth) {
    ++m_at;
    skipBlanks();
    if (atEnd()) return cutOff();
    auto node = value(depth + 1);
    if (!node) return node;
    if (node->type != JsonNode::Type::String && node->type != JsonNode::Type::Number)
      return wrong("a text is missing");
    skipBlanks();
    if (atEnd()) return cutOff();
    if (m_text[m_at++] != ')') return wrong("')' is missing");
    node->type = JsonNode::Type::String;
    return node;
  }

  /// The offset of a time zone; nothing for one that depends on the day.
  std::optional<std::string> zoneOffset() {
    for (const std::string_view utc : {"datetime.timezone.utc", "<UTC>", "UTC", "tzutc()",
                                       "zoneinfo.ZoneInfo(key='UTC')",
                                       "datetime.timezone(datetime.timedelta(0))"}) {
      if (take(utc)) return "+00:00";
    }
    if (!take("datetime.timezone(datetime.timedelta(")) return std::nullopt;
    constexpr int kDay = 86'400;
    const bool isWest = take("days=-1, ");
    if (!take("seconds=")) return std::nullopt;
    const auto seconds = digits(5);
    const bool isOffset = seconds && *seconds < static_cast<unsigned>(kDay) && *seconds % 60 == 0;
    if (!isOffset || !take("))")) return std::nullopt;
    const int size = isWest ? kDay - static_cast<int>(*seconds) : static_cast<int>(*seconds);
    return fmt::format("{}{:02}:{:02}", isWest ? '-' : '+', size / 3600, size % 3600 / 60);
  }

  std::optional<unsigned> digits(std::size_t most) {
    const std::size_t begin = m_at;
    unsigned number = 0;
    while (isDigit(peek()) && m_at - begin < most)
      number = number * 10 + static_cast<unsigned>(m_text[m_at++] - '0');
    return m_at == begin ? std::nullopt : std::optional(number);
  }

  /// datetime.datetime(2026, 4, 7, 10, 0, tzinfo=datetime.timezone.utc) as ISO 8601; nothing for what
  /// is written in another way.
  std::optional<JsonNode> dateTime(bool withClock) {
    ++m_at;
    std::array<unsigned, 7> parts{};
    std::size_t count = 0;
    std::string offset;
    while (!take(")")) {
      if (take("tzinfo=")) {
        const auto found = zoneOffset();
        if (!found) return std::nullopt;
        offset = *found;
      } else if (take("fold=")) {
        if (!digits(1)) return std::nullopt;
      } else {
        const auto number = digits(7);
        if (!number || count == parts.size()) return std::nullopt;
        parts[count++] = *number;
      }
      if (!take(", ") && peek() != ')') return std::nullopt;
    }
    if (count < 3) return std::nullopt;
    std::string text = fmt::format("{:04}-{:02}-{:02}", parts[0], parts[1], parts[2]);
    if (withClock)
      text += fmt::format("T{:02}:{:02}:{:02}.{:06}{}", parts[3], parts[4], parts[5], parts[6], offset);
    return textNode(std::move(text));
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_values = 0;
  std::size_t m_calls = 0;   ///< that are open: names inside of them are texts
  bool m_isCut = false;      ///< the text ends inside of a value
};

}  // namespace

Result<JsonNode> parsePythonRepr(std::string_view text) {
  if (text.size() > kMaxBytes) return fail(ErrorCode::Format, "larger than 16 MiB");
  return ReprParser(text).parse();
}

bool isCutOff(const JsonNode& node) {
  return node.line == kCutOff;
}

// Depth is that of a parsed node: bounded.
bool hasCut(const JsonNode& node) {
  return isCutOff(node) || std::any_of(node.items.begin(), node.items.end(), hasCut) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [](const auto& member) { return hasCut(member.second); });
}

}  // namespace counterfoil
