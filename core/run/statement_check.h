// SPDX-License-Identifier: GPL-3.0-or-later
// What a statement says about itself (a net beside gross and fee, a running balance, a total in its
// last line), checked by the reading side over all data rows. Core only carries the outcome into
// findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace counterfoil {

struct StatementExample {
  std::uint64_t line = 0;  ///< 1-based; 0 where no line is meant
  std::string seen;        ///< part of a sentence with the numbers as written
  bool operator==(const StatementExample&) const = default;
};

/// The outcome of one check in one file.
struct StatementCheck {
  std::string name;         ///< as the mapping calls it
  std::string finding;      ///< code of the finding that a break is
  std::uint64_t tried = 0;  ///< rows, groups or totals that were compared
  std::uint64_t breaks = 0;
  std::vector<StatementExample> examples;  ///< of breaks, the first by line, bounded
  std::string remark;                      ///< why something could not be checked, or ""
  bool operator==(const StatementCheck&) const = default;
};

/// Where the running balance of a file begins and ends in time, for the files before and behind it.
struct StatementBalance {
  std::string check;
  std::string group;    ///< what the balance is kept by ("USD"), or ""
  std::string opening;  ///< plain decimal texts: equal texts are equal amounts
  std::string closing;
  std::string from = {};  ///< the day it opens on, yyyy-mm-dd; "" where the statement tells none
  std::string to = {};    ///< the day it closes on
  bool operator==(const StatementBalance&) const = default;
};

}  // namespace counterfoil
