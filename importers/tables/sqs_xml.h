// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of Amazon SQS in its older form (query protocol): XML, turned into the objects that its JSON form
// has, so that one mapping reads both.
#pragma once

#include <memory>
#include <string_view>

#include "importers/source/byte_source.h"

namespace counterfoil {

/// By the first bytes of the decoded text.
[[nodiscard]] bool looksLikeSqsXml(std::string_view head);
/// NDJSON: {"Attributes": {…}} for GetQueueAttributes; for ReceiveMessage an object a message, without its
/// ReceiptHandle. Error Format: not such an answer, cut off, or an error that SQS answered with.
[[nodiscard]] std::unique_ptr<ByteSource> transcodeSqsXml(std::unique_ptr<ByteSource> source);

}  // namespace counterfoil
