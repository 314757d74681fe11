// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/json/json_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace counterfoil {

namespace {

bool isScalar(const JsonNode& node) {
  return node.type == JsonNode::Type::String || node.type == JsonNode::Type::Boolean ||
         node.type == JsonNode::Type::Number;
}

}  // namespace

tl::unexpected<Error> failAt(const JsonNode& node, std::string_view message) {
  return fail(ErrorCode::Config, fmt::format("{}: {}", node.where(), message));
}

std::string didYouMean(std::string_view word, const std::string_view* known, std::size_t count) {
  const std::string near = nearest(word, known, count);
  return near.empty() ? std::string() : fmt::format(", did you mean '{}'?", near);
}

Result<> checkMembers(const JsonNode& node, const std::string_view* known, std::size_t count) {
  for (const auto& [name, value] : node.members) {
    if (std::find(known, known + count, name) != known + count) continue;
    return failAt(value,
                  fmt::format("unknown member '{}'{}", name, didYouMean(name, known, count)));
  }
  return {};
}

Result<std::string> textOf(const JsonNode& node, std::string_view member) {
  if (node.type != JsonNode::Type::String)
    return failAt(node, fmt::format("'{}' has to be a text", member));
  return node.text;
}

Result<std::vector<std::string>> textsOf(const JsonNode& node, std::string_view member) {
  const auto wrong = [&](const JsonNode& at) {
    return failAt(at, fmt::format("'{}' has to be a text or a list of texts", member));
  };
  if (isScalar(node)) return std::vector<std::string>{node.text};
  if (node.type != JsonNode::Type::Array) return wrong(node);
  std::vector<std::string> texts;
  for (const JsonNode& item : node.items) {
    if (!isScalar(item)) return wrong(item);
    texts.push_back(item.text);
  }
  return texts;
}

}  // namespace counterfoil
