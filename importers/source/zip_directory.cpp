// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/source/zip_directory.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "importers/source/encoding.h"

namespace counterfoil {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kEndMark = "PK\x05\x06"sv;
constexpr std::string_view kEnd64Mark = "PK\x06\x06"sv;
constexpr std::string_view kLocator64Mark = "PK\x06\x07"sv;
constexpr std::string_view kEntryMark = "PK\x01\x02"sv;
constexpr std::string_view kMemberMark = "PK\x03\x04"sv;
constexpr std::size_t kEndBytes = 22, kEnd64Bytes = 56, kLocator64Bytes = 20, kEntryBytes = 46,
                      kMemberBytes = 30;
constexpr std::size_t kMaxDirectoryBytes = 16u << 20;
constexpr std::uint64_t kRatioLookedAtFrom = 64ull << 20;
constexpr std::uint64_t kMaxRatioOfAll = 1000;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// Where the entries are.
struct DirectoryPlace {
  std::uint64_t offset = 0, bytes = 0, entries = 0;
};

Error damaged(std::string_view what) {
  return {ErrorCode::Format, fmt::format("a damaged zip archive: {}; fetch the file again", what)};
}

Result<DirectoryPlace> place64(const RawBytes& raw, std::uint64_t endOffset) {
  if (endOffset < kLocator64Bytes) return fail(damaged("its directory has no place"));
  const auto locator = raw.piece(endOffset - kLocator64Bytes, kLocator64Bytes);
  if (!locator) return fail(locator.error());
  if (std::string_view(*locator).substr(0, 4) != kLocator64Mark)
    return fail(damaged("its directory has no place"));
  const auto end = raw.piece(number(*locator, 8, 8), kEnd64Bytes);
  if (!end || std::string_view(*end).substr(0, 4) != kEnd64Mark)
    return fail(damaged("its directory has no place"));
  return DirectoryPlace{number(*end, 48, 8), number(*end, 40, 8), number(*end, 32, 8)};
}

Result<DirectoryPlace> placeOfDirectory(const RawBytes& raw) {
  const auto tailBytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(raw.size(), kEndBytes + 0xFFFF));
  const std::uint64_t tailOffset = raw.size() - tailBytes;
  const auto tail = raw.piece(tailOffset, tailBytes);
  if (!tail) return fail(tail.error());
  std::size_t at = tail->size();
  while (true) {
    at = at == 0 ? std::string::npos : tail->rfind(kEndMark, at - 1);
    if (at == std::string::npos) {
      return fail(ErrorCode::Format,
                  "a zip archive (or Excel workbook) that is cut off: the directory at its end is "
                  "missing; fetch the file again");
    }
    // The mark may stand in the archive's comment by chance: the comment has to reach to the end.
    if (at + kEndBytes <= tail->size() &&
        at + kEndBytes + number(*tail, at + 20, 2) == tail->size())
      break;
  }
  if (number(*tail, at + 4, 2) != number(*tail, at + 6, 2)) {
    return fail(ErrorCode::Format,
                "a part of a zip archive of several parts; unpack it and name the files");
  }
  const DirectoryPlace found{number(*tail, at + 16, 4), number(*tail, at + 12, 4),
                             number(*tail, at + 10, 2)};
  const std::uint64_t endOffset = tailOffset + at;
  if (found.offset == 0xFFFFFFFF || found.bytes == 0xFFFFFFFF || found.entries == 0xFFFF) {
    const auto wide = place64(raw, endOffset);
    if (wide || found.offset == 0xFFFFFFFF || found.bytes == 0xFFFFFFFF) return wide;
  }
  return found;
}

/// Sizes and place that do not fit into 32 bits stand behind the name, in this order.
Result<> readWide(std::string_view extra, ZipEntry& entry) {
  while (extra.size() >= 4) {
    const std::uint64_t id = number(extra, 0, 2);
    const auto size = static_cast<std::size_t>(number(extra, 2, 2));
    if (size > extra.size() - 4) break;
    std::string_view values = extra.substr(4, size);
    extra.remove_prefix(4 + size);
    if (id != 1) continue;
    for (std::uint64_t* const value : {&entry.bytes, &entry.packedBytes, &entry.headerOffset}) {
      if (*value != 0xFFFFFFFF) continue;
      if (values.size() < 8) return fail(damaged("a member has no size"));
      *value = number(values, 0, 8);
      values.remove_prefix(8);
    }
  }
  return {};
}

