// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/outside_lines.h"

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "importers/mapping/mapping_model.h"
#include "importers/mapping/pattern.h"
#include "importers/source/file_handle.h"

namespace counterfoil {

namespace {

constexpr std::size_t kEndBytes = 64u << 10;
constexpr std::size_t kBlockBytes = 256u << 10;

/// The lines before the rows, and the last ones of the file.
struct Around {
  std::string before, behind;
};

/// Where line `number` (1-based) begins; the text's end if it has not so many.
std::size_t startOfLine(std::string_view text, std::uint64_t number) {
  std::size_t at = 0;
  for (std::uint64_t line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  return at;
}

/// The end of a file that need not be read from its beginning.
Result<std::optional<std::string>> endByPosition(const OpenedFile& file) {
  if (!file.byPosition) return std::optional<std::string>();
  const Result<FileHandle> handle = FileHandle::open(file.path);
  if (!handle) return fail(handle.error());
  const Result<FileStamp> stamp = handle->stamp();
  if (!stamp) return fail(stamp.error());
  if (stamp->sizeBytes <= 2 * kEndBytes) return std::optional<std::string>();  // read it whole
  std::string end(kEndBytes, '\0');
  const Result<std::size_t> got =
      handle->readAt(stamp->sizeBytes - kEndBytes, end.data(), end.size());
  if (!got) return fail(got.error());
  end.resize(*got);
  end.erase(0, std::min(end.find('\n'), end.size() - 1) + 1);
  return std::optional(file.table ? file.table->toUtf8(end) : std::move(end));
}

Result<Around> readAround(const OpenedFile& file) {
  auto end = endByPosition(file);
  if (!end) return fail(end.error());
  const Result<std::unique_ptr<ByteSource>> source = file.openSource();
  if (!source) return fail(source.error());
  Around around;
  std::string text;
  bool isFirst = true;
  while (true) {
    const Result<std::size_t> got = (*source)->read(text, kBlockBytes);
    const bool ended = !got || *got == 0;  // a fault is met again when the rows are read
    if (isFirst && (ended || text.size() >= kEndBytes)) {
      const std::size_t rows = startOfLine(text, file.dataLine);
      around.before = text.substr(0, std::min(rows, kBlockBytes));
      text.erase(0, rows);
      isFirst = false;
    }
    if (ended || (!isFirst && *end)) break;
    if (isFirst || text.size() <= 2 * kEndBytes) continue;
    text.erase(0, text.size() - kEndBytes);
    text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  }
  around.behind = *end ? std::move(**end) : std::move(text);
  return around;
}

/// Gives the lines of a text to fn until it returns false, the last ones first if asked.
template <class Take>
void forEachLine(std::string_view text, bool backwards, Take take) {
  while (!text.empty()) {
    std::string_view line;
    if (backwards) {
      if (text.back() == '\n') text.remove_suffix(1);
      const std::size_t start = text.rfind('\n') + 1;  // npos + 1 is 0
      line = text.substr(start);
      text = text.substr(0, start);
    } else {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!take(line)) return;
  }
}

std::optional<std::string> findIn(const Around& around, const Pattern& pattern) {
  std::optional<std::string> value;
  const auto take = [&](std::string_view line) {
    bool found = false;
    const std::string_view group = pattern.first(line, found);
    if (found) value = std::string(trim(group));
    return !found;
  };
  forEachLine(around.before, false, take);
  if (!value) forEachLine(around.behind, true, take);
  return value;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> lineValues(
    const OpenedFile& file, const std::vector<std::string>& places) {
  const Result<Around> around = readAround(file);
  if (!around) return fail(around.error());
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& place : places) {
    const Result<Pattern> pattern =
        Pattern::compile(std::string_view(place).substr(kLinePlace.size()));
    if (!pattern) return fail(pattern.error());
    if (auto value = findIn(*around, *pattern)) values.emplace_back(place, std::move(*value));
  }
  return values;
}

}  // namespace counterfoil
