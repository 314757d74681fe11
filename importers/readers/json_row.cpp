// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/json_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "importers/source/encoding.h"

namespace counterfoil {

namespace {

constexpr std::uint8_t kNoRank = 255;
constexpr std::size_t kMaxSegmentsSplitEveryWay = 5;

std::uint64_t filterBit(std::string_view name) {
  const auto first = name.empty() ? 0u : static_cast<unsigned char>(name.front());
  return 1ull << ((name.size() * 7 + first) & 63);
}

std::vector<std::string> splitPath(const std::string& path) {
  std::vector<std::string> segments(1);
  for (const char c : path) {
    if (c == '.') {
      segments.emplace_back();
    } else {
      segments.back().push_back(c);
    }
  }
  return segments;
}

/// The dots that bit i of `joined` names are part of a member's name.
std::vector<std::string> joinSome(const std::vector<std::string>& segments, std::uint32_t joined) {
  std::vector<std::string> result = {segments.front()};
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if ((joined >> (i - 1) & 1) != 0) {
      result.back() += '.' + segments[i];
    } else {
      result.push_back(segments[i]);
    }
  }
  return result;
}

bool isPlainStringByte(char c) {
  return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
}

/// Eight bytes at a time over what needs no look.
const char* skipPlain(const char* p, const char* end) {
  constexpr std::uint64_t ones = 0x0101010101010101ull, highs = 0x8080808080808080ull;
  while (end - p >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    const std::uint64_t quote = word ^ (ones * '"');
    const std::uint64_t slash = word ^ (ones * '\\');
    const std::uint64_t hit =
        ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * 0x20) & ~word);
    if ((hit & highs) != 0) break;
    p += 8;
  }
  while (p < end && isPlainStringByte(*p)) ++p;
  return p;
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Four hex digits, -1 if they are not.
int codeUnit(const char* p, const char* end) {
  if (end - p < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hexDigit(p[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

char* writeUtf8(char* out, std::uint32_t code) {
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *out++ = static_cast<char>(0xC0 | code >> 6);
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out++ = static_cast<char>(0xE0 | code >> 12);
    *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | code >> 18);
    *out++ = static_cast<char>(0x80 | (code >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
  }
  return out;
}

char simpleEscape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;  // '"', '\\' and '/'
  }
}

class Parser {
 public:
  Parser(std::string_view text, const JsonPaths& paths, std::vector<FieldView>& fields,
         Arena& arena)
      : m_begin(text.data()),
        m_at(text.data()),
        m_end(text.data() + text.size()),
        m_paths(paths),
        m_fields(fields),
        m_arena(arena) {
    if (paths.size() > m_fewRanks.size()) m_manyRanks.resize(paths.size());
    m_ranks = m_manyRanks.empty() ? m_fewRanks.data() : m_manyRanks.data();
    std::memset(m_ranks, kNoRank, std::max<std::size_t>(paths.size(), 1));
  }

  std::optional<JsonFault> run() {
    m_fields.assign(m_paths.size(), FieldView{});
    skipSpace();
    if (value(&m_paths.root(), 0)) {
      skipSpace();
      if (m_at != m_end) fault("more after the end of the value");
    }
    return std::move(m_fault);
  }

 private:
  using Node = JsonPaths::Node;

  bool fault(const char* message) {
    if (!m_fault) m_fault = JsonFault{static_cast<std::size_t>(m_at - m_begin), message};
    return false;
  }
  void skipSpace() {
    while (m_at < m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t'))
      ++m_at;
  }
  void set(const Node* node, FieldType type, std::string_view text) {
    for (const auto& [target, rank] : node->targets) {
      if (rank > m_ranks[target]) continue;
      m_ranks[target] = rank;
      m_fields[target] = {type, text};
    }
  }
  /// A member that comes again takes the place of the first, with all that was below it.
  void forget(const Node* node) {
    for (const auto& [target, rank] : node->subtree) {
      if (m_ranks[target] != rank) continue;
      m_ranks[target] = kNoRank;
      m_fields[target] = {};
    }
  }

  bool value(const Node* node, int depth) {
    if (m_at == m_end) return fault("the text ends where a value is expected");
    switch (*m_at) {
      case '{':
        return container(node, depth, true);
      case '[':
        return container(node, depth, false);
      case '"':
        return stringValue(node);
      case 't':
        return word(node, "true", FieldType::Boolean);
      case 'f':
        return word(node, "false", FieldType::Boolean);
      case 'n':
        return word(node, "null", FieldType::Null);
      default:
        return number(node);
    }
  }

  bool container(const Node* node, int depth, bool isObject) {
    if (depth >= kMaxJsonDepth) return fault("nested too deep");
    const char* const start = m_at++;
    const bool well = isObject ? members(node, depth + 1) : elements(node, depth + 1);
    if (!well) return false;
    if (node != nullptr)
      set(node, FieldType::Json, {start, static_cast<std::size_t>(m_at - start)});
    return true;
  }

  bool members(const Node* node, int depth) {
    skipSpace();
    if (take('}')) return true;
    while (true) {
      if (m_at == m_end || *m_at != '"') return fault("expected a member name in quotes");
      std::string_view name;
      bool escaped = false;
      if (!string(name, escaped)) return false;
      skipSpace();
      if (!take(':')) return fault("expected ':' after a member name");
      skipSpace();
      if (!value(childOf(node, name, escaped), depth)) return false;
      skipSpace();
      if (take('}')) return true;
      if (!take(',')) return fault("expected ',' or '}'");
      skipSpace();
    }
  }

  bool elements(const Node* node, int depth) {
    skipSpace();
    if (take(']')) return true;
    const bool numbered = node != nullptr && !node->children.empty();
    for (std::size_t index = 0;; ++index) {
      const Node* child = nullptr;
      if (numbered) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, index).ptr;
        child = childOf(node, {digits, static_cast<std::size_t>(end - digits)}, false);
      }
      if (!value(child, depth)) return false;
      skipSpace();
      if (take(']')) return true;
      if (!take(',')) return fault("expected ',' or ']'");
      skipSpace();
    }
  }

  const Node* childOf(const Node* node, std::string_view name, bool escaped) {
    if (node == nullptr || node->children.empty()) return nullptr;
    if (escaped) name = jsonUnescaped(name, m_arena);
    const std::uint32_t* const index = node->find(name);
    if (index == nullptr) return nullptr;
    const Node* const child = &m_paths.node(*index);
    forget(child);
    return child;
  }

  bool take(char c) {
    if (m_at == m_end || *m_at != c) return false;
    ++m_at;
    return true;
  }

  /// Leaves m_at behind the closing quote; `inner` is what stands between the quotes.
  bool string(std::string_view& inner, bool& escaped) {
    const char* const start = ++m_at;
    escaped = false;
    while (true) {
      m_at = skipPlain(m_at, m_end);
      if (m_at == m_end) return fault("a string is not closed");
      if (*m_at == '"') break;
      if (*m_at != '\\') return fault("a control character inside a string");
      escaped = true;
      if (!escape()) return false;
    }
    inner = {start, static_cast<std::size_t>(m_at - start)};
    ++m_at;
    return true;
  }

  bool escape() {
    if (m_end - m_at < 2) return fault("a string is not closed");
    const char kind = m_at[1];
    if (kind != 'u') {
      if (std::strchr("\"\\/bfnrt", kind) == nullptr || kind == '\0')
        return fault("an unknown escape");
      m_at += 2;
      return true;
    }
    const int unit = codeUnit(m_at + 2, m_end);
    if (unit < 0) return fault("\\u needs four hex digits");
    if (unit >= 0xDC00 && unit <= 0xDFFF) return fault("half of a surrogate pair");
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      const int low =
          m_end - m_at >= 12 && m_at[6] == '\\' && m_at[7] == 'u' ? codeUnit(m_at + 8, m_end) : -1;
      if (low < 0xDC00 || low > 0xDFFF) return fault("half of a surrogate pair");
      m_at += 6;
    }
    m_at += 6;
    return true;
  }

  bool stringValue(const Node* node) {
    std::string_view inner;
    bool escaped = false;
    if (!string(inner, escaped)) return false;
    if (node == nullptr || node->targets.empty()) return true;
    set(node, FieldType::Text, escaped ? jsonUnescaped(inner, m_arena) : inner);
    return true;
  }

  bool word(const Node* node, std::string_view expected, FieldType type) {
    if (static_cast<std::size_t>(m_end - m_at) < expected.size() ||
        std::memcmp(m_at, expected.data(), expected.size()) != 0) {
      return fault("expected a value");
    }
    if (node != nullptr) set(node, type, {m_at, expected.size()});
    m_at += expected.size();
    return true;
  }

  std::size_t digits() {
    const char* const start = m_at;
    while (m_at < m_end && *m_at >= '0' && *m_at <= '9') ++m_at;
    return static_cast<std::size_t>(m_at - start);
  }

  bool number(const Node* node) {
    const char* const start = m_at;
    take('-');
    const bool zero = m_at < m_end && *m_at == '0';
    const std::size_t whole = digits();
    if (whole == 0) return fault(m_at == start ? "expected a value" : "a number without digits");
    if (zero && whole > 1) return fault("a number with leading zeros");
    if (take('.') && digits() == 0) return fault("a number without digits after the point");
    if (m_at < m_end && (*m_at == 'e' || *m_at == 'E')) {
      ++m_at;
      if (!take('+')) take('-');
      if (digits() == 0) return fault("a number without digits in its exponent");
    }
    if (node != nullptr)
      set(node, FieldType::Number, {start, static_cast<std::size_t>(m_at - start)});
    return true;
  }

  const char* m_begin;
  const char* m_at;
  const char* m_end;
  const JsonPaths& m_paths;
  std::vector<FieldView>& m_fields;
  Arena& m_arena;
  std::array<std::uint8_t, 128> m_fewRanks;  ///< by path: the rank of what is set
  std::vector<std::uint8_t> m_manyRanks;
  std::uint8_t* m_ranks = nullptr;
  std::optional<JsonFault> m_fault;
};

