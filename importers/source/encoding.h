// SPDX-License-Identifier: GPL-3.0-or-later
// Finding and reading character encodings. Pure, thread-safe, independent of the process locale.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace counterfoil {

inline constexpr std::size_t kNoPosition = static_cast<std::size_t>(-1);

struct Utf8Check {
  std::size_t firstInvalid = kNoPosition;   ///< position of the first byte that cannot be UTF-8
  std::size_t incompleteTail = 0;           ///< bytes at the end that may become a character (0 to 3)
};
/// Looks at all of `bytes`; a character cut by the end is no fault here.
[[nodiscard]] Utf8Check checkUtf8(std::string_view bytes);
[[nodiscard]] bool isAscii(std::string_view bytes);

struct EncodingGuess {
  std::string name = "utf-8";
  std::size_t bomBytes = 0;
};
/// By byte order mark, by the pattern of NUL bytes, valid UTF-8, else windows-1252. `whole` tells that
/// `head` is the whole file, so that a character cut by its end is invalid.
[[nodiscard]] EncodingGuess guessEncoding(std::string_view head, bool whole);
/// "UTF8", "utf-8", "ascii": names of what needs no conversion.
[[nodiscard]] bool isUtf8Name(std::string_view name);

/// An encoding of one byte a character whose first 128 are ASCII, as a table: fields can then be cut out
/// of the bytes as they are and converted one by one.
class SingleByteTable {
 public:
  /// Nothing when the encoding is unknown, has characters of several bytes, or is not ASCII below 128.
  static std::optional<SingleByteTable> make(const std::string& encoding);
  struct Converted {
    std::size_t size = 0;
    bool complete = true;   ///< false: a byte has no meaning in this encoding (it became U+FFFD)
  };
  /// Writes `bytes` as UTF-8 to `out`, which has room for three times as many.
  Converted convert(std::string_view bytes, char* out) const;
  [[nodiscard]] std::string toUtf8(std::string_view bytes) const;

 private:
  struct Entry {
    std::array<char, 3> text{};
    std::uint8_t size = 0;   ///< 0: no meaning
  };
  std::array<Entry, 256> m_entries{};
};

}  // namespace counterfoil
