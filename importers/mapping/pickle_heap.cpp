// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/pickle_heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "importers/mapping/value_texts.h"

namespace counterfoil {

namespace {

using Kind = PickleValue::Kind;

constexpr std::uint32_t kMaxDepth = 64;
constexpr std::size_t kMaxNodes = 1u << 18;
constexpr std::size_t kMaxBytes = 16u << 20;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const PickleValue* globalOf(const PickleHeap& heap, const PickleValue& object) {
  if (object.kind != Kind::Object || object.items.size() < 2) return nullptr;
  const PickleValue& global = heap.at(object.items[0]);
  return global.kind == Kind::Global ? &global : nullptr;
}

/// The n-th argument of an object; null if it has none.
const PickleValue* argument(const PickleHeap& heap, const PickleValue& object, std::size_t n) {
  const auto& arguments = heap.at(object.items[1]).items;
  return n < arguments.size() ? &heap.at(arguments[n]) : nullptr;
}

std::optional<std::int64_t> wholeNumber(const PickleValue* value) {
  if (value == nullptr || value->kind != Kind::Number) return std::nullopt;
  std::int64_t number = 0;
  const char* const end = value->text.data() + value->text.size();
  const auto read = std::from_chars(value->text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

std::optional<std::string> offsetText(std::int64_t seconds) {
  constexpr std::int64_t kDay = 86'400;
  const std::int64_t size = seconds < 0 ? -seconds : seconds;
  if (size >= kDay || size % 60 != 0) return std::nullopt;
  return fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', size / 3600, size % 3600 / 60);
}

/// "+03:00" of datetime.timedelta(days, seconds).
std::optional<std::string> offsetOf(const PickleHeap& heap, const PickleValue* delta) {
  const PickleValue* global = delta == nullptr ? nullptr : globalOf(heap, *delta);
  if (global == nullptr || global->text != "datetime.timedelta") return std::nullopt;
  const auto days = wholeNumber(argument(heap, *delta, 0)), seconds = wholeNumber(argument(heap, *delta, 1));
  constexpr std::int64_t kDay = 86'400;
  if (!days || !seconds || *days < -1 || *days > 1 || *seconds < 0 || *seconds >= kDay) return std::nullopt;
  return offsetText(*days * kDay + *seconds);
}

/// The offset of a time zone object: those that are one whatever the day.
std::optional<std::string> zoneOf(const PickleHeap& heap, const PickleValue* zone) {
  const PickleValue* global = zone == nullptr ? nullptr : globalOf(heap, *zone);
  if (global == nullptr) return std::nullopt;
  if (isOneOf(global->text, {"pytz._UTC", "dateutil.tz.tz.tzutc", "django.utils.timezone.UTC"}))
    return "+00:00";
  if (global->text == "datetime.timezone") return offsetOf(heap, argument(heap, *zone, 0));
  // pytz names the offset of the moment beside the zone.
  const auto seconds = global->text == "pytz._p" ? wholeNumber(argument(heap, *zone, 1)) : std::nullopt;
  if (seconds && *seconds > -86'400 && *seconds < 86'400) return offsetText(*seconds);
  const PickleValue* name = argument(heap, *zone, 0);
  const bool isUtc = global->text == "zoneinfo.ZoneInfo._unpickle" && name != nullptr && name->text == "UTC";
  return isUtc ? std::optional<std::string>("+00:00") : std::nullopt;
}

unsigned byteAt(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

std::optional<std::string> dateText(std::string_view bytes) {
  const unsigned year = byteAt(bytes, 0) * 256 + byteAt(bytes, 1);
  const unsigned month = byteAt(bytes, 2) & 0x7Fu;   // the upper bit says which of two equal clock times
  const unsigned day = byteAt(bytes, 3);
  if (year == 0 || year > 9999 || month == 0 || month > 12 || day == 0 || day > 31) return std::nullopt;
  return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

/// Ten bytes of a datetime, and its zone.
std::optional<std::string> dateTimeText(const PickleHeap& heap, const PickleValue& object) {
  constexpr std::size_t kBytes = 10;
  const PickleValue* state = argument(heap, object, 0);
  if (state == nullptr || state->kind != Kind::Bytes || state->text.size() != kBytes) return std::nullopt;
  const std::string_view bytes = state->text;
  const auto date = dateText(bytes);
  const unsigned hour = byteAt(bytes, 4), minute = byteAt(bytes, 5), second = byteAt(bytes, 6);
  const std::uint64_t micros = greatestFirst(bytes.substr(7));
  if (!date || hour > 23 || minute > 59 || second > 59 || micros > 999'999) return std::nullopt;
  std::string text = fmt::format("{}T{:02}:{:02}:{:02}.{:06}", *date, hour, minute, second, micros);
  const PickleValue* zone = argument(heap, object, 1);
  if (zone == nullptr || zone->kind == Kind::Null) return text;
  const auto offset = zoneOf(heap, zone);
  return offset ? std::optional(text + *offset) : std::nullopt;   // else a time of an unknown zone
}

/// {"int": 123…} of a UUID's state.
std::optional<std::string> uuidText(const PickleHeap& heap, const PickleValue& object) {
  if (object.items.size() < 3) return std::nullopt;
  const PickleValue& state = heap.at(object.items[2]);
  if (state.kind != Kind::Dict) return std::nullopt;
  for (std::size_t i = 0; i + 1 < state.items.size(); i += 2) {
    const PickleValue& value = heap.at(state.items[i + 1]);
    if (heap.at(state.items[i]).text == "int" && value.kind == Kind::Number)
      return uuidOfDecimal(value.text);
  }
  return std::nullopt;
}

/// The text of an object that is known by its name.
std::optional<std::string> knownText(const PickleHeap& heap, const PickleValue& object) {
  const PickleValue* global = globalOf(heap, object);
  if (global == nullptr) return std::nullopt;
  const std::string_view name = global->text;
  if (name == "datetime.datetime") return dateTimeText(heap, object);
  const PickleValue* first = argument(heap, object, 0);
  if (name == "datetime.date" && first != nullptr && first->kind == Kind::Bytes && first->text.size() == 4)
    return dateText(first->text);
  const bool isDecimal = isOneOf(name, {"decimal.Decimal", "_pydecimal.Decimal"});
  if (isDecimal && first != nullptr && first->kind == Kind::Text) return first->text;
  if (name == "uuid.UUID") return uuidText(heap, object);
  return std::nullopt;
}

class PickleWriter {
 public:
  explicit PickleWriter(const PickleHeap& heap) : m_heap(heap) {}

  // A value that is in several places is written in each, and one that is in itself without end: what
  // is written is counted.
  Result<JsonNode> write(PickleId id, std::uint32_t depth) {
    const PickleValue& value = m_heap.at(id);
    m_bytes += value.text.size();
    if (depth > kMaxDepth) return fail(ErrorCode::Format, "the pickle is nested too deep");
    if (++m_nodes > kMaxNodes || m_bytes > kMaxBytes)
      return fail(ErrorCode::Format, "the pickle comes to more than can be held");
    switch (value.kind) {
      case Kind::Null: return scalarNode(JsonNode::Type::Null, {});
      case Kind::Boolean: return scalarNode(JsonNode::Type::Boolean, value.text);
      case Kind::Number: return scalarNode(JsonNode::Type::Number, value.text);
      case Kind::Text: return scalarNode(JsonNode::Type::String, value.text);
      case Kind::Bytes: return bytesNode(value.text);
      case Kind::List:
      case Kind::Tuple:
      case Kind::Set: return list(value.items, depth);
      case Kind::Dict: return dict(value.items, depth);
      case Kind::Global: return classNode(value.text);
      case Kind::Object: return object(value, depth);
    }
    return fail(ErrorCode::Internal, "a value of no kind");
  }

 private:
  static JsonNode classNode(const std::string& name) {
    JsonNode node;
    node.type = JsonNode::Type::Object;
    node.members.emplace_back("__class__", scalarNode(JsonNode::Type::String, name));
    return node;
  }

  Result<JsonNode> list(const std::vector<PickleId>& items, std::uint32_t depth) {
    JsonNode node;
    node.type = JsonNode::Type::Array;
    for (const PickleId item : items) {
      auto written = write(item, depth + 1);
      if (!written) return written;
      node.items.push_back(std::move(*written));
    }
    return node;
  }

  Result<JsonNode> dict(const std::vector<PickleId>& items, std::uint32_t depth) {
    JsonNode node;
    node.type = JsonNode::Type::Object;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      auto name = write(items[i], depth + 1);
      if (!name) return name;
      if (name->type == JsonNode::Type::Array || name->type == JsonNode::Type::Object)
        return fail(ErrorCode::Format, "the pickle holds a dict with a key that is no text");
      if (name->type == JsonNode::Type::Null) name->text = "null";
      auto value = write(items[i + 1], depth + 1);
      if (!value) return value;
      const auto [place, isNew] = places.emplace(name->text, node.members.size());
      if (isNew) {
        node.members.emplace_back(std::move(name->text), std::move(*value));
      } else {
        node.members[place->second].second = std::move(*value);   // as a dict does
      }
    }
    return node;
  }

  Result<JsonNode> object(const PickleValue& value, std::uint32_t depth) {
    if (auto text = knownText(m_heap, value)) return scalarNode(JsonNode::Type::String, std::move(*text));
    const PickleValue* global = globalOf(m_heap, value);
    if (global == nullptr) return fail(ErrorCode::Format, "the pickle holds an object without a class");
    JsonNode node = classNode(global->text);
    auto arguments = write(value.items[1], depth + 1);
    if (!arguments) return arguments;
    node.members.emplace_back("args", std::move(*arguments));
    if (value.items.size() < 3) return node;
    auto state = write(value.items[2], depth + 1);
    if (!state) return state;
    node.members.emplace_back("state", std::move(*state));
    return node;
  }

  const PickleHeap& m_heap;
  std::size_t m_nodes = 0;
  std::size_t m_bytes = 0;
};

/// Bytes as protocols before 3 wrote them: a text of code points below 256.
std::optional<std::string> latin1Bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned first = byteAt(text, i);
    if (first < 0x80) {
      bytes += text[i];
      continue;
    }
    if ((first != 0xC2 && first != 0xC3) || i + 1 == text.size()) return std::nullopt;
    bytes += static_cast<char>((first & 0x03u) << 6 | (byteAt(text, ++i) & 0x3Fu));
  }
  return bytes;
}

/// The elements that sets and lists of old protocols are made of.
std::vector<PickleId> elementsOf(const PickleHeap& heap, const std::vector<PickleId>& arguments) {
  return arguments.empty() ? std::vector<PickleId>() : heap.at(arguments[0]).items;
}

}  // namespace

PickleValue pickledObject(const PickleHeap& heap, PickleId global, PickleId arguments) {
  const std::string_view name = heap.at(global).text;
  const auto& given = heap.at(arguments).items;
  const PickleValue* first = given.empty() ? nullptr : &heap.at(given[0]);
  const bool isListed = first == nullptr || first->kind == Kind::List || first->kind == Kind::Tuple;
  const bool isSet = isOneOf(
      name, {"builtins.set", "builtins.frozenset", "__builtin__.set", "__builtin__.frozenset"});
  if (isSet && isListed) return {Kind::Set, {}, elementsOf(heap, given)};
  const bool isDict =
      isOneOf(name, {"collections.OrderedDict", "collections.defaultdict", "builtins.dict"});
  const bool isBare = first == nullptr || first->kind == Kind::Global;   // a defaultdict's factory
  if (isDict && isBare) return {Kind::Dict, {}, {}};
  const bool isBytes = isOneOf(name, {"builtins.bytes", "__builtin__.bytes", "builtins.bytearray",
                                      "__builtin__.bytearray"});
  const bool isLatin1 = given.size() == 2 && isOneOf(heap.at(given[1]).text, {"latin1", "latin-1"});
  if ((isBytes || name == "_codecs.encode") && isLatin1 && first->kind == Kind::Text) {
    if (const auto bytes = latin1Bytes(first->text)) return {Kind::Bytes, *bytes, {}};
  }
  if (isBytes && first == nullptr) return {Kind::Bytes, {}, {}};
  if (isBytes && given.size() == 1 && first->kind == Kind::Bytes) return {Kind::Bytes, first->text, {}};
  // An object of an old protocol: its class stands among the arguments.
  const bool isRebuilt = isOneOf(
      name, {"copy_reg._reconstructor", "copyreg._reconstructor", "copyreg.__newobj__"});
  if (isRebuilt && first != nullptr && first->kind == Kind::Global)
    return {Kind::Object, {}, {given[0], arguments}};
  return {Kind::Object, {}, {global, arguments}};
}

Result<JsonNode> jsonOfPickle(const PickleHeap& heap, PickleId root) {
  return PickleWriter(heap).write(root, 0);
}

}  // namespace counterfoil
