// SPDX-License-Identifier: GPL-3.0-or-later
// Which operation each record belongs to. A local record says it, or shares it with the records it is
// linked to; an effect has the operation of the attempt it is linked to; one-sided effects have the first
// operation of their kind.
#pragma once

#include <vector>

#include "core/judge/link_values.h"

namespace counterfoil::judging {

struct ResolvedOperations {
  std::vector<OperationId> operation;  ///< none only for effects whose kind no operation has
  std::vector<bool> isNamedReversal;
};

[[nodiscard]] ResolvedOperations resolveOperations(const std::vector<Node>& nodes,
                                                   const std::vector<LinkEntry>& entries,
                                                   const JudgeContext& context);

/// The first operation whose effects are of the kind of this effect and whose provider may be its own;
/// none where no operation has its kind.
[[nodiscard]] OperationId firstOperationOfItsKind(const Node& effect, const Policy& policy);

}  // namespace counterfoil::judging
