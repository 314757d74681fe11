// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common_tasks.h"

#include <algorithm>

#include "importers/mapping/lacking_names.h"
#include "importers/mapping/mapping_spec.h"

namespace counterfoil {

namespace {

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
  return rulesWithout(lacking, tasks);
}

}  // namespace counterfoil
