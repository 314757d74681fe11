// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "importers/source/byte_stage.h"
#include "importers/source/encoding.h"
#include "importers/source/file_handle.h"

namespace counterfoil {

namespace {

constexpr std::size_t kHeadBytes = 64u << 10;

/// The bytes as they lie on disk or in memory.
class RawBytes {
 public:
  explicit RawBytes(std::string bytes) : m_bytes(std::move(bytes)), m_size(m_bytes.size()) {}
  RawBytes(FileHandle file, std::uint64_t size) : m_file(std::move(file)), m_size(size) {}

  Result<std::size_t> readAt(std::uint64_t offset, char* to, std::size_t count) const {
    if (m_file.isOpen()) return m_file.readAt(offset, to, count);
    if (offset >= m_bytes.size()) return 0;
    const std::size_t size = std::min<std::size_t>(count, m_bytes.size() - offset);
    std::memcpy(to, m_bytes.data() + offset, size);
    return size;
  }
  [[nodiscard]] std::uint64_t size() const { return m_size; }
  [[nodiscard]] bool isFile() const { return m_file.isOpen(); }

 private:
  std::string m_bytes;
  FileHandle m_file;
  std::uint64_t m_size;
};

class RawStage final : public ByteStage {
 public:
  explicit RawStage(std::shared_ptr<const RawBytes> raw) : m_raw(std::move(raw)) {}
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    const std::size_t before = out.size();
    out.resize(before + count);
    const Result<std::size_t> got = m_raw->readAt(m_offset, out.data() + before, count);
    out.resize(before + (got ? *got : 0));
    if (got) m_offset += *got;
    return got;
  }

 private:
  std::shared_ptr<const RawBytes> m_raw;
  std::uint64_t m_offset = 0;
};

FileNature::Packing packingOf(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.substr(0, 2) == "\x1F\x8B"sv) return FileNature::Packing::Gzip;
  if (head.substr(0, 4) == "\x28\xB5\x2F\xFD"sv) return FileNature::Packing::Zstd;
  return FileNature::Packing::Plain;
}

std::unique_ptr<ByteStage> unpacked(const std::shared_ptr<const RawBytes>& raw, FileNature::Packing packing,
                                    const OpenOptions& options) {
  auto stage = std::make_unique<RawStage>(raw);
  const UnpackLimits limits{options.maxUnpackedBytes, std::max<std::uint32_t>(options.maxRatio, 1)};
  switch (packing) {
    case FileNature::Packing::Plain: break;
    case FileNature::Packing::Gzip: return makeGzipStage(std::move(stage), limits);
    case FileNature::Packing::Zstd: return makeZstdStage(std::move(stage), limits);
  }
  return stage;
}

class StagedSource final : public ByteSource {
 public:
  StagedSource(std::shared_ptr<const RawBytes> raw, FileNature nature, std::unique_ptr<ByteStage> stage)
      : m_raw(std::move(raw)), m_nature(std::move(nature)), m_stage(std::move(stage)) {}
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> read(std::string& out, std::size_t count) override { return m_stage->read(out, count); }
  Result<std::size_t> readAt(std::uint64_t offset, char* to, std::size_t count) const override {
    if (!m_nature.seekable) return fail(ErrorCode::Internal, "readAt on a file that is read as a stream");
    return m_raw->readAt(offset, to, count);
  }

 private:
  std::shared_ptr<const RawBytes> m_raw;
  FileNature m_nature;
  std::unique_ptr<ByteStage> m_stage;
};

/// The first unpacked bytes; a fault in them is met again, and told, by reading.
std::string headOf(ByteStage& stage, bool& whole) {
  std::string head;
  whole = false;
  while (head.size() < kHeadBytes) {
    const Result<std::size_t> got = stage.read(head, kHeadBytes - head.size());
    if (!got) break;
    if (*got == 0) {
      whole = true;
      break;
    }
  }
  return head;
}

void setEncoding(FileNature& nature, const EncodingGuess& guess, const std::string& declared) {
  nature.encoding = guess.name;
  nature.bomBytes = guess.bomBytes;
  // A byte order mark says more than a declaration; without one the declaration decides.
  if (guess.bomBytes == 0 && !declared.empty()) nature.encoding = isUtf8Name(declared) ? "utf-8" : declared;
}

Result<std::unique_ptr<ByteSource>> openRaw(std::shared_ptr<const RawBytes> raw, const OpenOptions& options) {
  using namespace std::string_view_literals;
  char magic[16] = {};
  const Result<std::size_t> got = raw->readAt(0, magic, sizeof magic);
  if (!got) return fail(got.error());
  FileNature nature;
  nature.sizeBytes = raw->size();
  const std::string_view start(magic, *got);
  nature.packing = packingOf(start);
  nature.isSqlite = start == "SQLite format 3\0"sv;
  nature.isZip = start.substr(0, 4) == "PK\x03\x04"sv;
  bool whole = false;
  const std::string head = headOf(*unpacked(raw, nature.packing, options), whole);
  setEncoding(nature, guessEncoding(head, whole), options.encoding);
  const bool isUtf8 = nature.encoding == "utf-8";
  nature.seekable = raw->isFile() && isUtf8 && nature.packing == FileNature::Packing::Plain && !nature.isSqlite &&
                    !nature.isZip;

  std::unique_ptr<ByteStage> stage = unpacked(raw, nature.packing, options);
  if (isUtf8) {
    stage = makeUtf8Stage(std::move(stage), nature.bomBytes);
  } else {
    Result<std::unique_ptr<ByteStage>> decoded = makeIconvStage(std::move(stage), nature.encoding, nature.bomBytes);
    if (!decoded) return fail(decoded.error());
    stage = std::move(*decoded);
  }
  return std::make_unique<StagedSource>(std::move(raw), std::move(nature), std::move(stage));
}

}  // namespace

Result<std::unique_ptr<ByteSource>> openFile(const std::string& path, const OpenOptions& options) {
  Result<FileHandle> file = FileHandle::open(path);
  if (!file) return fail(file.error());
  const Result<FileStamp> stamp = file->stamp();
  if (!stamp) return fail(stamp.error().within(path));
  Result<std::unique_ptr<ByteSource>> source =
      openRaw(std::make_shared<const RawBytes>(std::move(*file), stamp->sizeBytes), options);
  if (!source) return fail(source.error().within(path));
  return source;
}

Result<std::unique_ptr<ByteSource>> openMemory(std::string bytes, const OpenOptions& options) {
  return openRaw(std::make_shared<const RawBytes>(std::move(bytes)), options);
}

}  // namespace counterfoil
