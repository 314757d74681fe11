// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/policy.h"

#include <algorithm>
#include <limits>

namespace counterfoil {

std::int64_t Tolerance::allowed(const Money& expected) const {
  const auto own = minorByCurrency.find(expected.currency);
  const std::int64_t fixed = own == minorByCurrency.end() ? minor : own->second;
  const __int128 amount = expected.minor < 0 ? -static_cast<__int128>(expected.minor)
                                             : static_cast<__int128>(expected.minor);
  const __int128 share = amount * percentMillionths / 1'000'000;
  const __int128 largest = std::numeric_limits<std::int64_t>::max();
  return std::max(fixed, static_cast<std::int64_t>(std::min(share, largest)));
}

const Operation& Policy::operation(OperationId id) const {
  const auto index = static_cast<std::size_t>(id.value);
  return id.isNone() || index >= operations.size() ? operations.front() : operations[index];
}

const ProviderProfile* Policy::provider(std::string_view name) const {
  const auto found = std::find_if(providers.begin(), providers.end(),
                                  [name](const ProviderProfile& p) { return p.name == name; });
  return name.empty() || found == providers.end() ? nullptr : &*found;
}

const QueueProfile* Policy::queue(std::string_view name) const {
  if (name.empty()) return nullptr;
  const auto byName = [name](const QueueProfile& q) { return q.name == name; };
  const auto byDeadLetters = [name](const QueueProfile& q) { return q.deadLetterQueue == name; };
  auto found = std::find_if(queues.begin(), queues.end(), byName);
  if (found == queues.end()) found = std::find_if(queues.begin(), queues.end(), byDeadLetters);
  return found == queues.end() ? nullptr : &*found;
}

}  // namespace counterfoil
