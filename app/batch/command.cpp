// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/command.h"

namespace counterfoil {

std::optional<std::string> Arguments::value(std::string_view name) const {
  const auto found = m_values.find(std::string(name));
  if (found == m_values.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

std::string Arguments::valueOr(std::string_view name, std::string_view otherwise) const {
  return value(name).value_or(std::string(otherwise));
}

std::vector<std::string> Arguments::values(std::string_view name) const {
  const auto found = m_values.find(std::string(name));
  return found == m_values.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace counterfoil
