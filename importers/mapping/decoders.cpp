// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/decoders.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <unordered_map>
#include <utility>

namespace counterfoil {

namespace {

constexpr std::array<std::string_view, 12> kNames = {"json", "base64", "python_repr", "hex",   "url",
                                                     "upper", "pickle", "zlib",       "pairs", "msgpack",
                                                     "latin1", "int_be"};
constexpr std::size_t kMaxUnpackedBytes = 16u << 20;

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

std::string unescapePointer(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
      out += token[++i] == '0' ? '~' : '/';
    } else {
      out += token[i];
    }
  }
  return out;
}

const JsonNode* child(const JsonNode& node, const std::string& name) {
  if (node.type == JsonNode::Type::Object) return node.find(name);
  if (node.type != JsonNode::Type::Array) return nullptr;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size() || index >= node.items.size())
    return nullptr;
  return &node.items[index];
}

/// `[Name=Amount]`: the first element of a list whose member has that value. What writers give as a
/// list of one they also give as the object itself.
const JsonNode* chosen(const JsonNode& node, std::string_view member, std::string_view value) {
  const auto fits = [&](const JsonNode& element) {
    const JsonNode* found =
        element.type == JsonNode::Type::Object ? element.find(member) : nullptr;
    return found != nullptr && found->text == value;
  };
  if (node.type == JsonNode::Type::Object) return fits(node) ? &node : nullptr;
  const auto at = std::find_if(node.items.begin(), node.items.end(), fits);
  return at == node.items.end() ? nullptr : &*at;
}

const JsonNode* step(const JsonNode& node, const std::string& token) {
  const std::size_t sign = token.find('=');
  const bool chooses = token.size() > 2 && token.front() == '[' && token.back() == ']' &&
                       sign != std::string::npos;
  if (!chooses) return child(node, token);
  const std::string_view inner = std::string_view(token).substr(1, token.size() - 2);
  return chosen(node, inner.substr(0, sign - 1), inner.substr(sign));
}

/// One step of a path. "-1" counts from the end, which is unknown where it was cut off.
const JsonNode* pathStep(const JsonNode& node, const std::string& token) {
  const bool fromEnd = node.type == JsonNode::Type::Array && token.size() > 1 && token[0] == '-';
  if (!fromEnd) return step(node, token);
  std::size_t back = 0;
  const char* const end = token.data() + token.size();
  const auto read = std::from_chars(token.data() + 1, end, back);
  const bool isThere = read.ec == std::errc() && read.ptr == end && back > 0 &&
                       back <= node.items.size() && !isCutOff(node);
  return isThere ? &node.items[node.items.size() - back] : nullptr;
}

}  // namespace

std::optional<Decoder> decoderFromName(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Decoder>(i);
  }
  return std::nullopt;
}

const std::string_view* decoderNames(std::size_t& count) {
  count = kNames.size();
  return kNames.data();
}

Result<std::string> decodeBase64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int bitCount = 0;
  bool padded = false;
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '\r' || c == '\n' || c == ' ') continue;
    if (c == '=') {
      padded = true;
      continue;
    }
    const int value = base64Value(c);
    if (value < 0 || padded) return fail(ErrorCode::Format, "not base64");
    ++digits;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      out += static_cast<char>((bits >> bitCount) & 0xFFu);
    }
  }
  if (digits % 4 == 1) return fail(ErrorCode::Format, "base64 that is cut off");
  return out;
}

Result<std::string> decodeHex(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "\\x") text.remove_prefix(2);
  if (text.size() % 2 != 0) return fail(ErrorCode::Format, "an odd number of hex digits");
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hexValue(text[i]);
    const int low = hexValue(text[i + 1]);
    if (high < 0 || low < 0) return fail(ErrorCode::Format, "not hex digits");
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