/// Behind a value that is known to be valid.
const char* behindValue(const char* p, const char* end) {
  int depth = 0;
  do {
    if (*p == '"') {
      ++p;
      while (p < end && *p != '"') p += *p == '\\' ? 2 : 1;
      ++p;
    } else if (*p == '{' || *p == '[') {
      ++depth;
      ++p;
    } else if (*p == '}' || *p == ']') {
      --depth;
      ++p;
    } else {
      ++p;
      if (depth == 0) {
        while (p < end && std::strchr(",]} \t\r\n", *p) == nullptr) ++p;
      }
    }
  } while (p < end && depth > 0);
  return std::min(p, end);
}

const char* behindSpace(const char* p, const char* end) {
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) ++p;
  return p;
}

std::string_view trimmed(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* const start = behindSpace(text.data(), end);
  const char* last = end;
  while (last > start && std::strchr(" \t\r\n", last[-1]) != nullptr) --last;
  return {start, static_cast<std::size_t>(last - start)};
}

bool visitScalars(std::string_view value, std::string& path, Arena& arena, int depth,
                  const std::function<bool(const std::string&, const FieldView&)>& fn) {
  const FieldView field = jsonField(value, arena);
  if (field.type != FieldType::Json) return fn(path, field);
  if (depth >= kMaxJsonDepth) return true;
  std::size_t index = 0;
  for (const JsonElement& element : jsonElements(value, kMaxJsonElements)) {
    const std::size_t before = path.size();
    if (before > 0) path += '.';
    if (value.front() == '{') {
      path += jsonUnescaped(element.key, arena);
    } else {
      path += fmt::format("{}", index++);
    }
    const bool go = visitScalars(element.value, path, arena, depth + 1, fn);
    path.resize(before);
    if (!go) return false;
  }
  return true;
}

}  // namespace

