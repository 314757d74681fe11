// SPDX-License-Identifier: GPL-3.0-or-later
// The first byte chooses the dialect; the rest is a file. Both scans have to agree, however the file is
// cut into blocks, and every place has to hold the row it names.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "importers/readers/csv_reader.h"
#include "importers/readers/csv_sniff.h"

using namespace counterfoil;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

class Recorder final : public RowSink {
 public:
  explicit Recorder(std::string_view text) : m_text(text) {}
  bool onRow(const RowView& row, std::uint32_t) override {
    demand(m_text.substr(row.offset, row.raw.size()) == row.raw);
    seen += '\x01' + std::to_string(row.offset) + ':';
    for (const FieldView& field : row.fields) {
      seen += field.type == FieldType::Absent ? '\x02' : '\x03';
      seen += field.text;
    }
    return true;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    seen += '\x04' + std::to_string(row.offset) + ':' + defect.rule;
    return true;
  }
  void onUnmatched(const RowView&) override {}
  std::string seen;

 private:
  std::string_view m_text;
};

/// The file in one piece, or in blocks of `size` bytes that grow when a row needs more.
std::string readIn(const TextReader& reader, std::string_view text, std::size_t size) {
  Recorder recorder(text);
  const auto scratch = reader.makeScratch();
  std::size_t at = 0;
  std::size_t block = size;
  while (at < text.size()) {
    const std::string_view part = text.substr(at, block);
    const bool last = at + part.size() == text.size();
    const BlockOutcome outcome = reader.parse({part, at, part.size(), last}, recorder, *scratch);
    demand(outcome.consumed <= part.size());
    demand(!last || outcome.consumed == part.size());
    demand(outcome.needMore == (outcome.consumed < part.size()));
    block = outcome.consumed > 0 ? size : block * 2;
    at += outcome.consumed;
  }
  return recorder.seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::string> known = {"key", "amount", "created"};
  (void)sniffCsv(text, Layout{}, known);
  CsvOptions options;
  options.dialect.delimiter = ",;\t|"[data[0] & 3];
  options.dialect.lineEnd = (data[0] & 4) != 0 ? '\r' : '\n';
  options.header = {"key", "amount", "created", "key"};
  options.headerLine = "key,amount,created,key";
  options.wanted = {"created", "KEY", "none"};
  if ((data[0] & 8) != 0) options.encoding = SingleByteTable::make("windows-1252");
  options.scan = scanCsvPortable;
  const auto portable = makeCsvReader(options);
  options.scan = bestCsvScan();
  const auto fastest = makeCsvReader(options);
  const std::string whole = readIn(*portable, text, text.size() + 1);
  demand(readIn(*fastest, text, text.size() + 1) == whole);
  demand(readIn(*fastest, text, 64 + (data[0] >> 4)) == whole);
  return 0;
}
