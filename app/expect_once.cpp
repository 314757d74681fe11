// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/expect_once.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <map>
#include <optional>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kKeysBytesMost = 64u << 20;
constexpr std::size_t kKeyBytesMost = 64u << 10;

bool hasLocalRecord(const Unit& unit) {
  const Records& r = unit.records;
  return r.attempts.size() + r.skips.size() + r.claims.size() + r.intents.size() + r.outbox.size() +
             r.processedEvents.size() + r.deadLetters.size() > 0;
}

Expect expectOf(const Unit& unit, const Policy& policy) {
  return policy.operation(unit.operation).expect;
}

OnceVerdict verdictOf(const Unit& unit, const Policy& policy) {
  switch (unit.unitClass) {
    case Class::Matched:
    case Class::MatchedTolerance:
    case Class::MatchedManual: return OnceVerdict::Pass;
    case Class::MatchedCompensated:
      return unit.local == LocalSummary::Succeeded ? OnceVerdict::Pass : OnceVerdict::Fail;
    case Class::MatchedFailure: {
      const bool isCancelled = unit.local == LocalSummary::Nothing;
      const bool mayBeNone = expectOf(unit, policy) == Expect::ZeroOrOne;
      return isCancelled || mayBeNone ? OnceVerdict::Pass : OnceVerdict::Fail;
    }
    case Class::InFlight:
    case Class::Expected:
    case Class::OutOfWindow: return OnceVerdict::Pending;
    default: return OnceVerdict::Fail;   // breaks; undone work; what was done twice and given back
  }
}

OnceCheck checkOf(const Unit& unit, const Policy& policy) {
  OnceCheck check;
  check.key = unit.key.empty() ? unit.opRef : unit.key;
  check.operation = unit.operationName;
  check.verdict = verdictOf(unit, policy);
  check.unitClass = codeOf(unit.unitClass);
  check.caseId = unit.id;
  check.reason = unit.reason;
  if (check.verdict == OnceVerdict::Fail && check.reason.empty()) check.reason = "It did not take effect once.";
  if (check.verdict == OnceVerdict::Fail && unit.unitClass == Class::MatchedFailure) {
    check.reason = "It failed for good: its effect is missing.";
  }
  if (check.key.empty()) check.key = "case " + unit.id;
  return check;
}

/// Without a list of keys: what the jobs know, and what was done without any of them.
bool isLookedAt(const Unit& unit) {
  return hasLocalRecord(unit) || unit.unitClass == Class::UnrecordedEffect || unit.unitClass == Class::OutOfWindow;
}

}  // namespace

std::string_view codeOf(OnceVerdict verdict) {
  constexpr std::array<std::string_view, 3> codes = {"pass", "pending", "fail"};
  return codes[static_cast<std::size_t>(verdict)];
}

OnceChecks::OnceChecks(const RunOutcome& outcome, const Policy& policy, std::vector<std::string> wantedKeys)
    : m_outcome(outcome), m_policy(policy), m_wanted(std::move(wantedKeys)) {}

Result<> OnceChecks::forEach(const std::function<Result<>(const OnceCheck&)>& fn) const {
  if (!m_wanted.empty()) return forEachWanted(fn);
  Result<> ok;
  const auto walked = m_outcome.units->forEach([&](const Unit& unit) {
    if (isLookedAt(unit)) ok = fn(checkOf(unit, m_policy));
    return ok.has_value();
  });
  return ok ? walked : ok;
}

/// A key that several operations share passes when all of them do; of several faults the worst is told.
Result<> OnceChecks::forEachWanted(const std::function<Result<>(const OnceCheck&)>& fn) const {
  std::map<std::string, std::optional<OnceCheck>> checks;
  for (const std::string& key : m_wanted) checks[normalKey(key)];
  const auto walked = m_outcome.units->forEach([&](const Unit& unit) {
    for (const std::string& key : unit.keys) {
      const auto wanted = checks.find(normalKey(key));
      if (wanted == checks.end()) continue;
      OnceCheck check = checkOf(unit, m_policy);
      if (!wanted->second || wanted->second->verdict < check.verdict) wanted->second = std::move(check);
    }
    return true;
  });
  if (!walked) return walked;
  for (const std::string& key : m_wanted) {
    auto& known = checks[normalKey(key)];
    if (!known) {
      known.emplace();
      known->verdict = OnceVerdict::Fail;
      known->reason = "No record carries this key.";
    }
    known->key = key;
    if (auto ok = fn(*known); !ok) return ok;
  }
  return {};
}

Result<OnceCounts> OnceChecks::count() const {
  OnceCounts counts;
  const auto walked = forEach([&](const OnceCheck& check) -> Result<> {
    ++(check.verdict == OnceVerdict::Pass ? counts.passed : check.verdict == OnceVerdict::Fail ? counts.failed : counts.pending);
    return {};
  });
  if (!walked) return fail(walked.error());
  return counts;
}

std::vector<std::string> doubtsOf(const RunOutcome& outcome) {
  std::vector<std::string> doubts = outcome.result.incompleteBecause;
  if (!outcome.result.complete && doubts.empty()) doubts.emplace_back("the result is incomplete");
  for (const SourceReport& source : outcome.result.sources) {
    if (source.quarantined == 0) continue;
    doubts.push_back(fmt::format("{}: {} rows could not be read; any of them may be a second effect", source.name, source.quarantined));
  }
  if (outcome.result.unitsNotListed > 0) {
    doubts.push_back(fmt::format("{} operations are not listed: the keys of both sides hardly meet", outcome.result.unitsNotListed));
  }
  return doubts;
}

Result<std::vector<std::string>> readKeys(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::Usage, path + ": cannot be read");
  std::vector<std::string> keys;
  std::string line;
  std::size_t bytes = 0, number = 0;
  std::map<std::string, bool> seen;
  while (std::getline(file, line)) {
    ++number;
    bytes += line.size() + 1;
    if (bytes > kKeysBytesMost) return fail(ErrorCode::Usage, path + ": more than 64 MiB of keys");
    if (line.size() > kKeyBytesMost) return fail(ErrorCode::Usage, fmt::format("{}:{}: longer than any key", path, number));
    const std::string_view key = trim(line);
    if (key.empty() || key.front() == '#') continue;
    if (!isValidUtf8(key)) return fail(ErrorCode::Usage, fmt::format("{}:{}: not UTF-8", path, number));
    if (isNoValue(normalKey(key))) return fail(ErrorCode::Usage, fmt::format("{}:{}: '{}' is no key", path, number, forTerminal(key)));
    if (seen.try_emplace(normalKey(key), true).second) keys.emplace_back(key);
  }
  if (file.bad()) return fail(ErrorCode::Usage, path + ": cannot be read");
  if (keys.empty()) return fail(ErrorCode::Usage, path + ": no key stands in it");
  return keys;
}

}  // namespace counterfoil
