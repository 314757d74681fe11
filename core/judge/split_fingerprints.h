// SPDX-License-Identifier: GPL-3.0-or-later
// Different payloads under one key: several operations, unless amount, currency and destination agree or
// a second tie (business reference, job) joins them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/judge/link.h"

namespace counterfoil::judging {

/// The mark of each record with a fingerprint; empty where the fingerprints tell of one operation.
[[nodiscard]] std::map<NodeIndex, std::string> marksOfFingerprints(
    const std::vector<NodeIndex>& members, const std::vector<Node>& nodes, const Links& links,
    const Policy& policy);

}  // namespace counterfoil::judging
