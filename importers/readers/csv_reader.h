// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of CSV and its cousins (any one-byte delimiter, RFC 4180 quotes, CRLF, LF or CR). Only wanted
// columns are taken out of a row. Blank rows, repeated header lines and footers are passed in silence.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "importers/readers/arena.h"
#include "importers/readers/csv_scan.h"
#include "importers/readers/text_match.h"
#include "importers/readers/text_reader.h"
#include "importers/source/encoding.h"

namespace counterfoil {

struct CsvOptions {
  CsvDialect dialect;
  std::vector<std::string> header;           ///< names of the file's columns, in order
  std::string headerLine;                    ///< as written, without line end; "" when the file has none
  std::vector<std::string> wanted;           ///< field i of a row is wanted[i]; names the file lacks are Absent
  std::shared_ptr<const TextMatch> footer;   ///< may be null
  std::optional<SingleByteTable> encoding;   ///< none: UTF-8
  CsvScanFunction scan = nullptr;            ///< null: the fastest
};

[[nodiscard]] std::unique_ptr<TextReader> makeCsvReader(CsvOptions options);

/// The index of the header that a name means: equal, else equal but for case and outer white space. Where
/// a name comes several times all of them are given; the first that is not blank counts in a row.
[[nodiscard]] std::vector<std::size_t> columnIndexes(const std::vector<std::string>& header, const std::string& name);

/// The value of one field as written between two separators: quotes off, doubled quotes single,
/// spreadsheet guards (="…") off. Returns a view into `field` where it can, else into `arena`.
[[nodiscard]] std::string_view csvValue(std::string_view field, Arena& arena);

}  // namespace counterfoil
