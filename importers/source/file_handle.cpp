// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/file_handle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace counterfoil {

namespace {

std::string describeErrno(int code) { return std::generic_category().message(code); }

Error openError(const std::string& path, int code) {
  if (code == ENOENT || code == ENOTDIR) return {ErrorCode::Missing, fmt::format("{}: no such file", path)};
  if (code == EACCES || code == EPERM) return {ErrorCode::Io, fmt::format("{}: no permission to read it", path)};
  return {ErrorCode::Io, fmt::format("{}: {}", path, describeErrno(code))};
}

const char* kindOfFile(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

}  // namespace

FileHandle::~FileHandle() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

FileHandle::FileHandle(FileHandle&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(m_descriptor, other.m_descriptor);
  return *this;
}

Result<FileHandle> FileHandle::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) return fail(ErrorCode::Missing, "a path with a NUL byte: no such file");
  // Without O_NONBLOCK the opening of a pipe would wait for a writer.
  FileHandle handle;
  do {
    handle.m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (handle.m_descriptor < 0 && errno == EINTR);
  if (handle.m_descriptor < 0) {
    const int code = errno;
    if (code == ENXIO) return fail(ErrorCode::Io, fmt::format("{}: a socket, not a file to read", path));
    return fail(openError(path, code));
  }
  struct stat status {};
  if (::fstat(handle.m_descriptor, &status) != 0) return fail(openError(path, errno));
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::Io, fmt::format("{}: {}, not a file to read", path, kindOfFile(status.st_mode)));
  }
  return handle;
}

Result<FileStamp> FileHandle::stamp() const {
  struct stat status {};
  if (::fstat(m_descriptor, &status) != 0) return fail(ErrorCode::Io, describeErrno(errno));
  return FileStamp{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
                   static_cast<std::uint64_t>(status.st_size),
                   static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

Result<std::size_t> FileHandle::readAt(std::uint64_t offset, char* to, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(m_descriptor, to + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return fail(ErrorCode::Io, fmt::format("reading failed at byte {}: {}", offset + done, describeErrno(errno)));
    }
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void FileHandle::adviseSequential() const { ::posix_fadvise(m_descriptor, 0, 0, POSIX_FADV_SEQUENTIAL); }

}  // namespace counterfoil
