// SPDX-License-Identifier: GPL-3.0-or-later
// Goes through a text without holding it. Internal to importers/tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace counterfoil::tables {

class TextCursor {
 public:
  static constexpr int kEnd = -1;

  explicit TextCursor(ByteSource& source, const CancelToken* cancel = nullptr)
      : m_source(source), m_cancel(cancel) {}

  /// The next byte, or one behind it, not consumed; kEnd where there is none.
  int peek(std::size_t ahead = 0) {
    while (m_at + ahead >= m_text.size()) {
      if (!fill()) return kEnd;
    }
    return static_cast<unsigned char>(m_text[m_at + ahead]);
  }
  /// Bytes that are there already; blank at the end only.
  std::string_view held() {
    if (m_at == m_text.size()) (void)fill();
    return std::string_view(m_text).substr(m_at);
  }
  void skip(std::size_t count);
  /// To the end of the line and behind it; false at the end of the text. What is longer than `most` is
  /// passed and not kept (`tooLong`).
  bool line(std::string& out, std::size_t most, bool& tooLong);
  void skipLine();
  [[nodiscard]] bool sawLineEnd() const { return m_sawLineEnd; }   ///< the last line() had one

  [[nodiscard]] std::uint64_t lineNumber() const { return m_line; }   ///< of the next byte, from 1
  [[nodiscard]] std::uint64_t passedBytes() const { return m_base + m_at; }
  /// What ended the text before its end; Cancelled among it.
  [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }

 private:
  bool fill();

  ByteSource& m_source;
  const CancelToken* m_cancel;
  std::string m_text;
  std::size_t m_at = 0;
  std::uint64_t m_base = 0;
  std::uint64_t m_line = 1;
  bool m_ended = false;
  bool m_sawLineEnd = false;
  std::optional<Error> m_fault;
};

}  // namespace counterfoil::tables
