// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/named_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <span>

#include "core/base/embedded_file.h"
#include "core/base/text.h"
#include "importers/mapping/mapping_model.h"

namespace counterfoil {

std::span<const EmbeddedFile> embeddedFormats();  // generated from resources/formats

namespace {

constexpr std::string_view kSuffix = ".json";
constexpr std::size_t kMaxUserFormats = 1000;
constexpr int kMaxExtends = 8;

std::filesystem::path userFolder() {
  if (const char* folder = std::getenv("COUNTERFOIL_FORMATS")) return folder;
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != '\0') {
    return std::filesystem::path(config) / "counterfoil" / "formats";
  }
  if (const char* home = std::getenv("HOME"))
    return std::filesystem::path(home) / ".config" / "counterfoil" / "formats";
  return {};
}

bool isSafeName(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                  c == '-';
         });
}

Result<> takeMappings(const JsonNode& node, NamedFormat& format, int depth) {
  const JsonNode* list = node.find("mappings");
  const std::size_t count = list != nullptr ? list->items.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    auto mappings = parseMappingsAs(list != nullptr ? list->items[i] : node, format.name, depth);
    if (!mappings) return fail(mappings.error());
    format.mappings.insert(format.mappings.end(), mappings->begin(), mappings->end());
  }
  if (format.mappings.empty()) return failAt(node, "a format without mappings");
  return {};
}

Result<NamedFormat> fromNode(const JsonNode& node, std::string name, bool shipped, int depth) {
  static constexpr std::array<std::string_view, 8> kMembers = {
      "title", "about", "blind", "snapshot", "part", "named", "mappings", "$schema"};
  NamedFormat format;
  format.name = std::move(name);
  format.shipped = shipped;
  if (node.find("mappings") != nullptr) {
    if (auto ok = checkMembers(node, kMembers.data(), kMembers.size()); !ok)
      return fail(ok.error());
  }
  if (const JsonNode* title = node.find("title")) format.title = title->text;
  if (const JsonNode* about = node.find("about")) format.about = about->text;
  if (const JsonNode* blind = node.find("blind")) format.blind = blind->text == "true";
  if (const JsonNode* snapshot = node.find("snapshot")) format.snapshot = snapshot->text == "true";
  if (const JsonNode* part = node.find("part")) format.part = part->text == "true";
  if (const JsonNode* named = node.find("named")) {
    if (const auto pattern = Pattern::compile(named->text); !pattern) return failAt(*named, pattern.error().message);
    format.named = named->text;
  }
  if (auto ok = takeMappings(node, format, depth); !ok) return fail(ok.error());
  return format;
}

[[nodiscard]] std::vector<std::string> allNames() {
  std::set<std::string> names;
  for (const EmbeddedFile& file : embeddedFormats()) {
    names.emplace(file.name.substr(0, file.name.size() - kSuffix.size()));
  }
  std::error_code error;  // no folder, no formats
  std::filesystem::directory_iterator entry(userFolder(), error);
  for (std::size_t count = 0;
       !error && entry != std::filesystem::directory_iterator() && count < kMaxUserFormats;) {
    const std::string name = entry->path().stem().string();
    if (entry->path().extension() == kSuffix && isSafeName(name)) {
      names.insert(name);
      ++count;
    }
    entry.increment(error);
  }
  return {names.begin(), names.end()};
}

Result<NamedFormat> loadFormatAt(std::string_view name, int depth) {
  if (depth > kMaxExtends)
    return fail(ErrorCode::Config, fmt::format("format '{}' extends itself", name));
  for (const EmbeddedFile& file : embeddedFormats()) {
    if (file.name.size() != name.size() + kSuffix.size() ||
        file.name.substr(0, name.size()) != name)
      continue;
    auto node = parseJson(file.bytes, std::string(file.name));
    if (!node) return fail(node.error());
    return fromNode(*node, std::string(name), true, depth);
  }
  const std::filesystem::path path = userFolder() / (std::string(name) + std::string(kSuffix));
  std::error_code ignored;
  if (isSafeName(name) && std::filesystem::is_regular_file(path, ignored)) {
    auto node = parseJsonFile(path.string());
    if (!node) return fail(node.error());
    return fromNode(*node, std::string(name), false, depth);
  }
  const auto names = allNames();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = nearest(name, views.data(), views.size());
  return fail(ErrorCode::Config, fmt::format("unknown format '{}'{}", name,
                                             near.empty() ? "" : ", did you mean '" + near + "'?"));
}

/// Shipped formats never change while the program runs, and finding out what a file is asks for all of them: each is
/// read once. Thread-safe.
class FormatShelf {
 public:
  Result<NamedFormat> load(std::string_view name, int depth) {
    {
      const std::lock_guard lock(m_mutex);
      if (const auto found = m_shipped.find(name); found != m_shipped.end()) return found->second;
    }
    auto format = loadFormatAt(name, depth);
    if (format && format->shipped) {
      const std::lock_guard lock(m_mutex);
      m_shipped.emplace(name, *format);
    }
    return format;
  }

 private:
  std::mutex m_mutex;
  std::map<std::string, NamedFormat, std::less<>> m_shipped;
};

FormatShelf& shelf() {
  static FormatShelf only;
  return only;
}

}  // namespace

std::vector<std::string> formatNames() {
  return allNames();
}

Result<NamedFormat> loadFormat(std::string_view name) {
  return shelf().load(name, 0);
}

Result<std::vector<std::shared_ptr<const MappingSpec>>> baseFormat(std::string_view name,
                                                                   int depth) {
  auto format = shelf().load(name, depth);
  if (!format) return fail(format.error());
  return std::move(format->mappings);
}

Result<std::vector<std::shared_ptr<const MappingSpec>>> namedFormat(std::string_view name) {
  return baseFormat(name, 0);
}

}  // namespace counterfoil
