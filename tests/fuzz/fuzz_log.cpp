// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of any form: whole, in blocks of any size, and each row again at its own place.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "importers/log/log_reader.h"

using namespace counterfoil;

namespace {

/// What a reader gave, as one text.
class Told final : public RowSink {
 public:
  bool onRow(const RowView& row, std::uint32_t) override {
    add('r', row);
    for (const FieldView& field : row.fields) (m_text += '|').append(field.text);
    return true;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    add('d', row);
    m_text += defect.rule;
    return true;
  }
  void onUnmatched(const RowView& row) override { add('u', row); }
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  void add(char what, const RowView& row) { ((m_text += '\n') += what) += std::to_string(row.offset); }
  std::string m_text;
};

std::string whole(const TextReader& reader, std::string_view text) {
  Told told;
  const auto scratch = reader.makeScratch();
  const BlockOutcome outcome = reader.parse({text, 0, text.size(), true}, told, *scratch);
  if (outcome.needMore || outcome.consumed != text.size()) std::abort();
  return told.text();
}

std::string inBlocks(const TextReader& reader, std::string_view text, std::size_t step) {
  Told told;
  const auto scratch = reader.makeScratch();
  std::string held;
  std::size_t given = 0, base = 0;
  while (true) {
    const bool last = given == text.size();
    const BlockOutcome outcome = reader.parse({held, base, held.size(), last}, told, *scratch);
    held.erase(0, outcome.consumed);
    base += outcome.consumed;
    if (last) return told.text();
    const std::size_t size = std::min(step, text.size() - given);
    held.append(text.substr(given, size));
    given += size;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)looksLikeLog(text);
  (void)hasTimesWithoutDate(text);
  (void)dateInName(text);
  Result<Pattern> pattern = Pattern::compile("(?<key>\\S+) already (?:processed|done)");
  if (!pattern) __builtin_trap();
  const auto shared = std::make_shared<const Pattern>(std::move(*pattern));
  const std::vector<std::string> wanted = {"text", "message", "time", "level", "origin", "line", "key", "ctx.jid", "job", "$fits", "$fault"};
  for (const bool everyLine : {false, true}) {
    LogOptions options;
    if (!everyLine) options.patterns = {shared};
    options.givesEveryLine = everyLine;
    options.keepsDate = everyLine;
    options.firstDate = everyLine ? "2026-03-02" : "";
    const auto reader = makeLogReader({wanted, nullptr, {}}, options);
    const std::string told = whole(*reader, text);
    if (told != inBlocks(*reader, text, 13) || told != inBlocks(*reader, text, size / 2 + 1)) std::abort();
    const auto converting = makeLogReader({wanted, nullptr, SingleByteTable::make("windows-1252")}, options);
    (void)whole(*converting, text);
  }
  return 0;
}
