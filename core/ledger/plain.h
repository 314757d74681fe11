// SPDX-License-Identifier: GPL-3.0-or-later
// The plain case: one attempt that succeeded and one live effect, all equal. It is decided without the
// records and only counted. One small declarative predicate: whoever groups elsewhere (SQL) must say the
// same. Everything else goes to the judge, and for what is plain the judge says `matched` without a flag.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ledger/row.h"
#include "core/ledger/shapes.h"
#include "core/policy/policy.h"

namespace counterfoil {

/// What of a policy decides whether a group may be plain, ready for the inner loop.
class PlainRules {
 public:
  /// `sourceOfFile`: by FileId.
  PlainRules(const Policy& policy, const std::vector<SourceId>& sourceOfFile);

  /// May an attempt of this shape and an effect of that shape be a plain pair, by shape alone?
  [[nodiscard]] bool mayPair(const Shape& attempt, const Shape& effect) const;
  [[nodiscard]] std::int64_t skewMicros() const { return m_skewMicros; }

 private:
  struct OperationRule {
    bool mayBePlain = false;
    std::string provider;
  };
  [[nodiscard]] const OperationRule& ruleOf(const Shape& attempt) const;

  std::vector<OperationRule> m_operations;
  std::vector<std::string> m_providerOfFile;
  std::int64_t m_skewMicros = 0;
};

/// A group by its rows. Requires that no row is linked to another group.
struct GroupRows {
  std::span<const LedgerRow* const> rows;
};

/// True if the group is a plain pair.
[[nodiscard]] bool isPlainPair(const GroupRows& group, const ShapeTable& shapes, const PlainRules& rules);

}  // namespace counterfoil
