// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of members: how each section of the configuration is read. Internal to the configuration
// reader.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "importers/json/json_checks.h"
#include "importers/json/json_document.h"

namespace counterfoil {

/// What the sections need of the whole.
struct ConfigContext {
  std::string folder;  ///< of the configuration file; "" for the working folder
  Instant asOf{};
  Zone zone;
  std::string zoneName = "UTC";
};

template <class T>
struct MemberRule {
  std::string_view name;
  Result<> (*read)(const JsonNode& node, T& target, const ConfigContext& context);
};

/// Reads all members of an object by a table; unknown ones are errors.
template <class T>
[[nodiscard]] Result<> readMembers(const JsonNode& node, std::span<const MemberRule<T>> rules,
                                   T& target, const ConfigContext& context) {
  if (node.type != JsonNode::Type::Object) return failAt(node, "an object is expected here");
  std::vector<std::string_view> names;
  for (const auto& rule : rules) names.push_back(rule.name);
  if (auto ok = checkMembers(node, names.data(), names.size()); !ok) return ok;
  for (const auto& [name, value] : node.members) {
    for (const auto& rule : rules) {
      if (rule.name != name) continue;
      if (auto ok = rule.read(value, target, context); !ok) return ok;
    }
  }
  return {};
}

/// Reads a list of objects, appending to `out`.
template <class T>
[[nodiscard]] Result<> readList(const JsonNode& node, std::span<const MemberRule<T>> rules,
                                std::vector<T>& out, const ConfigContext& context) {
  if (node.type != JsonNode::Type::Array) return failAt(node, "a list is expected here");
  for (const JsonNode& item : node.items) {
    T value;
    if (auto ok = readMembers<T>(item, rules, value, context); !ok) return ok;
    out.push_back(std::move(value));
  }
  return {};
}

[[nodiscard]] Result<> readText(const JsonNode& node, std::string& out);
[[nodiscard]] Result<> readTexts(const JsonNode& node, std::vector<std::string>& out);
[[nodiscard]] Result<> readFlag(const JsonNode& node, bool& out);
[[nodiscard]] Result<> readDuration(const JsonNode& node, Duration& out);
[[nodiscard]] Result<> readDuration(const JsonNode& node, std::optional<Duration>& out);
[[nodiscard]] Result<> readInteger(const JsonNode& node, std::int64_t& out, std::int64_t least = 0,
                                   std::int64_t most = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] Result<> readInstant(const JsonNode& node, const ConfigContext& context,
                                   Instant& out);
/// Index of the node's text in `words`.
[[nodiscard]] Result<std::size_t> readChoice(const JsonNode& node,
                                             std::span<const std::string_view> words);
[[nodiscard]] Result<> readSecretNode(const JsonNode& node, const ConfigContext& context,
                                      std::optional<Secret>& out);
/// A path of the configuration, relative to its file.
[[nodiscard]] std::string resolvePath(const std::string& path, const ConfigContext& context);

// One function a section.
[[nodiscard]] Result<> readOperations(const JsonNode& node, Config& config,
                                      const ConfigContext& context);
[[nodiscard]] Result<> readProviders(const JsonNode& node, Config& config,
                                     const ConfigContext& context);
[[nodiscard]] Result<> readQueues(const JsonNode& node, Config& config,
                                  const ConfigContext& context);
[[nodiscard]] Result<> readThresholds(const JsonNode& node, Config& config,
                                      const ConfigContext& context);
[[nodiscard]] Result<> readSources(const JsonNode& node, const JsonNode* tasks, Config& config,
                                   const ConfigContext& context);
[[nodiscard]] Result<> readReports(const JsonNode& node, Config& config,
                                   const ConfigContext& context);
[[nodiscard]] Result<> readAlerts(const JsonNode& node, Config& config,
                                  const ConfigContext& context);
[[nodiscard]] Result<> readPings(const JsonNode& node, Config& config,
                                 const ConfigContext& context);
[[nodiscard]] Result<> readRetention(const JsonNode& node, Config& config,
                                     const ConfigContext& context);

}  // namespace counterfoil
