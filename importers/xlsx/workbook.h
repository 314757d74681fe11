// SPDX-License-Identifier: GPL-3.0-or-later
// An Excel workbook (.xlsx, .xlsm): its sheets, formats and shared texts. Immutable once made,
// thread-safe. Sheets themselves are read as streams (sheet_stage.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/readers/json_document_rows.h"
#include "importers/source/file_place.h"
#include "importers/source/raw_bytes.h"
#include "importers/source/zip_directory.h"
#include "importers/xlsx/cell_values.h"

namespace counterfoil {

namespace redis {
class DumpIndex;
}

struct SheetInfo {
  std::string name;
  std::string part;  ///< name of its member in the archive
  bool isHidden = false;
};

/// Texts that cells name by number, one behind the other.
class SharedTexts {
 public:
  /// False if there is no room: more than 256 MiB, or 20 million texts.
  bool add(std::string_view text);
  [[nodiscard]] std::size_t size() const { return m_texts.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t index) const { return m_texts[index]; }

 private:
  std::vector<std::unique_ptr<char[]>> m_blocks;
  std::size_t m_room = 0;  ///< left in the last block
  char* m_next = nullptr;
  std::vector<std::string_view> m_texts;
  std::uint64_t m_bytes = 0;
};

class Workbook {
 public:
  /// Error Format or Limit for what is no workbook that can be read.
  static Result<std::shared_ptr<const Workbook>> open(std::shared_ptr<const RawBytes> raw);

  [[nodiscard]] const std::vector<SheetInfo>& sheets() const { return m_sheets; }
  [[nodiscard]] bool is1904() const { return m_is1904; }
  [[nodiscard]] CellForm formOf(std::size_t style) const {
    return style < m_forms.size() ? m_forms[style] : CellForm();
  }
  [[nodiscard]] const SharedTexts& texts() const { return m_texts; }
  [[nodiscard]] std::uint64_t archiveBytes() const { return m_raw->size(); }
  [[nodiscard]] Result<std::unique_ptr<ByteStage>> openPart(const std::string& name) const;

 private:
  struct Loader;
  std::shared_ptr<const RawBytes> m_raw;
  ZipDirectory m_directory;
  std::vector<SheetInfo> m_sheets;
  std::vector<CellForm> m_forms;  ///< by style
  SharedTexts m_texts;
  bool m_is1904 = false;
};

struct SeenTables;

/// What was found in a file that is looked at several times: a workbook with the heads of its sheets as text; the
/// tables of a dump; what a Redis dump names where; where the rows of a JSON document are, by encoding; whether
/// all of it is UTF-8.
struct BookShelf {
  std::shared_ptr<const Workbook> book;
  std::map<std::size_t, std::string> heads;  ///< by sheet
  std::shared_ptr<const SeenTables> tables;
  std::shared_ptr<const redis::DumpIndex> redisIndex;
  std::map<std::string, Result<JsonRowsFound>> jsonRows;
  std::optional<bool> isUtf8;
};

/// Of the place's shelf, where it has one. Error as Workbook::open, or why the file is none.
[[nodiscard]] Result<std::shared_ptr<const Workbook>> openWorkbook(const FilePlace& place);

/// What an OLE compound file is: an old .xls or a file with a password. Always an Error.
[[nodiscard]] Error oleFault(const FilePlace& place);

}  // namespace counterfoil
