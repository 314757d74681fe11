// SPDX-License-Identifier: GPL-3.0-or-later
// Celery's event stream, an object of JSON a line, as a camera or a monitor writes it. Its events
// are joined to runs: each becomes a row of NDJSON. What a row holds: resources/docs/mapping.md,
// "Celery's events".
#pragma once

#include <memory>
#include <string_view>

#include "importers/readers/json_document_rows.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

/// By the first lines of a text.
[[nodiscard]] bool looksLikeCeleryEvents(std::string_view head);

/// The rows, each with the number of a line as makeTranscodedReader takes it: the line of its last
/// event. Lines that are no events are rows that cannot be read. The text is read several times if
/// its events take more memory than is held at once. With `headOnly` only its beginning is read:
/// runs may look unfinished. A fault of the text comes behind the rows of what was read. Error
/// Limit: the events of some tasks alone are too many.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> transcodeCeleryEvents(const SourceOpener& open,
                                                                        bool headOnly);

/// For tests: with that many bytes of events held at once.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> transcodeCeleryEventsWithin(
    const SourceOpener& open, bool headOnly, std::size_t heldBytes);

}  // namespace counterfoil
