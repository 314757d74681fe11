// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/lacking_names.h"

#include <algorithm>
#include <string_view>

namespace counterfoil {

namespace {

/// The name before the first dot of "args.0" or of a part of a template, "{args.0}".
bool needsLacking(std::string_view text, const std::set<std::string>& lacking) {
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find_first_of(".{}", from), text.size());
    const bool isPlace = end < text.size() && text[end] == '.';
    if (isPlace && lacking.count(std::string(text.substr(from, end - from))) > 0) return true;
    const std::size_t next = text.find('{', from);
    if (next == std::string_view::npos) return false;
    from = next + 1;
  }
  return false;
}

// Nesting is bounded by the depth of the JSON text.
bool needsLacking(const JsonNode& node, const std::set<std::string>& lacking) {
  if (node.type == JsonNode::Type::String) {
    return lacking.count(node.text) > 0 || needsLacking(std::string_view(node.text), lacking);
  }
  return std::any_of(node.items.begin(), node.items.end(), [&](const JsonNode& item) { return needsLacking(item, lacking); }) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [&](const auto& member) { return needsLacking(member.second, lacking); });
}

/// Of a list of alternatives those that need no lacking name stay.
bool losesAll(JsonNode& value, const std::set<std::string>& lacking) {
  if (!needsLacking(value, lacking)) return false;
  if (value.type != JsonNode::Type::Array) return true;
  value.items.erase(std::remove_if(value.items.begin(), value.items.end(),
                                   [&](const JsonNode& item) { return needsLacking(item, lacking); }),
                    value.items.end());
  return value.items.empty();
}

}  // namespace

JsonNode rulesWithout(const std::set<std::string>& lacking, const JsonNode& tasks) {
  JsonNode rules = tasks;
  if (lacking.empty()) return rules;
  for (auto& [task, fields] : rules.members) {
    fields.members.erase(std::remove_if(fields.members.begin(), fields.members.end(),
                                        [&](auto& field) { return losesAll(field.second, lacking); }),
                         fields.members.end());
  }
  rules.members.erase(std::remove_if(rules.members.begin(), rules.members.end(),
                                     [](const auto& rule) {
                                       return rule.second.type == JsonNode::Type::Object && rule.second.members.empty();
                                     }),
                      rules.members.end());
  return rules;
}

}  // namespace counterfoil
