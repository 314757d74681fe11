// SPDX-License-Identifier: GPL-3.0-or-later
// MessagePack. A recursive descent with a depth bound; a container's size is believed only as far as
// its elements are there.
#include <fmt/format.h>

#include <bit>
#include <unordered_map>
#include <utility>

#include "core/base/instant.h"
#include "core/base/text.h"
#include "importers/mapping/decoders.h"
#include "importers/mapping/value_texts.h"

namespace counterfoil {

namespace {

constexpr std::uint32_t kMaxDepth = 64;
constexpr std::size_t kMaxBytes = 16u << 20;
constexpr std::size_t kMaxValues = 1u << 18;
constexpr std::int8_t kTimestamp = -1;

class MsgpackReader {
 public:
  explicit MsgpackReader(std::string_view bytes) : m_bytes(bytes) {}

  Result<JsonNode> read() {
    auto node = value(0);
    if (node && m_at < m_bytes.size()) return wrong("more bytes after its end");
    return node;
  }

 private:
  static tl::unexpected<Error> wrong(std::string_view what) {
    return fail(ErrorCode::Format, fmt::format("not msgpack: {}", what));
  }
  static tl::unexpected<Error> cutOff() { return fail(ErrorCode::Format, "msgpack that is cut off"); }

  bool take(std::size_t count, std::string_view& out) {
    if (m_bytes.size() - m_at < count) return false;
    out = m_bytes.substr(m_at, count);
    m_at += count;
    return true;
  }

  Result<JsonNode> value(std::uint32_t depth) {
    if (depth > kMaxDepth) return wrong("nested too deep");
    if (++m_values > kMaxValues) return wrong("too many values");
    std::string_view first;
    if (!take(1, first)) return cutOff();
    const auto code = static_cast<unsigned char>(first[0]);
    if (code < 0x80) return number(std::to_string(code));
    if (code < 0x90) return map(code & 0x0Fu, depth);
    if (code < 0xA0) return array(code & 0x0Fu, depth);
    if (code < 0xC0) return text(code & 0x1Fu);
    if (code >= 0xE0) return number(std::to_string(static_cast<int>(code) - 256));
    return coded(code, depth);
  }

  Result<JsonNode> coded(unsigned code, std::uint32_t depth) {
    switch (code) {
      case 0xC0: return scalarNode(JsonNode::Type::Null, {});
      case 0xC2: return scalarNode(JsonNode::Type::Boolean, "false");
      case 0xC3: return scalarNode(JsonNode::Type::Boolean, "true");
      case 0xC4: case 0xC5: case 0xC6:
        return sized(code - 0xC4, [&](std::size_t n) { return bytes(n); });
      case 0xC7: case 0xC8: case 0xC9:
        return sized(code - 0xC7, [&](std::size_t n) { return extension(n); });
      case 0xCA: case 0xCB: return floating(code == 0xCA ? 4 : 8);
      case 0xCC: case 0xCD: case 0xCE: case 0xCF:
        return integer(std::size_t{1} << (code - 0xCC), false);
      case 0xD0: case 0xD1: case 0xD2: case 0xD3:
        return integer(std::size_t{1} << (code - 0xD0), true);
      case 0xD4: case 0xD5: case 0xD6: case 0xD7: case 0xD8:
        return extension(std::size_t{1} << (code - 0xD4));
      case 0xD9: case 0xDA: case 0xDB:
        return sized(code - 0xD9, [&](std::size_t n) { return text(n); });
      case 0xDC: case 0xDD:
        return sized(code - 0xDB, [&](std::size_t n) { return array(n, depth); });
      case 0xDE: case 0xDF:
        return sized(code - 0xDD, [&](std::size_t n) { return map(n, depth); });
      default: return wrong("a byte that begins no value");
    }
  }

  /// A size of 1, 2 or 4 bytes, and what it is the size of.
  template <class Read>
  Result<JsonNode> sized(unsigned power, Read read) {
    std::string_view size;
    if (!take(std::size_t{1} << power, size)) return cutOff();
    return read(static_cast<std::size_t>(greatestFirst(size)));
  }

