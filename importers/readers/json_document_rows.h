// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON document whose rows are an array (or an object keyed by id) at a JSON pointer, read as a stream:
// only the row at hand is held, so documents may be larger than memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
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
/// A step in braces, "/{queue}/jobs", stands for any member of an object: the rows of all places that fit are
/// rows, with the name of the step as column "$queue". As the last step only arrays fit.
struct JsonRowsFound {
  std::string pointer = "#";
  bool isOneRow = false;      ///< the document itself is the row
  bool isNdjson = false;      ///< one value after the other: not one document
  bool mayBeMissing = false;  ///< nothing at the pointer is no fault
};
/// The document if it is an array; else its only array of objects (an array is one if it has an object in
/// it), preferring the names data, items, rows, results, records, messages; else a document of two or more
/// members that are all objects (keyed by id); else an array with such a name although it is empty; else the document as one row. Error
/// (Ambiguous) names the candidates. A document that is cut off is judged by what is there.
[[nodiscard]] Result<JsonRowsFound> findJsonRows(ByteSource& source);

/// Which of the pointers leads to an array or an object first; none: none does. A document that is cut off is
/// judged by what is there.
[[nodiscard]] Result<std::optional<std::size_t>> firstJsonPlace(ByteSource& source,
                                                               const std::vector<std::string>& pointers);

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
