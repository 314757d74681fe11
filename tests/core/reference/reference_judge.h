// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of classes.md a second time: slow and obvious, from the text alone, without any help of
// core/judge. It knows one stretch of coverage a side, one source of attempts, outbound operations and
// small nights. Where the text leaves a case open it says so instead of guessing (`isOpen`).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/judge/unit.h"
#include "core/policy/policy.h"

namespace counterfoil::testing::reference {

/// A record by a name that a repeat of it has too: "e:forward:e1", "a:17".
[[nodiscard]] std::string nameOf(const Effect& effect);
[[nodiscard]] std::string nameOf(RecordKind kind, const RecordHead& head);

/// Which side and which sources cover what.
struct Window {
  Interval local;
  Interval provider;
  bool isLocalDeclared = false;
  bool isProviderDeclared = false;
};

/// What the rules say of one unit. Members without a value are not decided by the text.
struct Opinion {
  std::optional<Class> unitClass;
  std::optional<Why> why;
  std::optional<std::vector<Money>> exposure;
  std::set<Flag> flags;
  std::set<Flag> openFlags;                        ///< not to be compared here
  std::map<std::string, SkipVerdict> skips;        ///< by the record's name; one that lacks is not decided
  std::map<std::string, RedriveVerdict> letters;
};

struct ReferenceUnit {
  std::set<std::string> records;
  Opinion opinion;
};

struct ReferenceCase {
  std::set<std::string> records;
  bool isOpen = false;                ///< how it splits is left open by the text
  std::vector<ReferenceUnit> units;   ///< empty when open
};

/// Flags that the reference decides; others have tests of their own.
[[nodiscard]] const std::set<Flag>& comparedFlags();

[[nodiscard]] std::vector<ReferenceCase> judgeByTheText(const Records& records, const Policy& policy,
                                                        const Window& window, Instant asOf);

}  // namespace counterfoil::testing::reference
