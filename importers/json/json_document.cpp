// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/json/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace counterfoil {

JsonNode::JsonNode() = default;
JsonNode::JsonNode(const JsonNode&) = default;
JsonNode::JsonNode(JsonNode&&) noexcept = default;
JsonNode& JsonNode::operator=(const JsonNode&) = default;
JsonNode& JsonNode::operator=(JsonNode&&) noexcept = default;
JsonNode::~JsonNode() = default;

const JsonNode* JsonNode::find(std::string_view member) const {
  for (const auto& [name, value] : members) {
    if (name == member) return &value;
  }
  return nullptr;
}

std::string JsonNode::where() const {
  return fmt::format("{}:{}:{}", file ? *file : std::string(), line, column);
}

namespace {

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Follows the parser through the text, token by token. The parser has checked the text up to the
/// token it reports, so the cursor only has to find where that token begins and ends.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : m_text(text) {
    if (m_text.substr(0, 3) == "\xEF\xBB\xBF") m_at = m_lineStart = 3;
  }

  /// Start of the next token; the cursor is put behind it. `token` gets its text as written.
  Position next(std::string_view& token) {
    skipBetweenTokens();
    const Position position{m_line, static_cast<std::uint32_t>(m_at - m_lineStart + 1)};
    const std::size_t begin = m_at;
    if (m_at < m_text.size()) skipToken();
    token = m_text.substr(begin, m_at - begin);
    return position;
  }

  [[nodiscard]] Position positionOf(std::size_t offset) const {
    Position position;
    std::size_t lineStart = 0;
    for (std::size_t i = 0; i < offset && i < m_text.size(); ++i) {
      if (m_text[i] != '\n') continue;
      ++position.line;
      lineStart = i + 1;
    }
    position.column = static_cast<std::uint32_t>(std::min(offset, m_text.size()) - lineStart + 1);
    return position;
  }

 private:
  void step() {
    if (m_text[m_at] == '\n') {
      ++m_line;
      m_lineStart = m_at + 1;
    }
    ++m_at;
  }

  void skipBetweenTokens() {
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '/') {
        skipComment();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ':') {
        step();
      } else {
        return;
      }
    }
  }

  void skipComment() {
    const bool block = m_at + 1 < m_text.size() && m_text[m_at + 1] == '*';
    const std::size_t end =
        block ? m_text.find("*/", m_at + 2) : m_text.find_first_of("\n\r", m_at);
    const std::size_t stop = end == std::string_view::npos ? m_text.size() : end + (block ? 2 : 0);
    while (m_at < stop) step();
  }

  void skipToken() {
    const char first = m_text[m_at];
    if (first == '"') {
      ++m_at;
      while (m_at < m_text.size() && m_text[m_at] != '"') m_at += m_text[m_at] == '\\' ? 2 : 1;
      m_at = std::min(m_at + 1, m_text.size());
      return;
    }
    ++m_at;
    if (first == '{' || first == '}' || first == '[' || first == ']') return;
    static constexpr std::string_view kEnds = " \t\r\n,:]}/";
    while (m_at < m_text.size() && kEnds.find(m_text[m_at]) == std::string_view::npos) ++m_at;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_lineStart = 0;
  std::uint32_t m_line = 1;
};

