// SPDX-License-Identifier: GPL-3.0-or-later
// One night from a configuration to its outcome: what `match`, `run` and the window share. Opens
// the files, hands them to the engine, keeps what the outcome needs alive. Writes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "core/base/executor.h"
#include "core/run/run.h"

namespace counterfoil {

struct NightOptions {
  Detail detail = Detail::BreaksAndOpen;
  std::uint64_t memoryBytes = 256ull << 20;
  unsigned threads = 1;
  bool wantDigests = true;
  const CancelToken* cancel = nullptr;
  /// As RunOptions::progress: from any thread.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress;
};

/// The outcome and what its lists are read from. Move-only; not thread-safe.
struct NightRun {
  std::unique_ptr<Input> input;
  std::unique_ptr<SpillSpace> spill;
  RunOutcome outcome;  ///< last: its list of units is read from the ones above
};

/// Error: what makes a run impossible (Cancelled, Config, WriteFailed …). Inputs that are missing
/// or cut off make the result incomplete instead.
[[nodiscard]] Result<NightRun> runNight(const Config& config, const NightOptions& options);

/// Where temporary files of a run go: beside the store, where the data may lie and there is room; else
/// (blank) where temporary files go.
[[nodiscard]] std::string spillFolderOf(const Config& config);

/// Files given on the command line instead of a configuration.
struct AdHocFiles {
  std::vector<std::string> local, provider, skips, claims, intents, outbox, deadLetters,
      queueDepths;
  [[nodiscard]] bool isEmpty() const;
};
/// A configuration with a source a file, formats to be identified, coverage observed, and every
/// other rule at its default. Names of sources are those of the files.
[[nodiscard]] Config configOfFiles(const AdHocFiles& files, Instant asOf);

}  // namespace counterfoil
