// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/archive_expansion.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kNamesTold = 5;

struct Archive {
  std::string path, shown;
  std::optional<Interval> day;
  ZipDirectory directory;
  FileStamp stamp;
};

Result<Archive> openArchive(const ExpandedPath& path) {
  Result<FileHandle> file = FileHandle::open(path.path);
  if (!file) return fail(file.error());
  const Result<FileStamp> stamp = file->stamp();
  if (!stamp) return fail(stamp.error().within(path.path));
  auto directory = readZipDirectory(RawBytes(std::move(*file), stamp->sizeBytes));
  if (!directory) return fail(directory.error().within(path.path));
  return Archive{path.path, path.shown, path.day, std::move(*directory), *stamp};
}

/// Calls fn with each part between slashes, of either kind; true if it is true of one of them.
template <class Fn>
bool anyPart(std::string_view name, const Fn& fn) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("/\\"), name.size());
    if (fn(name.substr(0, end))) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

/// Folders, and what file managers leave behind.
bool isNoData(const ZipEntry& entry) {
  return entry.isFolder() || anyPart(entry.name, [](std::string_view part) {
           return part == "__MACOSX" || (part.size() > 1 && part.front() == '.' && part != "..");
         });
}

std::string faultOf(const ZipEntry& entry, std::size_t ofThatName) {
  if (ofThatName > 1) {
    return fmt::format(
        "{} members of the archive have this name, and none is read: it cannot be told which is "
        "meant",
        ofThatName);
  }
  return zipEntryFault(entry);
}

std::vector<const ZipEntry*> byName(const ZipDirectory& directory) {
  std::vector<const ZipEntry*> entries;
  for (const ZipEntry& entry : directory.entries) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const ZipEntry* a, const ZipEntry* b) { return a->name < b->name; });
  return entries;
}

/// One of several members of a name stands for all of them.
ExpandedPath memberOf(const Archive& archive, const ZipEntry& entry, std::size_t ofThatName) {
  ExpandedPath path;
  path.member = std::make_shared<const ZipMember>(ZipMember{archive.path, entry, archive.stamp});
  path.path = path.member->archive + "/" + entry.name;
  path.shown = archive.shown + "/" + entry.name;
  path.day = archive.day;
  if (const std::string fault = faultOf(entry, ofThatName); !fault.empty()) {
    path.problem = Error{ErrorCode::Format, fmt::format("{}: {}", forTerminal(path.shown), fault)};
  }
  return path;
}

template <class Wanted>
std::vector<ExpandedPath> membersOf(const Archive& archive, const Wanted& isWanted) {
  std::map<std::string_view, std::size_t> count;
  for (const ZipEntry& entry : archive.directory.entries) ++count[entry.name];
  std::vector<ExpandedPath> paths;
  std::vector<std::string> leftOut;
  const ZipEntry* previous = nullptr;
  for (const ZipEntry* const entry : byName(archive.directory)) {
    const bool isAgain = previous != nullptr && previous->name == entry->name;
    previous = entry;
    if (isAgain || !isWanted(*entry)) continue;
    if (isNoData(*entry)) {
      leftOut.push_back(entry->name);
    } else {
      paths.push_back(memberOf(archive, *entry, count[entry->name]));
    }
  }
  if (!paths.empty()) paths.front().leftOut = std::move(leftOut);
  return paths;
}

ExpandedPath withProblem(ExpandedPath path, Error error) {
  path.problem = std::move(error);
  return path;
}

std::vector<ExpandedPath> expandOne(const ExpandedPath& path) {
  const auto archive = openArchive(path);
  if (!archive) return {withProblem(path, archive.error())};
  const std::string_view kind = zipDocumentKind(archive->directory);
  if (kind == "xlsx") return {path};
  if (!kind.empty()) {
    return {withProblem(path,
                        {ErrorCode::Format,
                         fmt::format("{}: a document of kind {}, which is not read; save the sheet "
                                     "as .xlsx or CSV",
                                     path.shown, kind)})};
  }
  std::vector<ExpandedPath> members = membersOf(*archive, [](const ZipEntry&) { return true; });
  if (!members.empty()) return members;
  return {
      withProblem(path, {ErrorCode::Format,
                         fmt::format("{}: a zip archive that holds no file to read", path.shown)})};
}

}  // namespace

std::vector<ExpandedPath> withMembers(std::vector<ExpandedPath> paths) {
  std::vector<ExpandedPath> all;
  for (ExpandedPath& path : paths) {
    if (!isZipFile(path.path)) {
      all.push_back(std::move(path));
      continue;
    }
    for (ExpandedPath& member : expandOne(path)) all.push_back(std::move(member));
  }
  return all;
}

Result<std::vector<ExpandedPath>> expandInto(const std::string& archivePath,
                                             const std::string& whole, const std::string& shown) {
  const std::string wanted = whole.substr(archivePath.size() + 1);
  const std::string archiveShown =
      shown.substr(0, shown.size() - std::min(shown.size(), wanted.size() + 1));
  const auto archive = openArchive({archivePath, archiveShown, std::nullopt});
  if (!archive) return fail(archive.error());
  std::vector<ExpandedPath> members = membersOf(
      *archive, [&](const ZipEntry& entry) { return !entry.isFolder() && entry.name == wanted; });
  if (members.empty()) {
    members = membersOf(*archive, [&](const ZipEntry& entry) {
      return ::fnmatch(wanted.c_str(), entry.name.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
    });
  }
  if (!members.empty()) return members;
  std::string names;
  const std::vector<const ZipEntry*> entries = byName(archive->directory);
  for (std::size_t i = 0; i < std::min(entries.size(), kNamesTold); ++i) {
    names += (names.empty() ? "" : ", ") + forTerminal(entries[i]->name);
  }
  if (entries.size() > kNamesTold) names += ", …";
  return fail(ErrorCode::Missing,
              fmt::format("{}: no such member of the archive; it holds {}", forTerminal(shown),
                          names.empty() ? "nothing" : names));
}

}  // namespace counterfoil
