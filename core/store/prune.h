// SPDX-License-Identifier: GPL-3.0-or-later
// Retention: takes away whole runs, never one that is held, that a standing or decided case rests on, or from
// which a run that stays has records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/store/store_file.h"

namespace counterfoil {

enum class RunFate : std::uint8_t { Recent, Newest, Held, CaseHeld, StandingCase, DecidedCase, Lender, Goes };
/// "recent", "newest", "held", "case held", "standing case", "decided case", "lends records", "goes".
[[nodiscard]] std::string_view wordsOf(RunFate fate);

struct RunToPrune {
  RunNumber run = 0;
  Instant asOf{};
  std::uint64_t records = 0;
  RunFate fate = RunFate::Goes;
  std::string because;    ///< the case, the run that borrows, the reason of the hold
};

struct Hold {
  std::string kind;       ///< "run" or "case"
  std::string target;
  Instant at{};
  std::string who, reason;
};

/// What would become of every run whose as-of is before `cutoff`, and of the newest. In order of number.
[[nodiscard]] Result<std::vector<RunToPrune>> planPrune(StoreFile& file, Instant cutoff);

struct PruneDone {
  std::uint64_t runs = 0, records = 0, cases = 0;
};
/// Carries out a plan: a run in a transaction of its own; killed in between, some runs are gone and the store is
/// whole. `file` is open for upkeep.
Result<PruneDone> prune(StoreFile& file, const std::vector<RunToPrune>& plan, Instant at, const std::string& who);

/// Keeps a run, or all runs that judged a case. Usage: there is none.
Result<> addHold(StoreFile& file, const Hold& hold);
/// Usage: it is not held.
Result<> releaseHold(StoreFile& file, const std::string& target);
[[nodiscard]] Result<std::vector<Hold>> holdsOf(StoreFile& file);

enum class Rewritten : std::uint8_t { Yes, NoRoom };
/// Gives free space back to the disk: the file is written anew, where there is room for it.
Result<Rewritten> giveSpaceBack(StoreFile& file);

}  // namespace counterfoil
