// SPDX-License-Identifier: GPL-3.0-or-later
// A record of a night as the reference sees it. Internal to tests/core/reference.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/core/reference/reference_judge.h"

namespace counterfoil::testing::reference {

struct Item {
  RecordKind kind = RecordKind::Attempt;
  const RecordHead* head = nullptr;
  const Attempt* attempt = nullptr;
  const Skip* skip = nullptr;
  const Claim* claim = nullptr;
  const ProcessedEvent* event = nullptr;
  const Intent* intent = nullptr;
  const OutboxRow* outbox = nullptr;
  const Effect* effect = nullptr;
  const DeadLetter* letter = nullptr;
  int operation = 0;
  int caseNumber = -1;
  std::string name;
  std::string recorded;   ///< effect id, that of a replaced row followed to its successor

  [[nodiscard]] bool isLocal() const { return effect == nullptr; }
  /// A reversal or dispute that belongs to another effect's unit instead of making one.
  bool isAttached = false;
};

/// A reversal or lost dispute that lowers a charge, though it may lie in a unit of its own.
struct Lowering {
  const Effect* by = nullptr;
  std::string parent;      ///< id of the charge, replaced rows followed; blank: find one in the case
  int caseNumber = -1;     ///< of the charge
  bool isOurs = false;     ///< it is the effect of a refund that our side made
  bool isOursOpen = false; ///< our side has something of it, but no success
};

struct LinkedNight {
  std::vector<Item> items;
  std::vector<Lowering> lowerings;
  int caseCount = 0;
  std::set<int> openCases;
};

[[nodiscard]] LinkedNight linkByTheText(const Records& records, const Policy& policy);

/// The sub-operations of one case; nothing when the text leaves it open.
struct Part {
  std::vector<const Item*> items;
  bool hasSameReference = false;
  bool isLoneSkip = false;     ///< a skip of another amount than everything done
};
[[nodiscard]] std::optional<std::vector<Part>> splitByTheText(const std::vector<const Item*>& items,
                                                              const std::vector<Lowering>& lowerings,
                                                              const Policy& policy);

[[nodiscard]] inline Instant startOf(const Attempt& a) { return a.start ? *a.start : *a.end; }
[[nodiscard]] inline Instant endOf(const Attempt& a, const Policy& policy) {
  return a.end ? *a.end : startOf(a) + policy.operation(a.operation).maxRuntime;
}
[[nodiscard]] inline Duration lagOf(const Policy& policy) {
  Duration lag{0};
  for (const ProviderProfile& provider : policy.providers) lag = std::max(lag, provider.statementLag);
  return lag;
}

[[nodiscard]] Opinion opinionOf(const Part& part, const std::vector<Part>& parts,
                                const std::vector<Lowering>& lowerings, const Policy& policy,
                                const Window& window, Instant asOf);

}  // namespace counterfoil::testing::reference