const std::uint32_t* JsonPaths::Node::find(std::string_view name) const {
  if ((filter & filterBit(name)) == 0) return nullptr;
  for (const auto& [childName, index] : children) {
    if (childName == name) return &index;
  }
  return nullptr;
}

JsonPaths::JsonPaths(const std::vector<std::string>& paths) : m_nodes(1), m_count(paths.size()) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::vector<std::string> segments = splitPath(paths[i]);
    const auto target = static_cast<std::uint32_t>(i);
    if (segments.size() > kMaxSegmentsSplitEveryWay) {
      add({paths[i]}, target, 0);
      add(segments, target, 1);
      continue;
    }
    // The more dots belong to names, the stronger the path.
    const std::uint32_t ways = 1u << (segments.size() - 1);
    for (std::uint32_t way = 0; way < ways; ++way) {
      add(joinSome(segments, ways - 1 - way), target, static_cast<std::uint8_t>(way));
    }
  }
}

void JsonPaths::add(const std::vector<std::string>& segments, std::uint32_t target,
                    std::uint8_t rank) {
  std::uint32_t at = 0;
  for (const std::string& segment : segments) {
    m_nodes[at].subtree.emplace_back(target, rank);
    const std::uint32_t* const known = m_nodes[at].find(segment);
    if (known != nullptr) {
      at = *known;
      continue;
    }
    const auto next = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.emplace_back();
    m_nodes[at].children.emplace_back(segment, next);
    m_nodes[at].filter |= filterBit(segment);
    at = next;
  }
  m_nodes[at].subtree.emplace_back(target, rank);
  m_nodes[at].targets.emplace_back(target, rank);
}

