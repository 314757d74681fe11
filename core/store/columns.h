// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of one column of a record block. Numbers: (value - least) / common divisor, packed at the width
// of the largest. Texts: a dictionary where few are different, 16 bytes a UUID where all are UUIDs, else
// lengths and bytes. Reading checks every bound.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil {

void putNumbers(std::string& out, std::span<const std::int64_t> values);
void putTexts(std::string& out, std::span<const std::string_view> texts);

/// A number column in place: any value in constant time. The bytes must outlive it and have 8 readable
/// bytes behind their end.
class NumberColumn {
 public:
  /// Takes a column of `count` values off the front; nothing if the bytes are none.
  static std::optional<NumberColumn> take(std::string_view& bytes, std::size_t count);
  [[nodiscard]] std::int64_t operator[](std::size_t index) const;
  [[nodiscard]] std::size_t size() const { return m_count; }

 private:
  const char* m_bits = nullptr;
  std::size_t m_count = 0;
  std::uint64_t m_least = 0;
  std::uint64_t m_divisor = 1;
  unsigned m_width = 0;
};

class TextColumn {
 public:
  static std::optional<TextColumn> take(std::string_view& bytes, std::size_t count);
  /// UUIDs are written into `scratch`; other texts are views into the column's bytes.
  [[nodiscard]] std::string_view at(std::size_t index, std::string& scratch) const;
  [[nodiscard]] std::size_t size() const { return m_count; }
  /// The index of the first value at or after `from` that equals `text`; size() if none.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from) const;

 private:
  bool takeDictionary(std::string_view& bytes);
  bool takePlain(std::string_view& bytes, std::size_t count);
  enum class Form : std::uint8_t { Plain, Dictionary, Uuid };
  Form m_form = Form::Plain;
  std::size_t m_count = 0;
  std::string_view m_bytes;
  std::vector<std::uint32_t> m_ends;   ///< Plain: by value; Dictionary: by entry
  std::optional<NumberColumn> m_codes;
};

}  // namespace counterfoil
