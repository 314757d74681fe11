// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/spill_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace counterfoil {

namespace {

std::string defaultFolder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

std::string textOf(int error) {
  char buffer[256];
  return strerror_r(error, buffer, sizeof buffer);  // the GNU one: gives the text back
}

/// A file without a name. Where the file system has no such thing: a named one that is unlinked at once.
int openUnnamed(const std::string& folder) {
#ifdef O_TMPFILE
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
#endif
  std::string path = folder + "/counterfoil-XXXXXX";
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(path.c_str());
  return named;
}

}  // namespace

SpillFiles::SpillFiles(std::string folder) : m_folder(folder.empty() ? defaultFolder() : std::move(folder)) {}

SpillFiles::~SpillFiles() {
  for (int descriptor : m_descriptors) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

Result<std::uint32_t> SpillFiles::open() {
  const int descriptor = openUnnamed(m_folder);
  if (descriptor < 0) {
    const int error = errno;
    return fail(ErrorCode::WriteFailed, "no temporary file can be made in " + m_folder + ": " + textOf(error) +
                                            "; set TMPDIR to a folder with room, or allow more --memory");
  }
  const std::lock_guard lock(m_mutex);
  m_descriptors.push_back(descriptor);
  return static_cast<std::uint32_t>(m_descriptors.size() - 1);
}

int SpillFiles::descriptorOf(std::uint32_t stream) {
  const std::lock_guard lock(m_mutex);
  return m_descriptors[stream];
}

Result<> SpillFiles::append(std::uint32_t stream, std::string_view bytes) {
  const int descriptor = descriptorOf(stream);
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      return fail(ErrorCode::WriteFailed, "a temporary file in " + m_folder + " cannot be written: " + textOf(error) +
                                              "; set TMPDIR to a folder with room, or allow more --memory");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<> SpillFiles::read(std::uint32_t stream, std::uint64_t offset, std::size_t count, std::string& out) {
  const int descriptor = descriptorOf(stream);
  out.resize(count);
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(descriptor, out.data() + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error = errno;
      return fail(ErrorCode::WriteFailed, "a temporary file in " + m_folder + " cannot be read: " + textOf(error));
    }
    if (got == 0) return fail(ErrorCode::WriteFailed, "a temporary file in " + m_folder + " lost its end");
    done += static_cast<std::size_t>(got);
  }
  return {};
}

void SpillFiles::close(std::uint32_t stream) {
  const std::lock_guard lock(m_mutex);
  if (m_descriptors[stream] < 0) return;
  ::close(m_descriptors[stream]);
  m_descriptors[stream] = -1;
}

}  // namespace counterfoil
