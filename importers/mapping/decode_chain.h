// SPDX-License-Identifier: GPL-3.0-or-later
// A value on its way through the decode steps of a mapping. Internal to importers/mapping.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "importers/json/json_document.h"
#include "importers/mapping/mapping_model.h"
#include "importers/readers/row.h"

namespace counterfoil {

/// A text, or a node of a decoded tree: its own, or one that others share (which has to outlive it).
struct Decoding {
  FieldType type = FieldType::Absent;
  std::string text;
  std::optional<JsonNode> tree;
  const JsonNode* node = nullptr;

  Decoding() = default;
  Decoding(const Decoding&) = delete;   // `node` may point into `tree`
  Decoding& operator=(const Decoding&) = delete;

  [[nodiscard]] bool isBlank() const { return node == nullptr && text.empty(); }
  void clear();
  void take(JsonNode parsed);
  /// A node becomes text: containers as JSON.
  void settle();
};

/// What a run of steps came to: an error has the number of the step that failed.
struct StepsDone {
  Result<> result = {};
  std::size_t at = 0;
  bool isCut = false;   ///< it failed since the value lacks its end
};

/// Runs the steps in order; stops at a blank value. A value that was cut off is not decoded further.
[[nodiscard]] StepsDone runSteps(std::span<const DecodeStep> steps, Decoding& value);
/// An error for a value that lacks its end: it must not be used for the whole.
[[nodiscard]] Result<> wholeOf(const Decoding& value);
/// Whether the decoder's work is to get at lists and objects: nothing is left to do where there is one.
[[nodiscard]] bool givesTrees(Decoder decoder);
/// A place looks into what the decoders before it gave.
[[nodiscard]] inline bool isPlace(const DecodeStep& step) {
  return !step.decoder && step.find == nullptr;
}

/// A place in a text is one in the JSON that it holds: that decoder is put before it.
void sayJson(std::vector<DecodeStep>& steps);
/// Steps that do the same have the same name.
[[nodiscard]] std::string nameOf(const DecodeStep& step);

}  // namespace counterfoil
