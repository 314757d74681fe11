// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON document: its rows are found and read. A row parser that takes what another refuses, or the
// other way round, is a fault.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "importers/readers/json_document_rows.h"

using namespace counterfoil;

namespace {

class Drain final : public RowSink {
 public:
  bool onRow(const RowView& row, std::uint32_t) override {
    for (const FieldView& field : row.fields) m_bytes += field.text.size();
    return true;
  }
  bool onDefect(const RowView&, RowDefect) override { return true; }
  void onUnmatched(const RowView&) override {}

 private:
  std::size_t m_bytes = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  OpenOptions utf8;
  utf8.encoding = "utf-8";
  const auto open = [&] { return openMemory(text, utf8); };
  const auto looked = open();
  if (!looked) return 0;
  JsonRowsFound rows;
  if (const auto found = findJsonRows(**looked)) rows = *found;
  Drain sink;
  for (const char* const each : {"", "lines", "data.items"}) {
    const auto source = open();
    (void)readJsonRows(**source, rows, JsonRowShaper({"id", "data.orderId", "args.0", "$key", "$value"}, each), sink);
  }
  const std::vector<std::string> places{"/{queue}/jobs/{state}", "/{queue}/counts", "/jobs/0", "/data"};
  const auto whole = open();
  const auto place = firstJsonPlace(**whole, places);
  if (place && *place) rows = {places[**place], false, false, true};
  const auto source = open();
  (void)readJsonRows(**source, rows, JsonRowShaper({"id", "$outer.id", "$queue", "$key"}, JsonNesting({"jobs", "."}, "0")), sink);
  const auto values = open();
  (void)readJsonDocumentValues(**values, {"/as_of", "/meta/0/x"});
  Arena arena;
  std::size_t visited = 0;
  visitJsonScalars(text, arena, [&](const std::string&, const FieldView&) { return ++visited < 100'000; });
  std::vector<FieldView> fields;
  if (!parseJsonRow(text, JsonPaths({"a", "a.b", "0.a"}), fields, arena)) {
    // What is valid has elements that are valid.
    for (const JsonElement& element : jsonElements(text, 1000)) {
      if (parseJsonRow(element.value, JsonPaths({"a"}), fields, arena)) std::abort();
    }
  }
  return 0;
}
