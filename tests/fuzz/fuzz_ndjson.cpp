// SPDX-License-Identifier: GPL-3.0-or-later
// NDJSON: the same rows in one piece and in blocks.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "importers/readers/line_reader.h"

using namespace counterfoil;

namespace {

class Recorder final : public RowSink {
 public:
  bool onRow(const RowView& row, std::uint32_t element) override {
    seen += '\x01' + std::to_string(row.offset) + ':' + std::to_string(element);
    for (const FieldView& field : row.fields) {
      seen += static_cast<char>('A' + static_cast<int>(field.type));
      seen += field.text;
    }
    return true;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    seen += '\x04' + std::to_string(row.offset) + ':' + defect.rule + defect.reason;
    return true;
  }
  void onUnmatched(const RowView&) override {}
  std::string seen;
};

std::string readIn(const TextReader& reader, std::string_view text, std::size_t size) {
  Recorder recorder;
  const auto scratch = reader.makeScratch();
  std::size_t at = 0, block = size;
  while (at < text.size()) {
    const std::string_view part = text.substr(at, block);
    const bool last = at + part.size() == text.size();
    const BlockOutcome outcome = reader.parse({part, at, part.size(), last}, recorder, *scratch);
    if (last && outcome.consumed != part.size()) std::abort();
    block = outcome.consumed > 0 ? size : block * 2;
    at += outcome.consumed;
  }
  return recorder.seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* const each : {"", "items"}) {
    const auto reader = makeNdjsonReader({{"id", "data.orderId", "items.0.x", "$value"}, nullptr, {}}, each);
    if (readIn(*reader, text, text.size() + 1) != readIn(*reader, text, 37)) std::abort();
  }
  return 0;
}
