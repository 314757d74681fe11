// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration's `operations[].when`: which operation a record belongs to. Fields of the record,
// exact text or "re:…" (RE2, whole-value search); first hit wins. Immutable, thread-safe.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/record/record.h"

namespace counterfoil {

class OperationMatcher {
 public:
  struct Rule {
    std::string operation;                                        ///< its name
    std::vector<std::pair<std::string, std::string>> when;        ///< field name -> text or re:…; empty fits all
  };
  /// Error (Config) names the field that no record has, or the pattern RE2 refuses.
  static Result<std::shared_ptr<const OperationMatcher>> make(std::vector<Rule> rules);
  virtual ~OperationMatcher() = default;

  /// Fields a row has to give for match(): names as in contract.md (task, queue, operation, …).
  [[nodiscard]] virtual const std::vector<std::string>& fields() const = 0;
  /// values[i] belongs to fields()[i]. None: no operation fits. A record whose `operation` field names one
  /// of the rules takes that rule.
  [[nodiscard]] virtual OperationId match(const std::vector<std::string_view>& values) const = 0;
};

}  // namespace counterfoil
