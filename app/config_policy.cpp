// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a run: operations, providers, queues, thresholds.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/config_members.h"

namespace counterfoil {

namespace {

using Ctx = ConfigContext;

/// An operation with the rule that assigns records to it.
struct OperationEntry {
  Operation operation;
  std::vector<std::pair<std::string, std::string>> when;
};

template <class E>
Result<> choose(const JsonNode& node, std::span<const std::string_view> words, E& out) {
  auto index = readChoice(node, words);
  if (!index) return fail(index.error());
  out = static_cast<E>(*index);
  return {};
}

Result<> readWhen(const JsonNode& node, OperationEntry& entry, const Ctx&) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "'when' is an object, {\"task\": \"shop.charge_card\"}");
  for (const auto& [field, value] : node.members) {
    std::string text;
    if (auto ok = readText(value, text); !ok) return ok;
    // One rule at a time, so that an error has the place of the member.
    auto tried = OperationMatcher::make({{"", {{field, text}}}});
    if (!tried)
      return failAt(value, tried.error().message.substr(tried.error().message.find(": ") + 2));
    entry.when.emplace_back(field, std::move(text));
  }
  return {};
}

Result<> readCompare(const JsonNode& node, OperationEntry& entry, const Ctx&) {
  static constexpr std::string_view kFields[] = {"amount", "currency", "customer", "op_ref"};
  if (node.type != JsonNode::Type::Array) return failAt(node, "'compare' is a list of fields");
  entry.operation.compare.clear();
  for (const JsonNode& item : node.items) {
    auto index = readChoice(item, kFields);
    if (!index) return fail(index.error());
    entry.operation.compare.insert(static_cast<CompareField>(*index));
  }
  return {};
}

/// "0.5" as millionths of the whole: 0.5 % is 5000.
Result<> readPercent(const JsonNode& node, Tolerance& tolerance, const Ctx&) {
  const std::size_t point = std::min(node.text.find('.'), node.text.size());
  const std::string whole = node.text.substr(0, point);
  std::string fraction = point < node.text.size() ? node.text.substr(point + 1) : std::string();
  const bool isShort = fraction.size() <= 4;
  fraction.resize(4, '0');
  const std::string digits = whole + fraction;
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (node.type != JsonNode::Type::Number || !isShort || error != std::errc() ||
      end != digits.data() + digits.size() || value < 0 || value > 1'000'000) {
    return failAt(node, "'percent' is a number from 0 to 100 with at most four decimals");
  }
  tolerance.percentMillionths = value;
  return {};
}

Result<> readToleranceAmount(const JsonNode& node, Tolerance& tolerance, const Ctx&) {
  if (node.type == JsonNode::Type::Number) return readInteger(node, tolerance.minor);
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "minor units, or {\"KWD\": 5} by currency");
  for (const auto& [code, value] : node.members) {
    const auto currency = Currency::parse(code);
    if (!currency) return failAt(value, fmt::format("unknown currency '{}'", code));
    if (auto ok = readInteger(value, tolerance.minorByCurrency[*currency]); !ok) return ok;
  }
  return {};
}

Result<> readTolerance(const JsonNode& node, OperationEntry& entry, const Ctx& context) {
  static constexpr MemberRule<Tolerance> kRules[] = {{"amount", readToleranceAmount},
                                                     {"percent", readPercent}};
  return readMembers<Tolerance>(node, kRules, entry.operation.tolerance, context);
}

Result<> readReversals(const JsonNode& node, OperationEntry& entry, const Ctx&) {
  static constexpr std::string_view kWords[] = {"provider", "local"};
  return choose(node, kWords, entry.operation.reversalsRecordedLocally);
}

constexpr std::string_view kExpect[] = {"exactly_one", "split", "zero_or_one"};
constexpr std::string_view kEffect[] = {"forward", "reversal"};
constexpr std::string_view kDirection[] = {"outbound", "inbound"};
constexpr std::string_view kOtherPayload[] = {"unknown", "error", "replay", "new_effect"};

