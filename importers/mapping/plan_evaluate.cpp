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

/// Whether a value that cannot be decoded is blank: the leaf says so, or the name whose value it is.
bool mayBeBlank(const CompiledLeaf& leaf, const StepsDone& done) {
  const auto& steps = leaf.decode;
  if (leaf.blankOnError) return true;
  const auto end = steps.begin() + static_cast<std::ptrdiff_t>(std::min(done.at + 1, steps.size()));
  const bool ofName =
      std::any_of(steps.begin(), end, [](const DecodeStep& step) { return step.blankOnError; });
  if (!ofName || done.isCut || done.at >= steps.size()) return ofName;
  return isPlace(steps[done.at]) || steps[done.at].blankOnError;   // else the field's own decoder
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

/// What the leaf's decoders make of its column, done once a row for all leaves that begin so.
const SharedDecoding& PlanImpl::decodedOnce(const CompiledLeaf& leaf, PlanScratch& scratch,
                                            const Picked& base) const {
  SharedDecoding& shared = scratch.decodings[leaf.shared];
  if (shared.row == scratch.rowNumber) return shared;
  shared.row = scratch.rowNumber;
  shared.value.clear();
  shared.value.type = base.type;
  shared.value.text = base.text;
  shared.done = runSteps(std::span(leaf.decode).first(leaf.sharedSteps), shared.value);
  return shared;
}

/// False with a fault where the value cannot be decoded; with `out` blank instead where that is said.
bool PlanImpl::decode(const CompiledLeaf& leaf, PlanScratch& scratch, Picked& out) const {
  if (out.text == "NULL" || out.text == "\\N") {   // as MySQL writes it, in no coding
    out.text = {};
    return true;
  }
  Decoding value;
  StepsDone done;
  if (leaf.shared == kNone) {
    value.type = out.type;
    value.text = out.text;
    done = runSteps(leaf.decode, value);
  } else {
    const SharedDecoding& shared = decodedOnce(leaf, scratch, out);
    value.type = shared.value.type;
    value.node = shared.value.node;
    if (value.node == nullptr) value.text = shared.value.text;
    done = shared.done;
    if (done.result) {
      done = runSteps(std::span(leaf.decode).subspan(leaf.sharedSteps), value);
      done.at += leaf.sharedSteps;
    }
  }
  if (done.result) done = {wholeOf(value), leaf.decode.size(), true};
  if (!done.result && mayBeBlank(leaf, done)) {
    out.text = {};
    return true;
  }
  if (!done.result) {
    return faultAt(scratch, leaf.label, out.text, "not_decodable",
                   fmt::format("the value cannot be decoded: {}", done.result.error().message));
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
