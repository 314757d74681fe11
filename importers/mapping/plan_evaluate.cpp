// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluating field expressions: from the fields of a row to one text.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxShownValue = 200;

std::string_view bounded(std::string_view text) {
  if (text.size() <= kMaxShownValue) return text;
  std::size_t end = kMaxShownValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end);
}

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

bool isJsonContainer(FieldType type) {
  return type == FieldType::Json;
}

std::string upperAscii(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

Result<std::string> decodeText(Decoder decoder, std::string_view text) {
  switch (decoder) {
    case Decoder::Base64:
      return decodeBase64(text);
    case Decoder::Hex:
      return decodeHex(text);
    case Decoder::Url:
      return decodeUrl(text);
    case Decoder::Upper:
      return upperAscii(text);
    case Decoder::Json:
    case Decoder::PythonRepr:
      break;
  }
  return fail(ErrorCode::Internal, "not a decoder of texts");
}

/// A value on its way through the decode steps: a text, or a node of a decoded tree.
struct Decoding {
  FieldType type = FieldType::Absent;
  std::string text;
  std::optional<JsonNode> tree;
  const JsonNode* node = nullptr;

  void take(JsonNode parsed) {
    JsonNode next = std::move(parsed);  // the old tree may hold what was parsed
    tree = std::move(next);
    node = &*tree;
  }
  void settle() {  // a node as text
    if (node == nullptr) return;
    type = typeOf(*node);
    std::string next = isJsonContainer(type) ? printJson(*node) : node->text;
    text = std::move(next);
    node = nullptr;
    tree.reset();
  }
};

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
    value = Decoding{};
    return {};
  }
  value.node = *found;
  return {};
}

/// The first group where the pattern occurs, else blank.
Result<> applyFind(const Pattern& pattern, Decoding& value) {
  value.settle();
  bool found = false;
  value.text = std::string(pattern.first(value.text, found));
  value.type = FieldType::Text;
  if (value.text.empty()) value = Decoding{};
  return {};
}

Result<> applyDecoder(Decoder decoder, Decoding& value) {
  if (value.node != nullptr && isJsonContainer(typeOf(*value.node))) {
    if (decoder == Decoder::Json) return {};  // parsed already
    return fail(ErrorCode::Format, "a list or an object where a text is expected");
  }
  value.settle();
  if (value.type == FieldType::Null || value.text.empty()) {
    value = Decoding{};
    return {};
  }
  if (decoder == Decoder::Json || decoder == Decoder::PythonRepr) {
    auto parsed =
        decoder == Decoder::Json ? parseJsonValue(value.text) : parsePythonRepr(value.text);
    if (!parsed) return fail(parsed.error());
    value.take(std::move(*parsed));
    return {};
  }
  auto text = decodeText(decoder, value.text);
  if (!text) return fail(text.error());
  value.text = std::move(*text);
  value.type = FieldType::Text;
  return {};
}

/// An error for a value that lacks its end: it must not be used for the whole.
Result<> wholeOf(const Decoding& value) {
  if (value.node == nullptr || !hasCut(*value.node)) return {};
  return fail(ErrorCode::Format, "it is cut off; let the source keep longer texts");
}

Result<> applyStep(const DecodeStep& step, Decoding& value) {
  if (step.decoder) return applyDecoder(*step.decoder, value);
  if (step.find != nullptr) return applyFind(*step.find, value);
  if (!step.path.empty()) return applyPlace(step.path, value, resolvePath);
  return applyPlace(step.pointer, value, resolvePointer);
}

}  // namespace

bool faultAt(PlanScratch& scratch, std::string_view column, std::string_view value,
             std::string_view rule, std::string reason) {
  scratch.lastFault.column = column;
  scratch.lastFault.value = bounded(value);
  scratch.lastFault.rule = rule;
  scratch.lastFault.reason = std::move(reason);
  return false;
}

std::string& PlanScratch::freshText() {
  if (arenaUsed == arena.size()) arena.emplace_back();
  std::string& text = arena[arenaUsed++];
  text.clear();
  return text;
}

