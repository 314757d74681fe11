// SPDX-License-Identifier: GPL-3.0-or-later
// A text line by line. Internal to importers/celery.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

namespace counterfoil::celery {

class LineFeed {
 public:
  explicit LineFeed(ByteSource& source) : m_source(&source) {}

  /// False at the end. After an Error there is nothing more.
  Result<bool> next() {
    m_isTooLong = false;
    m_number += 1;
    while (true) {
      const std::size_t end = m_text.find('\n', std::max(m_at, m_sought));
      m_hasEnd = end != std::string::npos;
      if (m_hasEnd) return give(end);
      m_sought = m_text.size();
      drop();
      const Result<std::size_t> got = m_source->read(m_text, kBlockBytes);
      if (!got) return fail(got.error());
      m_passed += *got;
      if (*got == 0 && m_text.empty()) return false;
      if (*got == 0) return give(m_text.size());
    }
  }

  /// Without its end. Of a line that is too long: its beginning.
  [[nodiscard]] std::string_view line() const { return m_line; }
  [[nodiscard]] std::uint64_t number() const { return m_number; }
  [[nodiscard]] bool isTooLong() const { return m_isTooLong; }
  [[nodiscard]] bool hasEnd() const { return m_hasEnd; }  ///< it ends with a line feed
  [[nodiscard]] std::uint64_t passed() const { return m_passed; }

 private:
  static constexpr std::size_t kBlockBytes = 64u << 10;
  static constexpr std::size_t kMaxLineBytes = 4u << 20;  // a traceback is some kilobytes

  bool give(std::size_t end) {
    m_line.assign(m_text, m_at, std::min(end - m_at, kMaxLineBytes));
    m_isTooLong = m_isTooLong || end - m_at > kMaxLineBytes;
    m_at = std::min(end + 1, m_text.size());
    m_sought = m_at;
    return true;
  }

  /// What was given, and the middle of a line that is too long, are not held.
  void drop() {
    m_text.erase(0, m_at);
    m_sought -= std::min(m_at, m_sought);
    m_at = 0;
    if (m_text.size() <= kMaxLineBytes + 1) return;
    m_isTooLong = true;
    m_text.resize(kMaxLineBytes + 1);
    m_sought = m_text.size();
  }

  ByteSource* m_source;
  std::string m_text, m_line;
  std::size_t m_at = 0, m_sought = 0;
  std::uint64_t m_number = 0, m_passed = 0;
  bool m_isTooLong = false, m_hasEnd = false;
};

}  // namespace counterfoil::celery
