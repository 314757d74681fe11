// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/policy.h"

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/record/shared_id.h"

namespace counterfoil {

namespace {

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool isJoint(char c) { return c == '.' || c == '_' || c == '-' || c == ':' || c == '/'; }

/// The name itself, or what stands behind its last joint.
bool endsAsWord(std::string_view folded, std::string_view word) {
  return folded == word ||
         (folded.size() > word.size() && endsWith(folded, word) && isJoint(folded[folded.size() - word.size() - 1]));
}

}  // namespace

bool isNamedLikeDeadLetters(std::string_view queue) {
  std::string_view name = queue;
  if (endsWith(name, ".fifo")) name.remove_suffix(5);
  const std::string folded = toLowerAscii(name);
  const auto has = [&](std::string_view part) { return folded.find(part) != std::string::npos; };
  if (has("deadletter") || has("dead_letter") || has("dead-letter") || has("dead.letter")) return true;
  if (has("parkinglot") || has("parking_lot") || has("parking-lot")) return true;
  for (const std::string_view word : {"dlq", "dlt", "dead", "error", "errors", "xq", "parking", "parked"}) {
    if (endsAsWord(folded, word)) return true;
  }
  // "payment.failed" is an event of its own, and so may a queue of such events be called.
  const bool isFailed = endsAsWord(folded, "failed") && (folded.size() == 6 || folded[folded.size() - 7] != '.');
  if (isFailed || folded == "failed_jobs") return true;
  if (folded.size() > 4 && folded.compare(0, 3, "dlq") == 0 && isJoint(folded[3])) return true;
  return endsWith(name, "DLQ") || endsWith(name, "DLT");   // paymentsDLQ
}

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

SourceId Policy::jobSpaceOf(SourceId source) const {
  return source.value < sources.size() ? sources[source.value].jobSpace.value_or(source) : source;
}

bool Policy::isSharedJob(const RecordHead& head) const {
  const SourceId source = head.place.source;
  const bool countsWithOthers = source.value < sources.size() && sources[source.value].jobSpace.has_value();
  return !head.jobId.empty() && (countsWithOthers || isSharedId(head.jobId));
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
