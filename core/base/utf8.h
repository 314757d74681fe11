// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8, one code point at a time. Strict: overlong forms, surrogates and values above U+10FFFF are
// invalid. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace counterfoil {

struct CodePoint {
  char32_t value = 0;
  /// Bytes it takes; of an invalid sequence the bytes that one U+FFFD stands for (at least 1).
  std::size_t length = 1;
  bool valid = true;
};

/// The code point that begins at `position`. Requires position < bytes.size().
[[nodiscard]] CodePoint codePointAt(std::string_view bytes, std::size_t position);

/// The code point that ends at `end` (exclusive). Requires 0 < end <= bytes.size(). An invalid
/// ending counts one byte.
[[nodiscard]] CodePoint codePointBefore(std::string_view bytes, std::size_t end);

/// Requires a value that UTF-8 can hold.
void appendUtf8(std::string& out, char32_t value);

/// Length of the leading part of `bytes` that is plain ASCII.
[[nodiscard]] std::size_t asciiPrefix(std::string_view bytes);

/// White space of Unicode (U+0020, tab, line ends, NBSP, thin spaces, ideographic space, …).
[[nodiscard]] bool isSpace(char32_t value);

/// Characters without a width that travel unseen in copied ids: U+200B to U+200F, U+2060, U+FEFF.
[[nodiscard]] bool isZeroWidth(char32_t value);

}  // namespace counterfoil
