// SPDX-License-Identifier: GPL-3.0-or-later
// What the window knows of the newest run, as one finished value.
#pragma once

#include <map>
#include <optional>

#include "core/store/store.h"

namespace counterfoil::desktop {

struct Overview {
  std::optional<StoredRun> run;            ///< none: the store has no run yet
  Coverage coverage;
  std::map<Class, Severity> worst;         ///< of its listed cases
};

[[nodiscard]] Result<Overview> readOverview(const Store& store);

}  // namespace counterfoil::desktop
