// SPDX-License-Identifier: GPL-3.0-or-later
// Money at stake and severity of a unit.
#pragma once

#include <vector>

#include "core/judge/classify.h"

namespace counterfoil::judging {

/// Signed, sorted by currency; empty for closed classes and where no amount is known.
[[nodiscard]] std::vector<Money> exposureOf(const UnitView& view, Class unitClass);

/// The amount a person expects to have been moved: of a cancelled order that was carried out it is 0.
[[nodiscard]] std::optional<Money> expectedOf(const UnitView& view, Class unitClass);

/// True for an open unit whose counterpart is later than the open limit allows.
[[nodiscard]] bool isOverdue(const UnitView& view, Class unitClass);

/// Default of the class, one step up for a large amount and one for age; see resources/docs/findings.md.
[[nodiscard]] Severity severityOf(const Unit& unit, const JudgeContext& context);

}  // namespace counterfoil::judging
