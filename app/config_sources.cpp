// SPDX-License-Identifier: GPL-3.0-or-later
// The `sources` of a configuration.
#include <fmt/format.h>

#include <algorithm>

#include "app/common_tasks.h"
#include "app/config_members.h"
#include "importers/mapping/named_formats.h"

namespace counterfoil {

namespace {

using Ctx = ConfigContext;

struct SourceEntry {
  SourceSpec spec;
  const JsonNode* mapping = nullptr;
  const JsonNode* format = nullptr;
  const JsonNode* tasks = nullptr;
  const JsonNode* table = nullptr;
  const JsonNode* sheet = nullptr;
  std::optional<bool> blind;
  std::optional<Instant> mustReach;
  std::optional<RunOptions::Declared> declared;
};

Result<> readCovers(const JsonNode& node, SourceEntry& entry, const Ctx& context) {
  static constexpr MemberRule<Interval> kRules[] = {
      {"from",
       [](const JsonNode& n, Interval& i, const Ctx& c) { return readInstant(n, c, i.from); }},
      {"to", [](const JsonNode& n, Interval& i, const Ctx& c) { return readInstant(n, c, i.to); }},
  };
  Interval covers;
  if (auto ok = readMembers<Interval>(node, kRules, covers, context); !ok) return ok;
  if (node.find("from") == nullptr || node.find("to") == nullptr)
    return failAt(node, "'covers' needs \"from\" and \"to\"");
  if (covers.to <= covers.from) {
    return failAt(node, fmt::format("'covers' is empty: from {} to {}", formatInstant(covers.from),
                                    formatInstant(covers.to)));
  }
  entry.spec.covers = covers;
  return {};
}

/// "10,412.00" or 10412: major units of the currency.
Result<> readTotals(const JsonNode& node, RunOptions::Declared& declared, const Ctx&) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "'total' is an object, {\"USD\": \"10,412.00\"}");
  for (const auto& [code, value] : node.members) {
    const auto currency = Currency::parse(code);
    if (!currency) return failAt(value, fmt::format("unknown currency '{}'", code));
    AmountStyle style;
    style.exponent = currency->exponent();
    const AmountOutcome amount = parseAmount(value.text, style);
    const bool isText =
        value.type == JsonNode::Type::Number || value.type == JsonNode::Type::String;
    if (!isText || amount.fault) {
      return failAt(
          value,
          fmt::format("'{}' is no amount of {}{}{}", value.text, code, amount.fault ? ": " : "",
                      amount.fault ? describe(*amount.fault) : std::string_view()));
    }
    declared.totals.push_back(
        {amount.value.negative ? -amount.value.minor : amount.value.minor, *currency});
  }
  return {};
}

Result<> readDeclared(const JsonNode& node, SourceEntry& entry, const Ctx& context) {
  static constexpr MemberRule<RunOptions::Declared> kRules[] = {
      {"count",
       [](const JsonNode& n, RunOptions::Declared& d, const Ctx&) -> Result<> {
         std::int64_t count = 0;
         if (auto ok = readInteger(n, count); !ok) return ok;
         d.count = static_cast<std::uint64_t>(count);
         return {};
       }},
      {"total", readTotals},
  };
  RunOptions::Declared declared;
  if (auto ok = readMembers<RunOptions::Declared>(node, kRules, declared, context); !ok) return ok;
  entry.declared = std::move(declared);
  return {};
}

Result<> readZone(const JsonNode& node, SourceEntry& entry, const Ctx&) {
  if (auto ok = readText(node, entry.spec.zone); !ok) return ok;
  if (auto zone = Zone::named(node.text); !zone) return failAt(node, zone.error().message);
  return {};
}

constexpr MemberRule<SourceEntry> kSourceRules[] = {
    {"name",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) { return readText(n, e.spec.name); }},
    {"path",
     [](const JsonNode& n, SourceEntry& e, const Ctx& c) -> Result<> {
       if (auto ok = readText(n, e.spec.path); !ok) return ok;
       e.spec.path = resolvePath(e.spec.path, c);
       return {};
     }},
    {"format",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) {
       e.format = &n;
       return readText(n, e.spec.format);
     }},
    {"mapping",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) -> Result<> {
       e.mapping = &n;
       return {};
     }},
    {"tasks",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) -> Result<> {
       e.tasks = &n;
       return {};
     }},
    {"table",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) -> Result<> {
       e.table = &n;
       return {};
     }},
    {"sheet",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) -> Result<> {
       e.sheet = &n;
       return {};
     }},
    {"provider",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) { return readText(n, e.spec.provider); }},
    {"covers", readCovers},
    {"must_reach",
     [](const JsonNode& n, SourceEntry& e, const Ctx& c) {
       e.mustReach = Instant{};
       return readInstant(n, c, *e.mustReach);
     }},
    {"declared", readDeclared},
    {"time_zone", readZone},
    {"jobs",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) { return readText(n, e.spec.jobs); }},
    {"blind",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) {
       e.blind = false;
       return readFlag(n, *e.blind);
     }},
    {"may_be_empty",
     [](const JsonNode& n, SourceEntry& e, const Ctx&) { return readFlag(n, e.spec.mayBeEmpty); }},
};

