// SPDX-License-Identifier: GPL-3.0-or-later
// Prints `cases` from a store.
#pragma once

#include "app/batch/list_options.h"
#include "core/store/store.h"

namespace counterfoil {

/// With Detail::All also plain operations, judged again from the records of the run.
[[nodiscard]] Result<> printCases(const Store& store, const ListFilter& filter, const ListChoices& choices,
                                  Session& session);

}  // namespace counterfoil
