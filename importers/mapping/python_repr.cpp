// SPDX-License-Identifier: GPL-3.0-or-later
// Python literals. A recursive descent with a depth bound; every byte is looked at once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "importers/mapping/decoders.h"

namespace counterfoil {

namespace {

constexpr std::uint32_t kMaxDepth = 64;
constexpr std::size_t kMaxBytes = 16u << 20;
constexpr std::uint32_t kCutOff =
    0;  // as the line of a node: nodes of rows have no line of their own

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || isDigit(c);
}

void appendUtf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
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
  [[nodiscard]] static tl::unexpected<Error> cutOff() {
    return fail(ErrorCode::Format, "the Python literal is cut off");
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
    skipBlanks();
    if (atEnd()) return cutOff();
    const char c = peek();
    if (c == '[') return sequence(']', depth);
    if (c == '(') return sequence(')', depth);
    if (c == '{') return braces(depth);
    if (c == '\'' || c == '"') return quoted(false);
    if (isDigit(c) || c == '-' || c == '+' || (c == '.' && m_text.substr(m_at, 3) != "..."))
      return number();
    if (c == '.') return cutOff();
    return named(depth);
  }

  Result<JsonNode> sequence(char close, std::uint32_t depth) {
    ++m_at;
    JsonNode node;
    node.type = JsonNode::Type::Array;
    for (;;) {
      skipBlanks();
      if (atEnd()) return cutOff();
      if (peek() == close) break;
      if (take("...")) {
        node.line = kCutOff;
        continue;
      }
      auto item = value(depth + 1);
      if (!item) return item;
      node.items.push_back(std::move(*item));
      if (auto ok = separator(close); !ok) return fail(ok.error());
    }
    ++m_at;
    return node;
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
    for (;;) {
      skipBlanks();
      if (atEnd()) return cutOff();
      if (peek() == '}') break;
      if (take("...")) {
        node.line = kCutOff;
        continue;
      }
      auto ok = member(node, depth);
      if (!ok) return fail(ok.error());
    }
    ++m_at;
    return node;
  }

  Result<> member(JsonNode& node, std::uint32_t depth) {
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
    if (node.find(name->text) != nullptr) return wrong("a member is given twice");
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
    appendUtf8(code, out);
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
    appendUtf8(code, out);
    return {};
  }

  Result<JsonNode> number() {
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
    if (m_text.substr(m_at, 3) == "..." || isNameChar(peek()))
      return wrong("a number that does not end");
    return plainNode(JsonNode::Type::Number, m_text.substr(begin, m_at - begin));
  }

  /// None, True, False, b'…', and the constructors whose repr is a call with a literal.
  Result<JsonNode> named(std::uint32_t depth) {
    if (m_text[m_at] == 'b' &&
        (m_text.substr(m_at, 2) == "b'" || m_text.substr(m_at, 2) == "b\"")) {
      ++m_at;
      return quoted(false);
    }
    const std::size_t begin = m_at;
    while (isNameChar(peek())) ++m_at;
    const std::string_view name = m_text.substr(begin, m_at - begin);
    if (name == "None") return plainNode(JsonNode::Type::Null, {});
    if (name == "True") return plainNode(JsonNode::Type::Boolean, "true");
    if (name == "False") return plainNode(JsonNode::Type::Boolean, "false");
    if (name == "nan" || name == "inf") return plainNode(JsonNode::Type::Null, {});
    if (atEnd()) return name.empty() ? wrong("no value") : cutOff();
    if (peek() != '(') return wrong(fmt::format("'{}' is no literal", name.substr(0, 40)));
    if (name == "Decimal" || name == "decimal.Decimal" || name == "UUID" || name == "uuid.UUID")
      return wrapped(depth);
    if (name == "datetime.datetime" || name == "datetime.date")
      return dateTime(name == "datetime.datetime");
    return wrong(fmt::format("'{}(…)' is no literal", name.substr(0, 40)));
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

  /// datetime.datetime(2026, 4, 7, 10, 0, tzinfo=datetime.timezone.utc) as ISO 8601.
  Result<JsonNode> dateTime(bool withClock) {
    ++m_at;
    std::array<unsigned, 7> parts{};
    std::size_t count = 0;
    bool utc = false;
    for (;;) {
      skipBlanks();
      if (atEnd()) return cutOff();
      if (peek() == ')') break;
      if (take("tzinfo=")) {
        if (!take("datetime.timezone.utc") && !take("<UTC>") && !take("UTC"))
          return wrong("a time zone that is not UTC");
        utc = true;
      } else {
        const std::size_t begin = m_at;
        unsigned number = 0;
        while (isDigit(peek()) && m_at - begin < 7)
          number = number * 10 + static_cast<unsigned>(m_text[m_at++] - '0');
        if (m_at == begin || count == parts.size()) return wrong("a part of a date is missing");
        parts[count++] = number;
      }
      if (auto ok = separator(')'); !ok) return fail(ok.error());
    }
    ++m_at;
    if (count < 3) return wrong("a date needs year, month and day");
    std::string text = fmt::format("{:04}-{:02}-{:02}", parts[0], parts[1], parts[2]);
    if (withClock) {
      text += fmt::format("T{:02}:{:02}:{:02}.{:06}", parts[3], parts[4], parts[5], parts[6]);
      if (utc) text += "+00:00";
    }
    return textNode(std::move(text));
  }

  std::string_view m_text;
  std::size_t m_at = 0;
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
