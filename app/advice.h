// SPDX-License-Identifier: GPL-3.0-or-later
// What settings would have absorbed the incidents of all nights: durations and gaps as integer histograms, and
// for each incident how much a setting would have needed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/judge/findings.h"
#include "core/store/store.h"

namespace counterfoil {

enum class Setting : std::uint8_t { VisibilityTimeout, ClaimTtl, DedupeTtl, KeyRetention, MaxRuntime };
inline constexpr std::size_t kSettingCount = 5;
/// "visibility_timeout", … as in the configuration.
[[nodiscard]] std::string_view codeOf(Setting setting);

/// A line of `advise`: one setting of one queue and operation.
struct AdviceLine {
  std::string queue, operation;
  Setting setting{};
  std::optional<Duration> configured;   ///< in the newest run's configuration
  std::uint64_t observed = 0;           ///< durations, or gaps between attempts of one key
  Duration p50{0}, p99{0}, longest{0};  ///< of what was observed
  std::uint64_t incidents = 0;          ///< that this setting could have absorbed
  std::optional<Duration> least;        ///< absorbs them all
  std::optional<Duration> most;         ///< a much lower value that absorbs at least nine of ten
  std::uint64_t absorbedByMost = 0;
  std::uint64_t absorbedNow = 0;        ///< by the configured value, had it been so
  std::string advice;                   ///< one sentence with numbers
};

struct Advice {
  std::vector<AdviceLine> lines;        ///< by queue, operation, setting; only where there is something to say
  std::uint64_t runs = 0, attempts = 0, incidents = 0;
};

/// Over all nights; blocks are opened one at a time. Error Cancelled: by the token.
[[nodiscard]] Result<Advice> adviceOf(const Store& store, const CancelToken* cancel);

}  // namespace counterfoil
