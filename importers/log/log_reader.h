// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that are lines of a log, of whatever form: text, JSON, logfmt, in the wrappings that log carriers put around
// them. resources/docs/mapping.md ("Logs") says what a row has.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/readers/line_reader.h"

namespace counterfoil {

struct LogOptions {
  std::vector<std::shared_ptr<const Pattern>> patterns;   ///< of rows; named groups are columns
  bool givesEveryLine = false;         ///< the mapping's "lines" choose: each line is given as a row
  bool quarantineUnmatched = false;
  bool keepsDate = false;              ///< blocks come in order, with one scratch: times without a date get that of
                                       ///< the lines before
  std::string firstDate;               ///< ISO, of the first line; with keepsDate
};

/// Lines that a container runtime cut are one row, at the place of the first.
[[nodiscard]] std::unique_ptr<TextReader> makeLogReader(LineOptions lines, LogOptions log);

/// Whether lines of a head begin with times that lack a date which nothing around them tells.
[[nodiscard]] bool hasTimesWithoutDate(std::string_view head);

/// Whether a head is of a log: of its lines every fifth or more has a level, begins with a time as logs do, or comes in
/// a carrier's wrapping.
[[nodiscard]] bool looksLikeLog(std::string_view head);

/// "2026-11-29" out of a file's name: "worker-2026-11-29.log", "worker.log.20261129"; blank if there is none.
[[nodiscard]] std::string dateInName(std::string_view path);

}  // namespace counterfoil
