// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of an encoding as UTF-8.
#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "importers/source/byte_stage.h"
#include "importers/source/encoding.h"

namespace counterfoil {

namespace {

constexpr std::size_t kBlockBytes = 256u << 10;

/// Reads the mark in front; the bytes it is known to have are dropped.
Result<> dropBytes(ByteStage& stage, std::size_t count) {
  std::string dropped;
  while (dropped.size() < count) {
    const Result<std::size_t> got = stage.read(dropped, count - dropped.size());
    if (!got) return fail(got.error());
    if (*got == 0) break;
  }
  return {};
}

class Utf8Stage final : public ByteStage {
 public:
  Utf8Stage(std::unique_ptr<ByteStage> bytes, std::size_t bomBytes)
      : m_bytes(std::move(bytes)), m_bomBytes(bomBytes) {}

  Result<std::size_t> read(std::string& out, std::size_t count) override {
    if (m_fault) return fail(*m_fault);
    if (m_bomBytes > 0) {
      const Result<> dropped = dropBytes(*m_bytes, m_bomBytes);
      if (!dropped) return fail(dropped.error());
      m_position = m_bomBytes;
      m_bomBytes = 0;
    }
    if (count == 0) return 0;
    while (m_goodBytes == 0) {
      const Result<std::size_t> got = m_bytes->read(m_pending, count);
      if (!got) return stopWith(got.error());
      if (*got == 0) {
        if (m_pending.empty()) return 0;
        return stopWith(invalidAt(m_position));
      }
      const Utf8Check check = checkUtf8(m_pending);
      m_goodBytes = m_pending.size() - check.incompleteTail;
      if (check.firstInvalid == kNoPosition) continue;
      m_goodBytes = check.firstInvalid;
      m_waiting = invalidAt(m_position + m_goodBytes);
      if (m_goodBytes == 0) return stopWith(*m_waiting);
    }
    const std::size_t given = std::min(m_goodBytes, count);
    out.append(m_pending, 0, given);
    m_pending.erase(0, given);
    m_position += given;
    m_goodBytes -= given;
    if (m_goodBytes == 0) m_fault = m_waiting;
    return given;
  }

 private:
  Result<std::size_t> stopWith(Error error) {
    m_fault = std::move(error);
    return fail(*m_fault);
  }
  static Error invalidAt(std::uint64_t position) {
    return {ErrorCode::Encoding, fmt::format("byte {} is not valid UTF-8; declare the file's encoding", position)};
  }

  std::unique_ptr<ByteStage> m_bytes;
  std::size_t m_bomBytes;
  std::uint64_t m_position = 0;
  std::string m_pending;
  std::size_t m_goodBytes = 0;        ///< of m_pending, known to be valid
  std::optional<Error> m_waiting;     ///< the fault that follows the good bytes
  std::optional<Error> m_fault;
};

class IconvStage final : public ByteStage {
 public:
  IconvStage(std::unique_ptr<ByteStage> bytes, iconv_t converter, std::string encoding, std::size_t bomBytes)
      : m_bytes(std::move(bytes)), m_converter(converter), m_encoding(std::move(encoding)), m_bomBytes(bomBytes) {}
  ~IconvStage() override { iconv_close(m_converter); }
  IconvStage(const IconvStage&) = delete;
  IconvStage& operator=(const IconvStage&) = delete;

  Result<std::size_t> read(std::string& out, std::size_t count) override {
    if (m_bomBytes > 0) {
      const Result<> dropped = dropBytes(*m_bytes, m_bomBytes);
      if (!dropped) return fail(dropped.error());
      m_position = m_bomBytes;
      m_bomBytes = 0;
    }
    std::size_t made = take(out, count);
    while (made == 0 && count > 0 && !m_fault && !m_ended) {
      const Result<std::size_t> got = m_bytes->read(m_pending, kBlockBytes);
      if (!got) {
        m_fault = got.error();
      } else if (*got == 0) {
        m_ended = true;
        if (!m_pending.empty()) m_fault = faultAt("a character that is cut off at");
      } else {
        convert();
      }
      made = take(out, count);
    }
    if (made == 0 && m_fault) return fail(*m_fault);
    return made;
  }

 private:
  std::size_t take(std::string& out, std::size_t count) {
    const std::size_t size = std::min(count, m_ready.size() - m_taken);
    out.append(m_ready, m_taken, size);
    m_taken += size;
    if (m_taken == m_ready.size()) {
      m_ready.clear();
      m_taken = 0;
    }
    return size;
  }

  void convert() {
    char* from = m_pending.data();
    std::size_t left = m_pending.size();
    char buffer[16 << 10];
    while (left > 0) {
      char* to = buffer;
      std::size_t room = sizeof buffer;
      const std::size_t code = iconv(m_converter, &from, &left, &to, &room);
      const int reason = errno;
      m_ready.append(buffer, sizeof buffer - room);
      if (code != static_cast<std::size_t>(-1) || reason == E2BIG) continue;
      m_position += m_pending.size() - left - m_consumed;
      m_consumed = m_pending.size() - left;
      if (reason == EILSEQ) m_fault = faultAt("no character at");
      break;   // EINVAL: the rest of the character comes with the next block
    }
    m_position += m_pending.size() - left - m_consumed;
    m_pending.erase(0, m_pending.size() - left);
    m_consumed = 0;
  }

  Error faultAt(std::string_view what) const {
    return {ErrorCode::Encoding, fmt::format("{} byte {} in encoding {}", what, m_position, m_encoding)};
  }

  std::unique_ptr<ByteStage> m_bytes;
  iconv_t m_converter;
  std::string m_encoding;
  std::size_t m_bomBytes;
  std::uint64_t m_position = 0;
  std::size_t m_consumed = 0;
  std::string m_pending;
  std::string m_ready;
  std::size_t m_taken = 0;
  bool m_ended = false;
  std::optional<Error> m_fault;
};

}  // namespace

std::unique_ptr<ByteStage> makeUtf8Stage(std::unique_ptr<ByteStage> bytes, std::size_t bomBytes) {
  return std::make_unique<Utf8Stage>(std::move(bytes), bomBytes);
}

Result<std::unique_ptr<ByteStage>> makeIconvStage(std::unique_ptr<ByteStage> bytes, const std::string& encoding,
                                                  std::size_t bomBytes) {
  const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  // NOLINTNEXTLINE: iconv's own error value
  if (converter == reinterpret_cast<iconv_t>(-1)) {
    return fail(ErrorCode::Config, fmt::format("unknown encoding '{}'", encoding));
  }
  return std::make_unique<IconvStage>(std::move(bytes), converter, encoding, bomBytes);
}

}  // namespace counterfoil