bool PlanImpl::pick(const CompiledExpr& expr, const RowView& row, PlanScratch& scratch,
                    bool applyWords, Picked& out) const {
  out = Picked{};
  if (expr.digest) return digestText(expr, row, scratch, out);
  bool sawColumn = false;
  for (const CompiledLeaf& leaf : expr.leaves) {
    if (leaf.simple) {
      const FieldView& field = row.fields[leaf.column];
      sawColumn = sawColumn || field.type != FieldType::Absent;
      if (field.type == FieldType::Absent || field.type == FieldType::Null) continue;
      out.text = trimmed(field.text);
      if (out.text.empty()) continue;
      out.type = field.type;
      out.leaf = &leaf;
      return true;
    }
    Picked candidate;
    if (!pickLeaf(leaf, row, scratch, candidate)) return false;
    sawColumn = sawColumn || candidate.sawColumn;
    if (candidate.leaf == nullptr) continue;
    if (applyWords && leaf.words) {
      if (const std::string* target = leaf.words->find(candidate.text)) candidate.text = *target;
      if (candidate.text.empty()) continue;
    }
    out = candidate;
    return true;
  }
  out = Picked{};
  out.sawColumn = sawColumn;
  return true;
}

/// A leaf with everything but its words. A blank leaf has no `leaf`, unless its words know the
/// blank.
bool PlanImpl::pickLeaf(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                        Picked& out) const {
  for (const CompiledCondition& condition : leaf.when) {
    bool answer = false;
    if (!holds(condition, row, scratch, answer)) return false;
    if (!answer) return true;
  }
  if (!baseText(leaf, row, scratch, out)) {   // a part of it that cannot be decoded
    if (!leaf.blankOnError) return false;
    out.text = {};
  }
  out.sawColumn = out.type != FieldType::Absent;
  if (!leaf.decode.empty() && !out.text.empty() && !decode(leaf, scratch, out)) return false;
  if (leaf.find && !out.text.empty()) {
    bool found = false;
    out.text = leaf.find->first(out.text, found);
    out.type = FieldType::Text;
  }
  out.text = trimmed(out.text);
  if (!out.text.empty() || (leaf.words && leaf.words->blank)) out.leaf = &leaf;
  return true;
}

bool PlanImpl::joinText(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                        Picked& out) const {
  std::string& text = scratch.freshText();
  for (std::size_t i = 0; i < leaf.joined.size(); ++i) {
    Picked part;
    if (!pick(*leaf.joined[i], row, scratch, true, part)) return false;
    if (part.text.empty()) return true;
    if (i > 0) text += leaf.text;
    text += part.text;
  }
  out.type = FieldType::Text;
  out.text = text;
  return true;
}

bool PlanImpl::baseText(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                        Picked& out) const {
  switch (leaf.base) {
    case Leaf::Base::Value:
    case Leaf::Base::Document:
      out.type = leaf.base == Leaf::Base::Document && leaf.text.empty() ? FieldType::Absent
                                                                        : FieldType::Text;
      out.text = leaf.text;
      return true;
    case Leaf::Base::Column: {
      if (leaf.column == kNone) return true;
      const FieldView& field = row.fields[leaf.column];
      out.type = field.type;
      if (field.type != FieldType::Absent && field.type != FieldType::Null) out.text = field.text;
      return true;
    }
    case Leaf::Base::Sum: {  // its values are added where they are typed; here only whether there are any
      for (const auto& [column, negate] : leaf.sum) {
        const FieldView& field = row.fields[column];
        out.type = field.type;
        if (!field.isBlank()) out.text = trimmed(field.text);
        if (!out.text.empty()) return true;
      }
      return true;
    }
    case Leaf::Base::Join:
      return joinText(leaf, row, scratch, out);
    case Leaf::Base::Template:
      return templateText(leaf, row, scratch, out);
  }
  return true;
}

bool PlanImpl::templateText(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                            Picked& out) const {
  std::string& text = scratch.freshText();
  bool blank = false;
  for (const CompiledPart& part : leaf.parts) {
    text += part.literal;
    Picked picked;
    if (part.value != nullptr) {
      if (!pick(*part.value, row, scratch, true, picked)) return false;
    } else if (part.column != kNone) {
      if (part.column < row.fields.size() && !row.fields[part.column].isBlank())
        picked = {FieldType::Text, trimmed(row.fields[part.column].text), nullptr, true};
    } else {
      continue;
    }
    if (picked.sawColumn || picked.leaf != nullptr) out.type = FieldType::Text;
    blank = blank || picked.text.empty();
    text += picked.text;
  }
  if (!blank) out.text = text;
  return true;
}

