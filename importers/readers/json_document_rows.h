// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON document whose rows are an array (or an object keyed by id) at a JSON pointer, read as a stream:
// only the row at hand is held, so documents may be larger than memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/readers/json_row.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

/// A document is looked at more than once: each look opens it again.
using SourceOpener = std::function<Result<std::unique_ptr<ByteSource>>()>;

/// Where the rows are. A pointer as in Layout::rows; "#" is the document itself.
struct JsonRowsFound {
  std::string pointer = "#";
  bool isOneRow = false;      ///< the document itself is the row
  bool isNdjson = false;      ///< one value after the other: not one document
};
/// The document if it is an array; else its only array of objects (an array is one if it has an object in
/// it), preferring the names data, items, rows, results, records, messages; else a document of two or more
/// members that are all objects (keyed by id); else an array with such a name although it is empty; else the document as one row. Error
/// (Ambiguous) names the candidates. A document that is cut off is judged by what is there.
[[nodiscard]] Result<JsonRowsFound> findJsonRows(ByteSource& source);

/// Values outside the rows as text, for the pointers that lead to a scalar.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> readJsonDocumentValues(
    ByteSource& source, const std::vector<std::string>& pointers);

/// Gives every row to `sink`. Error: Format or Io with the byte and line where the document stops being
/// one (rows before it were given); Missing if nothing is at the pointer; Cancelled. Stops without an Error
/// when the sink says so.
[[nodiscard]] Result<> readJsonRows(ByteSource& source, const JsonRowsFound& rows, const JsonRowShaper& shaper,
                                    RowSink& sink, const CancelToken* cancel = nullptr);

/// "/data/0/a~1b" as its names; "#" and "" are the document itself.
[[nodiscard]] std::vector<std::string> splitJsonPointer(std::string_view pointer);

}  // namespace counterfoil
