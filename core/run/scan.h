// SPDX-License-Identifier: GPL-3.0-or-later
// The first stage of a run: reads everything into the ledger. Internal to core/run.
#pragma once

#include "core/run/night.h"

namespace counterfoil {

/// Quarantined rows that a result shows; more are only counted.
inline constexpr std::size_t kQuarantinedShown = 1000;

/// Fills night.ledger, night.scan and night.coverage.
Result<> scanInputs(NightState& night);

/// What the sources cover: declared, else of the file or its path, else first to last record.
[[nodiscard]] Coverage coverageOf(const std::vector<FileReport>& reports, const RunOptions& options);
/// True of a source of attempts or effects that was not said to be empty now and then: without any record
/// the run is incomplete.
[[nodiscard]] bool mustHaveRows(const SourceProfile& source, const std::vector<std::string>& mayBeEmpty);
/// What absence must not be judged by, whatever was declared: sources that were not read in whole (what is
/// absent may stand in the part that was not read), those that must have rows and have none (an empty
/// statement is never evidence), and the other sources of their providers, which are one coverage with them.
void withdrawSilent(Coverage& coverage, const std::vector<FileReport>& reports,
                    const std::vector<InputProblem>& problems, const Policy& policy,
                    const std::vector<std::string>& mayBeEmpty);

}  // namespace counterfoil
