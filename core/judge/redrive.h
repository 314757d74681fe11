// SPDX-License-Identifier: GPL-3.0-or-later
// Every dead letter gets a verdict: would sending it again be useless, a second charge, doubtful or safe?
#pragma once

#include "core/judge/view.h"

namespace counterfoil::judging {

[[nodiscard]] JudgedDeadLetter judgeDeadLetter(const DeadLetter& letter, const UnitView& view);

/// When the broker deletes the message: stated, else enqueued_at + the queue's retention.
[[nodiscard]] std::optional<Instant> deadlineOf(const DeadLetter& letter, const Policy& policy);

}  // namespace counterfoil::judging
