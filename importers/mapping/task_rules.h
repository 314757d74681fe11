// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a mapping's "tasks" a row falls under. Internal to importers/mapping. Immutable,
// thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/mapping/mapping_model.h"

namespace counterfoil {

/// Whether records of the kind have a task: those of our side.
[[nodiscard]] bool hasTasks(RecordKind kind);

class TaskMatcher {
 public:
  static constexpr std::uint32_t kNoRule = 0xFFFFFFFFu;

  TaskMatcher() = default;
  explicit TaskMatcher(const std::vector<TaskRule>& rules);

  /// Index of the rule: the one of exactly that name, else the first pattern that occurs in it, else
  /// that of "*", which blank names fall under too. kNoRule if none fits.
  [[nodiscard]] std::uint32_t match(std::string_view task) const;

 private:
  std::vector<std::pair<std::string, std::uint32_t>> m_exact;   ///< by name
  std::vector<std::pair<std::shared_ptr<const Pattern>, std::uint32_t>> m_patterns;
  std::uint32_t m_any = kNoRule;
};

}  // namespace counterfoil