/// Builds the tree. Open containers are kept as a stack of values, so depth costs no recursion.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, std::string file, const JsonLimits& limits)
      : m_cursor(text),
        m_file(std::make_shared<const std::string>(std::move(file))),
        m_limits(limits) {}

  bool null() override { return scalar(JsonNode::Type::Null, {}); }
  bool boolean(bool value) override {
    return scalar(JsonNode::Type::Boolean, value ? "true" : "false");
  }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool string(string_t& value) override { return scalar(JsonNode::Type::String, std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonNode::Type::Object); }
  bool start_array(std::size_t) override { return open(JsonNode::Type::Array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    std::string_view token;
    const Position position = m_cursor.next(token);
    Open& top = m_open.back();
    if (!top.names.insert(name).second) {
      return refuse(position, fmt::format("member '{}' is given twice", name));
    }
    top.name = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    const std::string_view what = error.what();
    const std::size_t detail = what.find(": ");
    const Position at = m_cursor.positionOf(position > 0 ? position - 1 : 0);
    return refuse(at,
                  fmt::format("not valid JSON: {}",
                              detail == std::string_view::npos ? what : what.substr(detail + 2)));
  }

  [[nodiscard]] Result<JsonNode> refuseNul(std::size_t offset) {
    refuse(m_cursor.positionOf(offset), "not valid JSON: a NUL byte");
    return fail(*m_error);
  }

  Result<JsonNode> finish(bool parsed) {
    if (m_error) return fail(*m_error);
    if (!parsed || !m_open.empty()) return fail(ErrorCode::Config, *m_file + ": not valid JSON");
    return std::move(m_root);
  }

 private:
  struct Open {
    JsonNode node;
    std::string name;  ///< of the member whose value comes next
    std::unordered_set<std::string> names;
  };

  bool refuse(Position at, std::string_view message) {
    m_error =
        Error{ErrorCode::Config, fmt::format("{}:{}:{}: {}", *m_file, at.line, at.column, message)};
    return false;
  }

  JsonNode make(JsonNode::Type type, std::string_view& token) {
    const Position position = m_cursor.next(token);
    JsonNode node;
    node.type = type;
    node.line = position.line;
    node.column = position.column;
    node.file = m_file;
    return node;
  }

  bool scalar(JsonNode::Type type, std::string value) {
    std::string_view token;
    JsonNode node = make(type, token);
    node.text = std::move(value);
    return put(std::move(node));
  }

  bool number() {
    std::string_view token;
    JsonNode node = make(JsonNode::Type::Number, token);
    node.text = token;
    return put(std::move(node));
  }

  bool open(JsonNode::Type type) {
    std::string_view token;
    JsonNode node = make(type, token);
    if (m_open.size() >= m_limits.maxDepth) {
      return refuse({node.line, node.column},
                    fmt::format("nested deeper than {} levels", m_limits.maxDepth));
    }
    m_open.push_back(Open{std::move(node), {}, {}});
    return true;
  }

  bool close() {
    std::string_view token;
    m_cursor.next(token);
    JsonNode node = std::move(m_open.back().node);
    m_open.pop_back();
    return put(std::move(node));
  }

  bool put(JsonNode node) {
    if (++m_values > m_limits.maxValues) {
      return refuse({node.line, node.column}, fmt::format("more than {} values", m_limits.maxValues));
    }
    if (m_open.empty()) {
      m_root = std::move(node);
      return true;
    }
    Open& top = m_open.back();
    if (top.node.type == JsonNode::Type::Array) {
      top.node.items.push_back(std::move(node));
    } else {
      top.node.members.emplace_back(std::move(top.name), std::move(node));
    }
    return true;
  }

  Cursor m_cursor;
  std::shared_ptr<const std::string> m_file;
  JsonLimits m_limits;
  std::vector<Open> m_open;
  std::size_t m_values = 0;
  JsonNode m_root;
  std::optional<Error> m_error;
};

void appendString(std::string_view text, std::string& out) {
  out += nlohmann::json(std::string(text))
             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Depth is that of a parsed node: bounded by JsonLimits::maxDepth.
void print(const JsonNode& node, std::size_t indent, std::string& out) {
  switch (node.type) {
    case JsonNode::Type::Null:
      out += "null";
      return;
    case JsonNode::Type::Boolean:
    case JsonNode::Type::Number:
      out += node.text;
      return;
    case JsonNode::Type::String:
      appendString(node.text, out);
      return;
    case JsonNode::Type::Array:
    case JsonNode::Type::Object:
      break;
  }
  const bool isArray = node.type == JsonNode::Type::Array;
  const std::size_t count = isArray ? node.items.size() : node.members.size();
  out += isArray ? '[' : '{';
  for (std::size_t i = 0; i < count; ++i) {
    out += i == 0 ? "\n" : ",\n";
    out.append(indent + 2, ' ');
    if (!isArray) {
      appendString(node.members[i].first, out);
      out += ": ";
    }
    print(isArray ? node.items[i] : node.members[i].second, indent + 2, out);
  }
  if (count > 0) {
    out += '\n';
    out.append(indent, ' ');
  }
  out += isArray ? ']' : '}';
}

}  // namespace

Result<JsonNode> parseJson(std::string_view text, std::string file, const JsonLimits& limits) {
  if (text.size() > limits.maxBytes) {
    return fail(ErrorCode::Config, fmt::format("{}: larger than {} bytes", file, limits.maxBytes));
  }
  Builder builder(text, std::move(file), limits);
  // The parser takes a NUL for the end and would pass over what stands behind it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return builder.refuseNul(nul);
  const bool parsed = nlohmann::json::sax_parse(text.begin(), text.end(), &builder,
                                                nlohmann::json::input_format_t::json, true, true);
  return builder.finish(parsed);
}

Result<JsonNode> parseJsonFile(const std::string& path, const JsonLimits& limits) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (!file)
    return fail(ErrorCode::Missing, path + ": cannot be opened; is the path right and readable?");
  std::string text;
  std::string buffer(64u << 10, '\0');
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    text.append(buffer, 0, got);
    if (text.size() > limits.maxBytes) break;
  }
  if (std::ferror(file.get()) != 0) return fail(ErrorCode::Io, path + ": reading failed");
  return parseJson(text, path, limits);
}

std::string printJson(const JsonNode& node) {
  std::string out;
  print(node, 0, out);
  out += '\n';
  return out;
}

}  // namespace counterfoil
