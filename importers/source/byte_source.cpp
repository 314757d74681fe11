// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "importers/source/byte_stage.h"
#include "importers/source/encoding.h"
#include "importers/source/raw_bytes.h"
#include "importers/source/zip_directory.h"

namespace counterfoil {

namespace {

constexpr std::size_t kHeadBytes = 64u << 10;

/// Makes the file's bytes as often as they are asked for from the beginning.
using StageMaker = std::function<Result<std::unique_ptr<ByteStage>>()>;

FileNature::Packing packingOf(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.substr(0, 2) == "\x1F\x8B"sv) return FileNature::Packing::Gzip;
  if (head.substr(0, 4) == "\x28\xB5\x2F\xFD"sv) return FileNature::Packing::Zstd;
  return FileNature::Packing::Plain;
}

UnpackLimits limitsOf(const OpenOptions& options) {
  return {options.maxUnpackedBytes, std::max<std::uint32_t>(options.maxRatio, 1)};
}

Result<std::unique_ptr<ByteStage>> unpacked(const StageMaker& make, FileNature::Packing packing,
                                            const OpenOptions& options) {
  Result<std::unique_ptr<ByteStage>> stage = make();
  if (!stage) return stage;
  switch (packing) {
    case FileNature::Packing::Plain: break;
    case FileNature::Packing::Gzip: return makeGzipStage(std::move(*stage), limitsOf(options));
    case FileNature::Packing::Zstd: return makeZstdStage(std::move(*stage), limitsOf(options));
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
    if (!m_nature.seekable || m_raw == nullptr) {
      return fail(ErrorCode::Internal, "readAt on a file that is read as a stream");
    }
    return m_raw->readAt(offset, to, count);
  }

 private:
  std::shared_ptr<const RawBytes> m_raw;   ///< null where there is only a stream
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

/// "REDIS0011" and binary data behind it.
bool isRdbHead(std::string_view head) {
  if (head.size() < 10 || head.substr(0, 5) != "REDIS") return false;
  if (head.substr(5, 4).find_first_not_of("0123456789") != std::string_view::npos) return false;
  return static_cast<unsigned char>(head[9]) < 0x20 || static_cast<unsigned char>(head[9]) >= 0x80;
}

/// The first bytes as they are; a fault before them is the file's.
Result<std::string> magicOf(const StageMaker& make) {
  constexpr std::size_t size = 16;
  const Result<std::unique_ptr<ByteStage>> stage = make();
  if (!stage) return fail(stage.error());
  std::string magic;
  while (magic.size() < size) {
    const Result<std::size_t> got = (*stage)->read(magic, size - magic.size());
    if (!got && magic.empty()) return fail(got.error());
    if (!got || *got == 0) break;
  }
  return magic;
}

void setKind(FileNature& nature, std::string_view start) {
  using namespace std::string_view_literals;
  nature.packing = packingOf(start);
  nature.isSqlite = start == "SQLite format 3\0"sv;
  nature.isZip = start.substr(0, 4) == "PK\x03\x04"sv || start.substr(0, 4) == "PK\x05\x06"sv;
  nature.isOle = start.substr(0, 8) == "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv;
}

/// `raw`: where the bytes lie in one piece, else null.
Result<std::unique_ptr<ByteSource>> openStages(const StageMaker& make, std::uint64_t size,
                                               std::shared_ptr<const RawBytes> raw, const OpenOptions& options) {
  const Result<std::string> start = magicOf(make);
  if (!start) return fail(start.error());
  FileNature nature;
  nature.sizeBytes = size;
  setKind(nature, *start);
  bool whole = false;
  Result<std::unique_ptr<ByteStage>> stage = unpacked(make, nature.packing, options);
  if (!stage) return fail(stage.error());
  const std::string head = headOf(**stage, whole);
  nature.isRdb = isRdbHead(head);
  setEncoding(nature, guessEncoding(head, whole), options.encoding);
  const bool isUtf8 = nature.encoding == "utf-8";
  nature.seekable = raw != nullptr && raw->isFile() && isUtf8 && nature.packing == FileNature::Packing::Plain &&
                    !nature.isSqlite && !nature.isZip && !nature.isOle;

  stage = unpacked(make, nature.packing, options);
  if (!stage) return fail(stage.error());
  if (isUtf8 && options.passesInvalidUtf8 && nature.bomBytes == 0) {
    // as it is
  } else if (isUtf8) {
    stage = makeUtf8Stage(std::move(*stage), nature.bomBytes);
  } else {
    stage = makeIconvStage(std::move(*stage), nature.encoding, nature.bomBytes);
    if (!stage) return fail(stage.error());
  }
  return std::make_unique<StagedSource>(std::move(raw), std::move(nature), std::move(*stage));
}

Result<std::unique_ptr<ByteSource>> openRaw(std::shared_ptr<const RawBytes> raw, const OpenOptions& options) {
  const StageMaker make = [raw]() -> Result<std::unique_ptr<ByteStage>> { return makeRawStage(raw); };
  const std::uint64_t size = raw->size();
  return openStages(make, size, std::move(raw), options);
}

Result<std::unique_ptr<ByteSource>> openMember(const std::shared_ptr<const RawBytes>& archive, const ZipEntry& entry,
                                               const OpenOptions& options) {
  const StageMaker make = [&] { return makeZipEntryStage(archive, entry, limitsOf(options)); };
  return openStages(make, entry.bytes, nullptr, options);
}

}  // namespace

Result<std::unique_ptr<ByteSource>> openFile(const FilePlace& place, const OpenOptions& options) {
  const Result<std::shared_ptr<const RawBytes>> raw = openRawFile(place);
  if (!raw) return fail(raw.error());
  Result<std::unique_ptr<ByteSource>> source =
      place.member != nullptr ? openMember(*raw, place.member->entry, options) : openRaw(*raw, options);
  if (!source) return fail(source.error().within(place.path));
  return source;
}

Result<std::unique_ptr<ByteSource>> openMemory(std::string bytes, const OpenOptions& options) {
  return openRaw(std::make_shared<const RawBytes>(std::move(bytes)), options);
}

std::unique_ptr<ByteSource> sourceOfStage(FileNature nature, std::unique_ptr<ByteStage> stage) {
  return std::make_unique<StagedSource>(nullptr, std::move(nature), std::move(stage));
}

}  // namespace counterfoil
