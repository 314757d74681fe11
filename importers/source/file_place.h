// SPDX-License-Identifier: GPL-3.0-or-later
// Where an input file is: on disk, or a member of a zip archive on disk. A value; members are
// shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/file_handle.h"
#include "importers/source/zip_directory.h"

namespace counterfoil {

struct BookShelf;

struct ZipMember {
  std::string archive;  ///< its path on disk
  ZipEntry entry;
  FileStamp archiveStamp;
};

struct FilePlace {
  FilePlace() = default;
  // NOLINTNEXTLINE: a path is a place
  FilePlace(std::string filePath) : path(std::move(filePath)) {}
  // NOLINTNEXTLINE
  FilePlace(const char* filePath) : path(filePath) {}
  explicit FilePlace(std::shared_ptr<const ZipMember> zipMember)
      : path(zipMember->archive + "/" + zipMember->entry.name), member(std::move(zipMember)) {}

  std::string path;                         ///< as told: "a.csv", "statements.zip/a.csv"
  std::shared_ptr<const ZipMember> member;  ///< null: the file itself
  /// Keeps a workbook open between several looks at one file. One thread at a time; may be null.
  std::shared_ptr<BookShelf> shelf;

  [[nodiscard]] const std::string& onDisk() const {
    return member != nullptr ? member->archive : path;   // NOLINT(clang-analyzer-core.uninitialized.UndefReturn): never null
  }
};

/// A path as written: a file, or "archive.zip/name of a member". What is neither is given as it is,
/// and is told by opening it. Error: the archive that the path leads into cannot be read, or has no
/// such member, or several of that name.
[[nodiscard]] Result<FilePlace> resolvePlace(const std::string& path);
/// Whether a regular file begins as a zip archive does.
[[nodiscard]] bool isZipFile(const std::string& path);
/// "archive.zip" of "archive.zip/a/b.csv" where that is a zip archive; "" where the path leads into
/// none.
[[nodiscard]] std::string archiveOf(const std::string& path);

/// The archive for a member. Error Missing or Io.
[[nodiscard]] Result<std::shared_ptr<const RawBytes>> openRawFile(const FilePlace& place);
/// All bytes of the file or member by position; a member is unpacked to memory. Error Limit where
/// it is larger than `maxBytes`.
[[nodiscard]] Result<std::shared_ptr<const RawBytes>> openRawContent(const FilePlace& place,
                                                                     std::uint64_t maxBytes);
/// The member's bytes, or the file's, from the beginning.
[[nodiscard]] Result<std::unique_ptr<ByteStage>> openRawStage(const FilePlace& place);
/// What tells that it is the same still. Of a member: the archive's, with the member's size.
[[nodiscard]] Result<FileStamp> stampOf(const FilePlace& place);

}  // namespace counterfoil
