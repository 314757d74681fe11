// SPDX-License-Identifier: GPL-3.0-or-later
// Goes through the JSON of a Redis dump without holding it. Unlike JsonCursor it can be told that a
// record ends with its line, so that a broken line costs none but itself. Internal to
// importers/redis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace counterfoil::redis {

class ValueCursor {
 public:
  explicit ValueCursor(ByteSource& source) : m_source(source) {}

  /// A line feed is then no white space, and no part of a value.
  void setOneLine(bool isOn) { m_oneLine = isOn; }

  /// The next character that is no white space, not consumed; none at the end of the text.
  Result<std::optional<char>> peek();
  /// The next character that is no blank, line feeds counted; not consumed.
  Result<std::optional<char>> peekInLine();
  /// peek() that takes the end for a fault.
  Result<char> need();
  void skipOne() { ++m_at; }
  /// Consumes `expected` or is a fault.
  Result<> take(char expected);

  /// Consumes a value; `text` is as it is written, known to be closed but not to be valid. Of more
  /// than `maxBytes` it is Error Limit, and nothing is consumed.
  Result<> value(std::string& text, std::size_t maxBytes);
  /// Consumes a value of any size without holding it.
  Result<> skipValue();
  /// Consumes a member name, in quotes or a bare number, and the colon behind it.
  Result<> name(std::string& text, std::size_t maxBytes);
  /// After an element: true if another follows (the comma is consumed), false at `closing`
  /// (consumed).
  Result<bool> another(char closing);
  /// After an opening bracket: true if it is closed at once (consumed).
  Result<bool> closesAtOnce(char closing);

  /// Goes behind the next line end. False: the text ended before.
  Result<bool> skipLine();
  /// Consumes the rest of the line without its end, at most `maxBytes` (more is Error Limit).
  /// False: the text had ended.
  Result<bool> lineText(std::string& text, std::size_t maxBytes);

  /// Of the next byte, counted from 1.
  [[nodiscard]] std::uint64_t line();
  /// How many bytes were consumed.
  [[nodiscard]] std::uint64_t passed() const { return m_base + m_at; }
  /// The next bytes of the line, at most so many.
  [[nodiscard]] std::string_view ahead(std::size_t most);
  [[nodiscard]] Error faultHere(std::string_view what);

 private:
  Result<bool> fill();  ///< false: nothing more
  Result<> pass(std::string* text, std::size_t maxBytes, bool isName);
  [[nodiscard]] bool isBlank(char c) const {
    return c == ' ' || c == '\t' || c == '\r' || (c == '\n' && !m_oneLine);
  }
  void drop();
  Error endFault();

  ByteSource& m_source;
  std::string m_buffer;
  std::size_t m_at = 0;
  std::uint64_t m_base = 0;
  std::size_t m_counted = 0;  ///< line feeds before it are in m_line
  std::uint64_t m_line = 1;
  bool m_ended = false;
  bool m_oneLine = false;
};

}  // namespace counterfoil::redis
