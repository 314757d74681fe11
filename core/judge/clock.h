// SPDX-License-Identifier: GPL-3.0-or-later
// classes.md §2: absence waits, presence does not. When a counterpart is due, and whether the sources
// that would show it cover the time.
#pragma once

#include <optional>
#include <string_view>

#include "core/judge/nodes.h"

namespace counterfoil::judging {

/// λ of one effect's provider.
[[nodiscard]] Duration statementLagOf(const RecordHead& effect, const Policy& policy);
/// The largest λ of the providers that may carry the operation out.
[[nodiscard]] Duration statementLagOf(const Operation& operation, const Policy& policy);
/// π and κ of one effect's provider.
[[nodiscard]] Duration pendingLimitOf(const RecordHead& effect, const Policy& policy);
[[nodiscard]] std::optional<Duration> keyRetentionOf(const RecordHead& effect, const Policy& policy);
/// The smallest κ of the providers that may carry the operation out; none if one is unknown.
[[nodiscard]] std::optional<Duration> keyRetentionOf(const Operation& operation,
                                                     const Policy& policy);

/// When an attempt ended or must have ended: end, else start + ρ; of a clock that was set back the end
/// is never before the start.
[[nodiscard]] Instant endOf(const Attempt& attempt, const Operation& operation);
[[nodiscard]] Instant startOf(const Attempt& attempt);
/// False for one that was lost at a time nobody saw: it overlaps with nothing for sure.
[[nodiscard]] bool hasKnownLength(const Attempt& attempt);

/// True if the effect lies inside [start − σ, end + λ + σ] of the local record.
[[nodiscard]] bool isPlausibleTime(const Node& local, const Node& effect,
                                   const JudgeContext& context);

/// Do all providers that may carry out `operation` cover [from − σ, to]? A declared window needs no σ
/// at its beginning.
[[nodiscard]] bool providersCover(const Operation& operation, Instant from, Instant to,
                                  const JudgeContext& context);
/// Do all sources that would hold the local record cover the effect's time ± σ (a day: touch it)?
/// A declared window needs no σ at its beginning.
[[nodiscard]] bool localSourcesCover(const Effect& effect, const JudgeContext& context);
/// True if the time lies before everything the local sources (the providers of the operation) cover.
[[nodiscard]] bool isBeforeLocalCoverage(Instant at, const JudgeContext& context);
[[nodiscard]] bool isBeforeProviderCoverage(Instant at, const Operation& operation,
                                            const JudgeContext& context);
/// Earliest time the source of a local record covers.
[[nodiscard]] std::optional<Instant> localCoverageStart(const JudgeContext& context);
/// True if every source that would hold the local record declared what it covers, and was read.
[[nodiscard]] bool isLocalCoverageDeclared(const JudgeContext& context);

/// True if the attempts' sources do not keep successes (or there are no attempts to see at all).
[[nodiscard]] bool isBlindToSuccesses(const Policy& policy);

}  // namespace counterfoil::judging
