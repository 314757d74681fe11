// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of an input file: plain, .gz (several members) or .zst, on disk or in a zip archive, in any encoding
// iconv knows, as UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/file_place.h"

namespace counterfoil {

/// What was found by looking at the first bytes.
struct FileNature {
  enum class Packing : std::uint8_t { Plain, Gzip, Zstd } packing = Packing::Plain;
  std::string encoding = "utf-8";     ///< by BOM, NUL pattern or valid UTF-8; "windows-1252" when it is neither
  std::size_t bomBytes = 0;
  std::uint64_t sizeBytes = 0;        ///< on disk
  bool seekable = false;              ///< plain, UTF-8 (or ASCII), a regular file: readAt works
  bool isSqlite = false;
  bool isZip = false;                 ///< .xlsx and .zip
  bool isRdb = false;                 ///< a Redis server's own dump.rdb, packed or not
  bool isOle = false;                 ///< .xls, and Office files with a password
};

/// A file opened for reading. Not thread-safe, except readAt.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  [[nodiscard]] virtual const FileNature& nature() const = 0;
  /// Appends up to `count` decoded bytes (UTF-8, BOM off) to out; 0 appended means the end. A cut or
  /// damaged stream is an Error (Io or Format) that names the byte where it happened; what came before
  /// was delivered.
  virtual Result<std::size_t> read(std::string& out, std::size_t count) = 0;
  /// Only where nature().seekable: bytes at an offset of the file (the BOM counts).
  virtual Result<std::size_t> readAt(std::uint64_t offset, char* to, std::size_t count) const = 0;
};

/// The bytes of a stage that are UTF-8 already. readAt is Error (Internal).
[[nodiscard]] std::unique_ptr<ByteSource> sourceOfStage(FileNature nature, std::unique_ptr<class ByteStage> stage);

struct OpenOptions {
  std::string encoding;                    ///< "" = found by looking
  bool passesInvalidUtf8 = false;          ///< UTF-8 is given as it is: the reader minds the bytes that are none
  std::uint64_t maxUnpackedBytes = 1ull << 40;
  std::uint32_t maxRatio = 1000;           ///< unpacked / packed, looked at after 64 MiB
};

/// Error Missing for no such file; Io for no permission or a directory. FIFOs and sockets are refused.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openFile(const FilePlace& place, const OpenOptions& options = {});
/// For tests, fuzzing and standard input already read.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openMemory(std::string bytes, const OpenOptions& options = {});

}  // namespace counterfoil
