// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes on their way to a sink, in pieces that are worth a write. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "reports/sink.h"

namespace counterfoil {

class Buffer {
 public:
  explicit Buffer(Sink& sink) : m_sink(sink) {}

  /// Append to it as to any string; pass() hands on what has become large.
  std::string& text() { return m_text; }
  Buffer& operator<<(std::string_view bytes) {
    m_text += bytes;
    return *this;
  }
  Result<> pass() { return m_text.size() < kLarge ? Result<>{} : finish(); }
  /// The rest; call last.
  Result<> finish() {
    Result<> written = m_sink.write(m_text);
    m_text.clear();
    return written;
  }

 private:
  static constexpr std::size_t kLarge = 256u << 10;
  Sink& m_sink;
  std::string m_text;
};

}  // namespace counterfoil
