// SPDX-License-Identifier: GPL-3.0-or-later
// How the rows of a file lie in it (contract.md, mapping `layout`). Every member has a "find it by
// looking" state; the resolved layout of a file has none left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/money.h"

namespace counterfoil {

enum class LayoutKind : std::uint8_t {
  Find, Csv, Json, Ndjson, Xlsx, Sqlite, Lines, Logfmt, Log, Camt, Mt940, Ofx, Bai2,
  Sql, Psql, Dumpdata, SqsXml, Redis, CeleryEvents
};
/// A bank statement.
[[nodiscard]] constexpr bool isBank(LayoutKind kind) {
  return kind >= LayoutKind::Camt && kind <= LayoutKind::Bai2;
}
/// Rows of tables (or of answers) in a text of its own kind: importers/tables.
[[nodiscard]] constexpr bool isTableText(LayoutKind kind) {
  return kind >= LayoutKind::Sql && kind <= LayoutKind::SqsXml;
}
/// Something that becomes NDJSON while it is read.
[[nodiscard]] constexpr bool isTranscoded(LayoutKind kind) { return kind >= LayoutKind::Camt; }

struct Layout {
  enum class Header : std::uint8_t { Find, AtLine, None };

  LayoutKind kind = LayoutKind::Find;
  std::string encoding;                       ///< "" = find
  char delimiter = 0;                         ///< 0 = find
  std::optional<DecimalSign> decimal;         ///< none = over the whole column
  std::string grouping;                       ///< "", or the declared grouping sign
  Header header = Header::Find;
  std::uint64_t headerLine = 0;               ///< 1-based, for AtLine
  std::vector<std::string> columns;           ///< for Header::None
  std::string rows;                           ///< JSON pointer to the array; "" = found (the document's array, or its only one). Redis: "items", "hashes" or "keys"; "" = items
  std::vector<std::string> rowsElse;          ///< JSON: pointers to try where nothing is at `rows`; "" = found
  bool optional = false;                      ///< JSON: nothing at `rows` is no fault, the file just has no such rows
  std::vector<std::string> each;              ///< dotted paths of lists inside a row, the first that is there: one row an element
  std::string unwrap;                         ///< dotted path of a text that holds the row as JSON
  std::string table, query;                   ///< a table of SQLite, an SQL dump or dumpdata; a query of SQLite
  std::string sheet;                          ///< XLSX: name or number from 1; "" = found
  std::vector<std::string> patterns;          ///< lines, log: RE2 with (?<name>…); first that fits
  bool givesEveryLine = false;                ///< log: the mapping's conditions of "lines" choose the rows
  std::string date;                           ///< log: of the first line, ISO; "name": it is in the file's name; "" = lines have dates
  bool quarantineUnmatched = false;
  bool replacesInvalid = false;               ///< lines: bytes that are no UTF-8 become U+FFFD, instead of the line's going into quarantine
  std::vector<std::string> keys;              ///< Redis: only rows of keys that one of them fits ("re:…" or exact); none = all
  std::string key, type;                      ///< Redis: whose answer of redis-cli the file is, and of what type; "" = a dump; found
  std::string footer;                         ///< RE2 (after "re:") or exact text of lines that are no records

  bool operator==(const Layout&) const = default;
};

}  // namespace counterfoil