/// Names are UTF-8 if they say so or look so, else of the first PCs.
std::string nameOf(const std::string& written, bool saysUtf8) {
  if (saysUtf8 || isValidUtf8(written)) return toValidUtf8(written);
  const auto table = SingleByteTable::make("CP437");
  return table ? table->toUtf8(written) : toValidUtf8(written);
}

Result<ZipDirectory> readEntries(std::string_view bytes, std::uint64_t count) {
  ZipDirectory directory;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes.size() < kEntryBytes || bytes.substr(0, 4) != kEntryMark) {
      return fail(
          damaged(fmt::format("its directory breaks off after {} of {} members", i, count)));
    }
    const auto nameBytes = static_cast<std::size_t>(number(bytes, 28, 2));
    const auto extraBytes = static_cast<std::size_t>(number(bytes, 30, 2));
    const std::size_t whole =
        kEntryBytes + nameBytes + extraBytes + static_cast<std::size_t>(number(bytes, 32, 2));
    if (whole > bytes.size()) return fail(damaged("the last member of its directory is cut off"));
    const std::uint64_t flags = number(bytes, 8, 2);
    ZipEntry entry;
    entry.method = static_cast<std::uint16_t>(number(bytes, 10, 2));
    entry.checksum = static_cast<std::uint32_t>(number(bytes, 16, 4));
    entry.packedBytes = number(bytes, 20, 4);
    entry.bytes = number(bytes, 24, 4);
    entry.headerOffset = number(bytes, 42, 4);
    entry.isEncrypted = (flags & 0x0041) != 0 || entry.method == 99;
    entry.isLink = (number(bytes, 38, 4) >> 28) == 0xA;
    entry.writtenName = std::string(bytes.substr(kEntryBytes, nameBytes));
    entry.name = nameOf(entry.writtenName, (flags & 0x0800) != 0);
    if (Result<> wide = readWide(bytes.substr(kEntryBytes + nameBytes, extraBytes), entry); !wide) {
      return fail(wide.error());
    }
    directory.entries.push_back(std::move(entry));
    bytes.remove_prefix(whole);
  }
  return directory;
}

Result<> checkSizes(const ZipDirectory& directory, std::uint64_t archiveBytes) {
  std::uint64_t all = 0;
  for (const ZipEntry& entry : directory.entries) {
    if (entry.bytes > (1ull << 50)) return fail(damaged("a member of an impossible size"));
    all += entry.bytes;
  }
  if (all <= kRatioLookedAtFrom || all / kMaxRatioOfAll <= archiveBytes) return {};
  return fail(
      ErrorCode::Limit,
      fmt::format("a zip archive of {} bytes that unpacks to {}, more than {} times as much: "
                  "it is not read",
                  archiveBytes, all, kMaxRatioOfAll));
}

/// Holds what is unpacked against the directory.
class CheckedStage final : public ByteStage {
 public:
  CheckedStage(std::unique_ptr<ByteStage> inner, std::uint64_t bytes, std::uint32_t checksum)
      : m_inner(std::move(inner)), m_bytes(bytes), m_expected(checksum) {}

  Result<std::size_t> read(std::string& out, std::size_t count) override {
    if (m_fault) return fail(*m_fault);
    const std::size_t before = out.size();
    const Result<std::size_t> got = m_inner->read(out, count);
    if (!got) return got;
    m_read += *got;
    const auto* const data = reinterpret_cast<const Bytef*>(out.data() + before);
    m_checksum = crc32_z(m_checksum, data, *got);
    if (m_read > m_bytes) return stopWith(out, before, "it is longer than the directory says");
    if (*got > 0 || count == 0) return got;
    if (m_read < m_bytes) return stopWith(out, before, "it is shorter than the directory says");
    if (m_checksum != m_expected) return stopWith(out, before, "its checksum is wrong");
    return 0;
  }

 private:
  Result<std::size_t> stopWith(std::string& out, std::size_t size, std::string_view what) {
    out.resize(size);
    m_fault =
        Error{ErrorCode::Format,
              fmt::format("a damaged member of the zip archive: {}; fetch the file again", what)};
    return fail(*m_fault);
  }

  std::unique_ptr<ByteStage> m_inner;
  std::uint64_t m_bytes, m_read = 0;
  uLong m_checksum = 0;
  std::uint32_t m_expected;
  std::optional<Error> m_fault;
};

