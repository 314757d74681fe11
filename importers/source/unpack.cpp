// SPDX-License-Identifier: GPL-3.0-or-later
// Gzip (several members) and Zstandard (several frames) as streams. Nothing is unpacked to disk.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <optional>

#include "importers/source/byte_stage.h"

namespace counterfoil {

namespace {

constexpr std::size_t kPackedBlockBytes = 256u << 10;
constexpr std::size_t kUnpackedBlockBytes = 128u << 10;
constexpr std::uint64_t kRatioLookedAtFrom = 64ull << 20;

/// What both packings share: the packed block at hand, the limits, and the fault that waits.
class UnpackStage : public ByteStage {
 public:
  UnpackStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits)
      : m_packed(std::move(packed)), m_limits(limits) {}

  Result<std::size_t> read(std::string& out, std::size_t count) final {
    const std::size_t before = out.size();
    while (out.size() - before < count && fill()) {
      const std::size_t taken = std::min(count - (out.size() - before), m_made - m_delivered);
      out.append(m_unpacked.data() + m_delivered, taken);
      m_delivered += taken;
    }
    if (out.size() == before && count > 0 && m_fault) return fail(*m_fault);
    return out.size() - before;
  }

 protected:
  /// Unpacks something to `to`, or sets m_fault or m_ended. Returns the bytes made.
  virtual std::size_t step(char* to, std::size_t room) = 0;

  /// True if there is packed input; false at its end (or on a fault of the stage before).
  bool haveInput() {
    if (m_used < m_block.size()) return true;
    m_consumedBytes += m_block.size();
    m_block.clear();
    m_used = 0;
    const Result<std::size_t> got = m_packed->read(m_block, kPackedBlockBytes);
    if (!got) {
      m_fault = got.error();
      return false;
    }
    return *got > 0;
  }
  [[nodiscard]] std::uint64_t position() const { return m_consumedBytes + m_used; }
  void setFault(ErrorCode code, std::string message) { m_fault = Error{code, std::move(message)}; }

  std::string m_block;
  std::size_t m_used = 0;
  bool m_ended = false;
  std::optional<Error> m_fault;

 private:
  /// True if there are unpacked bytes to deliver. The library always gets the same room, whatever the
  /// reader asks for: where in a damaged file it gives up depends on the room (a small Zstandard frame
  /// that fits is checked before anything of it is delivered), and must not depend on the reader.
  bool fill() {
    while (m_delivered == m_made && !m_fault && !m_ended) {
      m_unpacked.resize(kUnpackedBlockBytes);
      m_delivered = 0;
      m_made = step(m_unpacked.data(), m_unpacked.size());
      m_unpackedBytes += m_made;
      checkLimits(m_unpackedBytes);
    }
    return m_delivered < m_made;
  }

  void checkLimits(std::uint64_t total) {
    if (total > m_limits.maxBytes) {
      setFault(ErrorCode::Limit, fmt::format("unpacks to more than {} bytes", m_limits.maxBytes));
    } else if (total > kRatioLookedAtFrom && total / m_limits.maxRatio > position()) {
      setFault(ErrorCode::Limit,
               fmt::format("unpacks to more than {} times its size (byte {})", m_limits.maxRatio, position()));
    }
  }

  std::unique_ptr<ByteStage> m_packed;
  UnpackLimits m_limits;
  std::uint64_t m_consumedBytes = 0;
  std::uint64_t m_unpackedBytes = 0;
  std::string m_unpacked;      // of which m_made bytes count, the first m_delivered of them delivered
  std::size_t m_made = 0;
  std::size_t m_delivered = 0;
};

class GzipStage final : public UnpackStage {
 public:
  GzipStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits) : UnpackStage(std::move(packed), limits) {
    if (inflateInit2(&m_stream, 15 + 16) != Z_OK) setFault(ErrorCode::Internal, "zlib could not be started");
  }
  ~GzipStage() override { inflateEnd(&m_stream); }
  GzipStage(const GzipStage&) = delete;
  GzipStage& operator=(const GzipStage&) = delete;

