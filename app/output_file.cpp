// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace counterfoil {

namespace {

std::string systemMessage(int error) {
  return std::generic_category().message(error);
}

tl::unexpected<Error> cannotWrite(const std::string& name, int error) {
  return fail(ErrorCode::WriteFailed,
              fmt::format("cannot write {}: {}", name, systemMessage(error)));
}

Result<> writeAll(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannotWrite(name, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// A signal handler may run between any two instructions and can be handed nothing: the one path it
// has to remove lies here. Outputs are written one at a time.
std::array<char, PATH_MAX> temporaryPath{};
std::atomic<bool> temporaryIsSet{false};

void rememberTemporary(const std::string& path) {
  temporaryIsSet.store(false);
  if (path.size() >= temporaryPath.size()) return;
  std::memcpy(temporaryPath.data(), path.c_str(), path.size() + 1);
  temporaryIsSet.store(true);
}

void forgetTemporary() {
  temporaryIsSet.store(false);
}

Result<> syncFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return {};  // a folder that cannot be opened (no read bit) can still be written
  ::fsync(descriptor);
  ::close(descriptor);
  return {};
}

bool isSameFile(int descriptor, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

const char* temporaryBeingWritten() noexcept {
  return temporaryIsSet.load() ? temporaryPath.data() : nullptr;
}

Result<> DescriptorSink::write(std::string_view bytes) {
  return writeAll(m_descriptor, bytes, m_name);
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile());
  file->m_path = path;
  file->m_target = path;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannotWrite(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file->m_descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file->m_descriptor < 0) return cannotWrite(path, errno);
    return file;
  }
  if (exists) {
    std::error_code error;
    const auto followed = std::filesystem::canonical(path, error);
    if (!error) file->m_target = followed.string();
  }
  if (Result<> opened = file->openTemporary(); !opened) return fail(opened.error());
  if (exists) ::fchmod(file->m_descriptor, status.st_mode & 07777);
  return file;
}

Result<> OutputFile::openTemporary() {
  m_temporary = m_target + ".tmp";
  constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
  for (int attempt = 0; attempt < 100; ++attempt) {
    m_descriptor = ::open(m_temporary.c_str(), flags, 0666);
    if (m_descriptor < 0) {
      const int error = errno;
      m_temporary.clear();
      return cannotWrite(m_path, error);
    }
    // The lock ends with its process, so a file that a killed one left is taken over.
    if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0) {
      ::close(m_descriptor);
      m_descriptor = -1;
      const std::string taken = std::exchange(m_temporary, {});
      return fail(ErrorCode::WriteFailed,
                  fmt::format("cannot write {}: another process is writing {}", m_path, taken));
    }
    if (isSameFile(m_descriptor, m_temporary)) {
      if (::ftruncate(m_descriptor, 0) != 0) return cannotWrite(m_path, errno);
      rememberTemporary(m_temporary);
      return {};
    }
    ::close(m_descriptor);
    m_descriptor = -1;
  }
  m_temporary.clear();
  return fail(ErrorCode::WriteFailed,
              fmt::format("cannot write {}: its folder keeps changing", m_path));
}

OutputFile::~OutputFile() {
  if (!m_temporary.empty()) {
    ::unlink(m_temporary.c_str());
    forgetTemporary();
  }
  if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<> OutputFile::write(std::string_view bytes) {
  return writeAll(m_descriptor, bytes, m_path);
}

Result<> OutputFile::commit() {
  const int descriptor = std::exchange(m_descriptor, -1);
  if (m_temporary.empty()) {
    if (::close(descriptor) != 0) return cannotWrite(m_path, errno);
    return {};
  }
  if (::fsync(descriptor) != 0 || ::rename(m_temporary.c_str(), m_target.c_str()) != 0) {
    const int error = errno;
    ::close(descriptor);
    return cannotWrite(m_path, error);
  }
  m_temporary.clear();
  forgetTemporary();
  if (::close(descriptor) != 0) return cannotWrite(m_path, errno);
  return syncFolderOf(m_target);
}

Result<std::string> readSmallFile(const std::string& path, std::size_t maxBytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return fail(errno == ENOENT ? ErrorCode::Missing : ErrorCode::Io,
                fmt::format("cannot read {}: {}", path, systemMessage(errno)));
  }
  std::string text(maxBytes + 1, '\0');
  std::size_t size = 0;
  ssize_t count = 0;
  while (size < text.size() &&
         (count = ::read(descriptor, text.data() + size, text.size() - size)) > 0) {
    size += static_cast<std::size_t>(count);
  }
  const int error = errno;
  ::close(descriptor);
  if (count < 0)
    return fail(ErrorCode::Io, fmt::format("cannot read {}: {}", path, systemMessage(error)));
  if (size > maxBytes)
    return fail(ErrorCode::Limit, fmt::format("{} is larger than {} bytes", path, maxBytes));
  text.resize(size);
  return text;
}

Result<> writeNewFile(const std::string& path, std::string_view text) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    return fail(ErrorCode::Usage, fmt::format("{} is there already; nothing was changed", path));
  }
  auto file = OutputFile::create(path);
  if (!file) return fail(file.error());
  if (Result<> written = (*file)->write(text); !written) return written;
  return (*file)->commit();
}

}  // namespace counterfoil
