// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/file_place.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr UnpackLimits kLimits{1ull << 40, 1000};
constexpr std::size_t kNamesTold = 10;

Result<std::shared_ptr<const RawBytes>> openDisk(const std::string& path) {
  Result<FileHandle> file = FileHandle::open(path);
  if (!file) return fail(file.error());
  const Result<FileStamp> stamp = file->stamp();
  if (!stamp) return fail(stamp.error().within(path));
  return std::make_shared<const RawBytes>(std::move(*file), stamp->sizeBytes);
}

Error noSuchMember(const std::string& archive, const std::string& name,
                   const ZipDirectory& directory) {
  std::string names;
  for (std::size_t i = 0; i < std::min(directory.entries.size(), kNamesTold); ++i) {
    names += (names.empty() ? "" : ", ") + forTerminal(directory.entries[i].name);
  }
  if (directory.entries.size() > kNamesTold) names += ", …";
  return {ErrorCode::Missing, fmt::format("{}: no member {}; it holds {}", archive,
                                          forTerminal(name), names.empty() ? "nothing" : names)};
}

}  // namespace

bool isZipFile(const std::string& path) {
  using namespace std::string_view_literals;
  const Result<FileHandle> file = FileHandle::open(path);
  char start[4] = {};
  if (!file || file->readAt(0, start, sizeof start).value_or(0) < sizeof start) return false;
  const std::string_view magic(start, sizeof start);
  return magic == "PK\x03\x04"sv || magic == "PK\x05\x06"sv;
}

std::string archiveOf(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string front = path.substr(0, slash);
    struct stat status {};
    if (::stat(front.c_str(), &status) != 0) return {};
    if (S_ISREG(status.st_mode)) return isZipFile(front) ? front : std::string();
  }
  return {};
}

Result<FilePlace> resolvePlace(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return FilePlace(path);
  const std::string archive = archiveOf(path);
  if (archive.empty()) return FilePlace(path);
  Result<FileHandle> file = FileHandle::open(archive);
  if (!file) return fail(file.error());
  const Result<FileStamp> stamp = file->stamp();
  if (!stamp) return fail(stamp.error().within(archive));
  const auto directory = readZipDirectory(RawBytes(std::move(*file), stamp->sizeBytes));
  if (!directory) return fail(directory.error().within(archive));
  const std::string name = path.substr(archive.size() + 1);
  const auto isIt = [&](const ZipEntry& entry) { return entry.name == name && !entry.isFolder(); };
  const auto found = std::find_if(directory->entries.begin(), directory->entries.end(), isIt);
  if (found == directory->entries.end()) return fail(noSuchMember(archive, name, *directory));
  if (std::count_if(directory->entries.begin(), directory->entries.end(), isIt) > 1) {
    return fail(ErrorCode::Format,
                fmt::format("{}: several members are named {}: unpack it and name the right one",
                            archive, forTerminal(name)));
  }
  return FilePlace(std::make_shared<const ZipMember>(ZipMember{archive, *found, *stamp}));
}

Result<std::shared_ptr<const RawBytes>> openRawFile(const FilePlace& place) {
  Result<std::shared_ptr<const RawBytes>> raw = openDisk(place.onDisk());
  if (!raw || place.member == nullptr) return raw;
  const Result<FileStamp> stamp = stampOf(place);
  FileStamp known = place.member->archiveStamp;
  known.sizeBytes = place.member->entry.bytes;
  if (!stamp || !(*stamp == known)) {
    return fail(ErrorCode::Io,
                fmt::format("{}: the archive changed after it was looked at", place.path));
  }
  return raw;
}

Result<std::shared_ptr<const RawBytes>> openRawContent(const FilePlace& place,
                                                       std::uint64_t maxBytes) {
  if (place.member == nullptr) return openDisk(place.path);
  if (place.member->entry.bytes > maxBytes) {
    return fail(
        ErrorCode::Limit,
        fmt::format("{}: of more than {} bytes, which is the most for such a file inside a zip "
                    "archive; unpack it and name the file",
                    place.path, maxBytes));
  }
  const auto stage = openRawStage(place);
  if (!stage) return fail(stage.error());
  std::string bytes;
  while (true) {
    const Result<std::size_t> got = (*stage)->read(bytes, 1u << 20);
    if (!got) return fail(got.error().within(place.path));
    if (*got == 0) return std::make_shared<const RawBytes>(std::move(bytes));
  }
}

Result<std::unique_ptr<ByteStage>> openRawStage(const FilePlace& place) {
  const auto raw = openRawFile(place);
  if (!raw) return fail(raw.error());
  if (place.member == nullptr) return makeRawStage(*raw);
  auto stage = makeZipEntryStage(*raw, place.member->entry, kLimits);
  if (!stage) return fail(stage.error().within(place.path));
  return stage;
}

Result<FileStamp> stampOf(const FilePlace& place) {
  const Result<FileHandle> file = FileHandle::open(place.onDisk());
  if (!file) return fail(file.error());
  Result<FileStamp> stamp = file->stamp();
  if (!stamp) return fail(stamp.error().within(place.path));
  if (place.member == nullptr) return stamp;
  // A file that is exchanged for one of another size may keep time and inode.
  if (stamp->sizeBytes != place.member->archiveStamp.sizeBytes) {
    return fail(ErrorCode::Io, fmt::format("{}: the archive changed", place.path));
  }
  stamp->sizeBytes = place.member->entry.bytes;
  return stamp;
}

}  // namespace counterfoil
