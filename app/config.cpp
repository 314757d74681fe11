// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/config_members.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

using Ctx = ConfigContext;

/// Findings that make a run incomplete unless they are named in `accept_findings` (contract.md §1).
constexpr std::string_view kAcceptable[] = {"control_total_break", "continuity_break",
                                            "consistency_break",   "coverage_gap",
                                            "stale_source",        "keys_do_not_meet"};

Result<> readAccepted(const JsonNode& node, Config& config, const Ctx&) {
  if (node.type != JsonNode::Type::Array)
    return failAt(node, "'accept_findings' is a list of finding codes");
  for (const JsonNode& item : node.items) {
    auto index = readChoice(item, kAcceptable);
    if (!index) return fail(index.error());
    config.run.acceptFindings.emplace_back(item.text);
  }
  return {};
}

Result<> readStore(const JsonNode& node, Config& config, const Ctx& context) {
  if (auto ok = readText(node, config.storePath); !ok) return ok;
  if (config.storePath != ":memory:") config.storePath = resolvePath(config.storePath, context);
  return {};
}

Result<> readMaxQuarantined(const JsonNode& node, Config& config, const Ctx&) {
  std::int64_t rows = 0;
  if (auto ok = readInteger(node, rows); !ok) return ok;
  config.run.maxQuarantined = static_cast<std::uint64_t>(rows);
  return {};
}

/// Read before everything else: other members mean something by them.
Result<> passOver(const JsonNode&, Config&, const Ctx&) {
  return {};
}

constexpr MemberRule<Config> kTopRules[] = {
    {"$schema", passOver},
    {"name", [](const JsonNode& n, Config& c, const Ctx&) { return readText(n, c.name); }},
    {"store", readStore},
    {"time_zone", passOver},
    {"as_of", passOver},
    {"operations", readOperations},
    {"providers", readProviders},
    {"queues", readQueues},
    {"clock_skew",
     [](const JsonNode& n, Config& c, const Ctx&) { return readDuration(n, c.policy.clockSkew); }},
    {"open_limit",
     [](const JsonNode& n, Config& c, const Ctx&) { return readDuration(n, c.policy.openLimit); }},
    {"max_quarantined", readMaxQuarantined},
    {"accept_findings", readAccepted},
    {"thresholds", readThresholds},
    {"sources", passOver},
    {"tasks", passOver},
    {"reports", readReports},
    {"alerts", readAlerts},
    {"pings", readPings},
    {"retention", readRetention},
};

Result<> settleTime(const JsonNode& root, Config& config, ConfigContext& context,
                    std::optional<Instant> asOfOverride, Instant now) {
  if (const JsonNode* node = root.find("time_zone")) {
    if (auto ok = readText(*node, config.zone); !ok) return ok;
    auto zone = Zone::named(config.zone);
    if (!zone) return failAt(*node, zone.error().message);
    context.zone = *zone;
    context.zoneName = config.zone;
  }
  if (const JsonNode* node = root.find("as_of")) {
    std::string text;
    if (auto ok = readText(*node, text); !ok) return ok;
    auto at = parseInstant(text);
    if (!at) return failAt(*node, at.error().message);
    config.asOf = *at;
  }
  config.run.asOf = asOfOverride ? *asOfOverride : config.asOf.value_or(now);
  context.asOf = config.run.asOf;
  return {};
}

Result<> checkProviders(const JsonNode& root, const Config& config) {
  const JsonNode* operations = root.find("operations");
  if (operations == nullptr) return {};
  std::vector<std::string_view> names;
  for (const ProviderProfile& provider : config.policy.providers) names.push_back(provider.name);
  for (const JsonNode& item : operations->items) {
    const JsonNode* provider = item.find("provider");
    if (provider == nullptr || std::find(names.begin(), names.end(), provider->text) != names.end())
      continue;
    return failAt(*provider,
                  fmt::format("no provider and no source is named '{}'{}", provider->text,
                              didYouMean(provider->text, names.data(), names.size())));
  }
  return {};
}