 private:
  std::size_t step(char* to, std::size_t room) override {
    if (m_betweenMembers && !startMember()) return 0;
    if (!haveInput()) {
      if (!m_fault) {
        setFault(ErrorCode::Io, fmt::format("cut off: the gzip data ends in the middle, at byte {}", position()));
      }
      return 0;
    }
    const auto available = static_cast<uInt>(m_block.size() - m_used);
    m_stream.next_in = reinterpret_cast<Bytef*>(m_block.data() + m_used);
    m_stream.avail_in = available;
    m_stream.next_out = reinterpret_cast<Bytef*>(to);
    m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(room, 1u << 30));
    const uInt offered = m_stream.avail_out;
    const int code = inflate(&m_stream, Z_NO_FLUSH);
    m_used += available - m_stream.avail_in;
    if (code == Z_STREAM_END) {
      m_betweenMembers = true;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      setFault(ErrorCode::Format, fmt::format("damaged gzip data at byte {}: {}", position(),
                                              m_stream.msg != nullptr ? m_stream.msg : "unknown fault"));
    }
    return offered - m_stream.avail_out;
  }

  /// After a member: another one, NUL padding as tape blocks have it, or the end.
  bool startMember() {
    while (haveInput()) {
      if (m_block[m_used] == '\0') {
        ++m_used;
        m_padded = true;
        continue;
      }
      if (m_padded || static_cast<unsigned char>(m_block[m_used]) != 0x1F) {
        setFault(ErrorCode::Format, fmt::format("bytes that are no gzip data at byte {}", position()));
        return false;
      }
      inflateReset(&m_stream);
      m_betweenMembers = false;
      return true;
    }
    if (!m_fault) m_ended = true;
    return false;
  }

  z_stream m_stream{};
  bool m_betweenMembers = false;
  bool m_padded = false;
};

class DeflateStage final : public UnpackStage {
 public:
  DeflateStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits) : UnpackStage(std::move(packed), limits) {
    if (inflateInit2(&m_stream, -15) != Z_OK) setFault(ErrorCode::Internal, "zlib could not be started");
  }
  ~DeflateStage() override { inflateEnd(&m_stream); }
  DeflateStage(const DeflateStage&) = delete;
  DeflateStage& operator=(const DeflateStage&) = delete;

 private:
  std::size_t step(char* to, std::size_t room) override {
    const bool more = haveInput();
    if (m_fault) return 0;
    const auto available = static_cast<uInt>(m_block.size() - m_used);
    m_stream.next_in = reinterpret_cast<Bytef*>(m_block.data() + m_used);
    m_stream.avail_in = available;
    m_stream.next_out = reinterpret_cast<Bytef*>(to);
    m_stream.avail_out = static_cast<uInt>(room);
    const int code = inflate(&m_stream, Z_NO_FLUSH);
    m_used += available - m_stream.avail_in;
    const std::size_t made = room - m_stream.avail_out;
    if (code == Z_STREAM_END) {
      m_ended = true;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      setFault(ErrorCode::Format, fmt::format("damaged zip data at byte {} of the member: {}", position(),
                                              m_stream.msg != nullptr ? m_stream.msg : "unknown fault"));
    } else if (!more && made == 0) {
      setFault(ErrorCode::Io, "cut off: the data of a member of the zip archive ends in the middle");
    }
    return made;
  }

  z_stream m_stream{};
};

class ZstdStage final : public UnpackStage {
 public:
  ZstdStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits)
      : UnpackStage(std::move(packed), limits), m_stream(ZSTD_createDStream()) {
    if (m_stream == nullptr) setFault(ErrorCode::Internal, "zstd could not be started");
  }
  ~ZstdStage() override { ZSTD_freeDStream(m_stream); }
  ZstdStage(const ZstdStage&) = delete;
  ZstdStage& operator=(const ZstdStage&) = delete;

 private:
  std::size_t step(char* to, std::size_t room) override {
    const bool more = haveInput();
    if (m_fault) return 0;
    if (!more && m_frameDone) {
      m_ended = true;
      return 0;
    }
    ZSTD_inBuffer in{m_block.data(), m_block.size(), m_used};
    ZSTD_outBuffer out{to, room, 0};
    const std::size_t code = ZSTD_decompressStream(m_stream, &out, &in);
    m_used = in.pos;
    if (ZSTD_isError(code) != 0) {
      setFault(ErrorCode::Format,
               fmt::format("damaged zstd data at byte {}: {}", position(), ZSTD_getErrorName(code)));
    } else {
      m_frameDone = code == 0;
      if (!more && out.pos == 0 && !m_frameDone) {
        setFault(ErrorCode::Io, fmt::format("cut off: the zstd data ends in the middle, at byte {}", position()));
      }
    }
    return out.pos;
  }

  ZSTD_DStream* m_stream = nullptr;
  bool m_frameDone = false;
};

}  // namespace

std::unique_ptr<ByteStage> makeGzipStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits) {
  return std::make_unique<GzipStage>(std::move(packed), limits);
}

std::unique_ptr<ByteStage> makeDeflateStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits) {
  return std::make_unique<DeflateStage>(std::move(packed), limits);
}

std::unique_ptr<ByteStage> makeZstdStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits) {
  return std::make_unique<ZstdStage>(std::move(packed), limits);
}

}  // namespace counterfoil
