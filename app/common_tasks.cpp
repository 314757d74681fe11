// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common_tasks.h"

#include <algorithm>

#include "importers/mapping/mapping_spec.h"

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

bool isOurs(RecordKind kind) { return kind != RecordKind::Effect && kind != RecordKind::QueueDepth; }

}  // namespace

std::set<std::string> valueNamesOf(const NamedFormat& format) {
  std::set<std::string> names;
  for (const auto& mapping : format.mappings) {
    if (!isOurs(mapping->record())) continue;
    for (std::string& name : mapping->valueNames()) names.insert(std::move(name));
  }
  return names;
}

bool tellsTasks(const NamedFormat& format) {
  return std::any_of(format.mappings.begin(), format.mappings.end(),
                     [](const auto& mapping) { return isOurs(mapping->record()) && mapping->tellsTask(); });
}

JsonNode rulesFor(const JsonNode& tasks, const NamedFormat& format, const std::set<std::string>& known) {
  const std::set<std::string> own = valueNamesOf(format);
  std::set<std::string> lacking;
  std::set_difference(known.begin(), known.end(), own.begin(), own.end(), std::inserter(lacking, lacking.end()));
  JsonNode rules = tasks;
  for (auto& [task, fields] : rules.members) {
    fields.members.erase(std::remove_if(fields.members.begin(), fields.members.end(),
                                        [&](const auto& field) { return needsLacking(field.second, lacking); }),
                         fields.members.end());
  }
  rules.members.erase(std::remove_if(rules.members.begin(), rules.members.end(),
                                     [](const auto& rule) { return rule.second.members.empty(); }),
                      rules.members.end());
  return rules;
}

}  // namespace counterfoil