/// `tasks`, `table` and `sheet` of a source are members of its mapping, or of the mapping's layout.
Result<> addMember(JsonNode& object, std::string_view name, const JsonNode& value) {
  if (object.find(name) != nullptr) {
    return failAt(value, fmt::format("'{}' is given here and in the mapping", name));
  }
  object.members.emplace_back(name, value);
  return {};
}

Result<> addLayoutMember(JsonNode& mapping, std::string_view name, const JsonNode* value) {
  if (value == nullptr) return {};
  auto layout = std::find_if(mapping.members.begin(), mapping.members.end(),
                             [](const auto& member) { return member.first == "layout"; });
  if (layout == mapping.members.end()) {
    JsonNode object;
    object.type = JsonNode::Type::Object;
    object.line = value->line;
    object.column = value->column;
    object.file = value->file;
    layout = mapping.members.emplace(mapping.members.end(), "layout", std::move(object));
  }
  return addMember(layout->second, name, *value);
}

/// A mapping beside a `format` that says neither record nor extends is an addition to that format.
Result<> readMapping(const JsonNode& node, SourceEntry& entry) {
  JsonNode completed = node;
  if (node.type == JsonNode::Type::Object) {
    const bool leansOnFormat = entry.format != nullptr && node.find("record") == nullptr &&
                               node.find("extends") == nullptr;
    if (leansOnFormat) completed.members.emplace_back("extends", *entry.format);
    const JsonNode* record = node.find("record");
    const bool hasNoTask = record != nullptr && (record->text == "queue_depth" || record->text == "effect");
    if (entry.tasks != nullptr && !hasNoTask) {
      if (auto ok = addMember(completed, "tasks", *entry.tasks); !ok) return ok;
    }
    if (auto ok = addLayoutMember(completed, "table", entry.table); !ok) return ok;
    if (auto ok = addLayoutMember(completed, "sheet", entry.sheet); !ok) return ok;
  }
  auto specs = parseMappings(completed);
  if (!specs) return fail(specs.error());
  entry.spec.mappings.insert(entry.spec.mappings.end(), specs->begin(), specs->end());
  return {};
}

/// What is said beside a format alone is a mapping that extends it.
Result<> readAdditions(SourceEntry& entry) {
  for (const auto& [name, value] : {std::pair("tasks", entry.tasks), std::pair("table", entry.table),
                                    std::pair("sheet", entry.sheet)}) {
    if (value == nullptr) continue;
    if (entry.format == nullptr)
      return failAt(*value, fmt::format("'{}' needs a 'format' or a 'mapping' beside it", name));
    JsonNode mapping;
    mapping.type = JsonNode::Type::Object;
    mapping.line = value->line;
    mapping.column = value->column;
    mapping.file = value->file;
    return readMapping(mapping, entry);
  }
  return {};
}

void takeKinds(const SourceEntry& entry, SourceProfile& profile) {
  if (entry.spec.mappings.empty()) return;
  profile.kinds.clear();
  for (const auto& mapping : entry.spec.mappings) profile.kinds.insert(mapping->record());
}

/// What a format keeps does not change where a mapping extends it.
void takeNature(const JsonNode& mapping, SourceProfile& profile) {
  const JsonNode* extends = mapping.find("extends");
  if (extends == nullptr) return;
  if (const auto format = loadFormat(extends->text)) {
    profile.blind = profile.blind || format->blind;
    profile.snapshot = profile.snapshot || format->snapshot;
  }
}

/// Reads mapping and format, and says what records they make.
Result<> settleFormat(SourceEntry& entry, SourceProfile& profile) {
  if (entry.format != nullptr) {
    auto format = loadFormat(entry.format->text);
    if (!format) return failAt(*entry.format, format.error().message);
    profile.blind = entry.blind.value_or(format->blind);
    profile.snapshot = format->snapshot;
    for (const auto& mapping : format->mappings) profile.kinds.insert(mapping->record());
  }
  if (entry.mapping == nullptr) {
    if (auto ok = readAdditions(entry); !ok) return ok;
    takeKinds(entry, profile);
    return {};
  }
  const bool several = entry.mapping->type == JsonNode::Type::Array;
  if (several && entry.mapping->items.empty())
    return failAt(*entry.mapping, "'mapping' is an empty list");
  const std::size_t count = several ? entry.mapping->items.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const JsonNode& mapping = several ? entry.mapping->items[i] : *entry.mapping;
    if (auto ok = readMapping(mapping, entry); !ok) return ok;
    takeNature(mapping, profile);
  }
  takeKinds(entry, profile);
  return {};
}

