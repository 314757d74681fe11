// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that are lines: NDJSON, logs taken apart by patterns, logfmt. Blank lines are passed in silence.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "importers/mapping/pattern.h"
#include "importers/readers/json_row.h"
#include "importers/readers/text_match.h"
#include "importers/readers/text_reader.h"
#include "importers/source/encoding.h"

namespace counterfoil {

struct LineOptions {
  std::vector<std::string> wanted;           ///< field i of a row is wanted[i]
  std::shared_ptr<const TextMatch> footer;   ///< may be null
  std::optional<SingleByteTable> encoding;   ///< none: UTF-8
  /// Bytes that are no UTF-8 become U+FFFD, and the column "$repaired" of such a line is true; "$bytes" of one of
  /// NDJSON is the line with a character of Latin-1 for each byte. Else the line is a defect.
  bool replacesInvalid = false;
};

/// One JSON value a line; one that is a list makes a row of each element. A last line without line end that is no JSON: cut off.
[[nodiscard]] std::unique_ptr<TextReader> makeNdjsonReader(LineOptions options, const JsonNesting& nesting);

/// One JSON object a line, as importers/bank and importers/redis write them. A line that begins with U+0015 is
/// an entry that could not be read: column, value, reason and its text, each ended by U+001F. Before both may
/// stand U+0016, the number of the line in the file that it comes from, and U+001F.
[[nodiscard]] std::unique_ptr<TextReader> makeTranscodedReader(LineOptions options, const JsonNesting& nesting);

/// Named groups are columns, "line" is the whole text; the first pattern that fits makes the row. A line
/// that fits none goes to onUnmatched, or with `quarantineUnmatched` to onDefect.
[[nodiscard]] std::unique_ptr<TextReader> makePatternReader(LineOptions options,
                                                            std::vector<std::shared_ptr<const Pattern>> patterns,
                                                            bool quarantineUnmatched);

/// key=value key="quoted \"value\"" flag. "line" is the whole text. A line without any key=value goes to
/// onUnmatched (or onDefect).
[[nodiscard]] std::unique_ptr<TextReader> makeLogfmtReader(LineOptions options, bool quarantineUnmatched);

/// Column names of the patterns: their named groups and "line".
[[nodiscard]] std::vector<std::string> patternColumns(const std::vector<std::shared_ptr<const Pattern>>& patterns);

}  // namespace counterfoil
