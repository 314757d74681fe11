// SPDX-License-Identifier: GPL-3.0-or-later
// Goes through the text of a JSON document without holding it. Internal to importers/readers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

class JsonCursor {
 public:
  explicit JsonCursor(ByteSource& source) : m_source(source) {}

  /// The next character that is no white space, not consumed; none at the end of the document.
  Result<std::optional<char>> peek();
  /// peek() that takes the end for a fault ("cut off").
  Result<char> need();
  void skipOne() { ++m_at; }
  /// Consumes `expected` or is a fault.
  Result<> take(char expected);

  /// Consumes a value into `text`, at most `maxBytes` (more is Error Limit).
  Result<> value(std::string& text, std::size_t maxBytes);
  /// Consumes a value of any size without holding it.
  Result<> skipValue();
  /// Consumes a member name and the colon behind it; `name` is unescaped, `written` as it stands.
  Result<> memberName(std::string& name, std::string& written);
  /// After an element: true if another follows (the comma is consumed), false at `closing` (consumed).
  Result<bool> another(char closing);
  /// After an opening bracket: true if it is closed at once (consumed).
  Result<bool> closesAtOnce(char closing);

  [[nodiscard]] std::uint64_t offset() const { return m_base + m_at; }
  /// Of the next byte. Counts line feeds as they are passed.
  [[nodiscard]] std::uint64_t line();
  [[nodiscard]] Error faultHere(std::string_view what);
  [[nodiscard]] Error cutOff();

 private:
  Result<bool> fill();   ///< false: nothing more
  Result<> passValue(std::string* text, std::size_t maxBytes);
  void drop();

  ByteSource& m_source;
  std::string m_buffer;
  std::size_t m_at = 0;
  std::uint64_t m_base = 0;
  std::size_t m_counted = 0;     ///< line feeds before it are in m_line
  std::uint64_t m_line = 1;
  bool m_ended = false;
};

}  // namespace counterfoil