Result<std::string> decodeUrl(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hexValue(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hexValue(text[i + 2]);
    if (low < 0) return fail(ErrorCode::Format, "a '%' without two hex digits");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

Result<std::string> decodeLatin1(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      out += text[i];
      continue;
    }
    const bool isOne = (byte == 0xC2 || byte == 0xC3) && i + 1 < text.size();   // U+0080 to U+00FF
    if (!isOne) return fail(ErrorCode::Format, "a character that stands for no byte");
    out += static_cast<char>((byte & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return out;
}

Result<std::string> decodeIntBe(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > 8) return fail(ErrorCode::Format, "a binary number has one to eight bytes");
  // U+FFFD: somebody before us put it in place of a byte that was no text.
  if (bytes.find("\xEF\xBF\xBD") != std::string_view::npos) return fail(ErrorCode::Format, "a binary number that lost a byte");
  const bool isNegative = (static_cast<unsigned char>(bytes.front()) & 0x80) != 0;
  std::uint64_t bits = isNegative ? ~std::uint64_t{0} : 0;
  for (const char c : bytes) bits = bits << 8 | static_cast<unsigned char>(c);
  return std::to_string(static_cast<std::int64_t>(bits));
}

Result<std::string> decodeZlib(std::string_view bytes) {
  if (bytes.size() > kMaxUnpackedBytes) return fail(ErrorCode::Format, "larger than 16 MiB");
  constexpr int kZlibOrGzip = 15 + 32;
  constexpr std::size_t kBlock = 16u << 10;
  z_stream stream{};
  if (inflateInit2(&stream, kZlibOrGzip) != Z_OK) return fail(ErrorCode::Internal, "zlib does not start");
  const auto end = [](z_stream* open) { inflateEnd(open); };
  const std::unique_ptr<z_stream, decltype(end)> closer(&stream, end);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));   // zlib only reads it
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::string block(kBlock, '\0');
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(block, 0, block.size() - stream.avail_out);
    if (out.size() > kMaxUnpackedBytes) return fail(ErrorCode::Format, "zlib data of more than 16 MiB");
  }
  if (code == Z_BUF_ERROR) return fail(ErrorCode::Format, "zlib data that is cut off");
  if (code != Z_STREAM_END) return fail(ErrorCode::Format, "not zlib data");
  if (stream.avail_in > 0) return fail(ErrorCode::Format, "more bytes after the end of zlib data");
  return out;
}

namespace {

/// The name of a pair: a text or a number.
bool isName(const JsonNode& node) {
  return node.type == JsonNode::Type::String || node.type == JsonNode::Type::Number;
}

}  // namespace

Result<JsonNode> objectOfPairs(const JsonNode& list) {
  if (list.type == JsonNode::Type::Object) return list;
  if (list.type != JsonNode::Type::Array) return fail(ErrorCode::Format, "no list of pairs");
  const bool isNested = !list.items.empty() && list.items.front().type == JsonNode::Type::Array;
  if (!isNested && list.items.size() % 2 != 0)
    return fail(ErrorCode::Format, "a list of pairs with an odd number of elements");
  JsonNode object;
  object.type = JsonNode::Type::Object;
  object.line = list.line;   // what was cut off stays so
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < list.items.size(); i += isNested ? 1 : 2) {
    const JsonNode& item = list.items[i];
    if (isNested && item.items.size() != 2)
      return fail(ErrorCode::Format, "a list of pairs with an element that is none");
    const JsonNode& name = isNested ? item.items[0] : item;
    const JsonNode& value = isNested ? item.items[1] : list.items[i + 1];
    if (!isName(name)) return fail(ErrorCode::Format, "a pair whose name is no text");
    const auto [place, isNew] = places.emplace(name.text, object.members.size());
    if (isNew) {
      object.members.emplace_back(name.text, value);
    } else {
      object.members[place->second].second = value;
    }
  }
  return object;
}

Result<JsonNode> parseJsonValue(std::string_view text) {
  auto node = parseJson(text, "value", JsonLimits{16u << 20, 64, 1u << 20});
  if (!node) return fail(ErrorCode::Format, node.error().message);
  return node;
}

Result<const JsonNode*> resolvePointer(const JsonNode& root, std::string_view pointer) {
  const JsonNode* node = &root;
  while (!pointer.empty() && node != nullptr) {
    pointer.remove_prefix(1);  // the slash, checked when the mapping was read
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const JsonNode* next = step(*node, unescapePointer(pointer.substr(0, end)));
    if (next == nullptr && isCutOff(*node)) return fail(ErrorCode::Format, "the value is cut off");
    node = next;
    pointer.remove_prefix(end);
  }
  return node;
}

// Every node is come to at most once: the steps to it, with dots between, are the path up to it.
Result<const JsonNode*> resolvePath(const JsonNode& root, std::string_view path) {
  if (path.empty()) return &root;
  for (std::size_t end = path.find('.');; end = path.find('.', end + 1)) {
    const bool isLast = end == std::string_view::npos;
    const std::string_view rest = isLast ? std::string_view() : path.substr(end + 1);
    if (const JsonNode* next = pathStep(root, std::string(path.substr(0, end)))) {
      auto found = resolvePath(*next, rest);
      if (!found || *found != nullptr) return found;
    }
    if (isLast) break;
  }
  if (isCutOff(root)) return fail(ErrorCode::Format, "the value is cut off");
  return nullptr;
}

}  // namespace counterfoil