Result<std::uint64_t> dataOffsetOf(const RawBytes& raw, const ZipEntry& entry) {
  const auto header = raw.piece(entry.headerOffset, kMemberBytes);
  if (!header || std::string_view(*header).substr(0, 4) != kMemberMark) {
    return fail(damaged("a member is not where the directory says"));
  }
  const auto nameBytes = static_cast<std::size_t>(number(*header, 26, 2));
  const auto name = raw.piece(entry.headerOffset + kMemberBytes, nameBytes);
  if (!name || *name != entry.writtenName)
    return fail(damaged("a member has another name than in the directory"));
  const std::uint64_t offset =
      entry.headerOffset + kMemberBytes + nameBytes + number(*header, 28, 2);
  if (offset > raw.size() || entry.packedBytes > raw.size() - offset) {
    return fail(damaged("a member reaches beyond the archive's end"));
  }
  return offset;
}

/// "../a.csv", "/etc/a.csv", "C:\a.csv" and names with control characters. Nothing is written, so
/// no harm could be done; but a file that tries is not what it says.
bool leadsOut(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.front() == '\\' || name.substr(1, 2) == ":\\")
    return true;
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' '; }))
    return true;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("/\\"), name.size());
    if (name.substr(0, end) == "..") return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

}  // namespace

const ZipEntry* ZipDirectory::find(std::string_view name) const {
  const ZipEntry* near = nullptr;
  for (const ZipEntry& entry : entries) {
    if (entry.name == name) return &entry;
    if (near == nullptr && equalsIgnoreCase(entry.name, name)) near = &entry;
  }
  return near;
}

Result<ZipDirectory> readZipDirectory(const RawBytes& raw) {
  const auto place = placeOfDirectory(raw);
  if (!place) return fail(place.error());
  if (place->entries > kMaxZipMembers) {
    return fail(ErrorCode::Limit,
                fmt::format("a zip archive of {} members; {} is the most that is read from one",
                            place->entries, kMaxZipMembers));
  }
  if (place->bytes > kMaxDirectoryBytes) return fail(damaged("its directory is too long"));
  const auto bytes = raw.piece(place->offset, static_cast<std::size_t>(place->bytes));
  if (!bytes) return fail(damaged("its directory is not where it should be"));
  auto directory = readEntries(*bytes, place->entries);
  if (!directory) return directory;
  if (Result<> sane = checkSizes(*directory, raw.size()); !sane) return fail(sane.error());
  return directory;
}

std::string zipEntryFault(const ZipEntry& entry) {
  if (leadsOut(entry.name))
    return "its name leads out of the archive, as no honest archive's does: it is not read";
  if (entry.isEncrypted) return "it is encrypted: unpack it with its password and name the file";
  if (entry.isLink) return "it is a symbolic link, not a file: name the file that it means";
  if (entry.method != 0 && entry.method != 8) {
    return fmt::format(
        "it is packed by method {}, which is not known here: pack it as usual (deflate), or unpack "
        "it",
        entry.method);
  }
  return {};
}

Result<std::unique_ptr<ByteStage>> makeZipEntryStage(std::shared_ptr<const RawBytes> raw,
                                                     const ZipEntry& entry, UnpackLimits limits) {
  if (const std::string fault = zipEntryFault(entry); !fault.empty())
    return fail(ErrorCode::Format, fault);
  if (entry.bytes > limits.maxBytes) {
    return fail(ErrorCode::Limit, fmt::format("unpacks to more than {} bytes", limits.maxBytes));
  }
  if (entry.method == 0 && entry.packedBytes != entry.bytes)
    return fail(damaged("a stored member of two sizes"));
  const auto offset = dataOffsetOf(*raw, entry);
  if (!offset) return fail(offset.error());
  std::unique_ptr<ByteStage> stage = makeRawStage(std::move(raw), *offset, entry.packedBytes);
  if (entry.method == 8) stage = makeDeflateStage(std::move(stage), limits);
  return std::make_unique<CheckedStage>(std::move(stage), entry.bytes, entry.checksum);
}

std::string_view zipDocumentKind(const ZipDirectory& directory) {
  if (directory.find("[Content_Types].xml") != nullptr) {
    if (directory.find("xl/workbook.bin") != nullptr) return "xlsb";
    const auto isOf = [&](std::string_view folder) {
      return std::any_of(directory.entries.begin(), directory.entries.end(),
                         [&](const ZipEntry& entry) {
                           return entry.name.size() > folder.size() &&
                                  equalsIgnoreCase(entry.name.substr(0, folder.size()), folder);
                         });
    };
    if (isOf("xl/")) return "xlsx";
    if (isOf("word/")) return "docx";
    if (isOf("ppt/")) return "pptx";
  }
  if (directory.find("META-INF/manifest.xml") != nullptr &&
      directory.find("content.xml") != nullptr)
    return "ods";
  if (directory.find("Index/Document.iwa") != nullptr) return "numbers";
  return "";
}

}  // namespace counterfoil
