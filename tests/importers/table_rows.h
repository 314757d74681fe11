// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that a text of tables becomes, in pieces of any size.
#pragma once

#include <QTest>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

/// A difference is printed.
template <>
inline char* QTest::toString(const std::string& text) {
  return qstrdup(text.c_str());
}

namespace counterfoil::testing {

/// Hands out a text in pieces, as a file is read.
class TextPieces final : public ByteSource {
 public:
  TextPieces(std::string_view text, std::size_t step) : m_text(text), m_step(step) {}
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

/// "3 {…}" a row, "3! column|value|reason|raw" a defect, "!message" where it stops; blank lines are left out.
inline std::string shownRows(ByteSource& source) {
  std::string out, error;
  while (true) {
    const auto got = source.read(out, 1u << 16);
    if (!got) error = "!" + got.error().message;
    if (!got || *got == 0) break;
  }
  std::string shown;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = std::min(out.find('\n', at), out.size());
    std::string line = out.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const std::size_t number = line.find('\x1F');
    const bool isDefect = line[number + 1] == '\x15';
    std::string rest = line.substr(number + (isDefect ? 2 : 1));
    if (isDefect && !rest.empty()) rest.pop_back();
    for (char& c : rest) {
      if (c == '\x1F') c = '|';
    }
    shown += line.substr(1, number - 1) + (isDefect ? "! " : " ") + rest + "\n";
  }
  return shown + error;
}

}  // namespace counterfoil::testing
