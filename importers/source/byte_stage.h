// SPDX-License-Identifier: GPL-3.0-or-later
// The stages a file's bytes go through: as they lie on disk, unpacked, as UTF-8. Each pulls from the one
// before. Internal to importers/source.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace counterfoil {

class ByteStage {
 public:
  virtual ~ByteStage() = default;
  /// Appends at most `count` bytes; 0 means the end. After an Error the stage stays at that Error. A
  /// stage that meets a fault after it has appended something reports it with the next call.
  virtual Result<std::size_t> read(std::string& out, std::size_t count) = 0;
};

struct UnpackLimits {
  std::uint64_t maxBytes = 0;
  std::uint32_t maxRatio = 0;
};

[[nodiscard]] std::unique_ptr<ByteStage> makeGzipStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits);
/// Deflated data without a frame, as members of zip archives are. Bytes behind its end are not looked at.
[[nodiscard]] std::unique_ptr<ByteStage> makeDeflateStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits);
[[nodiscard]] std::unique_ptr<ByteStage> makeZstdStage(std::unique_ptr<ByteStage> packed, UnpackLimits limits);

/// Passes UTF-8 on and takes a byte order mark off; the first invalid byte is an Error (Encoding).
[[nodiscard]] std::unique_ptr<ByteStage> makeUtf8Stage(std::unique_ptr<ByteStage> bytes, std::size_t bomBytes);
/// Any other encoding. Error (Config) for a name that iconv does not know.
[[nodiscard]] Result<std::unique_ptr<ByteStage>> makeIconvStage(std::unique_ptr<ByteStage> bytes,
                                                                const std::string& encoding,
                                                                std::size_t bomBytes);

}  // namespace counterfoil
