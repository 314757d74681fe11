// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/overview.h"

#include "app/store_lists.h"

namespace counterfoil::desktop {

Result<Overview> readOverview(const Store& store) {
  const auto last = store.lastRun();
  if (!last) return fail(last.error());
  Overview overview;
  if (!*last) return overview;
  auto run = runOf(store, *last);
  if (!run) return fail(run.error());
  auto coverage = store.coverageOf(**last);
  if (!coverage) return fail(coverage.error());
  auto worst = store.worstOf(**last);
  if (!worst) return fail(worst.error());
  overview.run = std::move(*run);
  overview.coverage = std::move(*coverage);
  overview.worst = std::move(*worst);
  return overview;
}

}  // namespace counterfoil::desktop