/// False with a fault where the value cannot be decoded; with `out` blank instead where that is said.
bool PlanImpl::decode(const CompiledLeaf& leaf, PlanScratch& scratch, Picked& out) const {
  Decoding value;
  value.type = out.type;
  value.text = out.text;
  if (value.text == "NULL" || value.text == "\\N") value.text = {};   // as MySQL writes it, in no coding
  bool nameMayBeBlank = false;   // a name's value is cut off for every step that follows
  bool mayBeBlank = leaf.blankOnError;
  Result<> done;
  for (const DecodeStep& step : leaf.decode) {
    if (value.node == nullptr && value.text.empty()) break;
    nameMayBeBlank = nameMayBeBlank || step.blankOnError;
    const bool isPlace = !step.decoder && step.find == nullptr;
    done = isPlace ? Result<>() : wholeOf(value);
    mayBeBlank = leaf.blankOnError || (nameMayBeBlank && (isPlace || !done || step.blankOnError));
    if (done) done = applyStep(step, value);
    if (!done) break;
  }
  if (done) {
    done = wholeOf(value);
    mayBeBlank = leaf.blankOnError || nameMayBeBlank;
  }
  if (!done && mayBeBlank) {
    out.text = {};
    return true;
  }
  if (!done) {
    return faultAt(scratch, leaf.label, out.text, "not_decodable",
                   fmt::format("the value cannot be decoded: {}", done.error().message));
  }
  value.settle();
  std::string& text = scratch.freshText();
  text = std::move(value.text);
  out.text = value.type == FieldType::Null ? std::string_view() : std::string_view(text);
  out.type = value.type;
  return true;
}

bool PlanImpl::holds(const CompiledCondition& condition, const RowView& row, PlanScratch& scratch,
                     bool& answer) const {
  Picked picked;
  if (!pick(*condition.value, row, scratch, true, picked)) return false;
  const std::string_view text = picked.text;
  bool fits =
      text.empty()
          ? condition.blank
          : std::any_of(condition.words.begin(), condition.words.end(),
                        [&](const std::string& word) { return equalsIgnoreCase(word, text); });
  for (std::size_t i = 0; !fits && !text.empty() && i < condition.patterns.size(); ++i) {
    fits = condition.patterns[i]->matches(text);
  }
  answer = fits != condition.negated;
  return true;
}

/// All leaves together: each with its length, so that ("ab", "c") and ("a", "bc") differ. Blank if
/// all are.
bool PlanImpl::digestText(const CompiledExpr& expr, const RowView& row, PlanScratch& scratch,
                          Picked& out) const {
  std::string all;
  bool anyThere = false;
  for (const CompiledLeaf& leaf : expr.leaves) {
    Picked part;
    if (!pickLeaf(leaf, row, scratch, part)) return false;
    anyThere = anyThere || !part.text.empty();
    all += std::to_string(part.text.size());
    all += ':';
    all += part.text;
  }
  if (!anyThere) return true;
  std::string& text = scratch.freshText();
  text = sha256Hex(all);
  out.text = text;
  out.type = FieldType::Text;
  out.leaf = &expr.leaves.front();
  return true;
}

std::size_t WordCache::slotOf(std::string_view text, std::size_t leaf) {
  const auto first = static_cast<unsigned char>(text.empty() ? 0 : text.front());
  const auto last = static_cast<unsigned char>(text.empty() ? 0 : text.back());
  return (text.size() * 5 + first * 3 + last + leaf) % 16;
}

const WordCache::Entry* WordCache::find(std::string_view text, std::size_t leaf) const {
  const Entry& entry = m_entries[slotOf(text, leaf)];
  const bool same = entry.length == text.size() && entry.leaf == leaf &&
                    (text.empty() || std::memcmp(entry.text.data(), text.data(), text.size()) == 0);
  return same ? &entry : nullptr;
}

void WordCache::put(std::string_view text, std::size_t leaf, std::uint16_t value) {
  if (text.size() > kMaxText || leaf > 255) return;
  Entry& entry = m_entries[slotOf(text, leaf)];
  entry.length = static_cast<std::uint8_t>(text.size());
  entry.leaf = static_cast<std::uint8_t>(leaf);
  entry.value = value;
  if (!text.empty()) std::memcpy(entry.text.data(), text.data(), text.size());  // a blank may lie nowhere
}

}  // namespace counterfoil
