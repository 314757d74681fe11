// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/raw_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace counterfoil {

namespace {

class RawStage final : public ByteStage {
 public:
  RawStage(std::shared_ptr<const RawBytes> raw, std::uint64_t offset, std::uint64_t count)
      : m_raw(std::move(raw)), m_offset(offset), m_left(count) {}
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, m_left));
    const std::size_t before = out.size();
    out.resize(before + count);
    const Result<std::size_t> got = m_raw->readAt(m_offset, out.data() + before, count);
    out.resize(before + (got ? *got : 0));
    if (got) {
      m_offset += *got;
      m_left -= *got;
    }
    return got;
  }

 private:
  std::shared_ptr<const RawBytes> m_raw;
  std::uint64_t m_offset, m_left;
};

}  // namespace

Result<std::size_t> RawBytes::readAt(std::uint64_t offset, char* to, std::size_t count) const {
  if (m_file.isOpen()) return m_file.readAt(offset, to, count);
  if (offset >= m_bytes.size()) return 0;
  const auto left = m_bytes.size() - static_cast<std::size_t>(offset);
  const std::size_t size = std::min(count, left);
  std::memcpy(to, m_bytes.data() + offset, size);
  return size;
}

Result<std::string> RawBytes::piece(std::uint64_t offset, std::size_t count) const {
  if (offset > m_size || count > m_size - offset) {
    return fail(ErrorCode::Format, fmt::format("the file ends before byte {}", offset + count));
  }
  std::string bytes(count, '\0');
  const Result<std::size_t> got = readAt(offset, bytes.data(), count);
  if (!got) return fail(got.error());
  if (*got < count) {
    return fail(ErrorCode::Format, fmt::format("the file ends before byte {}", offset + count));
  }
  return bytes;
}

std::unique_ptr<ByteStage> makeRawStage(std::shared_ptr<const RawBytes> raw, std::uint64_t offset,
                                        std::uint64_t count) {
  return std::make_unique<RawStage>(std::move(raw), offset, count);
}

}  // namespace counterfoil
