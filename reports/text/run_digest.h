// SPDX-License-Identifier: GPL-3.0-or-later
// What the text report shows of the units: the first few of each class, bounded. One pass over the
// units.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace counterfoil {

struct UnitRow {
  Severity severity = Severity::None;
  std::vector<Money> exposure;
  std::string key;       ///< key, else order, else job or effect; harmless for a terminal
  std::string customer;  ///< or destination; harmless
  std::string reason;    ///< harmless
};

struct VerdictRow {
  std::string key;  ///< harmless
  std::string words;
  std::string reason;  ///< harmless
};

struct RunDigest {
  std::map<Class, std::vector<UnitRow>> units;
  std::map<Class, Severity> worst;  ///< of all units of the class that are listed
  std::map<Class, std::uint64_t> listed;
  std::vector<VerdictRow> wrongSkips;
  std::vector<VerdictRow> riskyLetters;
};

struct DigestBounds {
  std::size_t rowsPerClass = 5;
  std::size_t verdictRows = 5;
  bool closedToo = false;
};

[[nodiscard]] Result<RunDigest> digestOf(const UnitList& units, const DigestBounds& bounds);

}  // namespace counterfoil
