// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/run_digest.h"

#include <algorithm>

#include "core/base/text.h"
#include "reports/list/lines.h"
#include "reports/text/run_words.h"

namespace counterfoil {

namespace {

/// What people will search for, when a unit has no key.
std::string nameOf(const Unit& unit) {
  if (!unit.key.empty()) return forTerminal(unit.key);
  if (!unit.opRef.empty()) return forTerminal(unit.opRef);
  for (const Attempt& attempt : unit.records.attempts) {
    if (!attempt.jobId.empty()) return "job " + forTerminal(attempt.jobId);
  }
  for (const Effect& effect : unit.records.effects) {
    if (!effect.effectId.empty()) return forTerminal(effect.effectId);
  }
  for (const DeadLetter& letter : unit.records.deadLetters) {
    if (!letter.messageId.empty()) return "message " + forTerminal(letter.messageId);
  }
  return "(no key)";
}

template <class RecordList>
std::string firstCustomer(const RecordList& records) {
  std::string least;  // the order of records carries no meaning
  for (const auto& record : records) {
    if (record.customer.empty()) continue;
    if (least.empty() || record.customer < least) least = record.customer;
  }
  return least;
}

std::string customerOf(const Unit& unit) {
  std::string customer = firstCustomer(unit.records.attempts);
  if (customer.empty()) customer = firstCustomer(unit.records.intents);
  if (customer.empty()) customer = firstCustomer(unit.records.effects);
  return forTerminal(customer);
}

void addSkips(const Unit& unit, std::size_t bound, RunDigest& digest) {
  const std::size_t count = std::min(unit.records.skips.size(), unit.skipVerdicts.size());
  for (std::size_t i = 0; i < count && digest.wrongSkips.size() < bound; ++i) {
    const JudgedSkip& judged = unit.skipVerdicts[i];
    const bool wrong =
        judged.verdict == SkipVerdict::Suppressing || judged.verdict == SkipVerdict::Stranded;
    // Where the skip is the break itself, the class has said so already.
    const bool saidAlready =
        unit.unitClass == Class::SuppressedWork || unit.unitClass == Class::LostAfterClaim;
    if (!wrong || saidAlready) continue;
    digest.wrongSkips.push_back(
        {nameOf(unit), std::string(skipWords(judged.verdict)), forTerminal(judged.reason)});
  }
}

void addDeadLetters(const Unit& unit, std::size_t bound, RunDigest& digest) {
  const std::size_t count =
      std::min(unit.records.deadLetters.size(), unit.deadLetterVerdicts.size());
  for (std::size_t i = 0; i < count && digest.riskyLetters.size() < bound; ++i) {
    const JudgedDeadLetter& judged = unit.deadLetterVerdicts[i];
    const bool risky =
        judged.verdict == RedriveVerdict::Unsafe || judged.verdict == RedriveVerdict::CheckFirst;
    if (!risky) continue;
    const std::string& id = unit.records.deadLetters[i].messageId;
    digest.riskyLetters.push_back({id.empty() ? nameOf(unit) : forTerminal(id),
                                   std::string(redriveWords(judged.verdict)),
                                   forTerminal(judged.reason)});
  }
}

}  // namespace

Result<RunDigest> digestOf(const UnitList& units, const DigestBounds& bounds) {
  RunDigest digest;
  const Result<> read = units.forEach([&](const Unit& unit) {
    addSkips(unit, bounds.verdictRows, digest);
    addDeadLetters(unit, bounds.verdictRows, digest);
    if (groupOf(unit.unitClass) == ClassGroup::Closed && !bounds.closedToo) return true;
    ++digest.listed[unit.unitClass];
    Severity& worst = digest.worst[unit.unitClass];
    worst = std::max(worst, unit.severity);
    std::vector<UnitRow>& rows = digest.units[unit.unitClass];
    if (rows.size() < bounds.rowsPerClass) {
      rows.push_back(
          {unit.severity, unit.exposure, nameOf(unit), customerOf(unit), forTerminal(unit.reason)});
    }
    return true;
  });
  if (!read) return fail(read.error());
  return digest;
}

}  // namespace counterfoil
