// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/decode_chain.h"

#include <fmt/format.h>

#include <utility>

namespace counterfoil {

namespace {

FieldType typeOf(const JsonNode& node) {
  switch (node.type) {
    case JsonNode::Type::Null:
      return FieldType::Null;
    case JsonNode::Type::Boolean:
      return FieldType::Boolean;
    case JsonNode::Type::Number:
      return FieldType::Number;
    case JsonNode::Type::String:
      return FieldType::Text;
    case JsonNode::Type::Array:
    case JsonNode::Type::Object:
      return FieldType::Json;
  }
  return FieldType::Null;
}

bool isContainer(const JsonNode& node) {
  return node.type == JsonNode::Type::Array || node.type == JsonNode::Type::Object;
}

std::string upperAscii(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

/// Decoders that read a text as a tree of values.
std::optional<Result<JsonNode>> parsedBy(Decoder decoder, std::string_view text) {
  switch (decoder) {
    case Decoder::Json:
    case Decoder::Pairs:
      return parseJsonValue(text);
    case Decoder::PythonRepr:
      return parsePythonRepr(text);
    case Decoder::Pickle:
      return parsePickle(text);
    case Decoder::Msgpack:
      return parseMsgpack(text);
    case Decoder::Base64:
    case Decoder::Hex:
    case Decoder::Url:
    case Decoder::Upper:
    case Decoder::Zlib:
    case Decoder::Latin1:
    case Decoder::IntBe:
      break;
  }
  return std::nullopt;
}

Result<std::string> decodedText(Decoder decoder, std::string_view text) {
  switch (decoder) {
    case Decoder::Base64:
      return decodeBase64(text);
    case Decoder::Hex:
      return decodeHex(text);
    case Decoder::Url:
      return decodeUrl(text);
    case Decoder::Upper:
      return upperAscii(text);
    case Decoder::Zlib:
      return decodeZlib(text);
    case Decoder::Latin1:
      return decodeLatin1(text);
    case Decoder::IntBe:
      return decodeIntBe(text);
    case Decoder::Json:
    case Decoder::Pairs:
    case Decoder::PythonRepr:
    case Decoder::Pickle:
    case Decoder::Msgpack:
      break;
  }
  return fail(ErrorCode::Internal, "not a decoder of texts");
}

Result<> pairUp(Decoding& value) {
  auto object = objectOfPairs(*value.node);
  if (!object) return fail(object.error());
  value.take(std::move(*object));
  return {};
}

Result<> applyToContainer(Decoder decoder, Decoding& value) {
  if (decoder == Decoder::Pairs) return pairUp(value);
  if (givesTrees(decoder)) return {};
  return fail(ErrorCode::Format, "a list or an object where a text is expected");
}

Result<> applyDecoder(Decoder decoder, Decoding& value) {
  if (value.node != nullptr && isContainer(*value.node)) return applyToContainer(decoder, value);
  value.settle();
  if (value.type == FieldType::Null || value.text.empty()) {
    value.clear();
    return {};
  }
  // A column that holds a list or an object is JSON, whatever it would be as a text.
  const bool isJson = value.type == FieldType::Json && givesTrees(decoder);
  if (auto parsed = parsedBy(isJson ? Decoder::Json : decoder, value.text)) {
    if (!*parsed) return fail(parsed->error());
    value.take(std::move(**parsed));
    return decoder == Decoder::Pairs ? pairUp(value) : Result<>();
  }
  auto text = decodedText(decoder, value.text);
  if (!text) return fail(text.error());
  value.text = std::move(*text);
  value.type = FieldType::Text;
  return {};
}

/// A place inside a value; where it is a text, inside the JSON that it holds.
template <class Resolve>
Result<> applyPlace(const std::string& place, Decoding& value, Resolve resolve) {
  if (value.node == nullptr) {
    auto parsed = parseJsonValue(value.text);
    if (!parsed) return fail(parsed.error());
    value.take(std::move(*parsed));
  }
  auto found = resolve(*value.node, place);
  if (!found) return fail(found.error());
  if (*found == nullptr) {
    value.clear();
  } else {
    value.node = *found;
  }
  return {};
}

/// The first group where the pattern occurs, else blank.
Result<> applyFind(const Pattern& pattern, Decoding& value) {
  value.settle();
  bool found = false;
  std::string text(pattern.first(value.text, found));
  value.clear();
  value.text = std::move(text);
  if (!value.text.empty()) value.type = FieldType::Text;
  return {};
}

Result<> applyStep(const DecodeStep& step, Decoding& value) {
  if (step.decoder) return applyDecoder(*step.decoder, value);
  if (step.find != nullptr) return applyFind(*step.find, value);
  if (!step.path.empty()) return applyPlace(step.path, value, resolvePath);
  return applyPlace(step.pointer, value, resolvePointer);
}

}  // namespace

bool givesTrees(Decoder decoder) {
  return decoder == Decoder::Json || decoder == Decoder::PythonRepr || decoder == Decoder::Pickle ||
         decoder == Decoder::Msgpack;
}

void Decoding::clear() {
  type = FieldType::Absent;
  text.clear();
  node = nullptr;
  tree.reset();
}

void Decoding::take(JsonNode parsed) {
  JsonNode next = std::move(parsed);  // the old tree may hold what was parsed
  tree = std::move(next);
  node = &*tree;
}

void Decoding::settle() {
  if (node == nullptr) return;
  type = typeOf(*node);
  text = isContainer(*node) ? printJson(*node) : std::string(node->text);
  node = nullptr;
  tree.reset();
}

Result<> wholeOf(const Decoding& value) {
  if (value.node == nullptr || !hasCut(*value.node)) return {};
  return fail(ErrorCode::Format, "it is cut off; let the source keep longer texts");
}

StepsDone runSteps(std::span<const DecodeStep> steps, Decoding& value) {
  for (std::size_t i = 0; i < steps.size() && !value.isBlank(); ++i) {
    if (!isPlace(steps[i])) {
      if (auto whole = wholeOf(value); !whole) return {std::move(whole), i, true};
    }
    if (auto done = applyStep(steps[i], value); !done) return {std::move(done), i, false};
  }
  return {};
}

void sayJson(std::vector<DecodeStep>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool isOpen = i == 0 || !steps[i - 1].decoder || !givesTrees(*steps[i - 1].decoder);
    if (!isPlace(steps[i]) || !isOpen || (i > 0 && isPlace(steps[i - 1]))) continue;
    DecodeStep json{.decoder = Decoder::Json};
    json.blankOnError = steps[i].blankOnError;
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(i++), std::move(json));
  }
}

std::string nameOf(const DecodeStep& step) {
  if (step.decoder) return std::to_string(static_cast<int>(*step.decoder));
  if (step.find != nullptr) return fmt::format("find {}", static_cast<const void*>(step.find.get()));
  return step.path.empty() ? step.pointer : "path " + step.path;
}

}  // namespace counterfoil
