// SPDX-License-Identifier: GPL-3.0-or-later
// A database file with any bytes: the first three tables are read.
#include <cstdint>
#include <string_view>

#include "importers/readers/sqlite_reader.h"

using namespace counterfoil;

namespace {

class Drain final : public RowSink {
 public:
  bool onRow(const RowView& row, std::uint32_t) override {
    for (const FieldView& field : row.fields) m_bytes += field.text.size();
    return ++m_rows < 10'000;
  }
  bool onDefect(const RowView&, RowDefect) override { return ++m_rows < 10'000; }
  void onUnmatched(const RowView&) override {}

 private:
  std::size_t m_bytes = 0, m_rows = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reader = SqliteReader::openBytes({reinterpret_cast<const char*>(data), size});
  if (!reader) return 0;
  const auto tables = (*reader)->tables();
  if (!tables) return 0;
  for (std::size_t i = 0; i < tables->size() && i < 3; ++i) {
    SqliteRows rows{(*tables)[i], "", {}};
    const auto columns = (*reader)->columns(rows);
    if (!columns) continue;
    rows.wanted = *columns;
    Drain sink;
    (void)(*reader)->read(rows, sink);
  }
  return 0;
}
