// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/reason_age.h"

#include <algorithm>
#include <optional>

namespace counterfoil {
namespace {

template <class Record, class TimeOf>
std::optional<Instant> earliest(const std::vector<Record>& records, TimeOf timeOf) {
  std::optional<Instant> first;
  for (const Record& record : records) {
    const std::optional<Instant> at = timeOf(record);
    if (at && (!first || *at < *first)) first = at;
  }
  return first;
}

std::optional<Instant> lastStart(const Unit& unit) {
  std::optional<Instant> last;
  for (const Attempt& attempt : unit.records.attempts) {
    const auto start = attempt.start ? attempt.start : attempt.end;
    if (start && (!last || *last < *start)) last = start;
  }
  return last;
}

/// From when the reason of this class counts (reasons.cpp).
std::optional<Instant> countedFrom(const Unit& unit) {
  switch (unit.unitClass) {
    case Class::MissingEffect: return unit.due;
    case Class::StalledAttempt: return lastStart(unit);
    case Class::StalePending:
      return earliest(unit.records.effects, [](const Effect& effect) -> std::optional<Instant> {
        return effect.status == EffectStatus::Pending ? std::optional(effect.created) : std::nullopt;
      });
    case Class::UnpublishedIntent:
      if (unit.records.outbox.empty()) {
        return earliest(unit.records.intents, [](const Intent& intent) { return std::optional(intent.createdAt); });
      }
      return earliest(unit.records.outbox, [](const OutboxRow& row) { return std::optional(row.createdAt); });
    default: return {};
  }
}

std::string ageText(Instant since, Instant asOf) { return formatDuration(std::max(asOf - since, Duration(0))); }

}  // namespace

std::string reasonAsOf(const Unit& unit, Instant judged, Instant asOf) {
  if (judged == asOf) return unit.reason;
  const auto since = countedFrom(unit);
  if (!since) return unit.reason;
  const std::string was = ageText(*since, judged);
  const std::size_t at = unit.reason.find(was);
  if (at == std::string::npos) return unit.reason;
  std::string reason = unit.reason;
  return reason.replace(at, was.size(), ageText(*since, asOf));
}

}  // namespace counterfoil
