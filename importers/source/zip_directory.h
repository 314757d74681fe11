// SPDX-License-Identifier: GPL-3.0-or-later
// What a zip archive holds, and its members as streams. Nothing is written to disk, so a member's
// name is only a text. The directory at the archive's end is the truth; a member that contradicts
// it is damaged.
//
// Read by ourselves rather than by a library: what is needed is small (stored and deflated members,
// zip64), and members of one archive are read by several threads, each opened thousands of times by
// its place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/source/raw_bytes.h"

namespace counterfoil {

inline constexpr std::size_t kMaxZipMembers = 10'000;

struct ZipEntry {
  std::string name;         ///< as UTF-8; '/' separates folders
  std::string writtenName;  ///< its bytes in the archive
  std::uint64_t headerOffset = 0;
  std::uint64_t packedBytes = 0;
  std::uint64_t bytes = 0;     ///< unpacked
  std::uint32_t checksum = 0;  ///< CRC-32
  std::uint16_t method = 0;    ///< 0 stored, 8 deflated
  bool isEncrypted = false;
  bool isLink = false;  ///< a symbolic link: its content is a path
  [[nodiscard]] bool isFolder() const { return !name.empty() && name.back() == '/'; }
  bool operator==(const ZipEntry&) const = default;
};

struct ZipDirectory {
  std::vector<ZipEntry> entries;  ///< in the archive's order
  /// By name, else by name but for case; null if there is none.
  [[nodiscard]] const ZipEntry* find(std::string_view name) const;
};

/// Error Format for what is cut off or damaged; Limit for more than kMaxZipMembers, or members that
/// together unpack to an absurd multiple of the archive.
[[nodiscard]] Result<ZipDirectory> readZipDirectory(const RawBytes& raw);

/// Why a member cannot be unpacked, or nothing.
[[nodiscard]] std::string zipEntryFault(const ZipEntry& entry);

/// Error Format or Limit. What is read has to have the size and the checksum that the directory
/// names; else the last read is an Error.
[[nodiscard]] Result<std::unique_ptr<ByteStage>> makeZipEntryStage(
    std::shared_ptr<const RawBytes> raw, const ZipEntry& entry, UnpackLimits limits);

/// "xlsx", "xlsb", "ods", … for documents that are zip archives; "" for an archive of files.
[[nodiscard]] std::string_view zipDocumentKind(const ZipDirectory& directory);

}  // namespace counterfoil
