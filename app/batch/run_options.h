// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that reconcile share: their common options, and how the outcome is printed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/batch/command.h"
#include "app/run_night.h"
#include "reports/list/list_writer.h"

namespace counterfoil {

/// --as-of, --fail-on, --format, --output, --memory, --threads, --notable, --all.
[[nodiscard]] std::vector<OptionSpec> runOptionSpecs();

struct RunChoices {
  std::optional<Instant> asOf;  ///< --as-of
  Instant now{};
  NightOptions night;
  ListFormat format = ListFormat::Table;
  std::string outputPath;            ///< blank: standard output
  Severity failOn = Severity::None;  ///< None: any break
  bool neverFail = false;
  std::optional<std::int64_t> run;      ///< number of the stored run; none for `match`
  bool notable = false;
  bool all = false;
};

/// Error (Usage) names the option.
[[nodiscard]] Result<RunChoices> runChoicesOf(const Arguments& arguments, Session& session);

/// Prints the outcome in the chosen format to the chosen place; for programs also says on standard
/// error what made the result incomplete and which rows were quarantined.
[[nodiscard]] Result<> printOutcome(const RunOutcome& outcome, const RunChoices& choices,
                                    const std::vector<std::string>& nextCommands, Session& session);

}  // namespace counterfoil
