// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/ignore_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

std::string packClasses(const std::set<Class>& classes) {
  std::string out;
  for (const Class each : classes) out += fmt::format("{}{}", out.empty() ? "" : " ", codeOf(each));
  return out;
}

bool unpackClasses(std::string_view text, std::set<Class>& classes) {
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const auto value = classFromCode(text.substr(0, blank));
    if (!value) return false;
    classes.insert(*value);
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return !classes.empty();
}

bool fitsKeys(const std::string& pattern, const Unit& unit) {
  if (pattern.empty()) return true;
  const auto fits = [&](const std::string& key) { return fitsPattern(pattern, key) || fitsPattern(pattern, normalKey(key)); };
  return fits(unit.key) || std::any_of(unit.keys.begin(), unit.keys.end(), fits);
}

bool fitsQueue(const std::string& queue, const Records& records) {
  if (queue.empty()) return true;
  const auto isOf = [&](const RecordHead& record) { return record.queue == queue; };
  return std::any_of(records.attempts.begin(), records.attempts.end(), isOf) ||
         std::any_of(records.deadLetters.begin(), records.deadLetters.end(), isOf);
}

/// What is not known is not little.
bool fitsAmount(const std::optional<Money>& most, const Unit& unit) {
  if (!most) return true;
  return !unit.exposure.empty() && std::all_of(unit.exposure.begin(), unit.exposure.end(), [&](const Money& money) {
    return money.currency == most->currency && money.minor <= most->minor && money.minor >= -most->minor;
  });
}

Result<IgnoreRule> readRule(const Statement& row) {
  IgnoreRule rule;
  rule.number = row.integer(0);
  rule.operation = row.text(2);
  rule.key = row.text(3);
  if (row.integer(5) == 0) rule.scope = std::string(row.text(4));
  rule.queue = row.text(6);
  const auto most = unpackMoney(row.text(7));
  if (!unpackClasses(row.text(1), rule.classes) || !most || most->size() > 1) return brokenStore("an ignore rule");
  if (!most->empty()) rule.most = most->front();
  rule.until = row.maybeInstant(8);
  rule.reason = row.text(9);
  rule.removed = row.integer(10);
  rule.hidden = row.integer(11);
  return rule;
}

}  // namespace

std::string textOf(const IgnoreRule& rule) {
  std::string out = "class " + packClasses(rule.classes);
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out += fmt::format(", {} {}", name, value);
  };
  add("operation", rule.operation);
  add("key", rule.key);
  if (rule.scope) out += rule.scope->empty() ? std::string(", without scope") : ", scope " + *rule.scope;
  add("queue", rule.queue);
  if (rule.most) out += fmt::format(", up to {} {}", rule.most->currency.text(), formatPlain(*rule.most));
  out += rule.until ? ", until " + formatInstant(*rule.until) : ", for ever";
  return out;
}

bool fitsPattern(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, in = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = in;
    } else if (at < pattern.size() && pattern[at] == text[in]) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++resume;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

bool fitsRule(const IgnoreRule& rule, const Unit& unit, Instant asOf) {
  if (rule.until && *rule.until <= asOf) return false;
  if (!rule.classes.contains(unit.unitClass)) return false;
  if (!rule.operation.empty() && rule.operation != unit.operationName) return false;
  if (rule.scope && *rule.scope != unit.scope) return false;
  return fitsKeys(rule.key, unit) && fitsQueue(rule.queue, unit.records) && fitsAmount(rule.most, unit);
}

std::int64_t hidingRule(const std::vector<IgnoreRule>& rules, const Unit& unit, Instant asOf) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const IgnoreRule& rule) { return fitsRule(rule, unit, asOf); });
  return found == rules.end() ? 0 : found->number;
}

Result<std::vector<IgnoreRule>> loadIgnoreRules(Database& database, RulesWanted wanted) {
  auto statement = database.prepare(
      "SELECT r.rule, r.classes, r.operation, r.key, r.scope, r.any_scope, r.queue, r.most, r.until, r.reason, r.removed, "
      "(SELECT count(*) FROM cases c WHERE c.ignored_by = r.rule AND c.state IN ('open', 'reopened') AND c.standing = 1) "
      "FROM ignore_rules r WHERE ?1 OR r.removed = 0 ORDER BY r.rule");
  if (!statement) return fail(statement.error());
  statement->bindAll(wanted == RulesWanted::All);
  std::vector<IgnoreRule> rules;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    auto rule = readRule(row);
    if (!rule) return fail(rule.error());
    rules.push_back(std::move(*rule));
    return true;
  });
  if (!ok) return fail(ok.error());
  return rules;
}

Result<> insertIgnoreRule(Database& database, const IgnoreRule& rule) {
  const std::string classes = packClasses(rule.classes);
  const std::string most = rule.most ? packMoney({*rule.most}) : std::string();
  return database.run(
      "INSERT INTO ignore_rules(rule, classes, operation, key, scope, any_scope, queue, most, until, reason) "
      "VALUES(?,?,?,?,?,?,?,?,?,?)",
      rule.number, classes, rule.operation, rule.key, rule.scope.value_or(""), !rule.scope.has_value(), rule.queue, most,
      rule.until, rule.reason);
}

}  // namespace counterfoil
