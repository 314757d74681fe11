// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <algorithm>
#include <vector>

#include "core/base/utf8.h"

namespace counterfoil {

namespace {

char lowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool isAsciiSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

void appendHex(std::string& out, std::uint32_t value, unsigned digits) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (unsigned i = digits; i-- > 0;) out.push_back(kDigits[(value >> (4 * i)) & 15]);
}

/// Moves the cursor, draws over its neighbours, or reorders what stands beside it.
bool disturbsTerminal(char32_t value) {
  if (value < 0x20 || (value >= 0x7F && value < 0xA0)) return true;
  return value == 0x061C || value == 0x200E || value == 0x200F ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
         value == 0xFEFF || (value >= 0xE0000 && value <= 0xE007F);
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && isAsciiSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isAsciiSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool equalsIgnoreCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lowerAscii(x) == lowerAscii(y); });
}

std::string toLowerAscii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), lowerAscii);
  return lower;
}

bool isValidUtf8(std::string_view bytes) {
  std::size_t position = 0;
  for (;;) {
    position += asciiPrefix(bytes.substr(position));
    if (position >= bytes.size()) return true;
    const CodePoint point = codePointAt(bytes, position);
    if (!point.valid) return false;
    position += point.length;
  }
}

std::string toValidUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  std::size_t position = 0;
  while (position < bytes.size()) {
    const CodePoint point = codePointAt(bytes, position);
    if (point.valid) {
      out.append(bytes.substr(position, point.length));
    } else {
      appendUtf8(out, 0xFFFD);
    }
    position += point.length;
  }
  return out;
}

std::string forTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t position = 0;
  while (position < text.size()) {
    const CodePoint point = codePointAt(text, position);
    if (!point.valid || (point.value < 0x80 && disturbsTerminal(point.value))) {
      for (std::size_t i = 0; i < point.length; ++i) {
        out += "\\x";
        appendHex(out, static_cast<std::uint8_t>(text[position + i]), 2);
      }
    } else if (disturbsTerminal(point.value)) {
      out += "\\u{";
      appendHex(out, point.value, point.value > 0xFFFF ? 5 : 4);
      out += '}';
    } else {
      out.append(text.substr(position, point.length));
    }
    position += point.length;
  }
  return out;
}

namespace {

/// Optimal string alignment distance, case apart; texts are short (see nearest).
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> beforeLast(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lowerAscii(a[i - 1]);
      const char y = lowerAscii(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && x == lowerAscii(b[j - 2]) && y == lowerAscii(a[i - 2]);
      if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::string_view* known, std::size_t count) {
  constexpr std::size_t kWordMax = 64;
  if (word.empty() || word.size() > kWordMax) return {};
  std::string_view best;
  std::size_t bestDistance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view candidate = known[i];
    if (candidate.empty() || candidate.size() > kWordMax) continue;
    const std::size_t distance = editDistance(word, candidate);
    if (distance < bestDistance && distance < candidate.size()) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return std::string(best);
}

}  // namespace counterfoil
