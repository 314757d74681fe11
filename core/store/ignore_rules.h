// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that hide cases nobody needs to look at. A rule names the classes it hides, so it never hides another kind
// of break; what it hides is shown as dismissed, counted, and comes back when the rule ends or is removed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/judge/unit.h"
#include "core/store/sqlite.h"

namespace counterfoil {

struct IgnoreRule {
  std::int64_t number = 0;
  std::set<Class> classes;             ///< breaks and open classes; never empty
  std::string operation;               ///< "" = any
  std::string key;                     ///< one of the unit's keys; `*` stands for any text; "" = any, also none
  std::optional<std::string> scope;    ///< none = any; "" = the units without one
  std::string queue;                   ///< of one of its attempts or dead letters; "" = any
  std::optional<Money> most;           ///< all that is at stake is in this currency and not more; an unknown sum does not fit
  std::optional<Instant> until;        ///< nights as of this instant or later look again; none: never
  std::string reason;
  std::int64_t removed = 0;            ///< the decision that took it away; 0: in force
  std::int64_t hidden = 0;             ///< cases that it hides (only where asked for)
};

/// A rule as one line, the same for the same rule: what the chain of decisions seals.
[[nodiscard]] std::string textOf(const IgnoreRule& rule);

[[nodiscard]] bool fitsRule(const IgnoreRule& rule, const Unit& unit, Instant asOf);
/// The first of the rules that fits; 0: none.
[[nodiscard]] std::int64_t hidingRule(const std::vector<IgnoreRule>& rules, const Unit& unit, Instant asOf);
/// Does the text fit a pattern in which `*` stands for any text? Never more work than their lengths multiplied.
[[nodiscard]] bool fitsPattern(std::string_view pattern, std::string_view text);

enum class RulesWanted : std::uint8_t { InForce, All };
/// In order of their numbers.
[[nodiscard]] Result<std::vector<IgnoreRule>> loadIgnoreRules(Database& database, RulesWanted wanted);
[[nodiscard]] Result<> insertIgnoreRule(Database& database, const IgnoreRule& rule);

}  // namespace counterfoil
