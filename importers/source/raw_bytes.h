// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as they lie on disk or in memory, by position. Immutable and thread-safe. Internal to
// importers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "importers/source/byte_stage.h"
#include "importers/source/file_handle.h"

namespace counterfoil {

class RawBytes {
 public:
  explicit RawBytes(std::string bytes) : m_bytes(std::move(bytes)), m_size(m_bytes.size()) {}
  RawBytes(FileHandle file, std::uint64_t size) : m_file(std::move(file)), m_size(size) {}

  /// Reads until `count` bytes or the end.
  Result<std::size_t> readAt(std::uint64_t offset, char* to, std::size_t count) const;
  /// All of `count` bytes; Error (Format) where there are fewer.
  Result<std::string> piece(std::uint64_t offset, std::size_t count) const;
  [[nodiscard]] std::uint64_t size() const { return m_size; }
  [[nodiscard]] bool isFile() const { return m_file.isOpen(); }

 private:
  std::string m_bytes;
  FileHandle m_file;
  std::uint64_t m_size;
};

/// `count` bytes from `offset` on, or as many as there are.
[[nodiscard]] std::unique_ptr<ByteStage> makeRawStage(std::shared_ptr<const RawBytes> raw,
                                                      std::uint64_t offset = 0,
                                                      std::uint64_t count = ~std::uint64_t{0});

}  // namespace counterfoil
