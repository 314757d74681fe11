// SPDX-License-Identifier: GPL-3.0-or-later
// Bank statement files that are no rows of text: ISO 20022 XML, SWIFT MT940, OFX, BAI2. Each is
// turned into NDJSON while it is read, one object an entry, so that mappings see rows like any
// other. Every value stays text; nothing goes through a number. What each object holds:
// resources/docs/formats/bank.*.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

enum class BankFormat : std::uint8_t { Camt, Mt940, Ofx, Bai2 };

/// By the first bytes of the decoded text. Nothing if it is none of them.
[[nodiscard]] std::optional<BankFormat> bankFormatOf(std::string_view head);
/// The encoding that the text itself names (XML declaration, OFX header); "" if it names none, or
/// UTF-8.
[[nodiscard]] std::string encodingNamedBy(BankFormat format, std::string_view head);

/// Reads the text of `source` and gives NDJSON instead. An entry stands in the line of the output
/// that it begins in in the file, where that is not behind already (several entries in one line
/// follow each other); lines between are blank. An entry that is not what its format says is a line
/// that a reader made for transcoded rows gives to onDefect. An Error (Format, Limit, or the
/// source's own) names the line.
[[nodiscard]] std::unique_ptr<ByteSource> transcodeBank(BankFormat format,
                                                        std::unique_ptr<ByteSource> source);

}  // namespace counterfoil
