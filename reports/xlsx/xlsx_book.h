// SPDX-License-Identifier: GPL-3.0-or-later
// An Excel workbook that is written row by row, with bounded memory. Texts are only ever texts: no formula can come of
// one. Equal content gives equal bytes (no clock is looked at). One thread; errors come with finish().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "reports/model/report_case.h"

namespace counterfoil {

/// Excel takes no more (specification of Microsoft 365: worksheet limits).
inline constexpr std::uint32_t kXlsxRowsMost = 1'048'576;
inline constexpr std::size_t kXlsxTextMost = 32'767;   ///< characters of a cell

struct XlsxColumn {
  std::string title;
  double width = 14;      ///< in characters
  std::vector<std::string> choices = {};   ///< words that a person may fill in
};

class XlsxBook {
 public:
  /// The file is made by finish(). `rowsMost` is lower in tests.
  static Result<XlsxBook> create(const std::string& path, std::uint32_t rowsMost = kXlsxRowsMost);
  ~XlsxBook();
  XlsxBook(XlsxBook&&) noexcept;
  XlsxBook& operator=(XlsxBook&&) noexcept = delete;

  /// Begins a sheet; rows go to it until the next one. Where it is full, "NAME (2)" goes on with the same head.
  void addSheet(std::string_view name, std::vector<XlsxColumn> columns);
  /// A cell too many is dropped, one too few is blank.
  void addRow(const std::vector<CellValue>& cells);
  /// Sheets that were begun because one was full.
  [[nodiscard]] std::size_t furtherSheets() const;
  /// WriteFailed names the path.
  Result<> finish();

 private:
  struct Impl;
  explicit XlsxBook(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

/// What of a text a cell can hold: control characters made visible, cut with a word where it is too long.
[[nodiscard]] std::string xlsxText(std::string_view text);

}  // namespace counterfoil
