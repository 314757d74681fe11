// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is: every named format looks at its head and answers no, possible or certain. Exactly one
// best answer wins.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "core/record/record.h"
#include "importers/mapping/mapping_spec.h"
#include "importers/source/file_place.h"

namespace counterfoil {

enum class FormatFit : std::uint8_t { No, Possible, Certain };

struct FormatAnswer {
  std::string name;
  FormatFit fit = FormatFit::No;
  std::set<std::string> columns;   ///< of the file, that the format knows (folded names)
  std::uint32_t rarity = 0;        ///< of those columns: one that few formats know says more
  std::size_t known = 0;           ///< columns that the format knows at all
  [[nodiscard]] std::size_t hits() const { return columns.size(); }
  std::vector<std::shared_ptr<const MappingSpec>> mappings;
  bool isNamed = false;            ///< the file or table has a name that such rows usually have
  std::uint64_t rows = 0;          ///< looked at
  std::string fault;               ///< of the first bad row
};

/// One way to read a file, or a part of it.
struct FilePart {
  std::string format;
  std::string table;   ///< where the file has several; else ""
  std::vector<std::shared_ptr<const MappingSpec>> mappings;
};

struct FileParts {
  std::vector<FilePart> parts;             ///< what can be read without a person's word, by table and format
  std::vector<std::string> openTables;     ///< that no format fits, or several fit alike
};

/// Answers of all named formats that do not say no, best first. `kinds`: only formats that make one of
/// them; empty: any. Changes nothing. Error Missing or Io: the file cannot be read at all.
[[nodiscard]] Result<std::vector<FormatAnswer>> askFormats(const FilePlace& place, const std::string& zone,
                                                           const std::set<RecordKind>& kinds,
                                                           const CancelToken* cancel = nullptr);

/// All that known formats read in a file: each table of a database, each kind of line of a log, each kind of key of a
/// dump, or the file as a whole. Errors as of identifyFormat, which it asks where the file has no parts.
[[nodiscard]] Result<FileParts> partsOf(const FilePlace& place, const std::string& zone,
                                        const std::set<RecordKind>& kinds, const CancelToken* cancel = nullptr);

/// The one format of a whole file. Where several formats read parts of it (NamedFormat::part) and none the whole, it
/// is Ambiguous too. Error Ambiguous names the candidates, Format says that none fits.
[[nodiscard]] Result<FormatAnswer> identifyFormat(const FilePlace& place, const std::string& zone,
                                                  const std::set<RecordKind>& kinds,
                                                  const CancelToken* cancel = nullptr);

}  // namespace counterfoil
