// SPDX-License-Identifier: GPL-3.0-or-later
// A line of a list (contract.md §4): named members in a fixed order. One description of a line
// serves JSON, CSV and the counts of columns alike, so that the formats cannot drift apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/money.h"

namespace counterfoil {

/// Visits the members of a line in output order. A member that a source does not know is null.
class LineVisitor {
 public:
  virtual ~LineVisitor() = default;
  virtual void text(std::string_view name, std::string_view value) = 0;
  virtual void textOrNull(std::string_view name, const std::optional<std::string>& value) = 0;
  virtual void integer(std::string_view name, std::int64_t value) = 0;
  virtual void integerOrNull(std::string_view name, std::optional<std::int64_t> value) = 0;
  virtual void list(std::string_view name, const std::vector<std::string>& values) = 0;
  virtual void money(std::string_view name, const std::vector<Money>& values) = 0;
};

}  // namespace counterfoil
