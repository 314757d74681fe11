// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/row_partitions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/store/failpoint.h"

namespace counterfoil {
namespace {

constexpr std::size_t kSettleBytesMost = 64 << 10;
constexpr std::size_t kSettleBytesLeast = 512;

struct Extent {
  std::uint64_t offset = 0;
  std::size_t size = 0;
};

struct Partition {
  std::mutex mutex;
  std::vector<std::string> chunks;
  std::vector<Extent> extents;
};

tl::unexpected<Error> fileError(const char* what, const std::string& folder) {
  return fail(ErrorCode::WriteFailed, fmt::format("{}: {} a temporary file: {}", folder, what,
                                                  std::generic_category().message(errno)));
}

}  // namespace

struct RowPartitions::Impl {
  std::vector<Partition> partitions;
  std::vector<std::vector<std::string>> buffers;  ///< [worker][partition]
  std::string folder;
  std::uint64_t memoryBytes = 0;
  std::size_t settleBytes = kSettleBytesMost;
  std::atomic<std::uint64_t> held{0};
  std::atomic<std::uint64_t> fileEnd{0};
  std::mutex fileMutex;
  int file = -1;

  Impl(std::size_t count, unsigned workers) : partitions(count), buffers(workers) {
    for (auto& worker : buffers) worker.resize(count);
  }
  ~Impl() {
    if (file >= 0) close(file);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  Result<> openFile();
  Result<> spill(std::string_view bytes, Extent& extent);
};

Result<> RowPartitions::Impl::openFile() {
  const std::lock_guard lock(fileMutex);
  if (file >= 0) return {};
  file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return {};
  std::string name = folder + "/.counterfoil-XXXXXX";  // not every file system knows files without a name
  file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return fileError("cannot make", folder);
  unlink(name.c_str());
  return {};
}

Result<> RowPartitions::Impl::spill(std::string_view bytes, Extent& extent) {
  if (auto ok = openFile(); !ok) return ok;
  extent = {fileEnd.fetch_add(bytes.size()), bytes.size()};
  failpoint("spill");
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(extent.offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fileError("cannot write", folder);
    done += static_cast<std::size_t>(count);
  }
  return {};
}

RowPartitions::RowPartitions(std::size_t partitions, unsigned workers, std::string folder,
                                   std::uint64_t memoryBytes)
    : m_impl(std::make_unique<Impl>(partitions, workers)) {
  m_impl->folder = std::move(folder);
  m_impl->memoryBytes = memoryBytes;
  // The buffers themselves take at most half of the bound.
  m_impl->settleBytes = std::clamp<std::size_t>(memoryBytes / (2 * partitions * std::max(workers, 1u)),
                                                kSettleBytesLeast, kSettleBytesMost);
}

RowPartitions::~RowPartitions() = default;
RowPartitions::RowPartitions(RowPartitions&&) noexcept = default;

std::string& RowPartitions::buffer(unsigned worker, std::size_t partition) {
  return m_impl->buffers[worker][partition];
}

Result<> RowPartitions::settle(unsigned worker, std::size_t partition) {
  std::string& buffer = m_impl->buffers[worker][partition];
  if (buffer.size() < m_impl->settleBytes) return {};
  Partition& target = m_impl->partitions[partition];
  const bool fits = m_impl->folder.empty() || m_impl->held.load() + buffer.size() <= m_impl->memoryBytes;
  if (fits) {
    m_impl->held += buffer.size();
    const std::lock_guard lock(target.mutex);
    target.chunks.push_back(std::exchange(buffer, {}));
    buffer.reserve(m_impl->settleBytes + m_impl->settleBytes / 8);
    return {};
  }
  Extent extent;
  if (auto ok = m_impl->spill(buffer, extent); !ok) return ok;
  buffer.clear();
  const std::lock_guard lock(target.mutex);
  target.extents.push_back(extent);
  return {};
}

Result<> RowPartitions::take(std::size_t partition, std::string& out) {
  Partition& source = m_impl->partitions[partition];
  std::size_t size = 0;
  for (const Extent& extent : source.extents) size += extent.size;
  for (const std::string& chunk : source.chunks) size += chunk.size();
  for (const auto& worker : m_impl->buffers) size += worker[partition].size();
  out.clear();
  out.reserve(size);
  for (const Extent& extent : source.extents) {
    const std::size_t start = out.size();
    out.resize(start + extent.size);
    for (std::size_t done = 0; done < extent.size;) {
      const ssize_t count = pread(m_impl->file, out.data() + start + done, extent.size - done,
                                  static_cast<off_t>(extent.offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return fileError("cannot read", m_impl->folder);
      done += static_cast<std::size_t>(count);
    }
  }
  for (const std::string& chunk : source.chunks) {
    out += chunk;
    m_impl->held -= chunk.size();
  }
  for (auto& worker : m_impl->buffers) out += std::exchange(worker[partition], {});
  source.chunks = {};
  source.extents = {};
  return {};
}

std::size_t RowPartitions::partitionCount() const { return m_impl->partitions.size(); }
std::uint64_t RowPartitions::spilledBytes() const { return m_impl->fileEnd.load(); }

}  // namespace counterfoil