  static JsonNode number(std::string digits) { return scalarNode(JsonNode::Type::Number, std::move(digits)); }

  Result<JsonNode> integer(std::size_t count, bool isSigned) {
    std::string_view raw;
    if (!take(count, raw)) return cutOff();
    const std::uint64_t value = greatestFirst(raw);
    if (!isSigned) return number(std::to_string(value));
    const auto unused = static_cast<int>(64 - 8 * count);
    return number(std::to_string(static_cast<std::int64_t>(value << unused) >> unused));
  }

  Result<JsonNode> floating(std::size_t count) {
    std::string_view raw;
    if (!take(count, raw)) return cutOff();
    const std::uint64_t bits = greatestFirst(raw);
    if (count == 8) return floatNode(std::bit_cast<double>(bits));
    return floatNode(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  }

  Result<JsonNode> text(std::size_t count) {
    std::string_view raw;
    if (!take(count, raw)) return cutOff();
    if (!isValidUtf8(raw)) return wrong("a text that is not UTF-8");
    return scalarNode(JsonNode::Type::String, std::string(raw));
  }

  Result<JsonNode> bytes(std::size_t count) {
    std::string_view raw;
    if (!take(count, raw)) return cutOff();
    return bytesNode(raw);
  }

  /// A time, as ISO 8601; other extensions are the writer's own.
  Result<JsonNode> extension(std::size_t count) {
    std::string_view type, raw;
    if (!take(1, type) || !take(count, raw)) return cutOff();
    if (static_cast<std::int8_t>(type[0]) != kTimestamp || (count != 4 && count != 8 && count != 12))
      return wrong("an extension that is no time");
    const std::uint64_t all = count == 12 ? 0 : greatestFirst(raw);
    const std::uint64_t nanos = count == 4 ? 0 : count == 8 ? all >> 34 : greatestFirst(raw.substr(0, 4));
    const auto seconds = static_cast<std::int64_t>(count == 4    ? all
                                                   : count == 8 ? all & ((1ull << 34) - 1)
                                                                : greatestFirst(raw.substr(4)));
    constexpr std::int64_t kMostSeconds = 253'402'300'799;   // the end of 9999
    if (nanos > 999'999'999 || seconds < 0 || seconds > kMostSeconds) return wrong("a time out of range");
    const Instant at{std::chrono::seconds(seconds) + std::chrono::microseconds(nanos / 1000)};
    return scalarNode(JsonNode::Type::String, formatInstant(at));
  }

  Result<JsonNode> array(std::size_t count, std::uint32_t depth) {
    JsonNode node;
    node.type = JsonNode::Type::Array;
    for (std::size_t i = 0; i < count; ++i) {
      auto item = value(depth + 1);
      if (!item) return item;
      node.items.push_back(std::move(*item));
    }
    return node;
  }

  Result<JsonNode> map(std::size_t count, std::uint32_t depth) {
    JsonNode node;
    node.type = JsonNode::Type::Object;
    std::unordered_map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < count; ++i) {
      auto name = value(depth + 1);
      if (!name) return name;
      if (name->type == JsonNode::Type::Array || name->type == JsonNode::Type::Object)
        return wrong("a name that is a list or a map");
      auto item = value(depth + 1);
      if (!item) return item;
      if (!names.emplace(name->text, i).second) return wrong("a member is given twice");
      node.members.emplace_back(std::move(name->text), std::move(*item));
    }
    return node;
  }

  std::string_view m_bytes;
  std::size_t m_at = 0;
  std::size_t m_values = 0;
};

}  // namespace

Result<JsonNode> parseMsgpack(std::string_view bytes) {
  if (bytes.size() > kMaxBytes) return fail(ErrorCode::Format, "larger than 16 MiB");
  return MsgpackReader(bytes).read();
}

}  // namespace counterfoil
