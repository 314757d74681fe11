// SPDX-License-Identifier: GPL-3.0-or-later
// Who does something to a store, and when: stands beside what was done.
#pragma once

#include <string>
#include <vector>

#include "app/batch/command.h"

namespace counterfoil {

/// --by.
[[nodiscard]] inline OptionSpec actingPersonSpec() {
  return {"--by", "NAME", "who does it, as it is kept in the store; default: the user's name"};
}

/// --by, else COUNTERFOIL_USER, USER or LOGNAME, else "unknown".
[[nodiscard]] inline std::string actingPerson(const Arguments& arguments, const Console& console) {
  if (const auto name = arguments.value("--by"); name && !name->empty()) return *name;
  for (const char* variable : {"COUNTERFOIL_USER", "USER", "LOGNAME"}) {
    const auto name = console.environment ? console.environment(variable) : std::nullopt;
    if (name && !name->empty()) return *name;
  }
  return "unknown";
}

}  // namespace counterfoil
