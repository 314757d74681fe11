// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/payload_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace counterfoil {

namespace {

constexpr std::size_t kBlockBytes = 1u << 20;
constexpr std::size_t kPendingBytes = 1u << 20;

std::string describeErrno(int code) { return std::generic_category().message(code); }

std::string temporaryFolder(const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const char* const fromEnvironment = std::getenv("TMPDIR");
  return fromEnvironment != nullptr && *fromEnvironment != '\0' ? fromEnvironment : "/tmp";
}

}  // namespace

PayloadLog::PayloadLog(std::uint64_t memoryBytes, std::string folder)
    : m_memoryBytes(memoryBytes), m_folder(temporaryFolder(folder)) {}

PayloadLog::~PayloadLog() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

bool PayloadLog::usesFile() const {
  const std::lock_guard lock(m_mutex);
  return m_descriptor >= 0;
}

Result<> PayloadLog::openFile() {
  m_descriptor = ::open(m_folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (m_descriptor >= 0) return {};
  // A file system without O_TMPFILE: a name that is taken away at once.
  std::string name = m_folder + "/counterfoil-XXXXXX";
  m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (m_descriptor < 0) {
    return fail(ErrorCode::WriteFailed, fmt::format("{}: no temporary file: {}", m_folder, describeErrno(errno)));
  }
  ::unlink(name.c_str());
  return {};
}

Result<> PayloadLog::flush() {
  std::size_t done = 0;
  while (done < m_pending.size()) {
    const ssize_t wrote = ::pwrite(m_descriptor, m_pending.data() + done, m_pending.size() - done,
                                   static_cast<off_t>(m_inFile + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      return fail(ErrorCode::WriteFailed, fmt::format("{}: writing a temporary file failed: {}", m_folder, describeErrno(errno)));
    }
    done += static_cast<std::size_t>(wrote);
  }
  m_inFile += m_pending.size();
  m_pending.clear();
  return {};
}

Result<std::uint64_t> PayloadLog::append(std::string_view bytes) {
  const std::lock_guard lock(m_mutex);
  const auto size = static_cast<std::uint32_t>(bytes.size());
  char head[4];
  std::memcpy(head, &size, sizeof head);
  const std::uint64_t position = m_size;
  const std::uint64_t whole = sizeof head + bytes.size();
  if (m_descriptor < 0 && m_size + whole > m_memoryBytes) {
    const Result<> opened = openFile();
    if (!opened) return fail(opened.error());
  }
  if (m_descriptor >= 0) {
    m_pending.append(head, sizeof head).append(bytes);
    m_size += whole;
    if (m_pending.size() >= kPendingBytes) {
      const Result<> flushed = flush();
      if (!flushed) return fail(flushed.error());
    }
    return position;
  }
  for (std::string_view part : {std::string_view(head, sizeof head), bytes}) {
    while (!part.empty()) {
      if (m_blocks.empty() || m_blocks.back().size() == kBlockBytes) {
        m_blocks.emplace_back();
        m_blocks.back().reserve(kBlockBytes);
      }
      const std::size_t room = std::min(part.size(), kBlockBytes - m_blocks.back().size());
      m_blocks.back().append(part.substr(0, room));
      part.remove_prefix(room);
    }
  }
  m_size += whole;
  m_inMemory = m_size;
  return position;
}

Result<> PayloadLog::copyOut(std::uint64_t position, char* to, std::size_t count) const {
  if (position + count > m_size) return fail(ErrorCode::Internal, "no such entry of the payload log");
  while (count > 0 && position < m_inMemory) {
    const std::string& block = m_blocks[position / kBlockBytes];
    const std::size_t from = position % kBlockBytes;
    const std::size_t size = std::min<std::size_t>(count, block.size() - from);
    std::memcpy(to, block.data() + from, size);
    to += size;
    position += size;
    count -= size;
  }
  while (count > 0 && position - m_inMemory < m_inFile) {
    const std::uint64_t at = position - m_inMemory;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(count, m_inFile - at));
    const ssize_t got = ::pread(m_descriptor, to, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(ErrorCode::Io, "the temporary file could not be read");
    to += got;
    position += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  if (count > 0) std::memcpy(to, m_pending.data() + (position - m_inMemory - m_inFile), count);
  return {};
}

Result<std::string> PayloadLog::read(std::uint64_t position) const {
  const std::lock_guard lock(m_mutex);
  std::uint32_t size = 0;
  if (m_size < sizeof size || position > m_size - sizeof size) return fail(ErrorCode::Internal, "no payload entry is there");
  Result<> copied = copyOut(position, reinterpret_cast<char*>(&size), sizeof size);
  if (!copied) return fail(copied.error());
  if (size > m_size - position - sizeof size) return fail(ErrorCode::Internal, "a damaged payload entry");
  std::string bytes(size, '\0');
  copied = copyOut(position + sizeof size, bytes.data(), size);
  if (!copied) return fail(copied.error());
  return bytes;
}

}  // namespace counterfoil