std::optional<JsonFault> parseJsonRow(std::string_view text, const JsonPaths& paths,
                                      std::vector<FieldView>& fields, Arena& arena) {
  const Utf8Check check = checkUtf8(text);
  if (check.firstInvalid != kNoPosition) return JsonFault{check.firstInvalid, "invalid UTF-8"};
  if (check.incompleteTail > 0)
    return JsonFault{text.size() - check.incompleteTail, "invalid UTF-8"};
  return Parser(text, paths, fields, arena).run();
}

std::vector<JsonElement> jsonElements(std::string_view text, std::size_t most) {
  std::vector<JsonElement> elements;
  text = trimmed(text);
  if (text.size() < 2 || (text.front() != '[' && text.front() != '{')) return elements;
  const bool isObject = text.front() == '{';
  const char* const end = text.data() + text.size() - 1;
  const char* p = behindSpace(text.data() + 1, end);
  while (p < end && elements.size() < most) {
    JsonElement element;
    if (isObject) {
      const char* const behindName = behindValue(p, end);
      element.key = {p + 1, static_cast<std::size_t>(behindName - p) - 2};
      p = behindSpace(behindSpace(behindName, end) + 1, end);
    }
    const char* const behind = behindValue(p, end);
    element.value = {p, static_cast<std::size_t>(behind - p)};
    elements.push_back(element);
    p = behindSpace(behind, end);
    if (p < end) p = behindSpace(p + 1, end);
  }
  return elements;
}

std::string_view jsonUnescaped(std::string_view inner, Arena& arena) {
  if (inner.find('\\') == std::string_view::npos) return inner;
  char* const start = arena.take(inner.size());
  char* out = start;
  const char* const end = inner.data() + inner.size();
  for (const char* p = inner.data(); p < end;) {
    if (*p != '\\') {
      const void* const found = std::memchr(p, '\\', static_cast<std::size_t>(end - p));
      const auto plain = static_cast<std::size_t>((found == nullptr ? end : static_cast<const char*>(found)) - p);
      std::memcpy(out, p, plain);
      out += plain;
      p += plain;
    } else if (p[1] != 'u') {
      *out++ = simpleEscape(p[1]);
      p += 2;
    } else {
      auto code = static_cast<std::uint32_t>(codeUnit(p + 2, end));
      p += 6;
      if (code >= 0xD800 && code <= 0xDBFF) {
        code = 0x10000 + ((code - 0xD800) << 10) +
               (static_cast<std::uint32_t>(codeUnit(p + 2, end)) - 0xDC00);
        p += 6;
      }
      out = writeUtf8(out, code);
    }
  }
  return {start, static_cast<std::size_t>(out - start)};
}

FieldView jsonField(std::string_view value, Arena& arena) {
  value = trimmed(value);
  if (value.empty()) return {};
  switch (value.front()) {
    case '{':
    case '[':
      return {FieldType::Json, value};
    case '"':
      return {FieldType::Text, jsonUnescaped(value.substr(1, value.size() - 2), arena)};
    case 't':
    case 'f':
      return {FieldType::Boolean, value};
    case 'n':
      return {FieldType::Null, value};
    default:
      return {FieldType::Number, value};
  }
}

void visitJsonScalars(std::string_view text, Arena& arena,
                      const std::function<bool(const std::string&, const FieldView&)>& fn) {
  const JsonPaths nothing(std::vector<std::string>{});
  std::vector<FieldView> none;
  if (parseJsonRow(text, nothing, none, arena)) return;
  std::string path;
  visitScalars(trimmed(text), path, arena, 0, fn);
}

}  // namespace counterfoil
