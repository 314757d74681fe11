// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the reports in a folder: index.json, which programs and we ourselves read back, and index.html.
// Pure: files are the caller's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/model/report_model.h"

namespace counterfoil {

struct IndexEntry {
  std::string file;      ///< name in the folder
  std::string format, title, name;
  std::uint64_t run = 0;
  std::string asOf;      ///< ISO 8601
  std::uint64_t breaks = 0, open = 0;
  bool complete = true;
  std::string exposure;  ///< for people
  bool operator==(const IndexEntry&) const = default;
};

[[nodiscard]] IndexEntry indexEntryOf(const ReportFacts& facts, const Words& words, std::string_view format, std::string file);
/// At most 10,000 entries. Error (Format): not an index of ours.
[[nodiscard]] Result<std::vector<IndexEntry>> readIndex(std::string_view json);
/// The entry takes the place of an earlier one of its file. Newest as-of first, then by file.
void addToIndex(std::vector<IndexEntry>& entries, IndexEntry entry);
[[nodiscard]] std::string indexJson(const std::vector<IndexEntry>& entries);
[[nodiscard]] std::string indexHtml(const std::vector<IndexEntry>& entries, const Words& words);

}  // namespace counterfoil
