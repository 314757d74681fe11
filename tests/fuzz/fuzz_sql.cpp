// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a dump of SQL: its tables, and the rows of each, in one piece and in small ones. What is written
// is what the reader of transcoded rows takes, line after line.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "importers/tables/sql_dump.h"
#include "text_pieces.h"

using namespace counterfoil;

namespace {

std::string readAll(const SqlRows& wanted, std::string_view text, std::size_t step) {
  return readTranscoded(*transcodeSql(std::make_unique<Pieces>(text, step), wanted));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!isWholeUtf8(text)) return 0;   // sources give valid UTF-8
  (void)looksLikeSql(text);
  (void)pgArchiveFault(text);
  (void)sqlEncoding(text);
  Pieces whole(text, size + 1);
  Pieces small(text, 7);
  const auto catalog = sqlCatalog(whole);
  const auto again = sqlCatalog(small);
  if (catalog.has_value() != again.has_value()) std::abort();
  if (!catalog) return 0;
  if (catalog->tables.size() != again->tables.size() || catalog->dialect != again->dialect) std::abort();
  for (std::size_t i = 0; i < std::min<std::size_t>(catalog->tables.size(), 4); ++i) {
    const auto chosen = catalog->named(catalog->shownName(catalog->tables[i]));
    if (!chosen) continue;
    const SqlRows wanted{*chosen, {"id", "key"}, catalog->dialect};
    if (readAll(wanted, text, size + 1) != readAll(wanted, text, 11)) std::abort();
  }
  return 0;
}