Result<Config> build(const JsonNode& root, const std::string& path,
                     std::optional<Instant> asOfOverride, Instant now) {
  Config config;
  config.path = path;
  ConfigContext context;
  context.folder = std::filesystem::path(path).parent_path().string();
  if (root.type != JsonNode::Type::Object) return failAt(root, "a configuration is an object");
  if (auto ok = settleTime(root, config, context, asOfOverride, now); !ok) return fail(ok.error());
  if (auto ok = readMembers<Config>(root, kTopRules, config, context); !ok) return fail(ok.error());
  const JsonNode* sources = root.find("sources");
  if (sources == nullptr) return failAt(root, "'sources' is missing: what files are to be read?");
  if (auto ok = readSources(*sources, root.find("tasks"), config, context); !ok) return fail(ok.error());
  if (auto ok = checkProviders(root, config); !ok) return fail(ok.error());
  if (!config.operations) {
    auto matcher = OperationMatcher::make({{config.policy.operations.front().name, {}}});
    if (!matcher) return fail(matcher.error());
    config.operations = std::move(*matcher);
  }
  return config;
}

/// The clock time of "…@06:30" or "…@06:30:15".
std::optional<Duration> clockTime(std::string_view text) {
  unsigned parts[3] = {};
  std::size_t count = 0;
  while (count < 3) {
    const auto digits = text.substr(0, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), parts[count]);
    if (error != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
    ++count;
    text.remove_prefix(2);
    if (text.empty()) break;
    if (text.front() != ':') return std::nullopt;
    text.remove_prefix(1);
  }
  if (count < 2 || !text.empty() || parts[0] > 24 || parts[1] > 59 || parts[2] > 59)
    return std::nullopt;
  if (parts[0] == 24 && parts[1] + parts[2] > 0) return std::nullopt;
  return std::chrono::hours(parts[0]) + std::chrono::minutes(parts[1]) +
         std::chrono::seconds(parts[2]);
}

/// "-1d" of "-1d@00:00": days, with a sign unless 0.
std::optional<int> dayOffset(std::string_view text) {
  if (text.size() < 2 || text.back() != 'd') return std::nullopt;
  text.remove_suffix(1);
  if (text.front() == '+') text.remove_prefix(1);
  int days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc() || end != text.data() + text.size() || days < -36500 || days > 36500)
    return std::nullopt;
  return days;
}

}  // namespace

Result<Instant> resolveTime(std::string_view text, Instant asOf, const Zone& zone) {
  const std::size_t at = text.find('@');
  if (at != std::string_view::npos) {
    const auto days = dayOffset(text.substr(0, at));
    const auto clock = clockTime(text.substr(at + 1));
    if (!days || !clock) {
      return fail(ErrorCode::Config,
                  fmt::format("'{}' is no relative time: write \"-1d@00:00\"", text));
    }
    const auto today = std::chrono::floor<std::chrono::days>(zone.wallClock(asOf));
    return zone.resolve(today + std::chrono::days(*days) + *clock).earlier;
  }
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    auto duration = parseDuration(text.substr(1));
    if (!duration) return fail(duration.error());
    return text.front() == '-' ? asOf - *duration : asOf + *duration;
  }
  return parseInstant(text);
}

Result<Config> parseConfig(std::string_view text, const std::string& path,
                           std::optional<Instant> asOfOverride, Instant now) {
  auto root = parseJson(text, path);
  if (!root) return fail(root.error());
  return build(*root, path, asOfOverride, now);
}

Result<Config> loadConfig(const std::string& path, std::optional<Instant> asOfOverride,
                          Instant now) {
  auto root = parseJsonFile(path);
  if (!root) return fail(root.error());
  return build(*root, path, asOfOverride, now);
}

}  // namespace counterfoil
