// SPDX-License-Identifier: GPL-3.0-or-later
// The nightly run: one night from a configuration into its store. What `counterfoil run` and the window
// share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/config.h"
#include "app/run_night.h"
#include "core/store/store.h"

namespace counterfoil {

struct NightStoreOptions {
  NightOptions night;                  ///< `detail` is not looked at: a store keeps what is notable
  std::chrono::milliseconds wait{0};   ///< for another run's lock
  bool backfill = false;               ///< an as-of before the last run is meant
  bool baseline = false;               ///< what is found counts as known already
  bool reread = false;                 ///< read known files too, before looking whether the night is known
  std::string program;                 ///< version
};

struct StoredNight {
  StoredRun run;
  bool repeated = false;               ///< the same night was there already: nothing was changed
  std::optional<Store> store;          ///< opened for reading (the one of ":memory:" as it is)
};

/// Errors as runNight() and Store; Config for an as-of before the last run without `backfill`.
[[nodiscard]] Result<StoredNight> runIntoStore(const Config& config, const NightStoreOptions& options);

/// The units of a stored run in output order. Reads the store at every walk.
[[nodiscard]] std::unique_ptr<UnitList> storedUnits(const Store& store, RunNumber run, Detail detail);

/// Exit code by contract.md §1; `onlyNew`: counts only what is new or worse since the run before.
[[nodiscard]] int exitCodeOf(const StoredRun& run, Severity failOn, bool neverFail, bool onlyNew);

}  // namespace counterfoil
