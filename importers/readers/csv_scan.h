// SPDX-License-Identifier: GPL-3.0-or-later
// The structural scan of CSV: positions of the separators that are not inside quotes, found 64 bytes at
// a time. A quote opens only at the start of a field; in other places it is a character like any other.
#pragma once

#include <cstdint>
#include <vector>

namespace counterfoil {

struct CsvDialect {
  char delimiter = ',';
  char lineEnd = '\n';   ///< '\n' (also of CRLF files) or '\r'
  bool operator==(const CsvDialect&) const = default;
};

enum class CsvState : std::uint8_t { FieldStart, Unquoted, Quoted, QuoteInQuoted };

/// Grows while a block is scanned. Positions are relative to the block's text.
struct CsvMarks {
  std::vector<std::uint32_t> separators;   ///< delimiters and line ends outside quotes
  std::vector<std::uint32_t> rowEnds;      ///< indexes into separators: those that end a row
  std::size_t separatorCount = 0;          ///< used parts of the vectors
  std::size_t rowEndCount = 0;
  CsvState state = CsvState::FieldStart;
  bool sawNul = false;
  bool sawHighBit = false;                 ///< a byte that is not ASCII
};

/// Scans text[from, to) and appends to `marks`. Reads no byte outside [from, to).
using CsvScanFunction = void (*)(const char* text, std::uint32_t from, std::uint32_t to, const CsvDialect& dialect,
                                 CsvMarks& marks);

void scanCsvPortable(const char* text, std::uint32_t from, std::uint32_t to, const CsvDialect& dialect,
                     CsvMarks& marks);
/// Requires hasAvx2().
void scanCsvAvx2(const char* text, std::uint32_t from, std::uint32_t to, const CsvDialect& dialect,
                 CsvMarks& marks);
[[nodiscard]] bool hasAvx2();
/// The fastest that this machine can run.
[[nodiscard]] CsvScanFunction bestCsvScan();

}  // namespace counterfoil
