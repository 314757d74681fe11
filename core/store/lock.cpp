// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/instant.h"
#include "core/base/text.h"

namespace counterfoil {
namespace {

constexpr std::chrono::milliseconds kPoll{100};

std::string holderOf(int file) {
  std::array<char, 512> bytes{};
  const ssize_t count = pread(file, bytes.data(), bytes.size(), 0);
  if (count <= 0) return "another run";
  return forTerminal(trim(std::string_view(bytes.data(), static_cast<std::size_t>(count))));
}

void writeHolder(int file) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  const auto started = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::string text = fmt::format("process {} on {}, since {}\n", getpid(), host.data(), formatInstant(started));
  // The text only serves a message: a full disk must not keep a run from starting.
  if (ftruncate(file, 0) != 0) return;
  (void)!pwrite(file, text.data(), text.size(), 0);
}

/// True if the path still names the open file (a former holder may have removed it meanwhile).
bool stillNamed(int file, const std::string& path) {
  struct stat open{}, named{};
  return fstat(file, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

/// The locked file, -1 when somebody else holds it.
Result<int> tryLock(const std::string& path, std::string& holder) {
  for (;;) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) {
      return fail(ErrorCode::WriteFailed, fmt::format("{}: cannot be made ({}); the store's folder must be writable",
                                                      path, std::generic_category().message(errno)));
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      holder = holderOf(file);
      close(file);
      return -1;
    }
    if (stillNamed(file, path)) return file;
    close(file);
  }
}

}  // namespace

Result<StoreLock> StoreLock::acquire(const std::string& storePath, std::chrono::milliseconds wait,
                                     const CancelToken* cancel) {
  StoreLock lock;
  lock.m_path = storePath + ".lock";
  const auto deadline = std::chrono::steady_clock::now() + wait;
  std::string holder;
  for (;;) {
    auto file = tryLock(lock.m_path, holder);
    if (!file) return fail(file.error());
    if (*file >= 0) {
      lock.m_file = *file;
      writeHolder(lock.m_file);
      return lock;
    }
    if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped while waiting");
    if (std::chrono::steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(kPoll);
  }
  return fail(ErrorCode::Locked, fmt::format("{}: another run holds the store ({}); --wait 10m waits for it",
                                             storePath, holder));
}

StoreLock::~StoreLock() {
  if (m_file < 0) return;
  unlink(m_path.c_str());  // while it is held: whoever opened it meanwhile sees that it is not named any more
  close(m_file);
}

StoreLock::StoreLock(StoreLock&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)), m_path(std::move(other.m_path)) {}

StoreLock& StoreLock::operator=(StoreLock&& other) noexcept {
  std::swap(m_file, other.m_file);
  std::swap(m_path, other.m_path);
  return *this;
}

std::string networkFileSystemOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  std::string folder = ".";
  if (slash != std::string::npos) folder = slash == 0 ? "/" : path.substr(0, slash);
  struct statfs facts{};
  if (statfs(folder.c_str(), &facts) != 0) return {};
  switch (static_cast<std::uint32_t>(facts.f_type)) {
    case 0x6969: return "nfs";
    case 0x517B: return "smb";
    case 0xFF534D42u: return "cifs";
    case 0xFE534D42u: return "smb2";
    case 0x5346414F: return "afs";
    case 0x01021997: return "9p";
    default: return {};
  }
}

}  // namespace counterfoil
