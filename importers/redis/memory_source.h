// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is held already, as a source. Internal to importers/redis.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

namespace counterfoil::redis {

/// `text` has to outlive it.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : m_text(text) {}
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    const std::string_view piece = m_text.substr(0, count);
    out.append(piece);
    m_text.remove_prefix(piece.size());
    return piece.size();
  }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "readAt on a text that is read as a stream");
  }

 private:
  std::string_view m_text;
  FileNature m_nature;
};

}  // namespace counterfoil::redis
