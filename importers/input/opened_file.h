// SPDX-License-Identifier: GPL-3.0-or-later
// A file whose layout has been found: what a mapping leaves open is settled by looking at the head.
// Immutable once made.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/mapping/layout.h"
#include "importers/mapping/pattern.h"
#include "importers/readers/csv_sniff.h"
#include "importers/readers/json_document_rows.h"
#include "importers/readers/sqlite_reader.h"
#include "importers/readers/text_match.h"
#include "importers/readers/text_reader.h"
#include "importers/redis/redis_format.h"
#include "importers/source/byte_source.h"
#include "importers/source/encoding.h"
#include "importers/tables/django_rows.h"
#include "importers/tables/sql_dump.h"

namespace counterfoil {

struct OpenedFile {
  FilePlace place;
  std::string path;                   ///< of the place, as told
  FileNature nature;
  std::string encoding;               ///< "utf-8", or what it is converted from
  bool encodingIsGuess = false;       ///< UTF-8 because the head is: bytes further on may say otherwise
  std::optional<SingleByteTable> table;
  bool byPosition = false;            ///< rows can be cut out of the file's own bytes, and read again
  Layout layout;                      ///< kind is never Find
  CsvHead csv;                        ///< Csv, Xlsx
  std::uint64_t dataOffset = 0;       ///< of the first row (text kinds): in the file, or in the decoded stream
  std::uint64_t dataLine = 1;
  std::size_t sheet = 0;              ///< Xlsx: its number from 0 among the workbook's, and its name
  std::string sheetName;
  std::vector<std::string> tiedSheets;   ///< others that have as good as all of the columns too
  RedisLayout redis;                  ///< Redis
  bool headOnly = false;              ///< CeleryEvents: only the first rows will be read
  JsonRowsFound jsonRows;             ///< Json
  SqliteRows sqlite;                  ///< Sqlite: table or query
  SqlRows sql;                        ///< Sql
  std::vector<std::shared_ptr<const Pattern>> patterns;   ///< Lines, Log
  bool keepsDate = false;             ///< Log: times without a date take that of the lines before
  std::shared_ptr<const TextMatch> footer;
  std::vector<std::string> columns;   ///< of the file; empty for kinds whose rows name their own

  [[nodiscard]] Result<std::unique_ptr<ByteSource>> openSource() const;
  [[nodiscard]] bool isText() const;  ///< a kind that a TextReader reads
  /// Requires isText().
  [[nodiscard]] std::unique_ptr<TextReader> makeReader(const std::vector<std::string>& wanted) const;
};

/// `known`: the column names looked for. `encoding` wins over the layout's ("" = as the layout says). Error
/// Missing, Io, Format, Ambiguous, or Config (the layout itself is wrong).
[[nodiscard]] Result<OpenedFile> openWithLayout(const FilePlace& place, const Layout& layout,
                                                const std::vector<std::string>& known,
                                                const CancelToken* cancel = nullptr, const std::string& encoding = {});

[[nodiscard]] Error memberDatabaseFault(const FilePlace& place);
/// Error Ambiguous if several sheets of a workbook could hold the rows: to read one of them only would lose
/// those of the others.
[[nodiscard]] Result<> demandOneSheet(const OpenedFile& file);

/// Reads all of a file and tells whether it is valid UTF-8.
[[nodiscard]] Result<bool> isWholeFileUtf8(const std::string& path, const CancelToken* cancel);

}  // namespace counterfoil
