// SPDX-License-Identifier: GPL-3.0-or-later
// Log lines by patterns and logfmt, in any encoding of one byte and in UTF-8.
#include <cstdint>
#include <string_view>

#include "importers/readers/line_reader.h"

using namespace counterfoil;

namespace {

class Drain final : public RowSink {
 public:
  bool onRow(const RowView& row, std::uint32_t) override {
    for (const FieldView& field : row.fields) m_bytes += field.text.size();
    return true;
  }
  bool onDefect(const RowView&, RowDefect) override { return true; }
  void onUnmatched(const RowView&) override { ++m_bytes; }

 private:
  std::size_t m_bytes = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Drain sink;
  Result<Pattern> pattern = Pattern::compile("^(?<t>\\S+) (?:skip|already processed) key=(?<key>\\S+)");
  if (!pattern) __builtin_trap();
  const auto shared = std::make_shared<const Pattern>(std::move(*pattern));
  for (const bool converted : {false, true}) {
    LineOptions options{{"t", "key", "line"}, nullptr, {}};
    if (converted) options.encoding = SingleByteTable::make("windows-1252");
    for (const auto& reader : {makePatternReader(options, {shared}, converted), makeLogfmtReader(options, converted)}) {
      const auto scratch = reader->makeScratch();
      (void)reader->parse({text, 0, text.size(), true}, sink, *scratch);
    }
  }
  return 0;
}
