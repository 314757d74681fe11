// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/config_members.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>

#include "core/base/text.h"

namespace counterfoil {

Result<> readText(const JsonNode& node, std::string& out) {
  if (node.type != JsonNode::Type::String) return failAt(node, "a text is expected here");
  if (trim(node.text).empty()) return failAt(node, "a text that is not blank is expected here");
  out = node.text;
  return {};
}

Result<> readTexts(const JsonNode& node, std::vector<std::string>& out) {
  if (node.type != JsonNode::Type::Array) return failAt(node, "a list of texts is expected here");
  for (const JsonNode& item : node.items) {
    std::string text;
    if (auto ok = readText(item, text); !ok) return ok;
    out.push_back(std::move(text));
  }
  return {};
}

Result<> readFlag(const JsonNode& node, bool& out) {
  if (node.type != JsonNode::Type::Boolean) return failAt(node, "true or false is expected here");
  out = node.text == "true";
  return {};
}

Result<> readDuration(const JsonNode& node, Duration& out) {
  if (node.type != JsonNode::Type::String)
    return failAt(node, "a duration is expected here: \"30s\", \"5m\", \"7d\"");
  auto duration = parseDuration(node.text);
  if (!duration) return failAt(node, duration.error().message);
  if (*duration < Duration(0)) return failAt(node, "a duration cannot be negative");
  out = *duration;
  return {};
}

Result<> readDuration(const JsonNode& node, std::optional<Duration>& out) {
  Duration duration{0};
  if (auto ok = readDuration(node, duration); !ok) return ok;
  out = duration;
  return {};
}

Result<> readInteger(const JsonNode& node, std::int64_t& out, std::int64_t least,
                     std::int64_t most) {
  const char* end = node.text.data() + node.text.size();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(node.text.data(), end, value);
  if (node.type != JsonNode::Type::Number || error != std::errc() || stop != end || value < least ||
      value > most) {
    return failAt(node,
                  most == std::numeric_limits<std::int64_t>::max()
                      ? fmt::format("a whole number of at least {} is expected here", least)
                      : fmt::format("a whole number from {} to {} is expected here", least, most));
  }
  out = value;
  return {};
}

Result<> readInstant(const JsonNode& node, const ConfigContext& context, Instant& out) {
  if (node.type != JsonNode::Type::String) return failAt(node, "a time is expected here");
  auto at = resolveTime(node.text, context.asOf, context.zone);
  if (!at) return failAt(node, at.error().message);
  out = *at;
  return {};
}

Result<std::size_t> readChoice(const JsonNode& node, std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (node.type == JsonNode::Type::String && node.text == words[i]) return i;
  }
  return failAt(
      node, fmt::format("'{}' is not known here{}; known are {}", node.text,
                        didYouMean(node.text, words.data(), words.size()), fmt::join(words, ", ")));
}

Result<> readSecretNode(const JsonNode& node, const ConfigContext& context,
                        std::optional<Secret>& out) {
  static constexpr std::string_view kKinds[] = {"file", "credential", "env"};
  static constexpr std::string_view kHow =
      R"(a secret is never written here: give {"file": "path"}, {"credential": "name"} or {"env": "NAME"})";
  if (node.type != JsonNode::Type::Object) return failAt(node, kHow);
  if (auto ok = checkMembers(node, kKinds, std::size(kKinds)); !ok) return ok;
  if (node.members.size() != 1) return failAt(node, kHow);
  const auto& [name, value] = node.members.front();
  Secret secret;
  if (auto ok = readText(value, secret.name); !ok) return ok;
  secret.kind = name == "file"  ? Secret::Kind::File
                : name == "env" ? Secret::Kind::Env
                                : Secret::Kind::Credential;
  const bool isPlainName = secret.name.find('/') == std::string::npos && secret.name.front() != '.';
  if (secret.kind == Secret::Kind::Credential && !isPlainName)
    return failAt(value, "the name of a credential has no '/'");
  if (secret.kind == Secret::Kind::File) secret.name = resolvePath(secret.name, context);
  secret.where = node.where();
  out = std::move(secret);
  return {};
}

std::string resolvePath(const std::string& path, const ConfigContext& context) {
  if (context.folder.empty()) return path;
  return (std::filesystem::path(context.folder) / path).lexically_normal().string();
}

}  // namespace counterfoil
