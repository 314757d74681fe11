// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/reruns.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/judge/clock.h"

namespace counterfoil {

namespace {

/// When the key may first have reached the provider; nothing where no attempt was made.
std::optional<Instant> firstUse(const Unit& unit) {
  std::optional<Instant> first;
  const auto note = [&](const std::optional<Instant>& at) {
    if (at && (!first || *at < *first)) first = at;
  };
  for (const Attempt& attempt : unit.records.attempts) note(attempt.start ? attempt.start : attempt.end);
  for (const Skip& skip : unit.records.skips) note(skip.time);
  for (const Claim& claim : unit.records.claims) note(claim.claimedAt);
  for (const ProcessedEvent& event : unit.records.processedEvents) note(event.processedAt);
  return first;
}

/// Attempts, skips and claims that carry no time leave it open when the key was first used.
bool hasUse(const Unit& unit) {
  const Records& records = unit.records;
  return records.attempts.size() + records.skips.size() + records.claims.size() + records.processedEvents.size() > 0;
}

struct Word {
  bool isSafe = false;
  std::string text;
};

Word byClass(const Unit& unit) {
  switch (unit.unitClass) {
    case Class::SuppressedWork:
      return {false, "Its key was used for other work and would be skipped again: give it a key of its own."};
    case Class::FalseSuccess:
      return {false, "The provider refused it under this key and may only repeat that answer: find out why first."};
    case Class::LostAfterClaim:
      return {true, "A claim or processed mark says that it is done: clear it first, else it is skipped again."};
    case Class::StalledAttempt:
      return {true, "Make sure that no worker is still at it, and clear its claim if there is one."};
    default: return {true, ""};
  }
}

Word byKey(const Unit& unit, const Config* config, Instant now, std::optional<Instant>& keyUntil) {
  if (!hasUse(unit)) {
    // Nothing ever ran: there is no key at the provider that could grow old.
    return {true, "Nothing ran yet: it can be sent now, under the key it will have."};
  }
  if (unit.key.empty() || unit.keys.empty()) return {false, "It has no key: nothing would stop a second effect."};
  if (unit.keys.size() > 1) return {false, "Its attempts had several keys: find out which one reached the provider."};
  const Operation* operation = operationOf(config, unit);
  const auto retention = operation == nullptr ? std::nullopt : judging::keyRetentionOf(*operation, config->policy);
  if (!retention) return {false, "How long the provider keeps keys is not known (key_retention)."};
  const auto first = firstUse(unit);
  if (!first) return {false, "When the key was first used is not known."};
  keyUntil = *first + *retention;
  if (now >= *keyUntil) {
    return {false, fmt::format("Not safe with this key: the provider forgot it at {}. Make sure that there is no effect first.",
                               formatInstant(*keyUntil))};
  }
  return {true, fmt::format("The provider still knows the key, until {}.", formatInstant(*keyUntil))};
}

}  // namespace

std::set<Class> rerunClasses() {
  return {Class::MissingEffect,  Class::LostAfterClaim,    Class::SuppressedWork,
          Class::FalseSuccess,   Class::UnpublishedIntent, Class::StalledAttempt};
}

RerunLine rerunLineOf(const StoredUnit& stored, const Config* config, Instant now) {
  const Unit& unit = stored.unit;
  RerunLine line;
  line.caseId = unit.id;
  line.operation = unit.operationName;
  line.key = unit.key;
  line.opRef = unit.opRef;
  line.amount = unit.expectedAmount;
  line.unitClass = codeOf(unit.unitClass);
  for (const Attempt& attempt : unit.records.attempts) {
    line.jobId = attempt.jobId;
    line.queue = attempt.queue;
    line.task = attempt.task;
  }
  const Word known = byClass(unit);
  const Word aged = byKey(unit, config, now, line.keyUntil);
  line.isSafe = known.isSafe && aged.isSafe && !unit.has(Flag::SuggestedMatch) && !unit.has(Flag::AmbiguousMatch);
  line.reason = known.text;
  if (known.isSafe) line.reason += (line.reason.empty() ? "" : " ") + aged.text;
  if (!unit.candidates.empty()) {
    line.reason = fmt::format("An effect may be its own ({}). {}", forTerminal(unit.candidates.front()), line.reason);
  }
  return line;
}

}  // namespace counterfoil
