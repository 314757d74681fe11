// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold several tables, or rows in a text of their own kind: which table a mapping reads, and the
// rows as NDJSON. Internal to importers/input.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/input/opened_file.h"
#include "importers/input/tables_of.h"

namespace counterfoil {

/// What the dump at a place holds; kept on its shelf between several looks.
struct SeenTables {
  LayoutKind kind = LayoutKind::Find;
  std::string encoding;               ///< in which it was read
  SqlCatalog sql;
  std::vector<DjangoModel> models;
};

/// A kind of table text by the first bytes of the decoded text.
[[nodiscard]] std::optional<LayoutKind> tableTextOf(std::string_view head);
/// Settles the kind where the layout leaves it open or says json with a table. Error Format: the file is not of
/// the kind that is declared, or only another program can read it.
[[nodiscard]] Result<> settleTableText(OpenedFile& file, std::string_view head);
/// Finds the table where the layout names none, and its columns.
[[nodiscard]] Result<> openTableText(OpenedFile& file, std::string_view head, const std::vector<std::string>& known,
                                     const CancelToken* cancel);
/// The rows of the file that `source` has the text of.
[[nodiscard]] std::unique_ptr<ByteSource> tableTextSource(const OpenedFile& file, std::unique_ptr<ByteSource> source);

/// The only table that has the columns looked for, or the one that has the most of them. Error Format or
/// Ambiguous with the names there are.
[[nodiscard]] Result<std::string> tableWith(const std::vector<TableSeen>& tables, const std::vector<std::string>& known);
[[nodiscard]] Result<std::vector<TableSeen>> tablesOfDump(OpenedFile& file, const CancelToken* cancel);

}  // namespace counterfoil
