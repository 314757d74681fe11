// SPDX-License-Identifier: GPL-3.0-or-later
// Words for people about a run: sums of money, the sentence at the top, names of verdicts and open
// states. Pure, thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/proof.h"
#include "core/judge/unit.h"
#include "core/run/run.h"
#include "reports/text/text_style.h"

namespace counterfoil {

/// "USD 118.00", "USD 118.00 + EUR 20.00"; never a sum across currencies. At most three are written
/// out.
[[nodiscard]] std::string moneyWords(const std::vector<Money>& values);
[[nodiscard]] std::vector<Money> moneyOf(const std::map<Currency, std::int64_t>& sums);

/// The state of the night in one to four sentences.
[[nodiscard]] std::string healthSentence(const RunResult& result);

/// "not due yet", "still running", … for open classes; "" for others.
[[nodiscard]] std::string_view openWords(Class value);
[[nodiscard]] std::string_view skipWords(SkipVerdict verdict);
[[nodiscard]] std::string_view redriveWords(RedriveVerdict verdict);
[[nodiscard]] std::string_view bridgeWords(BridgeStep step);
[[nodiscard]] Ink inkOf(Severity severity);

/// "2026-04-08 06:00 UTC"; seconds only where there are any.
[[nodiscard]] std::string instantWords(Instant at);
/// "2026-04-07 00:00 to 23:59", to the minute; the second day only where it is another one.
[[nodiscard]] std::string spanWords(Instant from, Instant to);

}  // namespace counterfoil