constexpr MemberRule<OperationEntry> kOperationRules[] = {
    {"name", [](const JsonNode& n, OperationEntry& e,
                const Ctx&) { return readText(n, e.operation.name); }},
    {"when", readWhen},
    {"expect", [](const JsonNode& n, OperationEntry& e,
                  const Ctx&) { return choose(n, kExpect, e.operation.expect); }},
    {"effect", [](const JsonNode& n, OperationEntry& e,
                  const Ctx&) { return choose(n, kEffect, e.operation.effect); }},
    {"direction", [](const JsonNode& n, OperationEntry& e,
                     const Ctx&) { return choose(n, kDirection, e.operation.direction); }},
    {"provider", [](const JsonNode& n, OperationEntry& e,
                    const Ctx&) { return readText(n, e.operation.provider); }},
    {"max_runtime", [](const JsonNode& n, OperationEntry& e,
                       const Ctx&) { return readDuration(n, e.operation.maxRuntime); }},
    {"key_lifetime", [](const JsonNode& n, OperationEntry& e,
                        const Ctx&) { return readDuration(n, e.operation.keyLifetime); }},
    {"compare", readCompare},
    {"tolerance", readTolerance},
    {"reversals", readReversals},
    {"intent_limit", [](const JsonNode& n, OperationEntry& e,
                        const Ctx&) { return readDuration(n, e.operation.intentLimit); }},
    {"probable_duplicate_within",
     [](const JsonNode& n, OperationEntry& e, const Ctx&) {
       return readDuration(n, e.operation.probableDuplicateWithin);
     }},
};

constexpr MemberRule<ProviderProfile> kProviderRules[] = {
    {"name", [](const JsonNode& n, ProviderProfile& p, const Ctx&) { return readText(n, p.name); }},
    {"key_retention", [](const JsonNode& n, ProviderProfile& p,
                         const Ctx&) { return readDuration(n, p.keyRetention); }},
    {"statement_lag", [](const JsonNode& n, ProviderProfile& p,
                         const Ctx&) { return readDuration(n, p.statementLag); }},
    {"pending_limit", [](const JsonNode& n, ProviderProfile& p,
                         const Ctx&) { return readDuration(n, p.pendingLimit); }},
    {"other_payload", [](const JsonNode& n, ProviderProfile& p,
                         const Ctx&) { return choose(n, kOtherPayload, p.otherPayload); }},
    {"key_length",
     [](const JsonNode& n, ProviderProfile& p, const Ctx&) -> Result<> {
       std::int64_t length = 0;
       if (auto ok = readInteger(n, length, 1, 1 << 20); !ok) return ok;
       p.keyLength = static_cast<std::size_t>(length);
       return {};
     }},
};

Result<> readCount(const JsonNode& node, std::optional<std::int64_t>& out) {
  std::int64_t value = 0;
  if (auto ok = readInteger(node, value); !ok) return ok;
  out = value;
  return {};
}

constexpr MemberRule<QueueProfile> kQueueRules[] = {
    {"name", [](const JsonNode& n, QueueProfile& q, const Ctx&) { return readText(n, q.name); }},
    {"visibility_timeout", [](const JsonNode& n, QueueProfile& q,
                              const Ctx&) { return readDuration(n, q.visibilityTimeout); }},
    {"retry_horizon", [](const JsonNode& n, QueueProfile& q,
                         const Ctx&) { return readDuration(n, q.retryHorizon); }},
    {"dedupe_ttl",
     [](const JsonNode& n, QueueProfile& q, const Ctx&) { return readDuration(n, q.dedupeTtl); }},
    {"claim_ttl",
     [](const JsonNode& n, QueueProfile& q, const Ctx&) { return readDuration(n, q.claimTtl); }},
    {"dead_letter_queue",
     [](const JsonNode& n, QueueProfile& q, const Ctx&) { return readText(n, q.deadLetterQueue); }},
    {"max_depth",
     [](const JsonNode& n, QueueProfile& q, const Ctx&) { return readCount(n, q.maxDepth); }},
    {"depth_cap",
     [](const JsonNode& n, QueueProfile& q, const Ctx&) { return readCount(n, q.depthCap); }},
    {"dead_letter_retention", [](const JsonNode& n, QueueProfile& q,
                                 const Ctx&) { return readDuration(n, q.deadLetterRetention); }},
};

