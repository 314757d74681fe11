// SPDX-License-Identifier: GPL-3.0-or-later
// Units of the judge beside those of the reference.
#pragma once

#include <algorithm>
#include <map>

#include "tests/core/reference/reference_judge.h"
#include "tests/core/support/night.h"

namespace counterfoil::testing::reference {

inline std::set<std::string> recordsOf(const Unit& unit) {
  std::set<std::string> names;
  const auto take = [&](RecordKind kind, const auto& list) {
    for (const auto& record : list) names.insert(nameOf(kind, record));
  };
  take(RecordKind::Attempt, unit.records.attempts);
  take(RecordKind::Skip, unit.records.skips);
  take(RecordKind::Claim, unit.records.claims);
  take(RecordKind::ProcessedEvent, unit.records.processedEvents);
  take(RecordKind::Intent, unit.records.intents);
  take(RecordKind::Outbox, unit.records.outbox);
  take(RecordKind::DeadLetter, unit.records.deadLetters);
  for (const Effect& effect : unit.records.effects) names.insert(nameOf(effect));
  return names;
}

inline std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

/// What differs between the unit and the opinion; blank when they agree.
inline std::string differenceOf(const Unit& unit, const Opinion& opinion) {
  if (!opinion.unitClass) return {};
  const auto text = [](auto code) { return std::string(codeOf(code)); };
  if (unit.unitClass != *opinion.unitClass) {
    return "class " + text(unit.unitClass) + ", by the text " + text(*opinion.unitClass);
  }
  if (opinion.why && unit.why != *opinion.why) return "why " + text(unit.why) + ", by the text " + text(*opinion.why);
  for (Flag flag : comparedFlags()) {
    const bool isCompared = !opinion.openFlags.contains(flag);
    if (isCompared && unit.has(flag) != opinion.flags.contains(flag)) {
      return text(unit.unitClass) + " flag " + text(flag) + (unit.has(flag) ? " without reason" : " is lacking");
    }
  }
  if (opinion.exposure && unit.exposure != *opinion.exposure) {
    return text(unit.unitClass) + " exposure" + exposureText(unit).toStdString();
  }
  for (std::size_t i = 0; i < unit.records.skips.size(); ++i) {
    const auto said = opinion.skips.find(nameOf(RecordKind::Skip, unit.records.skips[i]));
    const SkipVerdict verdict = unit.skipVerdicts[i].verdict;
    if (said != opinion.skips.end() && said->second != verdict) {
      return text(unit.unitClass) + " skip " + text(verdict) + ", by the text " + text(said->second);
    }
  }
  for (std::size_t i = 0; i < unit.records.deadLetters.size(); ++i) {
    const auto said = opinion.letters.find(nameOf(RecordKind::DeadLetter, unit.records.deadLetters[i]));
    const RedriveVerdict verdict = unit.deadLetterVerdicts[i].verdict;
    if (said != opinion.letters.end() && said->second != verdict) {
      return text(unit.unitClass) + " dead letter " + text(verdict) + ", by the text " + text(said->second);
    }
  }
  return {};
}

struct Tally {
  std::size_t units = 0;
  std::size_t decided = 0;
  std::map<Class, std::size_t> classes;
};

/// Cases are the same sets of records; the units of those that the text decides agree in everything.
inline std::string compare(const std::vector<Unit>& units, const std::vector<ReferenceCase>& cases, Tally& tally) {
  std::map<std::set<std::string>, const Unit*> byRecords;
  for (const Unit& unit : units) byRecords[recordsOf(unit)] = &unit;
  for (const ReferenceCase& found : cases) {
    std::size_t inside = 0;
    for (const auto& [names, unit] : byRecords) {
      if (std::includes(found.records.begin(), found.records.end(), names.begin(), names.end())) inside += names.size();
    }
    if (inside != found.records.size()) return "case { " + listed(found.records) + "} is cut otherwise";
    if (found.isOpen) ++tally.units;
    for (const ReferenceUnit& expected : found.units) {
      ++tally.units;
      const auto unit = byRecords.find(expected.records);
      if (unit == byRecords.end()) return "no unit { " + listed(expected.records) + "}";
      if (!expected.opinion.unitClass) continue;
      ++tally.decided;
      ++tally.classes[*expected.opinion.unitClass];
      const std::string difference = differenceOf(*unit->second, expected.opinion);
      if (!difference.empty()) return difference + " { " + listed(expected.records) + "}";
    }
  }
  return {};
}

}  // namespace counterfoil::testing::reference
