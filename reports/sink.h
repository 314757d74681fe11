// SPDX-License-Identifier: GPL-3.0-or-later
// Where a report's bytes go: a file, standard output, a string in tests. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace counterfoil {

class Sink {
 public:
  virtual ~Sink() = default;
  /// All of `bytes`, or an Error (WriteFailed) that names the output.
  virtual Result<> write(std::string_view bytes) = 0;
};

/// Collects everything in memory.
class StringSink final : public Sink {
 public:
  Result<> write(std::string_view bytes) override {
    m_text += bytes;
    return {};
  }
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

}  // namespace counterfoil