template <std::int64_t Thresholds::*member>
Result<> readLimit(const JsonNode& node, Thresholds& t, const Ctx&) {
  return readInteger(node, t.*member);
}
template <Duration Thresholds::*member>
Result<> readSpan(const JsonNode& node, Thresholds& t, const Ctx&) {
  return readDuration(node, t.*member);
}
template <std::size_t Thresholds::*member>
Result<> readBound(const JsonNode& node, Thresholds& t, const Ctx&) {
  std::int64_t value = 0;
  if (auto ok = readInteger(node, value, 1, 1000); !ok) return ok;
  t.*member = static_cast<std::size_t>(value);
  return {};
}

constexpr MemberRule<Thresholds> kThresholdRules[] = {
    {"common_link_value_limit", readLimit<&Thresholds::commonLinkValueLimit>},
    {"poison_attempts", readLimit<&Thresholds::poisonAttempts>},
    {"periodic_minimum", readLimit<&Thresholds::periodicMinimum>},
    {"periodic_percent", readLimit<&Thresholds::periodicPercent>},
    {"keys_meet_minimum", readLimit<&Thresholds::keysMeetMinimum>},
    {"keys_meet_percent", readLimit<&Thresholds::keysMeetPercent>},
    {"stuck_claim_after", readSpan<&Thresholds::stuckClaimAfter>},
    {"dlq_expiring_within", readSpan<&Thresholds::dlqExpiringWithin>},
    {"skip_rate_percent_maximum", readLimit<&Thresholds::skipRatePercentMaximum>},
    {"retry_storm_percent", readLimit<&Thresholds::retryStormPercent>},
    {"max_examples", readBound<&Thresholds::maxExamples>},
    {"max_candidates", readBound<&Thresholds::maxCandidates>},
};

/// Each object of a list has a name of its own.
template <class T, class NameOf>
Result<> checkNames(const JsonNode& node, const std::vector<T>& items, NameOf nameOf) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (node.items[i].find("name") == nullptr) return failAt(node.items[i], "'name' is missing");
    for (std::size_t j = 0; j < i; ++j) {
      if (nameOf(items[i]) == nameOf(items[j])) {
        return failAt(node.items[i], fmt::format("the name '{}' is given twice", nameOf(items[i])));
      }
    }
  }
  return {};
}

}  // namespace

Result<> readOperations(const JsonNode& node, Config& config, const ConfigContext& context) {
  std::vector<OperationEntry> entries;
  if (auto ok = readList<OperationEntry>(node, kOperationRules, entries, context); !ok) return ok;
  if (entries.empty())
    return failAt(node,
                  "'operations' is an empty list; leave it out for one operation named \"effect\"");
  if (auto ok = checkNames(node, entries, [](const OperationEntry& e) { return e.operation.name; });
      !ok)
    return ok;
  std::vector<OperationMatcher::Rule> rules;
  config.policy.operations.clear();
  for (OperationEntry& entry : entries) {
    rules.push_back({entry.operation.name, std::move(entry.when)});
    config.policy.operations.push_back(std::move(entry.operation));
  }
  auto matcher = OperationMatcher::make(std::move(rules));
  if (!matcher) return failAt(node, matcher.error().message);
  config.operations = std::move(*matcher);
  return {};
}

Result<> readProviders(const JsonNode& node, Config& config, const ConfigContext& context) {
  if (auto ok = readList<ProviderProfile>(node, kProviderRules, config.policy.providers, context);
      !ok)
    return ok;
  return checkNames(node, config.policy.providers, [](const ProviderProfile& p) { return p.name; });
}

Result<> readQueues(const JsonNode& node, Config& config, const ConfigContext& context) {
  if (auto ok = readList<QueueProfile>(node, kQueueRules, config.policy.queues, context); !ok)
    return ok;
  return checkNames(node, config.policy.queues, [](const QueueProfile& q) { return q.name; });
}

Result<> readThresholds(const JsonNode& node, Config& config, const ConfigContext& context) {
  return readMembers<Thresholds>(node, kThresholdRules, config.policy.thresholds, context);
}

}  // namespace counterfoil
