// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/night.h"

#include <algorithm>

namespace counterfoil {

namespace {

constexpr auto kTellEvery = std::chrono::milliseconds(200);

/// Local keys beyond the shortest length that a provider cuts at may have lost their end there. A length
/// counts characters or bytes; a key has at least as many bytes.
std::optional<std::size_t> shortestCut(const Policy& policy) {
  std::optional<std::size_t> shortest;
  for (const ProviderProfile& provider : policy.providers) {
    if (provider.keyLength && (!shortest || *provider.keyLength < *shortest)) shortest = provider.keyLength;
  }
  return shortest;
}

LedgerOptions ledgerOptions(const Policy& policy, const RunOptions& options, const Executor& executor) {
  LedgerOptions result;
  result.workers = executor.threadCount();
  result.memoryBytes = options.memoryBytes;
  result.baseMicros = options.asOf.time_since_epoch().count();
  result.cutKeyBytes = shortestCut(policy);
  return result;
}

}  // namespace

void ProgressMeter::tell(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (!m_options.progress) return;
  const std::unique_lock lock(m_mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  const auto now = std::chrono::steady_clock::now();
  if (stage == m_stage && now - m_last < kTellEvery) return;
  m_stage = stage;
  m_last = now;
  m_options.progress(stage, done, total);
}

NightState::NightState(Input& from, const Policy& rules, const RunOptions& how, Executor& on, SpillSpace& into)
    : input(from),
      policy(rules),
      options(how),
      executor(on),
      spill(into),
      hash(how.hash != nullptr ? *how.hash : KeyedHash()),
      progress(how),
      ledger(ledgerOptions(rules, how, on), into),
      context{rules, coverage, how.asOf, how.earlier, &knowledge} {}

Result<> StageErrors::result() const {
  const Error* first = nullptr;
  for (const auto& error : m_errors) {
    if (!error) continue;
    if (error->code == ErrorCode::Cancelled) return fail(*error);
    if (first == nullptr) first = &*error;
  }
  if (first != nullptr) return fail(*first);
  return {};
}

}  // namespace counterfoil
