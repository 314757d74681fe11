// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on a kill-and-redeliver test: has every key exactly its expected effects? Nothing that could
// not be judged passes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/policy/policy.h"
#include "core/run/run.h"

namespace counterfoil {

enum class OnceVerdict : std::uint8_t { Pass, Pending, Fail };
/// "pass", "pending", "fail".
[[nodiscard]] std::string_view codeOf(OnceVerdict verdict);

struct OnceCheck {
  std::string key;                ///< as written
  std::string operation;
  OnceVerdict verdict = OnceVerdict::Pass;
  std::string unitClass, caseId, reason;   ///< blank where no record carries the key
};

struct OnceCounts {
  std::uint64_t passed = 0, pending = 0, failed = 0;
  [[nodiscard]] std::uint64_t total() const { return passed + pending + failed; }
};

/// Walks the checks: one a unit with local records (and each effect that no job made), or one a wanted key.
class OnceChecks {
 public:
  OnceChecks(const RunOutcome& outcome, const Policy& policy, std::vector<std::string> wantedKeys);
  Result<> forEach(const std::function<Result<>(const OnceCheck&)>& fn) const;
  [[nodiscard]] Result<OnceCounts> count() const;

 private:
  Result<> forEachWanted(const std::function<Result<>(const OnceCheck&)>& fn) const;
  const RunOutcome& m_outcome;
  const Policy& m_policy;
  std::vector<std::string> m_wanted;
};

/// Why the checks prove nothing even if all pass: rows that were not read, sums that do not close.
[[nodiscard]] std::vector<std::string> doubtsOf(const RunOutcome& outcome);

/// Keys of a file: one a line, outer white space off; blank lines and those that begin with # left out.
[[nodiscard]] Result<std::vector<std::string>> readKeys(const std::string& path);

}  // namespace counterfoil