Result<> checkSource(const JsonNode& node, const SourceEntry& entry, const Config& config) {
  if (node.find("name") == nullptr) return failAt(node, "a source needs a 'name'");
  if (node.find("path") == nullptr)
    return failAt(node, fmt::format("source '{}' needs a 'path'", entry.spec.name));
  const bool isTaken =
      std::any_of(config.sources.begin(), config.sources.end(),
                  [&](const SourceSpec& other) { return other.name == entry.spec.name; });
  if (isTaken) return failAt(node, fmt::format("the name '{}' is given twice", entry.spec.name));
  return {};
}

void addProvider(Config& config, const std::string& name) {
  auto& providers = config.policy.providers;
  const bool known =
      std::any_of(providers.begin(), providers.end(),
                  [&](const ProviderProfile& profile) { return profile.name == name; });
  if (known || name.empty()) return;
  ProviderProfile profile;
  profile.name = name;
  providers.push_back(std::move(profile));
}

/// The first source that counts its jobs under the same name.
std::optional<SourceId> jobSpaceOf(const SourceSpec& source, SourceId id, const Config& config) {
  if (source.jobs.empty()) return std::nullopt;
  const auto first = std::find_if(config.sources.begin(), config.sources.end(),
                                  [&](const SourceSpec& other) { return other.jobs == source.jobs; });
  if (first == config.sources.end()) return id;
  return SourceId{static_cast<std::uint16_t>(first - config.sources.begin())};
}

void addSource(SourceEntry entry, SourceProfile profile, Config& config) {
  const SourceId id{static_cast<std::uint16_t>(config.sources.size())};
  profile.name = entry.spec.name;
  profile.provider = entry.spec.provider;
  if (entry.blind) profile.blind = *entry.blind;
  entry.spec.blind = profile.blind;
  profile.jobSpace = entry.spec.jobSpace = jobSpaceOf(entry.spec, id, config);
  if (entry.spec.mayBeEmpty) config.run.mayBeEmpty.push_back(entry.spec.name);
  if (entry.spec.covers) config.run.declaredCoverage[id].push_back(*entry.spec.covers);
  if (entry.mustReach) config.run.mustReach.push_back({id, *entry.mustReach});
  if (entry.declared) {
    entry.declared->source = id;
    config.run.declared.push_back(std::move(*entry.declared));
  }
  addProvider(config, entry.spec.provider);
  config.policy.sources.push_back(std::move(profile));
  config.sources.push_back(std::move(entry.spec));
}

/// The configuration's own "tasks", for every source of a named format; what the source says of a task goes first.
class CommonTasks {
 public:
  CommonTasks(const JsonNode* tasks, const JsonNode& sources) : m_tasks(tasks) {
    if (tasks == nullptr) return;
    for (const JsonNode& source : sources.items) {
      const JsonNode* name = source.find("format");
      if (name == nullptr) continue;
      if (auto format = loadFormat(name->text)) m_known.merge(valueNamesOf(*format));
    }
  }

  [[nodiscard]] Result<> check() const {
    if (m_tasks == nullptr || m_tasks->type == JsonNode::Type::Object) return {};
    return failAt(*m_tasks, "'tasks' is an object, a member for each task");
  }

  /// Blank where they do not concern the source.
  [[nodiscard]] JsonNode rulesOf(const SourceEntry& entry) const {
    if (m_tasks == nullptr || entry.mapping != nullptr || entry.format == nullptr) return {};
    const auto format = loadFormat(entry.format->text);
    if (!format || !tellsTasks(*format)) return {};
    JsonNode rules = rulesFor(*m_tasks, *format, m_known);
    return entry.tasks == nullptr ? rules : withRulesBehind(*entry.tasks, std::move(rules));
  }

 private:
  static JsonNode withRulesBehind(JsonNode own, JsonNode common) {
    for (auto& [task, rule] : common.members) {
      if (own.type == JsonNode::Type::Object && own.find(task) == nullptr) own.members.emplace_back(task, std::move(rule));
    }
    return own;
  }

  const JsonNode* m_tasks;
  std::set<std::string> m_known;
};

}  // namespace

Result<> readSources(const JsonNode& node, const JsonNode* tasks, Config& config, const ConfigContext& context) {
  static constexpr std::size_t kMaxSources = 1000;
  if (node.type != JsonNode::Type::Array) return failAt(node, "'sources' is a list of objects");
  if (node.items.empty()) return failAt(node, "'sources' is an empty list");
  if (node.items.size() > kMaxSources) return failAt(node, "more than 1000 sources");
  const CommonTasks common(tasks, node);
  if (auto ok = common.check(); !ok) return ok;
  for (const JsonNode& item : node.items) {
    SourceEntry entry;
    entry.spec.zone = context.zoneName;
    if (auto ok = readMembers<SourceEntry>(item, kSourceRules, entry, context); !ok) return ok;
    if (auto ok = checkSource(item, entry, config); !ok) return ok;
    const JsonNode rules = common.rulesOf(entry);
    if (!rules.members.empty()) entry.tasks = &rules;
    SourceProfile profile;
    if (auto ok = settleFormat(entry, profile); !ok) return ok;
    addSource(std::move(entry), std::move(profile), config);
  }
  return {};
}

}  // namespace counterfoil
