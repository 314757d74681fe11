// SPDX-License-Identifier: GPL-3.0-or-later
// For fuzzers of texts that become rows: a text in pieces, and a judge of what was made of it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "importers/readers/line_reader.h"
#include "importers/source/byte_source.h"
#include "importers/source/encoding.h"

namespace counterfoil {

/// Hands out a text in pieces, as a file is read.
class Pieces final : public ByteSource {
 public:
  Pieces(std::string_view text, std::size_t step) : m_text(text), m_step(step) {}
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    const std::string_view piece = m_text.substr(0, std::min(count, m_step));
    out.append(piece);
    m_text.remove_prefix(piece.size());
    return piece.size();
  }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "");
  }

 private:
  std::string_view m_text;
  std::size_t m_step;
  FileNature m_nature;
};

/// Only defects that the transcoder told: all else it writes is a row.
class TranscodedJudge final : public RowSink {
 public:
  bool onRow(const RowView&, std::uint32_t) override { return true; }
  bool onDefect(const RowView&, RowDefect defect) override {
    if (defect.rule != "bad_entry") std::abort();
    return true;
  }
  void onUnmatched(const RowView&) override { std::abort(); }
};

inline bool isWholeUtf8(std::string_view text) {
  const Utf8Check check = checkUtf8(text);
  return check.firstInvalid == kNoPosition && check.incompleteTail == 0;
}

/// All that a source gives without its blank lines, with its Error behind an exclamation mark.
inline std::string readTranscoded(ByteSource& source) {
  std::string out, error;
  while (true) {
    const auto got = source.read(out, 1u << 16);
    if (!got) {
      if (source.read(out, 1)) std::abort();   // an error stays one
      error = "!" + got.error().message;
    }
    if (!got || *got == 0) break;
  }
  TranscodedJudge judge;
  const auto reader = makeTranscodedReader({{"id", "key", "Attributes.x", "fields.y"}, nullptr, {}}, "");
  const auto scratch = reader->makeScratch();
  if (reader->parse({out, 0, out.size() + 1, true}, judge, *scratch).cutOff) std::abort();
  std::string lines;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = std::min(out.find('\n', at), out.size());
    if (end > at) lines += out.substr(at, end + 1 - at);
    at = end + 1;
  }
  return lines + error;
}

}  // namespace counterfoil
